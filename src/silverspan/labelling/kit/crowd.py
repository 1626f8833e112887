"""Annotations of people, from a file: each annotator becomes a labelling function."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

from spacy.tokens import Doc

from silverspan.corpus.document import document_id
from silverspan.corpus.files import read_bytes
from silverspan.corpus.json_lines import JsonObject, read_objects
from silverspan.errors import LabellingError
from silverspan.labelling.function import LabellingFunction, Proposal


@dataclass(frozen=True, slots=True)
class Sheet:
    """What people said of one document; ``asked`` names those who saw it, if the file says so."""

    tokens: tuple[str, ...]
    spans: dict[str, list[Proposal]]
    asked: frozenset[str] | None

    def seen_by(self, annotator: str) -> bool:
        """Return whether an annotator saw the document."""
        return self.asked is None or annotator in self.asked


def crowd(path: str | Path, *, annotators: Iterable[str] = ()) -> list[LabellingFunction]:
    """Return one function for each annotator of a votes file, or for those named.

    A line of the file is ``{"id": ..., "tokens": [...], "weak": {annotator: [[start, end, label],
    ...]}, "asked": [annotator, ...]}``; without ``asked`` everyone saw the document. Documents are
    found by their id; one that is not in the file was seen by nobody. Where the file's tokens are
    not the document's, spans are aligned by their characters.

    Raises:
        InputError: there is no such file, or a line is not of that form.
    """
    sheets = {identifier: sheet for identifier, sheet in map(_sheet, read_objects(path))}
    labels: dict[str, set[str]] = {}
    for sheet in sheets.values():
        for annotator in sheet.asked or ():
            labels.setdefault(annotator, set())
        for annotator, spans in sheet.spans.items():
            labels.setdefault(annotator, set()).update(label for _, _, label, _ in spans)
    everything = tuple(sorted(set().union(*labels.values()))) if labels else ()
    digest = hashlib.sha256(read_bytes(path)).hexdigest()[:16]
    return [
        LabellingFunction(
            name=annotator,
            # Who never used a label could have: silence about it means something.
            labels=everything,
            propose=partial(_annotations, sheets, annotator),
            asked=partial(_was_asked, sheets, annotator),
            group="crowd",
            version=digest,
        )
        for annotator in tuple(annotators) or tuple(sorted(labels))
    ]


def _sheet(item: JsonObject) -> tuple[str, Sheet]:
    identifier = item.identifier()
    if identifier is None:
        raise item.error('there is no "id", by which annotations find their document')
    tokens = item.tokens()
    spans = {}
    for annotator, listed in (item.value("weak", dict) or {}).items():
        where = f'"weak"[{annotator!r}]'
        if not isinstance(listed, list):
            raise item.error(f"{where} should be a list of spans")
        spans[annotator] = [item.span(span, where, len(tokens)) for span in listed]
    asked = item.value("asked", list)
    return str(identifier), Sheet(
        tokens=tokens, spans=spans, asked=None if asked is None else frozenset(map(str, asked))
    )


def _was_asked(sheets: dict[str, Sheet], annotator: str, doc: Doc) -> bool:
    sheet = sheets.get(document_id(doc))
    return sheet is not None and sheet.seen_by(annotator)


def _annotations(sheets: dict[str, Sheet], annotator: str, doc: Doc) -> Iterator[Proposal]:
    sheet = sheets.get(document_id(doc))
    if sheet is None:
        return
    words = [token.text for token in doc]
    same = words == list(sheet.tokens)
    for start, end, label, probability in sorted(sheet.spans.get(annotator, ())):
        span = (start, end) if same else _aligned(start, end, sheet.tokens, words, doc)
        yield (*span, label, probability)


def _aligned(
    start: int, end: int, tokens: tuple[str, ...], words: list[str], doc: Doc
) -> tuple[int, int]:
    """Return the document's tokens that hold the characters of the file's tokens, blanks apart."""
    theirs = ["".join(token.split()) for token in tokens]
    ours = ["".join(word.split()) for word in words]
    if "".join(theirs) != "".join(ours):
        raise LabellingError(
            f"the annotations of document {document_id(doc)!r} are of another text; give the "
            "documents the ids and the text of the annotation file",
            document=document_id(doc),
        )
    edges = [0, *accumulate(map(len, theirs))]
    our_edges = [0, *accumulate(map(len, ours))]
    first = max(i for i, edge in enumerate(our_edges[:-1]) if edge <= edges[start] and ours[i])
    last = min(i for i, edge in enumerate(our_edges) if edge >= edges[end])
    return first, last
