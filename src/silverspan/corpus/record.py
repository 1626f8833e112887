"""Record: a document as a file holds it, before spaCy has seen it; every format is read as these.

Text, or tokens; perhaps sentence starts and gold. parsing.py makes spaCy documents of records.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from silverspan.corpus.document import GOLD, SILVER, layer
from silverspan.corpus.json_lines import Span, WeightedSpan
from silverspan.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spacy.tokens import Doc


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One document of a file: ``text``, or ``tokens`` where it came already cut.

    >>> Record(id="a", text="Oslo").digest() == Record(id="b", text="Oslo").digest()
    False
    """

    #: Unique in a corpus. Empty only inside the readers: reading.py then gives a running number.
    id: str = ""
    #: The id as the file has it, where that is a number: outputs repeat it as it was.
    number: int | None = None
    text: str | None = None
    tokens: tuple[str, ...] | None = None
    #: Whether a blank follows each token; unknown counts as yes.
    spaces: tuple[bool, ...] | None = None
    #: The tokens that begin a sentence.
    sentence_starts: tuple[int, ...] | None = None
    #: None: nobody annotated this document. Empty: somebody did, and found nothing.
    gold: tuple[Span, ...] | None = None
    #: What the spans of gold, of ``found`` and of the layers count.
    gold_unit: Literal["tokens", "characters"] = "tokens"
    #: What a model found, as a tool keeps it beside gold. None: none was asked.
    found: tuple[WeightedSpan, ...] | None = None
    #: What each annotator said, a person or a model; who found nothing has no spans, who was not
    #: asked is not there. The empty name is for a file that does not say who.
    layers: Mapping[str, tuple[WeightedSpan, ...]] = field(default_factory=dict)
    #: The larger document that this record, a sentence, belongs to.
    group: str | int | None = None
    #: From a DocBin: the document itself, over a vocabulary of its own.
    doc: "Doc | None" = None
    path: str = ""
    line: int | None = None

    @property
    def original_id(self) -> str | int:
        """The id as the file has it: a number or text."""
        return self.id if self.number is None else self.number

    def digest(self) -> str:
        """Return a fingerprint of the id and the content; where it was read does not count."""
        content = [
            self.id,
            self.text,
            self.tokens,
            self.spaces,
            self.sentence_starts,
            self.gold,
            self.gold_unit,
            self.group,
            None if self.doc is None else self.doc.to_json(),
        ]
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def source_of(record: Record) -> str | tuple[str, ...]:
    """Return what the spans of a record count: its tokens, or the characters of its text.

    >>> source_of(Record(tokens=("In", "Oslo")))
    ('In', 'Oslo')
    """
    if record.doc is not None:
        return tuple(token.text for token in record.doc)
    return record.text or "" if record.tokens is None else record.tokens


def layers_of(record: Record) -> Mapping[str, Sequence[WeightedSpan]]:
    """Return what each annotator of a record said; of a spaCy document, its layers.

    >>> layers_of(Record(text="Oslo", layers={"anna": ((0, 4, "LOC", 1.0),)}))
    {'anna': ((0, 4, 'LOC', 1.0),)}
    """
    if record.doc is None:
        return record.layers
    names = (str(name) for name in record.doc.spans)
    return {name: layer(record.doc, name) for name in names if name not in (GOLD, SILVER)}


#: Told of each record that cannot be read; it raises, or counts and returns.
Problem = Callable[[InputError], None]


def stop(error: InputError) -> None:
    """Raise the error: the default of every reader."""
    raise error


class Reader(Protocol):
    """Reads one file format."""

    def __call__(self, path: "str | Path", problem: Problem = stop) -> "Iterator[Record]":
        """Yield the records of a file, one at a time."""
        ...
