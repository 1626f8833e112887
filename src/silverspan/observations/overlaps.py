"""Spans of one function that overlap: which of them count.

A function may propose overlapping spans, a label model reads one label per function and token.
The more probable span wins, then the longer, then the earlier.
"""

import numpy as np
from jaxtyping import Bool, Int64
from numpy import ndarray

from silverspan.observations.votes import Votes


def resolve_overlaps(votes: Votes) -> tuple[Bool[ndarray, " votes"], int]:
    """Return which rows count, and how many spans do not.

    Rows of one function on one span are a distribution over labels and stay together; the
    probability of the span is their sum.

    >>> from silverspan.labels import LabelSpace
    >>> votes = Votes.build(
    ...     [{"geo": [(0, 1, "LOC", 1.0), (0, 2, "LOC", 1.0), (2, 3, "LOC", 0.5)]}],
    ...     lengths=[3], space=LabelSpace(outputs=("LOC",)), functions={"geo": ["LOC"]},
    ... )
    >>> keep, dropped = resolve_overlaps(votes)
    >>> keep.tolist(), dropped
    ([False, True, True], 1)
    """
    keep = np.ones(len(votes), dtype=bool)
    if not len(votes):
        return keep, 0
    # One line for all functions and documents, so that only true overlaps touch.
    width = int(votes.lengths.max(initial=0)) + 1
    lane = votes.function.astype(np.int64) * len(votes.lengths) + votes.document
    start, end = lane * width + votes.start, lane * width + votes.end
    # One key sorts faster than two; starts and sizes together fit into one number but for a
    # corpus of a size that no memory holds.
    order = np.argsort(start * width + (end - start), kind="stable")
    new_span = _differs(start[order]) | _differs(end[order])
    heads = np.flatnonzero(new_span)
    owner = np.cumsum(new_span) - 1
    weight = np.add.reduceat(votes.probability[order], heads, dtype=np.float64)
    # Sums of the same tenths in another order differ in the last digits: not a reason to choose.
    weight = np.round(weight, 6)
    start, end = start[order][heads], end[order][heads]
    reach = np.maximum.accumulate(end)
    cluster = np.cumsum(np.append(True, start[1:] >= reach[:-1])) - 1
    crowded = np.bincount(cluster)[cluster] > 1
    lost = _losers(np.flatnonzero(crowded), start, end, weight)
    keep[order[np.isin(owner, lost)]] = False
    return keep, len(lost)


def _losers(
    spans: Int64[ndarray, " crowded"],
    start: Int64[ndarray, " spans"],
    end: Int64[ndarray, " spans"],
    weight: ndarray,
) -> list[int]:
    """Choose greedily among the few spans that touch another."""
    size = end[spans] - start[spans]
    ranking = spans[np.lexsort((start[spans], -size, -weight[spans]))]
    taken: set[int] = set()
    lost = []
    for span in ranking.tolist():
        tokens = range(int(start[span]), int(end[span]))
        if taken.isdisjoint(tokens):
            taken.update(tokens)
        else:
            lost.append(span)
    return lost


def _differs(values: ndarray) -> Bool[ndarray, " rows"]:
    """Return which rows differ from the row before; the first does."""
    return np.append(True, values[1:] != values[:-1])
