"""Prodigy's annotations (``db-out``): a task and an answer on every line.

Only what was accepted counts; who rejected or ignored a task did not annotate it. Lines of one task
are one document: gold is the last answer, annotators go by ``_annotator_id``, or ``_session_id``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from silverspan.corpus.json_lines import JsonObject, WeightedSpan, read_objects
from silverspan.corpus.record import Problem, Record, stop
from silverspan.corpus.tools.spans import bare, character_spans
from silverspan.errors import InputError


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every task, in the order of their first lines.

    Raises:
        InputError: a line is no such task.
    """
    yield from records(read_objects(path, problem), problem)


def records(items: Iterable[JsonObject], problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every task; they are all read first.

    Raises:
        InputError: an object is no task.
    """
    tasks: dict[Any, list[tuple[JsonObject, str]]] = {}
    for item in items:
        try:
            text = item.value("text", str)
            if text is None:
                raise item.error('there is no "text"')
            tasks.setdefault((_identifier(item), text), []).append((item, text))
        except InputError as error:
            problem(error)
    for answers in tasks.values():
        try:
            yield _record(answers)
        except InputError as error:
            problem(error)


def _identifier(item: JsonObject) -> str | int | None:
    meta = item.value("meta", dict) or {}
    own = JsonObject(item.path, item.line, meta).identifier()
    return item.identifier() if own is None else own


def _record(answers: list[tuple[JsonObject, str]]) -> Record:
    first, text = answers[0]
    identifier = _identifier(first)
    layers: dict[str, tuple[WeightedSpan, ...]] = {}
    last: tuple[WeightedSpan, ...] | None = None
    for item, _ in answers:
        if item.fields.get("answer", "accept") == "accept":
            spans = item.fields.get("spans")
            last = tuple(character_spans(item, [] if spans is None else spans, '"spans"', text))
            who = item.fields.get("_annotator_id") or item.fields.get("_session_id") or ""
            layers[str(who)] = last
    return Record(
        id="" if identifier is None else str(identifier),
        number=identifier if isinstance(identifier, int) else None,
        text=text,
        gold=None if last is None else bare(last),
        gold_unit="characters",
        found=last,
        layers=layers,
        path=str(first.path),
        line=first.line,
    )
