"""What the pages show: an index of all documents in memory, single documents from disk."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.observations.votes import Votes
from silverspan.pipeline.gold import gold_of
from silverspan.pipeline.state import Run
from silverspan.report.pictures import Layer
from silverspan.workspace import corpus_shards
from silverspan.workspace.vote_shard import from_bytes as read_votes

Order = Literal["corpus", "uncertainty", "conflict", "spans"]
_CACHED_SHARDS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One document in the list."""

    number: int
    id: str
    beginning: str
    tokens: int
    spans: int
    labels: tuple[str, ...]
    uncertainty: float  # expected wrong tokens: probability missing from the most probable label
    conflict: int  # tokens with votes for more than one label
    has_gold: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentPage:
    """One document with its layers; ``breaks`` are the tokens that begin a line."""

    row: Row
    tokens: tuple[str, ...]
    breaks: tuple[int, ...]
    layers: tuple[Layer, ...]


class Library:
    """The documents of a finished run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.title = run.project.settings.project.name
        self.labels = run.project.space.outputs
        self._gold = gold_of(run)
        self._first = np.cumsum([0, *(shard.documents for shard in run.shards)])
        self._shard = lru_cache(maxsize=_CACHED_SHARDS)(self._read_shard)
        self.rows: list[Row] = []
        for number in range(len(run.shards)):
            self.rows += self._index(number)

    def _read_shard(self, number: int) -> tuple[list[Doc], Posterior]:
        docs = corpus_shards.read_shard(self._run.kept, self._run.shards[number])
        return docs, self._run.posterior(number)

    def _index(self, number: int) -> list[Row]:
        docs, posterior = self._shard(number)
        conflict = _conflicts(self._run.votes(number))
        rows = []
        for within, doc in enumerate(docs):
            spans = posterior.spans.of(within)
            name = posterior.documents[within]
            rows.append(
                Row(
                    number=int(self._first[number]) + within,
                    id=name,
                    beginning=doc.text[:160],
                    tokens=len(doc),
                    spans=len(spans),
                    labels=tuple(sorted({label for _, _, label, _ in spans})),
                    uncertainty=float((1 - posterior.probabilities(within).max(axis=1)).sum()),
                    conflict=int(conflict[within]),
                    has_gold=name in self._gold,
                )
            )
        return rows

    def find(self, *, text: str = "", label: str = "", order: Order = "corpus") -> Sequence[Row]:
        """Return the documents that hold a text in id or beginning, and a label, in an order."""
        wanted = text.casefold()
        rows = [
            row
            for row in self.rows
            if (not label or label in row.labels)
            and (not wanted or wanted in row.id.casefold() or wanted in row.beginning.casefold())
        ]
        if order == "corpus":
            return rows
        return sorted(rows, key=lambda row: (-getattr(row, order), row.number))

    def document(self, number: int) -> DocumentPage:
        """Return one document with all its layers."""
        shard = int(np.searchsorted(self._first, number, side="right")) - 1
        docs, posterior = self._shard(shard)
        within = number - int(self._first[shard])
        doc = docs[within]
        row = self.rows[number]
        layers = [Layer(name="silver", kind="silver", spans=tuple(posterior.spans.of(within)))]
        if row.has_gold:
            gold = tuple((start, end, label, 1.0) for start, end, label in self._gold[row.id].spans)
            layers.insert(0, Layer(name="gold", kind="gold", spans=gold))
        name = self._run.work[shard].name
        said = read_votes(self._run.kept.read(name), name).labelled[within].proposals
        layers += [
            Layer(name=function, kind="function", spans=tuple(spans))
            for function, spans in said.items()
        ]
        starts = (
            tuple(sent.start for sent in doc.sents) if doc.has_annotation("SENT_START") else (0,)
        )
        return DocumentPage(
            row=row,
            tokens=tuple(token.text for token in doc),
            breaks=starts,
            layers=tuple(layers),
        )


def _conflicts(votes: Votes) -> np.ndarray:
    """Return for each document how many of its tokens have votes for more than one label."""
    is_output = votes.label < len(votes.space.outputs)
    size = (votes.end - votes.start)[is_output].astype(np.int64)
    owner = np.repeat(np.flatnonzero(is_output), size)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
    offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
    position = offset[votes.document[owner]] + votes.start[owner] + within
    pairs = np.unique(np.stack([position, votes.label[owner].astype(np.int64)]), axis=1)
    token, count = np.unique(pairs[0], return_counts=True)
    document = np.searchsorted(offset, token[count > 1], side="right") - 1
    return np.bincount(document, minlength=len(votes.lengths))
