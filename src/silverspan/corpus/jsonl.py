"""JSON lines: an object with ``text`` or with ``tokens`` on every line.

With ``tokens`` it is the record of a votes file, whose votes are left to observations/jsonl.py.
With ``text``, gold is a list of ``[start, end, label]`` or ``{"start", "end", "label"}`` in
characters, called ``gold``, ``entities``, ``spans``, ``labels`` or ``label``, the names that
annotation tools give it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from silverspan.corpus.files import atomic_write
from silverspan.corpus.json_lines import JsonObject, Span, read_objects, to_json
from silverspan.corpus.record import Problem, Record, stop
from silverspan.errors import InputError

_GOLD_KEYS = ("gold", "entities", "spans", "labels", "label")


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every line; blank lines are skipped.

    Raises:
        InputError: a line is no such object; the message names line and field.
    """
    for item in read_objects(path, problem):
        try:
            record = to_record(item)
        except InputError as error:
            problem(error)
        else:
            yield record


def to_record(item: JsonObject) -> Record:
    """Return the document of one object.

    >>> to_record(JsonObject("a.jsonl", 1, {"tokens": ["Oslo"], "gold": [[0, 1, "LOC"]]})).gold
    ((0, 1, 'LOC'),)

    Raises:
        InputError: a field is missing or of the wrong type.
    """
    identifier = item.identifier()
    common: dict[str, Any] = {
        "id": "" if identifier is None else str(identifier),
        "number": identifier if isinstance(identifier, int) else None,
        "group": item.identifier("doc"),
        "path": str(item.path),
        "line": item.line,
    }
    # Prodigy writes both, its tokens being objects: then the text counts.
    tokens = item.fields.get("tokens")
    has_objects = isinstance(tokens, list) and any(isinstance(token, dict) for token in tokens)
    if tokens is not None and not (has_objects and "text" in item.fields):
        cut = item.tokens()
        return Record(
            **common,
            tokens=cut,
            spaces=item.spaces(len(cut)),
            sentence_starts=item.sentence_starts(len(cut)),
            gold=item.spans("gold", len(cut)),
        )
    text = item.value("text", str)
    if text is None:
        raise item.error('there is neither "text" nor "tokens"')
    return Record(**common, text=text, gold=_gold(item, len(text)), gold_unit="characters")


def write(records: Iterable[Record], path: str | Path) -> None:
    """Write records so that ``read`` gives them back.

    Raises:
        InputError: the file cannot be written.
    """
    with atomic_write(path) as out:
        for record in records:
            out.write(to_json(fields_of(record)) + "\n")


def fields_of(record: Record) -> dict[str, Any]:
    """Return a record as the fields of its JSON object, in the order of the format."""
    fields: dict[str, Any] = {"id": record.original_id}
    if record.group is not None:
        fields["doc"] = record.group
    if record.tokens is None:
        fields["text"] = record.text
    else:
        fields["tokens"] = record.tokens
    if record.spaces is not None:
        fields["spaces"] = "".join("1" if space else "0" for space in record.spaces)
    if record.sentence_starts is not None:
        fields["sentence_starts"] = record.sentence_starts
    if record.gold is not None:
        fields["gold"] = record.gold
    return fields


def _gold(item: JsonObject, length: int) -> tuple[Span, ...] | None:
    for key in _GOLD_KEYS:
        spans = item.fields.get(key)
        if isinstance(spans, list):
            return tuple(_character_span(item, span, key, length) for span in spans)
        if spans is not None and key != "label":  # a classification, not ours
            raise item.error(f'"{key}" should be a list')
    return None


def _character_span(item: JsonObject, span: Any, key: str, length: int) -> Span:
    if isinstance(span, dict):
        # As doccano calls them in projects with relations.
        start, end = (span.get(name, span.get(f"{name}_offset")) for name in ("start", "end"))
        span = [start, end, span.get("label")]
    return item.span(span, f'"{key}"', length, sizes=(3,), unit="characters")[:3]
