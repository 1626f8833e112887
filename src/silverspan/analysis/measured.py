"""Precision and recall of every function by gold: strict, on the labels that it can say."""

from collections.abc import Mapping, Sequence

import numpy as np

from silverspan.analysis.gold import Span
from silverspan.observations.votes import Votes


class Measured:
    """Counts right, proposed and due spans by function and label."""

    def __init__(self, votes: Votes) -> None:
        self._outputs = votes.space.outputs
        self._functions = votes.functions
        self._covers = votes.covers[:, : len(self._outputs)].copy()
        shape = (len(votes.functions), len(self._outputs))
        self._right, self._said, self._due = np.zeros((3, *shape), dtype=np.int64)

    def add(
        self,
        votes: Votes,
        document: int,
        gold: Sequence[Span],
        said: Mapping[str, Sequence[Span]],
    ) -> None:
        """Take in one document; a function that did not see it owes nothing."""
        number = {label: i for i, label in enumerate(self._outputs)}
        true = {span for span in gold if span[2] in number}
        due = np.bincount([number[label] for *_, label in true], minlength=len(self._outputs))
        self._due += votes.asked[document][:, None] * due
        for i, name in enumerate(self._functions):
            for span in set(said.get(name, ())):
                if span[2] in number:
                    self._said[i, number[span[2]]] += 1
                    self._right[i, number[span[2]]] += span in true

    def scores(self, function: int, label: int | None) -> dict[str, float | None]:
        """Return precision, recall and F1 of a function, on one label or on all it can say."""
        if label is not None and label >= len(self._outputs):
            return {}
        can = self._covers[function] | (self._said[function] > 0)
        own = np.flatnonzero(can) if label is None else np.array([label])
        right, said, due = (
            int(table[function, own].sum()) for table in (self._right, self._said, self._due)
        )
        precision, recall = right / said if said else None, right / due if due else None
        return {
            "measured_precision": precision,
            "measured_recall": recall,
            "measured_f1": 2 * right / (said + due) if said + due else None,
        }
