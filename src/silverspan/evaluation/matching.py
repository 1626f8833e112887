"""Two lists of spans become counts: what was found, what was missed, what was made up.

Four views, after SemEval-2013 task 9, as the package nervaluate computes them. A predicted span is
held against the gold spans it touches:

- strict: correct if boundaries and label agree, else incorrect
- exact: correct if boundaries agree, whatever the label, else incorrect
- partial: correct if boundaries agree, else partial; labels do not matter
- type: correct if the labels agree, else incorrect; boundaries do not matter

One that touches none is spurious, a gold span that nobody was held against is missed. Each is held
against one at most.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from silverspan.errors import UnknownNameError

#: Start, end, label; half-open.
Span = tuple[int, int, str]

VIEWS: Final = ("strict", "exact", "partial", "type")


@dataclass(frozen=True, slots=True)
class Counts:
    """How many predicted and gold spans were what, and the scores that follow.

    >>> Counts(correct=2, spurious=2).precision
    0.5
    """

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            correct=self.correct + other.correct,
            incorrect=self.incorrect + other.incorrect,
            partial=self.partial + other.partial,
            missed=self.missed + other.missed,
            spurious=self.spurious + other.spurious,
        )

    @property
    def predicted(self) -> int:
        """How many spans were predicted."""
        return self.correct + self.incorrect + self.partial + self.spurious

    @property
    def gold(self) -> int:
        """How many spans gold has."""
        return self.correct + self.incorrect + self.partial + self.missed

    @property
    def precision(self) -> float:
        """The share of the predicted that is right, half for a partial one; 0 if none is."""
        return (self.correct + self.partial / 2) / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of gold that was found, half for a partial one; 0 if there is none."""
        return (self.correct + self.partial / 2) / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if both are."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def match(gold: Sequence[Span], predicted: Sequence[Span], view: str = "strict") -> Counts:
    """Return the counts of one document under one view.

    >>> match([(0, 2, "PER")], [(0, 2, "ORG"), (3, 4, "LOC")], "exact")
    Counts(correct=1, incorrect=0, partial=0, missed=0, spurious=1)

    Raises:
        UnknownNameError: there is no such view.
    """
    if view not in VIEWS:
        raise UnknownNameError("view", view, VIEWS)
    gold, predicted = sorted(gold), sorted(predicted)
    held_against = _by_label if view == "type" else _by_boundaries
    free = _Free(gold)
    correct = touching = 0
    for found in held_against(free, predicted, with_label=view == "strict"):
        correct += found == _CORRECT
        touching += found == _TOUCHING
    partial = view == "partial"
    return Counts(
        correct=correct,
        incorrect=0 if partial else touching,
        partial=touching if partial else 0,
        missed=len(gold) - correct - touching,
        spurious=len(predicted) - correct - touching,
    )


_NOTHING, _TOUCHING, _CORRECT = range(3)


class _Free:
    """The gold spans that nothing has been held against yet, found by what they touch."""

    def __init__(self, gold: list[Span]) -> None:
        self.gold = gold
        self.is_free = [True] * len(gold)
        self._starts = [start for start, _, _ in gold]
        # Never falls, unlike the ends themselves where spans overlap.
        self._reach = list(accumulate((end for _, end, _ in gold), max))

    def touching(self, start: int, end: int) -> Iterator[int]:
        """Yield the free gold spans that share a token, in order."""
        first = bisect_right(self._reach, start)
        for i in range(first, bisect_left(self._starts, end)):
            if self.is_free[i] and self.gold[i][1] > start:
                yield i


def _by_boundaries(free: _Free, predicted: list[Span], *, with_label: bool) -> Iterator[int]:
    # What agrees is settled first, so that where spans overlap nothing takes another's match.
    size = 3 if with_label else 2
    rest: list[Span] = []
    for span in predicted:
        for i in free.touching(span[0], span[1]):
            if free.gold[i][:size] == span[:size]:
                free.is_free[i] = False
                yield _CORRECT
                break
        else:
            rest.append(span)
    for start, end, _ in rest:
        for i in free.touching(start, end):
            free.is_free[i] = False
            yield _TOUCHING
            break
        else:
            yield _NOTHING


def _by_label(free: _Free, predicted: list[Span], *, with_label: bool) -> Iterator[int]:
    for start, end, label in predicted:
        near = list(free.touching(start, end))
        same = [i for i in near if free.gold[i][2] == label]
        if same:
            # The one whose boundaries are closest; the first of several.
            gaps = [abs(free.gold[i][0] - start) + abs(free.gold[i][1] - end) for i in same]
            free.is_free[same[gaps.index(min(gaps))]] = False
            yield _CORRECT
        elif near:
            free.is_free[near[0]] = False
            yield _TOUCHING
        else:
            yield _NOTHING
