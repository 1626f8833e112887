"""What votes say of the functions themselves, without gold: coverage, overlap, conflict.

Votes go in; counts by function and label come out, which add up over shards, and a row per
function. A coarse vote ("some entity") agrees with every label it stands for. What a function says
of a token is its most probable label there. Pairs of functions are in pairs.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import SupportsFloat

import numpy as np
from jaxtyping import Bool, Int16, Int64
from numpy import ndarray

from silverspan.errors import InputError
from silverspan.labels import LabelSpace
from silverspan.observations.meetings import meetings, top_rows
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

SILENT = -1

#: Voted tokens looked at together.
_PIECE = 1 << 15


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionSummary:
    """One function: how much it says, and how others take it. Shares are from 0 to 1."""

    function: str
    labels: tuple[str, ...]  # what it said, most frequent first
    documents: int  # that it saw
    spans: int
    tokens: int
    coverage: float  # of the tokens of documents that it saw
    overlap: float  # of its tokens, those where another function speaks too
    conflict: float  # of its tokens, those where another function says something else
    span_overlap: float  # of its spans, those that touch a span of another function
    span_conflict: float  # of its spans, those that touch one with another label or other ends


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class VoteCounts:
    """How much each function says of each label, and how others take it; counts add up.

    ``confirmed`` are the tokens on which another function says the same, ``alone`` those of a
    label that nobody but one function gives it.
    """

    space: LabelSpace
    functions: tuple[str, ...]
    documents: Int64[ndarray, " functions"]  # that each saw
    seen: Int64[ndarray, " functions"]  # the tokens of these
    tokens: Int64[ndarray, "functions labels"]
    overlap: Int64[ndarray, "functions labels"]
    conflict: Int64[ndarray, "functions labels"]
    confirmed: Int64[ndarray, "functions labels"]
    spans: Int64[ndarray, "functions labels"]
    span_overlap: Int64[ndarray, "functions labels"]
    span_conflict: Int64[ndarray, "functions labels"]
    proposed: Int64[ndarray, " labels"]  # tokens that somebody gives the label
    alone: Int64[ndarray, " labels"]
    voted: int
    total: int  # tokens

    @classmethod
    def of(cls, votes: Votes) -> "VoteCounts":
        """Return the counts of some votes.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"a": [(0, 2, "LOC", 1.0)], "b": [(1, 2, "PER", 1.0)]}], lengths=[4],
        ...     space=LabelSpace(outputs=("LOC", "PER")), functions={"a": ["LOC"], "b": ["PER"]},
        ... )
        >>> counts = VoteCounts.of(votes)
        >>> counts.tokens[:, 0].tolist(), counts.conflict.sum(axis=1).tolist()
        ([2, 0], [1, 1])
        """
        tokens = TokenVotes.of(votes)
        said = top_labels(tokens)
        functions, labels = len(votes.functions), len(votes.space.names)
        table = {
            name: np.zeros((functions, labels), dtype=np.int64)
            for name in ("tokens", "overlap", "conflict", "confirmed")
        }
        proposed, alone = np.zeros((2, labels), dtype=np.int64)
        fits = compatible(votes)
        for low in range(0, len(said), _PIECE):
            piece = said[low : low + _PIECE]
            for name, amount in zip(table, _by_cell(piece, fits), strict=True):
                table[name] += amount
            by_label = _voices(piece, labels)
            proposed += (by_label > 0).sum(axis=0)
            alone += (by_label == 1).sum(axis=0)
        rows = top_rows(votes)
        meets, clash = meetings(votes, rows, fits)
        cell = votes.function[rows].astype(np.int64) * labels + votes.label[rows]

        def count(chosen: ndarray) -> ndarray:
            return np.bincount(chosen, minlength=functions * labels).reshape(functions, labels)

        return cls(
            space=votes.space,
            functions=votes.functions,
            documents=votes.asked.sum(axis=0).astype(np.int64),
            seen=votes.lengths.astype(np.int64) @ votes.asked,
            **table,
            spans=count(cell),
            span_overlap=count(cell[meets]),
            span_conflict=count(cell[clash]),
            proposed=proposed,
            alone=alone,
            voted=len(said),
            total=votes.tokens,
        )

    def __add__(self, other: "VoteCounts") -> "VoteCounts":
        if (self.space, self.functions) != (other.space, other.functions):
            raise InputError("counts of other functions or labels cannot be added up")
        summed = {
            item.name: getattr(self, item.name) + getattr(other, item.name)
            for item in fields(self)
            if item.name not in ("space", "functions")
        }
        return VoteCounts(space=self.space, functions=self.functions, **summed)

    def summaries(self) -> list[FunctionSummary]:
        """Return a row for every function, all its labels together."""
        return [self._summary(number) for number in range(len(self.functions))]

    def _summary(self, number: int) -> FunctionSummary:
        own = self.tokens[number]
        ranked = [label for label in np.argsort(-own, kind="stable") if own[label]]
        tokens, spans = int(own.sum()), int(self.spans[number].sum())
        return FunctionSummary(
            function=self.functions[number],
            labels=tuple(self.space.names[label] for label in ranked),
            documents=int(self.documents[number]),
            spans=spans,
            tokens=tokens,
            coverage=share(tokens, self.seen[number]),
            overlap=share(self.overlap[number].sum(), tokens),
            conflict=share(self.conflict[number].sum(), tokens),
            span_overlap=share(self.span_overlap[number].sum(), spans),
            span_conflict=share(self.span_conflict[number].sum(), spans),
        )


def summarise(votes: Votes) -> list[FunctionSummary]:
    """Return a summary of every function, in the order of the votes.

    >>> from silverspan.labels import LabelSpace
    >>> votes = Votes.build(
    ...     [{"a": [(0, 2, "LOC", 1.0)], "b": [(1, 2, "PER", 1.0)]}], lengths=[4],
    ...     space=LabelSpace(outputs=("LOC", "PER")), functions={"a": ["LOC"], "b": ["PER"]},
    ... )
    >>> [(row.function, row.coverage, row.conflict) for row in summarise(votes)]
    [('a', 0.5, 0.5), ('b', 0.25, 1.0)]
    """
    return VoteCounts.of(votes).summaries()


def top_labels(tokens: TokenVotes) -> Int16[ndarray, "voted functions"]:
    """Return the most probable label of each function at each voted token; -1 for silence."""
    said = np.full((len(tokens.position), len(tokens.votes.functions)), SILENT, dtype=np.int16)
    # Written from the least to the most probable, so that the most probable stays.
    order = np.lexsort((-tokens.label.astype(np.int64), tokens.probability))
    said[tokens.token[order], tokens.function[order]] = tokens.label[order]
    return said


def compatible(votes: Votes) -> Bool[ndarray, "labels labels"]:
    """Return which labels may be meant by the same entity: equal, or one stands for the other."""
    members = [set(votes.space.stands_for(i)) for i in range(len(votes.space.names))]
    fits = np.array([[bool(one & two) for two in members] for one in members], dtype=bool)
    np.fill_diagonal(fits, True)
    return fits


def contradicted(
    said: Int16[ndarray, "voted functions"], fits: Bool[ndarray, "labels labels"]
) -> Int64[ndarray, " voted"]:
    """Return by token how many functions contradict the label that most functions give it."""
    voices = _voices(said, len(fits))
    top = voices.argmax(axis=1)
    against: Int64[ndarray, " voted"] = (voices * ~fits[top]).sum(axis=1)
    return against


def share(part: SupportsFloat, whole: SupportsFloat) -> float:
    """Return ``part / whole``, and 0 of nothing.

    >>> share(1, 4), share(0, 0)
    (0.25, 0.0)
    """
    return float(part) / float(whole) if whole else 0.0


def _voices(said: Int16[ndarray, "piece functions"], labels: int) -> Int64[ndarray, "piece labels"]:
    """Return how many functions give each token each label."""
    row, function = np.nonzero(said != SILENT)
    cell = row * labels + said[row, function]
    return np.bincount(cell, minlength=len(said) * labels).reshape(len(said), labels)


def _by_cell(
    said: Int16[ndarray, "piece functions"], fits: Bool[ndarray, "labels labels"]
) -> Iterable[Int64[ndarray, "functions labels"]]:
    """Yield tokens, overlap, conflict and confirmed, each by function and label."""
    functions, labels = said.shape[1], len(fits)
    voices = _voices(said, labels).astype(np.float64)
    row, function = np.nonzero(said != SILENT)
    label = said[row, function].astype(np.int64)
    cell = function * labels + label
    agreeing = (voices @ fits.astype(np.float64))[row, label]
    speaking = voices.sum(axis=1)[row]
    # One voice among those that agree is the function's own.
    for chosen in (speaking > 0, speaking > 1, speaking > agreeing, agreeing > 1):
        yield np.bincount(cell[chosen], minlength=functions * labels).reshape(functions, labels)
