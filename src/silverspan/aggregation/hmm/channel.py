"""The token channel: what a token looks like, as one more, weaker witness of its state.

Every feature of the tokens (observations/features.py) has a table of P(id | kind), learned with
the rest and raised to a power below one: features of one token are not independent witnesses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.observations.votes import TokenFeatures

#: The power of each known feature. The shape of a token says more of its state than its letters.
POWERS: Final[Mapping[str, float]] = {"shape": 0.8, "word": 0.5, "suffix": 0.3}

#: Tokens of every id, shared among the kinds as the vote shares all tokens. An id that was
#: never seen then speaks for no kind at all.
PRIOR: Final = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Looks:
    """The names of token features, and how many ids each has."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, features: TokenFeatures | None) -> "Looks | None":
        """Return those of some features."""
        return None if features is None else cls(names=features.names, sizes=features.sizes)


def powers(looks: Looks | None, chosen: Mapping[str, float]) -> tuple[float, ...]:
    """Return the power of every feature; those that nobody chose count nothing."""
    return tuple(chosen.get(name, 0.0) for name in looks.names) if looks is not None else ()


def prior(
    counts: Sequence[Float64[ndarray, "_ kinds"]],
) -> tuple[Float64[ndarray, "_ kinds"], ...]:
    """Return the pseudo-counts of every table, from the counts of the vote."""
    found = []
    for table in counts:
        share = table.sum(axis=0) + 1e-3
        found.append(np.tile(PRIOR * share / share.sum(), (len(table), 1)))
    return tuple(found)


def estimate(counts: Float64[ndarray, "ids kinds"], power: float) -> Float64[ndarray, "ids kinds"]:
    """Return the log probability of every id given the kind, raised to a power."""
    table = np.maximum(counts, 1e-100)
    result: Float64[ndarray, "ids kinds"] = power * np.log(table / table.sum(axis=0, keepdims=True))
    return result
