"""Label Studio's exports, JSON and JSON-MIN: tasks with annotations of people and predictions.

Gold is the annotation marked as ground truth, else the last that was not cancelled. Annotators go
by the ``email`` or ``id`` in ``completed_by``, models by their ``model_version``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from silverspan.corpus.json_lines import JsonObject, WeightedSpan, shown
from silverspan.corpus.json_list import objects
from silverspan.corpus.record import Problem, Record, stop
from silverspan.corpus.tools.spans import bare, text_of
from silverspan.errors import InputError


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every task.

    Raises:
        InputError: the file is no JSON, or an object is no task.
    """
    yield from records(objects(path), problem)


def records(items: Iterable[JsonObject], problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every task.

    Raises:
        InputError: an object is no task.
    """
    for item in items:
        try:
            yield _record(item)
        except InputError as error:
            problem(error)


def _record(item: JsonObject) -> Record:
    is_minimal = "data" not in item.fields
    data = item.fields if is_minimal else item.value("data", dict)
    text = text_of(item, data, '"data"')
    # The id that we exported comes back among the data; the tool numbers tasks by itself.
    own = JsonObject(item.path, item.line, data or {}).identifier()
    identifier = item.identifier() if own is None else own
    if is_minimal:
        annotations = _minimal(item)
    else:
        annotations = _listed(item, "annotations") or _listed(item, "completions")
    layers: dict[str, tuple[WeightedSpan, ...]] = {}
    gold: tuple[WeightedSpan, ...] | None = None
    has_truth = False
    for annotation in annotations:
        if annotation.get("was_cancelled"):
            continue
        spans = _spans(item, annotation.get("result"), text)
        layers[_annotator(annotation.get("completed_by"))] = spans
        is_truth = bool(annotation.get("ground_truth"))
        if is_truth or not has_truth:
            gold = spans
        has_truth |= is_truth
    found = None
    for prediction in _listed(item, "predictions"):
        found = _spans(item, prediction.get("result"), text)
        layers.setdefault(str(prediction.get("model_version") or "model"), found)
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


def _listed(item: JsonObject, key: str) -> list[dict[str, Any]]:
    values = item.value(key, list) or []
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return []  # numbers of what was not exported with the task
    for value in values:
        if not isinstance(value, dict):
            raise item.error(f'"{key}" should hold objects, not {shown(value)}')
    return values


def _minimal(item: JsonObject) -> list[dict[str, Any]]:
    """Return the one annotation of a task in JSON-MIN, where regions stand under a tag's name."""
    if "annotator" not in item.fields and "annotation_id" not in item.fields:
        return []
    regions = [
        {"type": "labels", "value": region}
        for value in item.fields.values()
        if isinstance(value, list)
        for region in value
        if isinstance(region, dict) and "labels" in region
    ]
    return [{"result": regions, "completed_by": item.fields.get("annotator")}]


def _annotator(completed_by: Any) -> str:
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return "" if completed_by is None else str(completed_by)


def _spans(item: JsonObject, result: Any, text: str) -> tuple[WeightedSpan, ...]:
    if not isinstance(result, list):
        raise item.error(f'"result" should be a list, not {shown(result)}')
    spans = []
    for region in result:
        value = region.get("value") if isinstance(region, dict) else None
        if not isinstance(value, dict):
            raise item.error(f'"result" should hold regions with a "value", not {shown(region)}')
        labels = value.get("labels")
        if labels is None:
            continue  # a choice, a relation, a rating: not of a span
        if not isinstance(labels, list):
            raise item.error(f'"labels" should be a list, not {shown(labels)}')
        start, end = _place(value, text)
        score = region.get("score")
        probability = 1.0 if score is None else item.probability(score, '"score"')
        for label in labels:
            span = item.span(
                [start, end, label], '"result"', len(text), sizes=(3,), unit="characters"
            )
            spans.append((*span[:3], probability))
    return tuple(sorted(spans))


def _place(value: dict[str, Any], text: str) -> tuple[Any, Any]:
    offsets = value.get("globalOffsets")
    place = offsets if isinstance(offsets, dict) else value
    start, end = place.get("start"), place.get("end")
    said = value.get("text")
    if type(start) is not int or type(end) is not int or not isinstance(said, str):
        return start, end
    if text[start:end] == said or text.isascii():
        return start, end
    # The browser counts a character outside the basic plane, such as an emoji, as two.
    units = text.encode("utf-16-le")
    first, last = units[: 2 * start], units[: 2 * end]
    try:
        moved = len(first.decode("utf-16-le")), len(last.decode("utf-16-le"))
    except UnicodeDecodeError:
        return start, end
    return moved if text[moved[0] : moved[1]] == said else (start, end)
