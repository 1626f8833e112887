"""Dirichlet emissions: each function emits its whole probability vector (the paper's equation 2).

A function that speaks emits a vector over "O" and the output labels, drawn from a Dirichlet of
its own for every kind; whether it speaks at all is a coin of its own. Zero entries are smoothed:
``epsilon`` is added to each entry and the vector scaled back to one, so every density is finite,
also that of a function that only ever says one thing with certainty. Fixed points and Newton steps
after Minka (2000), "Estimating a Dirichlet distribution".
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.observations.islands import Patterns

# Concentrations stay inside: all one's mass on one vector would be an infinite density.
_LOWEST, _HIGHEST = 1e-3, 1e3


@dataclass(frozen=True, slots=True)
class Dirichlet:
    """Probability vectors with a Dirichlet density per function and kind.

    ``stands_for`` shares a coarse label among output labels: rows are label names.
    """

    stands_for: tuple[tuple[int, ...], ...]
    outputs: int
    epsilon: float = 0.01

    @property
    def size(self) -> int:
        """How long the vectors are: "O" and the output labels."""
        return 1 + self.outputs

    def design(self, patterns: Patterns, labels: int) -> Float64[ndarray, "patterns columns"]:
        """Return silence, speech, and the logarithms of the vectors spoken."""
        rows, functions = patterns.asked.shape
        vector = np.zeros((rows, functions, self.size))
        share = self._sharing()[patterns.label] * patterns.probability[:, None]
        np.add.at(vector[:, :, 1:], (patterns.entry, patterns.function), share)
        speaks = np.zeros((rows, functions), dtype=bool)
        speaks[patterns.entry, patterns.function] = True
        vector[:, :, 0] = np.maximum(1 - vector[:, :, 1:].sum(axis=2), 0.0)
        found = np.zeros((rows, functions, 2 + self.size))
        found[:, :, 0] = patterns.asked & ~speaks
        found[:, :, 1] = speaks
        found[:, :, 2:] = np.where(speaks[:, :, None], self._log(vector), 0.0)
        return found.reshape(rows, -1)

    def columns(
        self, said: Float64[ndarray, "functions silence_and_labels"]
    ) -> Float64[ndarray, " columns"]:
        """Return the statistics of so many votes given with certainty."""
        share = np.concatenate([np.zeros((len(self.stands_for), 1)), self._sharing()], axis=1)
        spoken = said[:, 1:]
        return np.concatenate(
            [said[:, :1], spoken.sum(axis=1, keepdims=True), spoken @ self._log(share)], axis=1
        ).ravel()

    def estimate(
        self, statistics: Float64[ndarray, "columns kinds"], functions: int
    ) -> Float64[ndarray, "columns kinds"]:
        """Return the weights that make the statistics most likely.

        The statistics hold pseudo-votes, which keep the estimate finite.
        """
        kinds = statistics.shape[1]
        table = statistics.reshape(functions, 2 + self.size, kinds).transpose(0, 2, 1)
        silent, spoken = np.maximum(table[..., 0], 1e-100), np.maximum(table[..., 1], 1e-100)
        mean = table[..., 2:] / spoken[..., None]
        alpha = fit_dirichlet(mean)
        density = gammaln(alpha.sum(axis=-1)) - gammaln(alpha).sum(axis=-1)
        weights = np.empty_like(table)
        weights[..., 0] = np.log(silent / (silent + spoken))
        weights[..., 1] = np.log(spoken / (silent + spoken)) + density
        weights[..., 2:] = alpha - 1
        return weights.transpose(0, 2, 1).reshape(-1, kinds)

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
        """Return silence, and the mean vector: coarse labels have no column of their own."""
        kinds = weights.shape[1]
        table = weights.reshape(functions, -1, kinds).transpose(0, 2, 1)
        alpha = table[..., 2:] + 1
        mean = alpha / alpha.sum(axis=-1, keepdims=True)
        silent = np.exp(table[..., :1])
        spoken = mean[..., 1:] * (1 - silent)
        coarse = np.zeros((*spoken.shape[:-1], len(self.stands_for) - self.outputs))
        return np.concatenate([silent, spoken, coarse], axis=-1)

    def _sharing(self) -> Float64[ndarray, "names outputs"]:
        table = np.zeros((len(self.stands_for), self.outputs))
        for name, members in enumerate(self.stands_for):
            table[name, list(members)] = 1 / len(members)
        return table

    def _log(self, vector: Float64[ndarray, "*rows size"]) -> Float64[ndarray, "*rows size"]:
        return np.log((vector + self.epsilon) / (1 + self.size * self.epsilon))


def fit_dirichlet(
    mean_log: Float64[ndarray, "*tables size"], steps: int = 100
) -> Float64[ndarray, "*tables size"]:
    """Return the concentrations that make vectors with these mean logarithms most likely.

    >>> alpha = fit_dirichlet(np.array([digamma(np.array([2.0, 5.0])) - digamma(np.array([7.0]))]))
    >>> alpha.round(6).tolist()
    [[2.0, 5.0]]
    """
    alpha = np.ones_like(mean_log)
    reached = _density(alpha, mean_log)
    for _ in range(steps):
        total = alpha.sum(axis=-1, keepdims=True)
        gradient = digamma(total) - digamma(alpha) + mean_log
        diagonal = -trigamma(alpha)
        # Newton's step with the structured inverse of the Hessian (Minka, equation 18).
        bend = (gradient / diagonal).sum(axis=-1, keepdims=True)
        bend = bend / (1 / trigamma(total) + (1 / diagonal).sum(axis=-1, keepdims=True))
        # Taken in the logarithm, so that concentrations stay positive; never more than fourfold.
        change = (bend - gradient) / diagonal / alpha
        furthest = np.abs(change).max(axis=-1, keepdims=True)
        change *= np.minimum(1.0, 1.4 / np.maximum(furthest, 1e-300))
        better = np.zeros(reached.shape, dtype=bool)
        for _ in range(30):  # half as far where that was too far
            candidate = np.clip(alpha * np.exp(change), _LOWEST, _HIGHEST)
            value = _density(candidate, mean_log)
            new = (value > reached) & ~better
            alpha = np.where(new[..., None], candidate, alpha)
            reached = np.where(new, value, reached)
            better |= new
            if (better | (furthest[..., 0] < 1e-9)).all():
                break
            change = np.where(better[..., None], change, change / 2)
        if not better.any():
            break
    return alpha


def _density(
    alpha: Float64[ndarray, "*tables size"], mean_log: Float64[ndarray, "*tables size"]
) -> Float64[ndarray, "*tables"]:
    """Return the mean log density of vectors with these mean logarithms."""
    constant = gammaln(alpha.sum(axis=-1)) - gammaln(alpha).sum(axis=-1)
    result: Float64[ndarray, "*tables"] = constant + ((alpha - 1) * mean_log).sum(axis=-1)
    return result


def digamma(x: Float64[ndarray, "*shape"]) -> Float64[ndarray, "*shape"]:
    """Return the derivative of the logarithm of the gamma function, for positive numbers."""
    value = np.zeros_like(x)
    x = x.copy()
    for _ in range(8):  # up to eight, where the series is exact to the last digits
        low = x < 8
        value -= np.where(low, 1 / x, 0.0)
        x = np.where(low, x + 1, x)
    inverse = 1 / (x * x)
    series = 1 / 12 - inverse * (
        1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse / 132))
    )
    result: Float64[ndarray, "*shape"] = value + np.log(x) - 0.5 / x - inverse * series
    return result


def trigamma(x: Float64[ndarray, "*shape"]) -> Float64[ndarray, "*shape"]:
    """Return the derivative of ``digamma``."""
    value = np.zeros_like(x)
    x = x.copy()
    for _ in range(8):
        low = x < 8
        value += np.where(low, 1 / (x * x), 0.0)
        x = np.where(low, x + 1, x)
    inverse = 1 / (x * x)
    series = 1 / 6 - inverse * (1 / 30 - inverse * (1 / 42 - inverse * (1 / 30 - inverse * 5 / 66)))
    result: Float64[ndarray, "*shape"] = value + 1 / x + inverse / 2 + inverse / x * series
    return result


def gammaln(x: Float64[ndarray, "*shape"]) -> Float64[ndarray, "*shape"]:
    """Return the logarithm of the gamma function, for positive numbers."""
    value = np.zeros_like(x)
    x = x.copy()
    for _ in range(8):
        low = x < 8
        value -= np.where(low, np.log(x), 0.0)
        x = np.where(low, x + 1, x)
    inverse = 1 / (x * x)
    series = 1 / 12 - inverse * (
        1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188))
    )
    result: Float64[ndarray, "*shape"] = (
        value + (x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi) + series / x
    )
    return result
