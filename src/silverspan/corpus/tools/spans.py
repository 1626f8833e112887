"""Spans as annotation tools write them, objects that count characters, with every field checked."""

from typing import Any

from silverspan.corpus.json_lines import JsonObject, WeightedSpan, shown


def character_spans(item: JsonObject, values: Any, where: str, text: str) -> list[WeightedSpan]:
    """Return the spans of a list of ``{"start", "end", "label"}``, or of lists of the three.

    A ``score`` is their probability, else it is 1.

    Raises:
        InputError: it is no such list.
    """
    if not isinstance(values, list):
        raise item.error(f"{where} should be a list of spans, not {shown(values)}")
    spans = []
    for value in values:
        probability = 1.0
        if isinstance(value, dict):
            start, end = (value.get(n, value.get(f"{n}_offset")) for n in ("start", "end"))
            score = value.get("score")
            probability = 1.0 if score is None else item.probability(score, where)
            value = [start, end, value.get("label")]
        start, end, label, _ = item.span(value, where, len(text), sizes=(3,), unit="characters")
        spans.append((start, end, label, probability))
    return spans


def text_of(item: JsonObject, fields: Any, where: str) -> str:
    """Return the ``text`` among the fields of a task, or the only text there is.

    Raises:
        InputError: there is none, or it cannot be told which.
    """
    texts = {}
    if isinstance(fields, dict):
        texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    if "text" in texts:
        return texts["text"]
    rest = {name: value for name, value in texts.items() if name != "id"}
    if len(rest) != 1:
        known = ", ".join(rest) or "none"
        raise item.error(f'{where} should have a text called "text"; its texts are: {known}')
    return next(iter(rest.values()))


def bare(spans: list[WeightedSpan] | tuple[WeightedSpan, ...]) -> tuple[tuple[int, int, str], ...]:
    """Return spans without their probabilities: gold has none."""
    return tuple((start, end, label) for start, end, label, _ in spans)
