"""Forward and backward over runs of voted tokens in step: the Markov chain of the DCM.

Scaled probabilities in, probabilities and expected moves out. After Rabiner (1989). Between runs
the state is "O" for certain, so a run is entered from "O" and left to "O" unless its document
begins or ends there; that is exact.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64, Int64
from numpy import ndarray


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Runs:
    """Where runs begin and end among the rows, the longest run first."""

    first: Int64[ndarray, " runs"]
    length: Int64[ndarray, " runs"]
    opens: Bool[ndarray, " runs"]  # nothing stands before it in its document
    closes: Bool[ndarray, " runs"]  # nothing stands after it

    @classmethod
    def of(
        cls,
        breaks: Bool[ndarray, " voted"],
        opens: Bool[ndarray, " voted"],
        closes: Bool[ndarray, " voted"],
    ) -> "Runs":
        """Return the runs that begin at ``breaks``; the others tell of documents, row by row."""
        first = np.flatnonzero(breaks)
        length = np.diff(np.append(first, len(breaks)))
        order = np.argsort(-length, kind="stable")
        first, length = first[order], length[order]
        return cls(
            first=first, length=length, opens=opens[first], closes=closes[first + length - 1]
        )

    @property
    def last(self) -> Int64[ndarray, " runs"]:
        """The last row of every run."""
        rows: Int64[ndarray, " runs"] = self.first + self.length - 1
        return rows

    def alive(self, step: int) -> int:
        """Return how many runs are longer than ``step`` tokens; they are the first ones."""
        return int(np.searchsorted(-self.length, -step))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Expectation:
    """What the chain expects, given what was said."""

    state: Float64[ndarray, "voted states"]
    move: Float64[ndarray, "states states"]  # moves in, into and out of runs
    start: Float64[ndarray, " states"]  # first tokens of documents
    log_likelihood: float


def forward_backward(
    runs: Runs,
    emit: Float64[ndarray, "voted states"],
    start: Float64[ndarray, " states"],
    move: Float64[ndarray, "states states"],
) -> Expectation:
    """Return the probability of every state and the expected moves.

    ``emit`` holds P(what was said | state) of every row up to a factor of its own, which the log
    likelihood leaves out.
    """
    ahead = np.zeros_like(emit)
    scale = np.ones(len(emit))
    enter = np.where(runs.opens[:, None], start, move[0])
    leave = np.where(runs.closes[:, None], 1.0, move[:, 0])
    longest = int(runs.length[0]) if len(runs.length) else 0
    for step in range(longest):
        rows = runs.first[: runs.alive(step)] + step
        reach = enter if step == 0 else ahead[rows - 1] @ move
        joint = reach * emit[rows]
        # Rescaled at every position: the product of raw likelihoods underflows on long runs.
        scale[rows] = joint.sum(axis=1)
        ahead[rows] = joint / scale[rows, None]
    state = np.zeros_like(emit)
    moves = np.zeros_like(move)
    behind = np.zeros_like(emit)
    behind[runs.last] = leave
    ending = (ahead[runs.last] * leave).sum(axis=1) if longest else np.zeros(0)
    for step in range(longest - 1, 0, -1):
        rows = runs.first[: runs.alive(step)] + step
        onward = emit[rows] * behind[rows] / scale[rows, None]
        behind[rows - 1] = onward @ move.T
        weight = ending[: len(rows), None]
        moves += move * (ahead[rows - 1].T @ (onward / weight))
    state = ahead * behind
    state /= np.maximum(state.sum(axis=1, keepdims=True), 1e-300)
    opening, closing = state[runs.first], state[runs.last]
    moves[0] += opening[~runs.opens].sum(axis=0)
    moves[:, 0] += closing[~runs.closes].sum(axis=0)
    return Expectation(
        state=state,
        move=moves,
        start=opening[runs.opens].sum(axis=0),
        log_likelihood=float(np.log(scale).sum() + np.log(ending).sum()),
    )
