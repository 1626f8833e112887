"""The label matching problem of mixtures (the paper's appendix B): which label a state stands for.

A mixture fitted without labels may come to use its states for others than it began with. After
the fit each state takes the label it correlates with most, token by token, in a reference: the
most reliable function, the majority vote, or the HMM. Below ``LOWEST`` it takes "O".
"""

from typing import Final, Literal

import numpy as np
from jaxtyping import Float, Float64, Int64
from numpy import ndarray

#: What the states are matched to; "none" leaves them as they are.
Reference = Literal["none", "reliable", "majority", "hmm"]

LOWEST: Final = 0.1


def correlations(
    states: Float[ndarray, "voted states"],
    reference: Float[ndarray, "voted labels"],
    tokens: int,
) -> Float64[ndarray, "states labels"]:
    """Return the correlation of every state with every label over all ``tokens`` of a corpus.

    Tokens without a row are zero in both.

    >>> x = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> correlations(x, x, 4).round(2).tolist()
    [[1.0, -0.33], [-0.33, 1.0]]
    """
    left, right = states.astype(np.float64), reference.astype(np.float64)
    left_mean, right_mean = left.sum(axis=0) / tokens, right.sum(axis=0) / tokens
    together = left.T @ right / tokens - left_mean[:, None] * right_mean[None, :]
    left_spread = (left**2).sum(axis=0) / tokens - left_mean**2
    right_spread = (right**2).sum(axis=0) / tokens - right_mean**2
    spread = np.sqrt(np.maximum(left_spread[:, None] * right_spread[None, :], 0))
    related: Float64[ndarray, "states labels"] = np.zeros_like(together)
    np.divide(together, spread, out=related, where=spread > 1e-15)
    return related


def match(
    states: Float[ndarray, "voted states"],
    reference: Float[ndarray, "voted states"],
    tokens: int,
) -> Int64[ndarray, " states"]:
    """Return the state whose meaning each state takes; "O" keeps its own.

    ``reference`` has the probabilities of the same states as the reference labels them.
    """
    found = np.zeros(states.shape[1], dtype=np.int64)
    if states.shape[1] > 1 and tokens:
        agreement = np.round(correlations(states[:, 1:], reference[:, 1:], tokens), 9)
        # Between equals a state keeps its own meaning.
        best = agreement.argmax(axis=1)
        keeps = agreement.diagonal() >= agreement.max(axis=1)
        best[keeps] = np.flatnonzero(keeps)
        found[1:] = np.where(agreement.max(axis=1) >= LOWEST, best + 1, 0)
    return found


def renamed(
    states: Float64[ndarray, "voted states"], meaning: Int64[ndarray, " states"]
) -> Float64[ndarray, "voted states"]:
    """Return the probabilities with every state counted as what it means."""
    moved = np.zeros_like(states)
    for state, target in enumerate(meaning):
        moved[:, target] += states[:, state]
    return moved
