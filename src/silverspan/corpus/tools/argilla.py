"""Argilla 2: records as ``dataset.records.to_json`` writes them, or rows as we export them.

Gold is the last response to the span question, what was found its suggestion. People go by their
``user_id``, models by the suggestion's ``agent``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from silverspan.corpus.json_lines import JsonObject, WeightedSpan, shown
from silverspan.corpus.json_list import objects
from silverspan.corpus.record import Problem, Record, stop
from silverspan.corpus.tools.spans import bare, character_spans, text_of
from silverspan.errors import InputError


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every record.

    Raises:
        InputError: the file is no JSON, or an object is no record.
    """
    yield from records(objects(path), problem)


def records(items: Iterable[JsonObject], problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every record.

    Raises:
        InputError: an object is no record.
    """
    for item in items:
        try:
            yield _record(item) if "fields" in item.fields else _row(item)
        except InputError as error:
            problem(error)


def _record(item: JsonObject) -> Record:
    text = text_of(item, item.fields["fields"], '"fields"')
    layers: dict[str, tuple[WeightedSpan, ...]] = {}
    gold = found = None
    for answers in (item.value("responses", dict) or {}).values():
        if not isinstance(answers, list):
            raise item.error(f'"responses" should hold lists, not {shown(answers)}')
        for answer in answers:
            if isinstance(answer, dict) and _is_of_spans(answer.get("value")):
                gold = tuple(character_spans(item, answer["value"], '"responses"', text))
                layers[str(answer.get("user_id") or "")] = gold
    for suggestion in (item.value("suggestions", dict) or {}).values():
        if isinstance(suggestion, dict) and _is_of_spans(suggestion.get("value")):
            found = _weighted(item, suggestion["value"], suggestion.get("score"), text)
            layers.setdefault(str(suggestion.get("agent") or "model"), found)
    return _made(item, text, gold, found, layers)


def _row(item: JsonObject) -> Record:
    text = text_of(item, item.fields, "the row")
    found = None
    layers = {}
    if (spans := item.fields.get("spans")) is not None:
        found = _weighted(item, spans, item.fields.get("score"), text)
        layers[str(item.fields.get("agent") or "")] = found
    # With an agent it is a suggestion, which nobody has looked at yet.
    return _made(item, text, None if item.fields.get("agent") else found, found, layers)


def _is_of_spans(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(span, dict) and "start" in span for span in value
    )


def _weighted(item: JsonObject, spans: Any, score: Any, text: str) -> tuple[WeightedSpan, ...]:
    """Return spans with a score for each, or one for all."""
    plain = character_spans(item, spans, "the spans", text)
    scores = score if isinstance(score, list) else [score] * len(plain)
    if len(scores) != len(plain):
        raise item.error(f'"score" has {len(scores)} numbers for {len(plain)} spans')
    return tuple(
        (*span[:3], span[3] if one is None else item.probability(one, '"score"'))
        for span, one in zip(plain, scores, strict=True)
    )


def _made(
    item: JsonObject,
    text: str,
    gold: tuple[WeightedSpan, ...] | None,
    found: tuple[WeightedSpan, ...] | None,
    layers: dict[str, tuple[WeightedSpan, ...]],
) -> Record:
    identifier = item.identifier()
    return Record(
        id="" if identifier is None else str(identifier),
        number=identifier if isinstance(identifier, int) else None,
        text=text,
        gold=None if gold is None else bare(gold),
        gold_unit="characters",
        found=found,
        layers=layers,
        path=str(item.path),
        line=item.line,
    )
