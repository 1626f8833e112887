"""Scores become Markdown tables, each number beside the paper's."""

from collections.abc import Mapping, Sequence
from typing import Any

from .published import LABEL, MAIN

Published = Mapping[str, Sequence[float]]


def main_table(
    titles: Mapping[str, str],
    found: Mapping[str, Mapping[str, Any]],
    reasons: Mapping[str, str],
    published: Published,
) -> str:
    """Return a table like the paper's first two: ours, with the paper's number in parentheses."""
    lines = [_head(["", *MAIN, "CE"])]
    for row, title in titles.items():
        if row in found:
            ours = [f"{value:.3f}" for value in found[row]["main"]]
            cells = _beside(ours, published.get(row))
            cells.append(f"{found[row]['cross_entropy']:.3f}")
            lines.append(_line([title, *cells]))
        else:
            lines.append(_line([title, *_missing(reasons.get(row, ""), published.get(row)), ""]))
    return "\n".join(lines)


def label_table(
    titles: Mapping[str, str],
    found: Mapping[str, Mapping[str, Any]],
    reasons: Mapping[str, str],
    published: Mapping[str, Published],
    labels: Sequence[str],
) -> str:
    """Return the table by label, like the one of the paper's appendix."""
    lines = [_head(["label", "share", "", *LABEL])]
    any_row: Mapping[str, Any] = next(iter(found.values()), {"gold": {}})
    total = max(sum(any_row["gold"].values()), 1)
    for label in labels:
        first = [label, f"{100 * any_row['gold'].get(label, 0) / total:.1f} %"]
        for row, title in titles.items():
            theirs = published.get(label, {}).get(row)
            if row in found:
                values = found[row]["labels"].get(label, [0.0] * len(LABEL))
                cells = _beside([f"{value:.3f}" for value in values], theirs)
            else:
                cells = _missing(reasons.get(row, ""), theirs, len(LABEL))
            lines.append(_line([*first, title, *cells]))
            first = ["", ""]
    return "\n".join(lines)


def priors_table(found: Mapping[str, Mapping[str, Any]], reasons: Mapping[str, str]) -> str:
    """Return entity F1 by start of the label model, on all documents and on the sample."""
    names = {
        "table": "informative: rough precision and recall (the paper's)",
        "vote": "informative: the vote (our default)",
        "uninformative": "non-informative",
    }
    lines = [_head(["start", "emission", "all documents", "the sample"])]
    for start, title in names.items():
        for emission in ("dirichlet", "categorical"):
            cells = []
            for where in ("all", "sample"):
                row = f"prior_{emission}_{start}_{where}"
                cells.append(
                    f"{found[row]['main'][6]:.3f}"
                    if row in found
                    else f"not run: {reasons.get(row, '')}"
                )
            lines.append(_line([title, emission, *cells]))
    return "\n".join(lines)


def part_table(
    titles: Mapping[str, str], found: Mapping[str, Mapping[str, Any]], reasons: Mapping[str, str]
) -> str:
    """Return entity and token scores on one part of the corpus."""
    lines = [_head(["", "P", "R", "F1", "token F1", "CE"])]
    for row, title in titles.items():
        if row in found:
            main = found[row]["main"]
            values = [*main[4:], main[2], found[row]["cross_entropy"]]
            lines.append(_line([title, *(f"{value:.3f}" for value in values)]))
        else:
            lines.append(_line([title, f"not run: {reasons.get(row, '')}", *[""] * 4]))
    return "\n".join(lines)


def _beside(ours: Sequence[str], theirs: Sequence[float] | None) -> list[str]:
    if theirs is None:
        return list(ours)
    return [f"{mine} ({other:.3f})" for mine, other in zip(ours, theirs, strict=True)]


def _missing(reason: str, theirs: Sequence[float] | None, width: int = len(MAIN)) -> list[str]:
    cells = [f"({value:.3f})" for value in theirs] if theirs else [""] * width
    return [f"not run: {reason} {cells[0]}".strip(), *cells[1:]]


def _head(names: Sequence[str]) -> str:
    return _line(names) + "\n" + _line(["---"] * len(names))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
