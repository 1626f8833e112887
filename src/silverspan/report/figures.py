"""The pictures of a report by name: shown in the page, and written as SVG files."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np

from silverspan.analysis.findings import Matrices
from silverspan.analysis.gold import OUTSIDE
from silverspan.corpus.files import atomic_write
from silverspan.report.findings import Findings
from silverspan.report.pictures import (
    bars,
    curve,
    heat_map,
    layered_text,
    reliability,
    standalone,
)

#: Functions in one matrix: more cannot be read, and make a page too large for a mail.
WIDEST: Final = 60


def figures(findings: Findings) -> dict[str, str]:
    """Return every picture as an ``svg`` element, by the name of its file without ending."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    pictures = [*pictures_of(findings)]
    for matrices in shown_matrices(findings):
        pictures += matrix_pictures(matrices)
    for name, svg in pictures:
        # Labels may be called anything, and alike but for what files cannot have, or tell apart.
        safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")
        while safe.lower() in taken:
            safe += "-again"
        taken.add(safe.lower())
        found[safe] = svg
    return found


def write_figures(findings: Findings, directory: Path) -> list[Path]:
    """Write every picture as a file of its own; return the files."""
    paths = []
    for name, svg in figures(findings).items():
        path = directory / f"{name}.svg"
        with atomic_write(path) as file:
            file.write(standalone(svg))
        paths.append(path)
    return paths


def pictures_of(findings: Findings) -> Iterator[tuple[str, str]]:
    """Yield the name and the picture of all but the matrices of agreement."""
    if findings.scores:
        yield "scores", score_bars(findings)
        for name, score in findings.scores.items():
            for what, bins in reliability_bins(score).items():
                title = f"calibration of {name}: {what}s"
                yield f"calibration-{name}-{what}", reliability(bins, title=title)
    if findings.analysis.gold:
        yield "confusion", confusion(findings)
    likelihood = findings.model.get("log_likelihood")
    if isinstance(likelihood, list) and len(likelihood) > 1 and all(map(isfinite, likelihood)):
        across = f"round 1 to {len(likelihood)}"
        yield "learning", curve(likelihood, title="log likelihood by round", across=across)
    for number, example in enumerate(findings.examples, start=1):
        yield (
            f"example-{number}",
            layered_text(
                example.tokens,
                example.layers,
                labels=findings.labels,
                title=f"sentence of {example.document} with its layers",
            ),
        )


def score_bars(findings: Findings) -> str:
    """Return F1 by label with its interval, a bar for each system."""
    series = list(findings.scores)
    tables = [first_view(score)[1] for score in findings.scores.values()]
    given = [score.get("intervals", {}) for score in findings.scores.values()]
    values: dict[str, list[float]] = {}
    intervals: dict[str, list[tuple[float, float] | None]] = {}
    for label in (*scored_labels(findings), None):
        name = "all labels" if label is None else label
        rows = [_counts(table, label) for table in tables]
        values[name] = [row.get("f1", 0.0) for row in rows]
        found = [
            each.get("micro") if label is None else each.get("labels", {}).get(label)
            for each in given
        ]
        intervals[name] = [
            None if each is None else (each["f1"][0], each["f1"][1]) for each in found
        ]
    return bars(values, series, title="F1 by label", intervals=intervals)


def first_view(score: Any) -> tuple[str, Any]:
    """Return the view that counts, and its scores: strict, if the project has it."""
    entity = score["entity"]
    name = "strict" if "strict" in entity else next(iter(entity))
    return name, entity[name]


def _counts(table: Any, label: str | None) -> Any:
    return table["micro"] if label is None else table["labels"].get(label, {})


def scored_labels(findings: Findings) -> list[str]:
    """Return the labels that are scored, in the project's order, others after."""
    there = {
        label for score in findings.scores.values() for label in first_view(score)[1]["labels"]
    }
    order = {label: i for i, label in enumerate(findings.labels)}
    return sorted(there, key=lambda label: (order.get(label, len(order)), label))


def reliability_bins(score: Any) -> dict[str, list[tuple[float, float, int]]]:
    """Return the reliability curves of a score, of tokens and of spans."""
    found = {}
    for what in ("token", "span"):
        told = (score.get("calibration") or {}).get(what)
        # A system that is always sure of itself, as a tagger without probabilities, has no curve.
        if told and len(told["bins"]) > 1:
            found[what] = [
                (each["confidence"], each["accuracy"], each["count"]) for each in told["bins"]
            ]
    return found


def confusion(findings: Findings) -> str:
    """Return how gold's tokens were labelled, each row as shares of itself."""
    gold = findings.analysis.gold
    if gold is None:
        return ""
    table = np.array(gold.confusion, dtype=np.float64)
    # Tokens without a label on both sides would outweigh all others.
    table[-1, -1] = 0
    names = (*gold.labels, OUTSIDE)
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    return heat_map(
        shares, names, title="confusion: rows gold, columns found", cell=26.0, numbers=True
    )


def shown_matrices(findings: Findings) -> list[Matrices]:
    """Return the matrices, of the functions with most tokens where there are too many."""
    tokens = {row.function: row.tokens for row in findings.analysis.functions}
    shown = []
    for matrices in findings.analysis.matrices:
        names = matrices.functions
        if len(names) > WIDEST:
            order = sorted(range(len(names)), key=lambda i: (-tokens.get(names[i], 0), i))
            chosen = sorted(order[:WIDEST])
            matrices = replace(
                matrices,
                functions=tuple(names[i] for i in chosen),
                agreement=_part(matrices.agreement, chosen),
                disagreement=_part(matrices.disagreement, chosen),
            )
        shown.append(matrices)
    return shown


def _part(
    table: tuple[tuple[float, ...], ...], chosen: Sequence[int]
) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(table[i][j] for j in chosen) for i in chosen)


def matrix_pictures(matrices: Matrices) -> Iterator[tuple[str, str]]:
    """Yield the pictures of agreement and disagreement, over all or on one label."""
    where = "" if matrices.label is None else f" on {matrices.label}"
    suffix = "" if matrices.label is None else f"-{matrices.label}"
    yield (
        f"agreement{suffix}",
        heat_map(
            np.array(matrices.agreement), matrices.functions, title=f"agreement{where}", cell=13.0
        ),
    )
    # Disagreement is rarer: its darkest colour stands for less.
    yield (
        f"disagreement{suffix}",
        heat_map(
            np.array(matrices.disagreement),
            matrices.functions,
            title=f"disagreement{where}",
            tone="differ",
            cell=13.0,
            full=0.3,
        ),
    )
