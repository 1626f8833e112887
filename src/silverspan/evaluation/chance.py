"""What chance does to a score: bootstrap intervals, and the significance of a difference.

Goes in: the correct, predicted and gold spans of every document. Documents are drawn whole, for
what stands in one is not independent. Many documents have equal counts, and only how often each
row of counts is drawn matters: so all samples are one draw over the distinct rows.
"""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

#: Draws held at once, so that memory stays bounded.
_AT_ONCE = 4_000_000


def confidence_interval(
    by_document: Int64[ndarray, "documents 3"],
    *,
    level: float = 0.95,
    samples: int = 2000,
    generator: np.random.Generator | None = None,
) -> tuple[float, float]:
    """Return the bootstrap interval of micro F1, whole documents drawn with replacement.

    >>> confidence_interval(np.array([[1, 1, 1], [1, 1, 1]]))
    (1.0, 1.0)
    """
    return confidence_intervals(by_document, level=level, samples=samples, generator=generator)[
        "f1"
    ]


def confidence_intervals(
    by_document: Int64[ndarray, "documents 3"],
    *,
    level: float = 0.95,
    samples: int = 2000,
    generator: np.random.Generator | None = None,
) -> dict[str, tuple[float, float]]:
    """Return the bootstrap intervals of precision, recall and F1, from the same draws.

    >>> confidence_intervals(np.array([[1, 2, 1], [1, 2, 1]]))["precision"]
    (0.5, 0.5)
    """
    random = np.random.default_rng(0) if generator is None else generator
    if not len(by_document):
        return dict.fromkeys(("precision", "recall", "f1"), (0.0, 0.0))
    totals = np.concatenate(list(_resampled(by_document, samples, random)))
    correct, predicted, gold = totals.T
    drawn = {
        "precision": correct / np.maximum(predicted, 1),
        "recall": correct / np.maximum(gold, 1),
        "f1": _f1(totals),
    }
    return {name: _interval(values, level) for name, values in drawn.items()}


def difference_interval(
    first: Int64[ndarray, "documents 3"],
    second: Int64[ndarray, "documents 3"],
    *,
    level: float = 0.95,
    samples: int = 2000,
    generator: np.random.Generator | None = None,
) -> tuple[float, float]:
    """Return the bootstrap interval of how much higher the first micro F1 is than the second.

    >>> same = np.array([[1, 2, 2], [0, 1, 1]])
    >>> difference_interval(same, same)
    (0.0, 0.0)
    """
    random = np.random.default_rng(0) if generator is None else generator
    if not len(first):
        return 0.0, 0.0
    both = np.concatenate([first, second], axis=1)
    totals = np.concatenate(list(_resampled(both, samples, random)))
    return _interval(_f1(totals[:, :3]) - _f1(totals[:, 3:]), level)


def paired_significance(
    first: Int64[ndarray, "documents 3"],
    second: Int64[ndarray, "documents 3"],
    *,
    samples: int = 10_000,
    generator: np.random.Generator | None = None,
) -> float:
    """Return how probable a difference in micro F1 as large as this one is by chance.

    Approximate randomisation: the two systems swap their results on random documents.

    >>> same = np.array([[1, 2, 2], [0, 1, 1]])
    >>> paired_significance(same, same)
    1.0
    """
    random = np.random.default_rng(0) if generator is None else generator
    one, two = first.sum(axis=0, keepdims=True), second.sum(axis=0, keepdims=True)
    observed = abs(float((_f1(one) - _f1(two))[0]))
    change = second - first
    distinct, counts = _distinct(change[change.any(axis=1)])
    as_large = 0
    for size in _chunks(samples, len(distinct)):
        swapped = random.binomial(counts, 0.5, size=(size, len(distinct))) @ distinct
        differences = np.abs(_f1(one + swapped) - _f1(two - swapped))
        as_large += int((differences >= observed - 1e-12).sum())
    return (as_large + 1) / (samples + 1)


def _resampled(
    rows: Int64[ndarray, "documents columns"], samples: int, random: np.random.Generator
) -> Iterator[Int64[ndarray, "_samples columns"]]:
    """Yield the sums of as many rows as there are, drawn with replacement, chunk by chunk."""
    distinct, counts = _distinct(rows)
    for size in _chunks(samples, len(distinct)):
        yield random.multinomial(len(rows), counts / len(rows), size=size) @ distinct


def _distinct(
    rows: Int64[ndarray, "rows columns"],
) -> tuple[Int64[ndarray, "_distinct columns"], Int64[ndarray, " _distinct"]]:
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    return distinct, counts.astype(np.int64)


def _chunks(samples: int, width: int) -> Iterator[int]:
    at_once = max(1, _AT_ONCE // max(width, 1))
    for start in range(0, samples, at_once):
        yield min(at_once, samples - start)


def _interval(values: Float64[ndarray, " samples"], level: float) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _f1(totals: Int64[ndarray, "samples 3"]) -> Float64[ndarray, " samples"]:
    f1: Float64[ndarray, " samples"] = 2 * totals[:, 0] / np.maximum(totals[:, 1] + totals[:, 2], 1)
    return f1
