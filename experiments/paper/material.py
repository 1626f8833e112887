"""What the rows of an experiment are made of: documents, votes, gold, and source documents.

A prepared project goes in (prepare.py). Its corpus is parsed and annotated here, as far as that is
not done already. Gold is read for scoring only.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from silverspan.corpus.document import document_id, set_document_id
from silverspan.engines import Engine
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes
from silverspan.pipeline import Run
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.gold import gold_of
from silverspan.project import Project
from silverspan.workspace.fingerprint import fingerprint
from silverspan.workspace.lock import locked

from .adaptation import source_documents
from .kept import Kept, NotRunError

Span = tuple[int, int, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored:
    """What rows are fitted on and scored on: votes, and the gold of the documents that have any."""

    votes: Votes
    tokens: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[Span, ...] | None, ...]

    @cached_property
    def made_from(self) -> str:
        """A fingerprint of the votes."""
        votes = self.votes
        arrays = ("document", "function", "start", "end", "label", "probability", "lengths")
        digest = hashlib.sha256()
        for name in arrays:
            digest.update(np.ascontiguousarray(getattr(votes, name)).tobytes())
        return fingerprint(digest.hexdigest(), votes.functions, votes.space.names, self.tokens)


class Material:
    """Everything rows need, each part made when it is first asked for."""

    def __init__(
        self,
        work: Path,
        settings: Mapping[str, Any],
        data: Path | None,
        engine: Engine | None = None,
    ) -> None:
        self.work = work
        self.settings = settings
        self.data = data
        self.kept = Kept(work / "rows")
        self.run = Run(Project(work), engine)

    @cached_property
    def all(self) -> Scored:
        """The votes on all documents, with their gold."""
        with locked(self.run.project.workspace):
            corpus(self.run)
            annotate(self.run)
            votes = [self.run.votes(number) for number in range(len(self.run.shards))]
            gold = gold_of(self.run)
        together = Votes.concatenate(votes)
        return Scored(
            votes=together,
            tokens=tuple(tuple(token.text for token in doc) for doc in self.run.docs()),
            gold=tuple(gold[name].spans if name in gold else None for name in together.documents),
        )

    @cached_property
    def sample(self) -> Scored:
        """A thousand sentences with gold, each a document of its own."""
        count = int(self.settings["sample"]["sentences"])
        number_of = {name: i for i, name in enumerate(self.all.votes.documents)}
        every = [
            (number_of[document_id(doc)], sent.start, sent.end)
            for doc in self.run.docs()
            for sent in doc.sents
            if self.all.gold[number_of[document_id(doc)]] is not None
        ]
        if len(every) < count:
            raise NotRunError(f"there are {len(every)} sentences with gold, not {count}")
        drawn = np.random.default_rng(0).permutation(len(every))[:count]
        return _cut(self.all, [every[place] for place in sorted(drawn.tolist())])

    def targets(self, vocab: Vocab | None = None) -> list[Doc]:
        """Return the documents with nothing but their words; a tagger wants its own vocabulary."""
        vocab = spacy.blank("en").vocab if vocab is None else vocab
        docs = []
        for name, words in zip(self.all.votes.documents, self.all.tokens, strict=True):
            doc = Doc(vocab, words=list(words))
            set_document_id(doc, name)
            docs.append(doc)
        return docs

    @cached_property
    def source_files(self) -> dict[str, list[Path]]:
        """The labelled files of other domains, by the name of their source.

        Raises:
            NotRunError: there are none.
        """
        found: dict[str, list[Path]] = {}
        for name, pattern in self.settings["sources"].items():
            paths = [] if self.data is None else sorted(glob(str(self.data / pattern)))
            if paths:
                found[name] = [Path(path) for path in paths]
        if not found:
            patterns = ", ".join(self.settings["sources"].values())
            raise NotRunError(f"no labelled source data: --data has no {patterns}")
        return found

    def sources(self, most: int | None) -> list[Doc]:
        """Return the labelled documents of the sources."""
        return source_documents(self.source_files, spacy.blank("en").vocab, most=most)

    @cached_property
    def source_print(self) -> str:
        """A fingerprint of the source files and of the words of the target."""
        files = {
            name: [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
            for name, paths in self.source_files.items()
        }
        return fingerprint(files, self.settings["source_labels"], self.all.tokens)


def _cut(whole: Scored, pieces: Sequence[tuple[int, int, int]]) -> Scored:
    """Return pieces of documents as documents: the votes and the gold inside each of them."""
    votes = whole.votes
    labels = votes.space.names
    said: list[dict[str, list[tuple[int, int, str, float]]]] = []
    for document, first, last in pieces:
        low, high = np.searchsorted(votes.document, [document, document + 1])
        own: dict[str, list[tuple[int, int, str, float]]] = {}
        for row in range(low, high):
            start, end = int(votes.start[row]), int(votes.end[row])
            if first <= start and end <= last:
                own.setdefault(votes.functions[votes.function[row]], []).append(
                    (
                        start - first,
                        end - first,
                        labels[votes.label[row]],
                        float(votes.probability[row]),
                    )
                )
        said.append(own)
    tokens = tuple(whole.tokens[document][first:last] for document, first, last in pieces)
    covered = {
        name: [labels[i] for i in np.flatnonzero(row)]
        for name, row in zip(votes.functions, votes.covers, strict=True)
    }
    built = Votes.build(
        said,
        lengths=[len(words) for words in tokens],
        space=votes.space,
        functions=covered,
        documents=[f"{votes.documents[document]}:{first}" for document, first, _ in pieces],
    )
    return Scored(
        votes=replace(built, features=token_features(tokens)),
        tokens=tokens,
        gold=tuple(tuple(_inside(whole.gold[d], first, last)) for d, first, last in pieces),
    )


def _inside(spans: Sequence[Span] | None, first: int, last: int) -> Iterator[Span]:
    for start, end, label in spans or ():
        if first <= start and end <= last:
            yield start - first, end - first, label
