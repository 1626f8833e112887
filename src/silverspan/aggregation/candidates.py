"""Candidate spans, and what every function says of each: the matrix that Snorkel reads.

Snorkel takes data points to be independent, which tokens are not; whole spans come nearer. After
Fries et al. (2017): spans first, labels second.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Int16, Int32, Int64
from numpy import ndarray

from silverspan.observations.overlaps import resolve_overlaps
from silverspan.observations.votes import Votes

#: The functions that propose the paper's candidates.
DETECTORS: Final = ("nnp_detector", "proper_detector", "compound_detector")

#: A function speaks of a candidate if its span shares this much of what the two cover together.
SHARED: Final = 0.5


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Candidates:
    """Spans, sorted by document, start and end; ``said`` has an output label or -1: abstained."""

    document: Int32[ndarray, " candidates"]
    start: Int32[ndarray, " candidates"]
    end: Int32[ndarray, " candidates"]
    support: Int64[ndarray, " candidates"]  # functions that propose the very span
    said: Int16[ndarray, "candidates functions"]

    @classmethod
    def of(cls, votes: Votes, *, detectors: tuple[str, ...] = ()) -> "Candidates":
        """Return the spans of ``detectors``, or of all functions, with what is said of them.

        Of candidates of detectors a function speaks by the span of its own that fits best; of
        voted candidates by the very span.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"nnp_detector": [(0, 3, "ENT", 1.0)], "ner": [(1, 3, "PER", 1.0)]}], lengths=[4],
        ...     space=LabelSpace(outputs=("PER",)),
        ...     functions={"nnp_detector": ["ENT"], "ner": ["PER"]},
        ... )
        >>> Candidates.of(votes, detectors=("nnp_detector",)).said.tolist()
        [[-1, 0]]
        >>> Candidates.of(votes).said.tolist()
        [[-1, -1], [-1, 0]]
        """
        keep, _ = resolve_overlaps(votes)
        rows = np.flatnonzero(keep)
        offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
        first = offset[votes.document[rows]] + votes.start[rows]
        last = offset[votes.document[rows]] + votes.end[rows]
        function = votes.function[rows].astype(np.int64)
        chosen = np.ones(len(rows), dtype=bool)
        if detectors:
            numbers = [i for i, name in enumerate(votes.functions) if name in detectors]
            chosen = np.isin(function, numbers)
        spans = np.unique(np.stack([first[chosen], last[chosen]], axis=1), axis=0)
        start, end = spans[:, 0], spans[:, 1]
        document = np.searchsorted(offset, start, side="right") - 1
        candidate, row = _touching(start, end, first, last)
        shared = np.minimum(end[candidate], last[row]) - np.maximum(start[candidate], first[row])
        union = np.maximum(end[candidate], last[row]) - np.minimum(start[candidate], first[row])
        fit = shared / union
        is_same = shared == union
        proposes = np.zeros((len(start), len(votes.functions)), dtype=bool)
        proposes[candidate[is_same], function[row[is_same]]] = True
        speaks = is_same if not detectors else np.greater_equal(fit, SHARED)
        is_fine = np.less(votes.label[rows[row]], len(votes.space.outputs))
        counts = np.flatnonzero(speaks & is_fine)
        candidate, row, fit = candidate[counts], row[counts], fit[counts]
        said = np.full((len(start), len(votes.functions)), -1, dtype=np.int16)
        # Written from the worst fit to the best, and the least probable to the most.
        label = votes.label[rows[row]]
        order = np.lexsort((-label.astype(np.int64), votes.probability[rows[row]], fit))
        said[candidate[order], function[row[order]]] = label[order]
        return cls(
            document=document.astype(np.int32),
            start=(start - offset[document]).astype(np.int32),
            end=(end - offset[document]).astype(np.int32),
            support=proposes.sum(axis=1, dtype=np.int64),
            said=said,
        )

    def choose(self, probability: ndarray) -> Int64[ndarray, " chosen"]:
        """Return candidates that somebody labelled and that do not overlap.

        The best supported span wins, then the more probable, then the longer.
        """
        size = self.end - self.start
        rank = np.lexsort((self.start, -size, -np.round(probability, 6), -self.support))
        labelled = np.any(self.said >= 0, axis=1)
        taken: set[tuple[int, int]] = set()
        chosen = []
        for number in rank.tolist():
            if not labelled[number]:
                continue
            document = int(self.document[number])
            places = range(int(self.start[number]), int(self.end[number]))
            tokens = [(document, place) for place in places]
            if taken.isdisjoint(tokens):
                taken.update(tokens)
                chosen.append(number)
        return np.array(sorted(chosen), dtype=np.int64)


def _touching(
    start: Int64[ndarray, " candidates"],
    end: Int64[ndarray, " candidates"],
    first: Int64[ndarray, " rows"],
    last: Int64[ndarray, " rows"],
) -> tuple[Int64[ndarray, " pairs"], Int64[ndarray, " pairs"]]:
    """Return every pair of a candidate and a row that have a token in common."""
    order = np.argsort(first, kind="stable")
    begin, finish = first[order], last[order]
    longest = int((finish - begin).max(initial=0))
    # Rows that touch a candidate begin before its end, and not long before its start.
    low = np.searchsorted(begin, start - longest, side="right")
    high = np.searchsorted(begin, end, side="left")
    size = high - low
    candidate = np.repeat(np.arange(len(start)), size)
    row = np.arange(len(candidate)) - np.repeat(np.cumsum(size) - size, size) + low[candidate]
    touches = finish[row] > start[candidate]
    return candidate[touches], order[row[touches]]
