"""Start and move probabilities of the states; illegal moves come from tagging.py.

The paper's priors are counts here: of the vote, or of the most reliable function.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from silverspan.tagging import Moves


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Transitions:
    """Probabilities of the first state and of every move; ``move[i, j]`` goes from i to j."""

    start: Float64[ndarray, " states"]
    move: Float64[ndarray, "states states"]
    end: Float64[ndarray, " states"]  # 1: a document may end so, 0: it may not

    def enter(self, at_start: Bool[ndarray, " islands"]) -> Float64[ndarray, "islands states"]:
        """Return the probability of each state at the first token of islands."""
        return np.where(at_start[:, None], self.start, self.move[0])

    def leave(self, at_end: Bool[ndarray, " islands"]) -> Float64[ndarray, "islands states"]:
        """Return the probability of what follows islands: the document's end, or "O"."""
        return np.where(at_end[:, None], self.end, self.move[:, 0])


def estimate(
    start: Float64[ndarray, " states"], move: Float64[ndarray, "states states"], legal: Moves
) -> Transitions:
    """Return the transitions that make expected counts most likely.

    >>> from silverspan.tagging import legal_moves
    >>> moves = estimate(np.array([3.0, 1.0, 0.0]), np.ones((3, 3)), legal_moves(1, "bio"))
    >>> moves.start.tolist(), moves.move[0].tolist()
    ([0.75, 0.25, 0.0], [0.5, 0.5, 0.0])
    """
    first = np.where(legal.start, np.maximum(start, 1e-100), 0.0)
    onward = np.where(legal.move, np.maximum(move, 1e-100), 0.0)
    return Transitions(
        start=first / first.sum(),
        move=onward / onward.sum(axis=1, keepdims=True),
        end=legal.end.astype(np.float64),
    )


def smoothing(labels: int, legal: Moves, strength: float) -> Float64[ndarray, "states states"]:
    """Return moves of a few spans of every label: so a label never seen is rare, not impossible.

    Moves from one span straight into another get next to nothing.
    """
    states = len(legal.start)
    size = (states - 1) // labels if labels else 1
    label = (np.arange(states) - 1) // size
    usual = (label[:, None] == label[None, :]) | (label[:, None] < 0) | (label[None, :] < 0)
    # Straight from the end of a span into the beginning of one of the same label is not usual.
    if size > 1:
        usual &= ~(legal.start[None, :] & (label[None, :] >= 0) & (label[:, None] >= 0))
    counts: Float64[ndarray, "states states"] = np.where(usual, strength, 0.0) + 1e-3
    counts[0, 0] = 1e-3
    return np.where(legal.move, counts, 0.0)
