"""Where spans of different functions touch: the entities' side of overlap and conflict."""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool, Int64
from numpy import ndarray

from silverspan.observations.votes import Votes


def top_rows(votes: Votes) -> Int64[ndarray, " spans"]:
    """Return the row of every proposed span: that of its most probable label.

    >>> from silverspan.labels import LabelSpace
    >>> votes = Votes.build(
    ...     [{"a": [(0, 1, "LOC", 0.2), (0, 1, "PER", 0.8)]}], lengths=[1],
    ...     space=LabelSpace(outputs=("LOC", "PER")), functions={"a": ["LOC", "PER"]},
    ... )
    >>> votes.label[top_rows(votes)].tolist()
    [1]
    """
    new = np.ones(len(votes), dtype=bool)
    same = np.ones(max(len(votes) - 1, 0), dtype=bool)
    for column in (votes.document, votes.start, votes.end, votes.function):
        same &= column[1:] == column[:-1]
    new[1:] = ~same
    span = np.cumsum(new) - 1
    # The most probable first; of equals the one that stands first.
    order = np.lexsort((np.arange(len(votes)), -votes.probability, span))
    result: Int64[ndarray, " spans"] = order[np.flatnonzero(new)].astype(np.int64)
    return result


def touching(
    votes: Votes, rows: Int64[ndarray, " spans"]
) -> Iterator[tuple[Int64[ndarray, " pairs"], Int64[ndarray, " pairs"]]]:
    """Yield pairs of rows of different functions that share a token, each pair once."""
    offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
    start = offset[votes.document[rows]] + votes.start[rows]
    end = offset[votes.document[rows]] + votes.end[rows]
    # Rows are sorted by start: those that can touch row i begin before it ends.
    last = np.searchsorted(start, end)
    own = np.arange(len(rows))
    shift = 1
    while True:
        own = own[own + shift < last[own]]
        if not len(own):
            return
        one, two = rows[own], rows[own + shift]
        apart = votes.function[one] != votes.function[two]
        yield one[apart], two[apart]
        shift += 1


def same_ends(
    votes: Votes, one: Int64[ndarray, " pairs"], two: Int64[ndarray, " pairs"]
) -> Bool[ndarray, " pairs"]:
    """Return which pairs of touching rows begin and end alike."""
    result: Bool[ndarray, " pairs"] = (votes.start[one] == votes.start[two]) & (
        votes.end[one] == votes.end[two]
    )
    return result


def meetings(
    votes: Votes, rows: Int64[ndarray, " spans"], fits: Bool[ndarray, "labels labels"]
) -> tuple[Bool[ndarray, " spans"], Bool[ndarray, " spans"]]:
    """Return which of these spans touch one of another function, and which one that differs."""
    meets, clash = np.zeros((2, len(votes)), dtype=bool)
    for one, two in touching(votes, rows):
        meets[one] = meets[two] = True
        differ = ~(same_ends(votes, one, two) & fits[votes.label[one], votes.label[two]])
        clash[one[differ]] = clash[two[differ]] = True
    return meets[rows], clash[rows]
