"""Calibration: of what was said with probability p, is a share p right?

Goes in: probabilities, and whether each was right. Comes out: a reliability curve in bins of equal
width, and the expected calibration error, the mean gap between the two, weighted by the bins.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Float64, Int64
from numpy import ndarray


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Calibration:
    """A reliability curve; bin ``i`` of ``n`` holds the probabilities above i/n, up to (i + 1)/n.

    Bins that hold nothing have confidence and accuracy 0.
    """

    counts: Int64[ndarray, " bins"]
    #: The mean probability in each bin.
    confidence: Float64[ndarray, " bins"]
    #: The share that is right in each bin.
    accuracy: Float64[ndarray, " bins"]

    @property
    def error(self) -> float:
        """The expected calibration error (ECE); 0 where nothing was said."""
        total = max(int(self.counts.sum()), 1)
        return float((self.counts * np.abs(self.accuracy - self.confidence)).sum() / total)

    def to_json(self) -> dict[str, Any]:
        """Return the error and the bins that hold something, ready for JSON."""
        width = 1 / len(self.counts)
        return {
            "error": self.error,
            "count": int(self.counts.sum()),
            "bins": [
                {
                    "from": round(i * width, 6),
                    "to": round((i + 1) * width, 6),
                    "count": int(self.counts[i]),
                    "confidence": float(self.confidence[i]),
                    "accuracy": float(self.accuracy[i]),
                }
                for i in np.flatnonzero(self.counts).tolist()
            ],
        }


def calibration(
    probability: Float[ndarray, " items"], is_right: Bool[ndarray, " items"], *, bins: int = 10
) -> Calibration:
    """Return the reliability curve of probabilities from 0 to 1.

    >>> curve = calibration(np.array([0.75, 0.85, 0.85]), np.array([True, True, False]))
    >>> round(curve.error, 4)
    0.3167
    """
    # Of six decimals, as files hold them: so that 0.7 as a float32 does not change its bin.
    place = np.ceil(np.round(probability.astype(np.float64), 6) * bins - 1e-9).astype(np.int64) - 1
    place = np.clip(place, 0, bins - 1)
    counts = np.bincount(place, minlength=bins).astype(np.int64)
    filled = np.maximum(counts, 1)
    return Calibration(
        counts=counts,
        confidence=np.bincount(place, probability.astype(np.float64), bins) / filled,
        accuracy=np.bincount(place, is_right.astype(np.float64), bins) / filled,
    )
