"""What each function says in each state: emission models, all of one log-linear shape.

An emission model turns patterns of votes into columns of sufficient statistics, and expected
statistics into parameters. Its log likelihood is ``design @ weights``: so the E-step (em.py) is
the same for all, and a prior is nothing but statistics of tokens that were never seen.

Type and boundary are told apart: which *label* a function says depends on the label of the state,
which *place* in a span (B, I, ...) on the place of the state (Boundaries). Votes that split over
B and I would otherwise lose against "O", and the tables would be four times as large.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.observations.islands import Patterns


@runtime_checkable
class Emission(Protocol):
    """One way in which functions speak; ``kinds`` are "O" and the output labels."""

    def design(self, patterns: Patterns, labels: int) -> Float64[ndarray, "patterns columns"]:
        """Return the sufficient statistics of every pattern; ``labels`` counts coarse ones too."""
        ...

    def columns(
        self, said: Float64[ndarray, "functions silence_and_labels"]
    ) -> Float64[ndarray, " columns"]:
        """Return the statistics of so many plain votes of each label by each function."""
        ...

    def estimate(
        self, statistics: Float64[ndarray, "columns kinds"], functions: int
    ) -> Float64[ndarray, "columns kinds"]:
        """Return the weights that make the statistics most likely."""
        ...

    def scale(
        self,
        weights: Float64[ndarray, "columns kinds"],
        trust: Float64[ndarray, " functions"],
        silence: Float64[ndarray, "functions kinds"],
    ) -> Float64[ndarray, "columns kinds"]:
        """Return the weights with every function, and its silence, counting as much as given."""
        ...

    def confusion(
        self, weights: Float64[ndarray, "columns kinds"], functions: int
    ) -> Float64[ndarray, "functions kinds silence_and_labels"]:
        """Return the probability of silence and of each label, by function and true kind."""
        ...


@dataclass(frozen=True, slots=True)
class Categorical:
    """Each function says one label or nothing; probabilities are fractional votes."""

    def design(self, patterns: Patterns, labels: int) -> Float64[ndarray, "patterns columns"]:
        """Return the votes for silence and for every label, function by function."""
        rows, functions = patterns.asked.shape
        said = np.zeros((rows, functions, 1 + labels))
        said[patterns.entry, patterns.function, 1 + patterns.label] = patterns.probability
        # What a function leaves open counts as silence; an absent function has no votes at all.
        said[:, :, 0] = patterns.asked
        said[patterns.entry, patterns.function, 0] = 1.0
        np.subtract.at(said[:, :, 0], (patterns.entry, patterns.function), patterns.probability)
        return said.reshape(rows, -1)

    def columns(
        self, said: Float64[ndarray, "functions silence_and_labels"]
    ) -> Float64[ndarray, " columns"]:
        """Return the votes themselves."""
        return said.ravel()

    def estimate(
        self, statistics: Float64[ndarray, "columns kinds"], functions: int
    ) -> Float64[ndarray, "columns kinds"]:
        """Return the logarithm of the relative frequencies; -inf becomes a very small number."""
        kinds = statistics.shape[1]
        counts = np.maximum(statistics.reshape(functions, -1, kinds), 1e-100)
        result: Float64[ndarray, "columns kinds"] = np.log(
            counts / counts.sum(axis=1, keepdims=True)
        ).reshape(-1, kinds)
        return result

    def scale(
        self,
        weights: Float64[ndarray, "columns kinds"],
        trust: Float64[ndarray, " functions"],
        silence: Float64[ndarray, "functions kinds"],
    ) -> Float64[ndarray, "columns kinds"]:
        """Return the weights with every function, and its silence, counting as much as given."""
        kinds = weights.shape[1]
        scaled = weights.reshape(len(trust), -1, kinds) * trust[:, None, None]
        scaled[:, 0] *= silence
        result: Float64[ndarray, "columns kinds"] = scaled.reshape(-1, kinds)
        return result

    def confusion(
        self, weights: Float64[ndarray, "columns kinds"], functions: int
    ) -> Float64[ndarray, "functions kinds silence_and_labels"]:
        """Return the tables, as probabilities."""
        kinds = weights.shape[1]
        result: Float64[ndarray, "functions kinds silence_and_labels"] = np.exp(
            weights.reshape(functions, -1, kinds)
        ).transpose(0, 2, 1)
        return result


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Where in a span a function begins and goes on, given where the true span does.

    Kinds are "O" and the places of the scheme.
    """

    places: int

    def design(self, patterns: Patterns) -> Float64[ndarray, "patterns columns"]:
        """Return how much each function votes for each place."""
        rows, functions = patterns.asked.shape
        said = np.zeros((rows, functions, self.places))
        np.add.at(said, (patterns.entry, patterns.function, patterns.place), patterns.probability)
        return said.reshape(rows, -1)

    def prior(self, functions: int, strength: float) -> Float64[ndarray, "columns kinds"]:
        """Return statistics of functions that see nine in ten boundaries right."""
        right, kinds = 0.9, 1 + self.places
        table = np.full((self.places, kinds), (1 - right) / max(self.places - 1, 1))
        np.fill_diagonal(table[:, 1:], right)
        table[:, 0] = 1 / self.places
        return np.tile(strength * table, (functions, 1))

    def estimate(
        self, statistics: Float64[ndarray, "columns kinds"]
    ) -> Float64[ndarray, "columns kinds"]:
        """Return the logarithm of the relative frequencies."""
        kinds = statistics.shape[1]
        counts = np.maximum(statistics.reshape(-1, self.places, kinds), 1e-100)
        result: Float64[ndarray, "columns kinds"] = np.log(
            counts / counts.sum(axis=1, keepdims=True)
        ).reshape(-1, kinds)
        return result
