"""Annotations from a file as labelling functions: each annotator, person or model, becomes one.

The file is of any format that documents are read from: exports of annotation tools, DocBin layers,
datasets, CoNLL. Documents are found by their text, and by their id where several have one text; one
that is not in the file was seen by nobody.
"""

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from spacy.tokens import Doc

from silverspan.corpus.alignment import over_tokens, solid
from silverspan.corpus.document import document_id
from silverspan.corpus.files import read_bytes
from silverspan.corpus.json_lines import WeightedSpan
from silverspan.corpus.reading import expand, reader_of
from silverspan.corpus.record import Record, layers_of, source_of
from silverspan.errors import InputError, LabellingError
from silverspan.labelling.function import LabellingFunction, Proposal

_log = logging.getLogger(__name__)

#: What a name of a function may not hold: lists of names are cut at commas and blanks.
_UNFIT = re.compile(r"[^\w.@+-]+")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was said of one document; spans count characters of a text, or tokens."""

    source: str | tuple[str, ...]
    spans: Mapping[str, Sequence[WeightedSpan]]
    #: Who saw it; None: everyone.
    asked: frozenset[str] | None

    def seen_by(self, annotator: str) -> bool:
        """Return whether an annotator saw the document."""
        return self.asked is None or annotator in self.asked


@dataclass(slots=True)
class Sheets:
    """The sheets of a file, found by the text of a document and then by its id."""

    origin: str
    #: Whether ids decide; an annotation tool may have numbered its documents anew.
    by_id: bool = False
    by_text: dict[str, dict[str, Sheet]] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    #: How many spans did not begin and end with tokens so far.
    misaligned: int = 0

    def add(self, identifier: str, sheet: Sheet) -> None:
        """Add a sheet; what others said of the same document is kept."""
        named = self.by_text.setdefault(_digest(sheet.source), {})
        old = named.get(identifier)
        if old is not None:
            asked = None
            if old.asked is not None and sheet.asked is not None:
                asked = old.asked | sheet.asked
            sheet = Sheet(sheet.source, {**old.spans, **sheet.spans}, asked)
        named[identifier] = sheet
        self.ids.add(identifier)

    def of(self, doc: Doc) -> Sheet | None:
        """Return the sheet of a document, if there is one.

        Raises:
            LabellingError: ids decide, and the document of this id has another text.
        """
        name = document_id(doc)
        if self.by_id and name not in self.ids:
            return None
        named = self.by_text.get(_digest(doc.text), {})
        if self.by_id and name not in named:
            raise LabellingError(
                f"the annotations of document {name!r} are of another text; give the "
                "documents the ids and the text of the annotation file",
                document=name,
            )
        return named.get(name) or next(iter(named.values()), None)

    def was_asked(self, annotator: str, doc: Doc) -> bool:
        """Return whether an annotator saw a document."""
        sheet = self.of(doc)
        return sheet is not None and sheet.seen_by(annotator)

    def said(self, annotator: str, doc: Doc) -> Iterator[Proposal]:
        """Yield what an annotator said of a document; ends inside tokens are widened, and told."""
        sheet = self.of(doc)
        spans = () if sheet is None else sheet.spans.get(annotator, ())
        if sheet is None or not spans:
            return
        laid = over_tokens(spans, sheet.source, [token.text for token in doc])
        if laid is None:
            return
        if laid.misaligned:
            _log.log(
                logging.INFO if self.misaligned else logging.WARNING,
                "document %r: %d annotations in %s do not begin and end with tokens; they are "
                "widened, or left out where they hold no token%s",
                document_id(doc),
                laid.misaligned,
                self.origin,
                "" if self.misaligned else "; for other documents, see with --verbose",
            )
            self.misaligned += laid.misaligned
        yield from sorted(laid.spans)

    def functions(
        self, annotators: Mapping[str, str], labels: Iterable[str], version: str
    ) -> list[LabellingFunction]:
        """Return a function for each annotator; the keys are names of functions."""
        # Who never used a label could have: silence about it means something.
        known = tuple(sorted(set(labels)))
        return [
            LabellingFunction(
                name=name,
                labels=known,
                propose=partial(self.said, annotator),
                asked=partial(self.was_asked, annotator),
                group="crowd",
                version=version,
            )
            for name, annotator in annotators.items()
        ]


def annotations(
    name: str,
    path: str | Path | list[str],
    format: str | None = None,
    annotators: Iterable[str] = (),
) -> list[LabellingFunction]:
    """Return one function for each annotator of a file, or of several, or for those named.

    They are called ``name_annotator``, or ``name`` where the file does not say who annotated. Of a
    file that only has gold, gold is what was said. An annotator is asked about the documents that
    they annotated; a layer of a DocBin about all of the file.

    Raises:
        InputError: there is no such file, it is damaged, or holds no annotations.
        UnknownNameError: there is no such format.
    """
    files = expand(path)
    sheets = Sheets(", ".join(map(str, files)))
    said: dict[str, None] = {}
    labels: set[str] = set()
    digest = hashlib.sha256()
    for file in files:
        records = [
            record if record.id else replace(record, id=str(number))
            for number, record in enumerate(reader_of(file, format)(file))
        ]
        layers = [layers_of(record) for record in records]
        if not any(layers):
            layers = [_gold(record) for record in records]
        # doccano writes a file for each annotator, and does not say inside who it was.
        unnamed = file.name.split(".")[0] if len(files) > 1 else ""
        for record, own in zip(records, layers, strict=True):
            spans = {who or unnamed: found for who, found in own.items()}
            said |= dict.fromkeys(spans)
            labels |= {label for found in spans.values() for _, _, label, _ in found}
            asked = None if record.doc is not None else frozenset(spans)
            sheets.add(record.id, Sheet(source_of(record), spans, asked))
        digest.update(read_bytes(file))
    chosen = tuple(annotators) or tuple(sorted(said))
    if not chosen:
        raise InputError("holds no annotations", path=files[0])
    names: dict[str, str] = {}
    for annotator in chosen:
        function = f"{name}_{_UNFIT.sub('-', annotator)}" if annotator else name
        if annotator not in said:
            known = ", ".join(filter(None, sorted(said))) or "nobody by name"
            raise InputError(f"has nothing of {annotator!r}; it has: {known}", path=files[0])
        if names.setdefault(function, annotator) != annotator:
            raise InputError(
                f"two annotators would be called {function!r}; name one of {names[function]!r} "
                f"and {annotator!r}",
                path=files[0],
            )
    return sheets.functions(names, labels, digest.hexdigest()[:16])


def _gold(record: Record) -> Mapping[str, Sequence[WeightedSpan]]:
    gold = record.gold
    if gold is None and record.doc is not None and record.doc.has_annotation("ENT_IOB"):
        gold = tuple((entity.start, entity.end, entity.label_) for entity in record.doc.ents)
    return {} if gold is None else {"": [(*span, 1.0) for span in gold]}


def _digest(source: str | Sequence[str]) -> str:
    return hashlib.sha256(solid(source).encode("utf-8", "surrogatepass")).hexdigest()
