"""Findings as one HTML file that needs nothing else: no network, no other file, light and dark."""

from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from silverspan.report.findings import Example, Findings

_GOLDEN_ANGLE = 0.381966


def to_html(findings: Findings) -> str:
    """Return the report as an HTML page."""
    environment = Environment(
        loader=PackageLoader("silverspan.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["share"] = _share
    return environment.get_template("report.html").render(
        findings=findings,
        hues={label: hue(i) for i, label in enumerate(findings.labels)},
        scored=_scored(findings),
        examples=[_grid(example) for example in findings.examples],
        agreement=_cells(findings.agreement),
        disagreement=_cells(findings.disagreement),
        curve=_curve(findings.model),
    )


def _scored(findings: Findings) -> list[str]:
    """Return the labels that gold or any of the scored systems has, in order."""
    told: set[str] = set()
    for score in findings.scores.values():
        _, first = min(score["entity"].items())
        told |= first["labels"].keys()
    return [label for label in findings.labels if label in told]


def hue(number: int) -> int:
    """Return a hue in degrees, far from those of neighbouring numbers.

    >>> hue(0), hue(1)
    (0, 137)
    """
    return int(number * _GOLDEN_ANGLE % 1 * 360)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _grid(example: Example) -> dict[str, Any]:
    """Return an example as cells of a grid: a column a token, a row a layer."""
    layers = []
    for row, layer in enumerate(example.layers, start=2):
        cells = [
            {
                "from": start + 2,
                "to": end + 2,
                "label": label,
                "probability": probability,
                "text": " ".join(example.tokens[start:end]),
            }
            for start, end, label, probability in layer.spans
        ]
        layers.append({"name": layer.name, "kind": layer.kind, "row": row, "cells": cells})
    return {"document": example.document, "tokens": example.tokens, "layers": layers}


def _cells(table: Sequence[Sequence[float]]) -> list[list[dict[str, str]]]:
    """Return a table of shares as colours from transparent to full."""
    return [
        [{"opacity": f"{min(value, 1.0):.3f}", "value": f"{value:.2f}"} for value in row]
        for row in table
    ]


def _curve(model: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the likelihood per round as the points of a polyline in a box of 100 by 40."""
    values = model.get("log_likelihood")
    if not isinstance(values, list) or len(values) < 2:
        return None
    low, high = min(values), max(values)
    width = max(high - low, 1e-9)
    points = [
        f"{100 * i / (len(values) - 1):.2f},{38 - 36 * (value - low) / width:.2f}"
        for i, value in enumerate(values)
    ]
    return {
        "points": " ".join(points),
        "first": values[0],
        "last": values[-1],
        "rounds": len(values),
    }
