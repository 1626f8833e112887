"""Documents with what was found in them, written in the formats of other tools.

Goes in: spaCy documents with the layer ``silver`` (or entities). Comes out: one file in a format
of ``FORMATS``. Here are the formats of this package; those of other packages have a module each.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from silverspan.aggregation.predictions import Prediction, save_predictions
from silverspan.corpus import conll, docbin
from silverspan.corpus.document import layer, original_id
from silverspan.corpus.files import atomic_write
from silverspan.corpus.json_lines import WeightedSpan, to_json
from silverspan.corpus.record import Record
from silverspan.errors import UnknownNameError

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: Formats by name: module and function of the writer.
FORMATS: Final = {
    "docbin": "export:write_docbin",
    "conll": "export:write_conll",
    "jsonl": "export:write_jsonl",
    "parquet": "huggingface:write",
    "label-studio": "label_studio:write",
    "doccano": "doccano:write",
    "prodigy": "prodigy:write",
    "argilla": "argilla:write",
}

#: A probability has so many decimals in every format.
DECIMALS = 6

Writer = Callable[["Iterable[Doc]", Path], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundSpan:
    """A span in tokens and in characters, both half-open."""

    start: int
    end: int
    first_character: int
    last_character: int
    label: str
    probability: float
    text: str


def export(docs: "Iterable[Doc]", format: str, path: str | Path) -> None:
    """Write documents in a format by name.

    >>> export([], "pdf", "out.pdf")
    Traceback (most recent call last):
    ...
    silverspan.errors.UnknownNameError: no export format is called 'pdf'. Known: argilla, conll, ...

    Raises:
        InputError: the file cannot be written, or the format cannot hold a document.
        UnknownNameError: there is no such format.
    """
    if format not in FORMATS:
        raise UnknownNameError("export format", format, FORMATS)
    module, function = FORMATS[format].split(":")
    writer: Writer = getattr(import_module(f"silverspan.integrations.{module}"), function)
    writer(docs, Path(path))


def found(doc: "Doc") -> list[WeightedSpan]:
    """Return what was found in a document: its layer ``silver``, or its entities without one."""
    if "silver" in doc.spans:
        return sorted(layer(doc, "silver"))
    return [(entity.start, entity.end, entity.label_, 1.0) for entity in doc.ents]


def found_spans(doc: "Doc") -> Iterator[FoundSpan]:
    """Yield what was found with its place in the text; probabilities are rounded."""
    for start, end, label, probability in found(doc):
        span = doc[start:end]
        yield FoundSpan(
            start=start,
            end=end,
            first_character=span.start_char,
            last_character=span.end_char,
            label=label,
            probability=round(probability, DECIMALS),
            text=span.text,
        )


def write_lines(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write JSON lines, whole or not at all.

    Raises:
        InputError: the file cannot be written.
    """
    with atomic_write(path) as out:
        for row in rows:
            out.write(to_json(row) + "\n")


def write_docbin(docs: "Iterable[Doc]", path: Path) -> None:
    """Write spaCy's DocBin, every layer kept."""
    docbin.write_docs(docs, path)


def write_conll(docs: "Iterable[Doc]", path: Path) -> None:
    """Write CoNLL columns with IOB2 tags; tokens that are blanks are left out.

    Raises:
        InputError: a token or a label holds a blank.
    """
    conll.write(map(_columns, docs), path)


def write_jsonl(docs: "Iterable[Doc]", path: Path) -> None:
    """Write a predictions file."""
    save_predictions(
        (
            Prediction(id=original_id(doc), tokens=[t.text for t in doc], spans=found(doc))
            for doc in docs
        ),
        path,
    )


def _columns(doc: "Doc") -> Record:
    kept = [token.i for token in doc if not token.is_space]
    place = {i: new for new, i in enumerate(kept)}
    spans = []
    for start, end, label, _ in found(doc):
        inside = [place[i] for i in range(start, end) if i in place]
        if inside:
            spans.append((inside[0], inside[-1] + 1, label))
    has_sentences = doc.has_annotation("SENT_START")
    first = (min((i for i in range(s.start, s.end) if i in place), default=None) for s in doc.sents)
    return Record(
        id=str(original_id(doc)),
        tokens=tuple(doc[i].text for i in kept),
        sentence_starts=tuple(place[i] for i in first if i is not None) if has_sentences else None,
        gold=tuple(spans),
    )
