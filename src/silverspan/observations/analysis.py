"""What votes say of the functions themselves, without gold: coverage, overlap, conflict, agreement.

Votes go in; a row per function, or a table of pairs, comes out. A coarse vote ("some entity")
agrees with every label it stands for. What a function says of a token is its most probable label
there.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64, Int16, Int64
from numpy import ndarray

from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

_SILENT = -1


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
    tokens = TokenVotes.of(votes)
    said = top_labels(tokens)
    clash, meets = _span_meetings(votes)
    rows = []
    for number, name in enumerate(votes.functions):
        own = np.flatnonzero(said[:, number] != _SILENT)
        others = np.delete(said[own], number, axis=1)
        differs = ~compatible(votes)[said[own, number][:, None], others] & (others != _SILENT)
        mine = np.flatnonzero(votes.function == number)
        heads = mine[_is_new_span(votes)[mine]]
        counts = np.bincount(said[own, number], minlength=len(votes.space.names))
        ranked = [label for label in np.argsort(-counts, kind="stable") if counts[label]]
        seen = int(votes.lengths[votes.asked[:, number]].sum())
        rows.append(
            FunctionSummary(
                function=name,
                labels=tuple(votes.space.names[label] for label in ranked),
                documents=int(votes.asked[:, number].sum()),
                spans=len(heads),
                tokens=len(own),
                coverage=len(own) / max(seen, 1),
                overlap=_share((others != _SILENT).any(axis=1)),
                conflict=_share(differs.any(axis=1)),
                span_overlap=_share(meets[heads]),
                span_conflict=_share(clash[heads]),
            )
        )
    return rows


def pairwise(
    votes: Votes, label: str | None = None
) -> tuple[Float64[ndarray, "functions functions"], Float64[ndarray, "functions functions"]]:
    """Return how often each pair of functions agrees, and how often it disagrees.

    Both count tokens where the two speak, divided by the tokens where either does; with ``label``
    only tokens that one of the two gives this label count. Silence is no opinion.
    """
    said = top_labels(TokenVotes.of(votes))
    fits = compatible(votes)
    size = len(votes.functions)
    agree, differ = np.zeros((size, size)), np.zeros((size, size))
    chosen = None if label is None else votes.space.id_of(label)
    for first in range(size):
        for second in range(first, size):
            one, two = said[:, first], said[:, second]
            either = (one != _SILENT) | (two != _SILENT)
            if label is not None:
                either &= (one == chosen) | (two == chosen)
            both = either & (one != _SILENT) & (two != _SILENT)
            same = fits[one[both], two[both]]
            total = max(int(either.sum()), 1)
            agree[first, second] = agree[second, first] = same.sum() / total
            differ[first, second] = differ[second, first] = (~same).sum() / total
    return agree, differ


def top_labels(tokens: TokenVotes) -> Int16[ndarray, "voted functions"]:
    """Return the most probable label of each function at each voted token; -1 for silence."""
    said = np.full((len(tokens.position), len(tokens.votes.functions)), _SILENT, dtype=np.int16)
    # Written from the least to the most probable, so that the most probable stays.
    order = np.lexsort((-tokens.label.astype(np.int64), tokens.probability))
    said[tokens.token[order], tokens.function[order]] = tokens.label[order]
    return said


def compatible(votes: Votes) -> Bool[ndarray, "labels labels"]:
    """Return which labels may be meant by the same entity: equal, or one stands for the other."""
    members = [set(votes.space.stands_for(i)) for i in range(len(votes.space.names))]
    return np.array([[bool(one & two) for two in members] for one in members], dtype=bool)


def _share(flags: Bool[ndarray, " items"]) -> float:
    return float(flags.mean()) if len(flags) else 0.0


def _is_new_span(votes: Votes) -> Bool[ndarray, " votes"]:
    """Return which rows begin a span: the rows after are other labels of the same."""
    new = np.ones(len(votes), dtype=bool)
    same = np.ones(max(len(votes) - 1, 0), dtype=bool)
    for column in (votes.document, votes.start, votes.end, votes.function):
        same &= column[1:] == column[:-1]
    new[1:] = ~same
    return new


def _span_meetings(
    votes: Votes,
) -> tuple[Bool[ndarray, " votes"], Bool[ndarray, " votes"]]:
    """Return which rows touch a span of another function that differs, and any at all."""
    offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
    start: Int64[ndarray, " votes"] = offset[votes.document] + votes.start
    end: Int64[ndarray, " votes"] = offset[votes.document] + votes.end
    fits = compatible(votes)
    meets = np.zeros(len(votes), dtype=bool)
    clash = np.zeros(len(votes), dtype=bool)
    # Rows are sorted by start: the rows that can touch row i begin before it ends.
    last = np.searchsorted(start, end)
    shift = 1
    rows = np.arange(len(votes))
    while True:
        rows = rows[rows + shift < last[rows]]
        if not len(rows):
            return clash, meets
        other = rows + shift
        apart = votes.function[rows] != votes.function[other]
        one, two = rows[apart], other[apart]
        meets[one] = meets[two] = True
        different = (
            (start[one] != start[two])
            | (end[one] != end[two])
            | ~fits[votes.label[one], votes.label[two]]
        )
        clash[one[different]] = clash[two[different]] = True
        shift += 1
