"""Annotations of people in a votes file: each annotator becomes a labelling function."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from silverspan.corpus.files import read_bytes
from silverspan.corpus.json_lines import JsonObject, read_objects
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.kit.annotations import Sheet, Sheets


def crowd(path: str | Path, *, annotators: Iterable[str] = ()) -> list[LabellingFunction]:
    """Return one function for each annotator of a votes file, or for those named.

    A line of the file is ``{"id": ..., "tokens": [...], "weak": {annotator: [[start, end, label],
    ...]}, "asked": [annotator, ...]}``; without ``asked`` everyone saw the document. Documents are
    found by their id; one that is not in the file was seen by nobody. Where the file's tokens are
    not the document's, spans are aligned by their characters.

    Raises:
        InputError: there is no such file, or a line is not of that form.
    """
    sheets = Sheets(str(path), by_id=True)
    labels: dict[str, set[str]] = {}
    for item in read_objects(path):
        identifier, sheet = _sheet(item)
        sheets.add(identifier, sheet)
        for annotator in sheet.asked or ():
            labels.setdefault(annotator, set())
        for annotator, spans in sheet.spans.items():
            labels.setdefault(annotator, set()).update(label for _, _, label, _ in spans)
    everything = set().union(*labels.values()) if labels else set()
    digest = hashlib.sha256(read_bytes(path)).hexdigest()[:16]
    names = tuple(annotators) or tuple(sorted(labels))
    return sheets.functions(dict(zip(names, names, strict=True)), everything, digest)


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
        tokens, spans, None if asked is None else frozenset(map(str, asked))
    )
