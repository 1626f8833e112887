"""Findings as one HTML file that needs nothing else: no network, no other file, light and dark.

It works without scripts; these only sort and filter tables. Whatever comes from outside is escaped,
by the template or by the pictures.
"""

import html
import json
import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from silverspan.analysis import Analysis, FunctionRow, PairRow
from silverspan.analysis.gold import KINDS
from silverspan.report.figures import (
    WIDEST,
    first_view,
    matrix_pictures,
    pictures_of,
    reliability_bins,
    scored_labels,
    shown_matrices,
)
from silverspan.report.findings import Findings
from silverspan.report.pictures import STYLE, Layer, colour_class, visible

_PAIRS = 15
#: Rows of the table of functions by label; beyond, those with fewest tokens are left out.
_ROWS = 1500


def to_html(findings: Findings) -> str:
    """Return the report as an HTML page."""
    environment = Environment(
        loader=PackageLoader("silverspan.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # What is shown is what is there: nothing that turns a line around, or is invisible.
        finalize=lambda value: visible_text(value) if isinstance(value, str) else value,
    )
    environment.filters |= {
        "share": share,
        "count": lambda value: f"{value:,}",
        "percent": lambda value: f"{100 * value:.1f}",
        "words": words,
        "json": lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    }
    environment.globals |= {
        "colour": lambda label: colour_class(label, findings.labels),
    }
    analysis = findings.analysis
    return environment.get_template("report.html").render(
        findings=findings,
        analysis=analysis,
        style=Markup(STYLE),
        pictures={name: Markup(svg) for name, svg in pictures_of(findings)},
        matrices=_matrices(findings),
        extras={row.function: row for row in analysis.extras},
        pairs=_pairs(analysis),
        topics=[
            (topic, list(group))
            for topic, group in groupby(analysis.suggestions, key=lambda each: each.topic)
        ],
        views={name: first_view(score) for name, score in findings.scores.items()},
        curves={name: reliability_bins(score) for name, score in findings.scores.items()},
        kinds=KINDS,
        by_label=_by_label(analysis),
        widest=WIDEST,
        scored=scored_labels(findings),
        layers_in_words=layers_in_words,
    )


def visible_text(text: str) -> str:
    """Return a text with its invisible characters spelled out; markup and line ends stay."""
    if isinstance(text, Markup):
        return text
    return "\n".join(visible(line) for line in text.split("\n"))


def share(value: float | None) -> str:
    """Return a number with the decimals that a table can use.

    >>> share(0.12345), share(None)
    ('0.123', '–')
    """
    return "\N{EN DASH}" if value is None else f"{value:.3f}"


def words(text: str) -> Markup:
    """Return a suggestion as markup: what stands in backticks is code.

    >>> words("`<b>` hurts")
    Markup('<code>&lt;b&gt;</code> hurts')
    """
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(visible_text(text))))


def layers_in_words(tokens: Sequence[str], layer: Layer) -> str:
    """Return what a layer says of a text, for those who do not see the picture.

    >>> layers_in_words(["In", "Oslo"], Layer(name="a", kind="", spans=((1, 2, "LOC", 0.5),)))
    'Oslo is LOC (0.50)'
    """
    told = [
        f"{' '.join(tokens[start:end])} is {label}"
        + ("" if probability > 0.995 else f" ({probability:.2f})")
        for start, end, label, probability in layer.spans
    ]
    return "; ".join(told) or "nothing"


def _by_label(analysis: Analysis) -> list[FunctionRow]:
    """Return the rows of functions by label, those with most tokens where there are too many."""
    rows = sorted(enumerate(analysis.by_label), key=lambda row: (-row[1].tokens, row[0]))[:_ROWS]
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _pairs(analysis: Analysis) -> list[PairRow]:
    """Return the pairs that disagree on most."""
    return sorted(
        analysis.pairs, key=lambda row: (-row.other_label * row.common_spans, row.first, row.second)
    )[:_PAIRS]


def _matrices(findings: Findings) -> list[dict[str, Any]]:
    """Return agreement and disagreement over all and by label, with how often on the whole."""
    found = []
    for matrices in shown_matrices(findings):
        agree, differ = (Markup(svg) for _, svg in matrix_pictures(matrices))
        found.append(
            {
                "label": matrices.label,
                "functions": len(matrices.functions),
                "agree": agree,
                "differ": differ,
            }
        )
    return found
