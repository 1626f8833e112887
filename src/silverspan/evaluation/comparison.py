"""Two predictions of the same gold compared: is one better, and could that be chance?"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from jaxtyping import Int64
from numpy import ndarray

from silverspan.errors import InputError
from silverspan.evaluation.chance import difference_interval, paired_significance
from silverspan.evaluation.scores import Evaluation


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """Strict F1 of the first less that of the second, with what chance could have done."""

    first: float
    second: float
    difference: float
    #: The 95 % bootstrap interval of the difference, documents drawn whole.
    interval: tuple[float, float]
    #: How probable a difference as large as this is by chance (approximate randomisation).
    p_value: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """How much better the first predictions are than the second, over all labels and for each."""

    micro: Difference
    labels: Mapping[str, Difference]

    def to_json(self) -> dict[str, Any]:
        """Return the differences as a dictionary, ready for JSON."""
        return asdict(self)

    def table(self) -> str:
        """Return the differences as plain text of at most 80 columns."""
        width = max(9, *(len(name[:24]) for name in self.labels), 0)
        head = (
            f"{'strict F1':<{width}} {'first':>8} {'second':>8} {'gain':>8} "
            f"{'95 % interval':>19} {'p':>7}"
        )
        rows = [
            f"{name[:24]:<{width}} {one.first:8.4f} {one.second:8.4f} {one.difference:+8.4f} "
            f"{one.interval[0]:+9.4f} {one.interval[1]:+9.4f} {one.p_value:7.4f}"
            for name, one in (*self.labels.items(), ("micro", self.micro))
        ]
        return "\n".join([head, *rows])


def compare(first: Evaluation, second: Evaluation) -> Comparison:
    """Return the differences of two evaluations against the same gold.

    >>> from silverspan.evaluation import evaluate_spans
    >>> gold = [[(0, 1, "PER")]] * 9
    >>> good = evaluate_spans(gold, gold, lengths=[3] * 9)
    >>> bad = evaluate_spans(gold, [[]] * 9, lengths=[3] * 9)
    >>> found = compare(good, bad).micro
    >>> found.difference, found.p_value < 0.01
    (1.0, True)

    Raises:
        InputError: they are of different gold.
    """
    same = np.array_equal(first.by_document[:, 2:], second.by_document[:, 2:])
    if not same or (first.mapping, first.labels, first.normalisations) != (
        second.mapping,
        second.labels,
        second.normalisations,
    ):
        raise InputError("the two were not scored against the same gold on the same terms")
    none = np.zeros_like(first.by_document)
    names = sorted({*first.by_label, *second.by_label})
    return Comparison(
        micro=_difference(first.by_document, second.by_document),
        labels={
            name: _difference(first.by_label.get(name, none), second.by_label.get(name, none))
            for name in names
        },
    )


def _difference(
    first: Int64[ndarray, "documents 3"], second: Int64[ndarray, "documents 3"]
) -> Difference:
    return Difference(
        first=_f1(first),
        second=_f1(second),
        difference=_f1(first) - _f1(second),
        interval=difference_interval(first, second),
        p_value=paired_significance(first, second),
    )


def _f1(counts: Int64[ndarray, "documents 3"]) -> float:
    correct, predicted, gold = counts.sum(axis=0)
    return float(2 * correct / max(predicted + gold, 1))
