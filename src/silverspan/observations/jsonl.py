"""Votes as JSON lines: a document on every line with what each function said of it.

The format, key by key: ``id``; ``doc``, the larger document it belongs to; ``tokens``; ``spaces``;
``sentence_starts``; ``gold``; ``weak``, spans by function; ``asked``, the functions that saw it,
given only where some did not. Probabilities have six decimals, and 1 is not written, so that
equal votes give equal bytes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from silverspan.corpus.files import atomic_write
from silverspan.corpus.json_lines import JsonObject, WeightedSpan, read_objects, shown, to_json
from silverspan.corpus.jsonl import fields_of, to_record
from silverspan.corpus.record import Record

#: Decimals of every probability in a file.
DECIMALS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class VotedRecord:
    """A document and what was said of it. A function that is not in ``said`` was silent."""

    record: Record
    said: Mapping[str, tuple[WeightedSpan, ...]]
    #: The functions that saw the document; None: all did.
    asked: tuple[str, ...] | None = None


def read(path: str | Path) -> Iterator[VotedRecord]:
    """Yield the document of every line.

    Raises:
        InputError: a line is no such document; the message names line and field.
    """
    for item in read_objects(path):
        yield to_voted(item)


def to_voted(item: JsonObject) -> VotedRecord:
    """Return what one object holds.

    Raises:
        InputError: a field is missing or of the wrong type.
    """
    if item.fields.get("tokens") is None:
        raise item.error('there is no "tokens"')
    record = to_record(item)
    length = len(record.tokens or item.tokens())
    weak = item.value("weak", dict)
    if weak is None:
        raise item.error('there is no "weak"')
    said = {}
    for name, spans in weak.items():
        where = f'"weak" of "{name:.40}"'
        if not name:
            raise item.error('"weak" has a function without a name')
        if not isinstance(spans, list):
            raise item.error(f"{where} should be a list, not {shown(spans)}")
        said[name] = tuple(item.weighted_spans(spans, where, length))
    asked = item.value("asked", list)
    if asked is not None:
        present = set()
        for name in asked:
            if not isinstance(name, str) or not name:
                raise item.error(f'"asked" should hold names of functions, not {shown(name)}')
            present.add(name)
        for name in said:
            if said[name] and name not in present:
                raise item.error(f'{shown(name)} has votes, but is not in "asked"')
    return VotedRecord(record=record, said=said, asked=None if asked is None else tuple(asked))


def write(voted: Iterable[VotedRecord], path: str | Path) -> None:
    """Write documents so that ``read`` gives them back, probabilities rounded.

    Raises:
        InputError: the file cannot be written.
    """
    with atomic_write(path) as out:
        for each in voted:
            out.write(to_json(voted_fields(each)) + "\n")


def voted_fields(voted: VotedRecord) -> dict[str, Any]:
    """Return the fields of the JSON object of one document, in the order of the format."""
    fields = fields_of(voted.record)
    fields["weak"] = {name: [_short(span) for span in spans] for name, spans in voted.said.items()}
    if voted.asked is not None:
        fields["asked"] = voted.asked
    return fields


def _short(span: WeightedSpan) -> list[Any]:
    start, end, label, probability = span
    rounded = round(probability, DECIMALS)
    return [start, end, label] if rounded == 1 else [start, end, label, rounded]
