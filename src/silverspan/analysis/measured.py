"""Precision and recall of every function by gold: strict, on the labels that it can say."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from silverspan.analysis.gold import Span
from silverspan.analysis.terms import Terms
from silverspan.observations.votes import Votes


class Measured:
    """Counts right, proposed and due spans by function and label."""

    def __init__(self, votes: Votes, terms: Terms) -> None:
        self._terms = terms
        self._functions = votes.functions
        # Coarse labels are not gold's: nothing can be measured of them.
        outputs = len(votes.space.outputs)
        self._outputs = frozenset(votes.space.outputs)
        self._can: list[set[str]] = [
            {
                name
                for label in np.flatnonzero(own[:outputs])
                if (name := terms.label(votes.space.names[label]))
            }
            for own in votes.covers
        ]
        self._right: Counter[tuple[int, str]] = Counter()
        self._said: Counter[tuple[int, str]] = Counter()
        self._due: Counter[tuple[int, str]] = Counter()

    def add(
        self,
        asked: Sequence[bool],
        gold: Sequence[Span],
        said: Mapping[str, Sequence[Span]],
    ) -> None:
        """Take in one document; a function that was not asked owes nothing."""
        true = set(gold)
        for number, name in enumerate(self._functions):
            if asked[number]:
                self._due.update((number, label) for *_, label in true)
            for span in set(said.get(name, ())):
                self._said[number, span[2]] += 1
                self._right[number, span[2]] += span in true

    def scores(self, function: int, label: str | None) -> dict[str, float | None]:
        """Return precision, recall and F1 of a function, on one label or on all it can say."""
        if label is None:
            own = self._can[function]
        else:
            name = self._terms.label(label)
            own = {name} if name is not None and label in self._outputs else set()
        right, said, due = (
            sum(counts[function, name] for name in own)
            for counts in (self._right, self._said, self._due)
        )
        return {
            "measured_precision": right / said if said else None,
            "measured_recall": right / due if due else None,
            "measured_f1": 2 * right / (said + due) if said + due else None,
        }
