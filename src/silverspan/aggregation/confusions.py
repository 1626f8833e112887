"""How mixtures say what a function says in each state: ACC, CV, CM and SEQ as update rules.

In: expected counts of (function, state, previous symbol, symbol). Out: probabilities of the symbol
given the rest. Each rule maximises the expected log likelihood under its constraint. After the
paper's baselines: Rodrigues et al. (2014), Nguyen et al. (2017), Dawid and Skene (1979), and
Simpson and Gurevych (2019).
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

Counts = Float64[ndarray, "functions states symbols"]
History = Float64[ndarray, "functions states previous symbols"]
Right = Bool[ndarray, "functions states symbols"]
Prior = Float64[ndarray, "functions symbols"]

#: From expected counts, the symbols that are right in a state, and pseudo-counts of the symbols a
#: function ever says (zero for the others, which then make no difference), to probabilities.
Update = Callable[[History, Right, Prior], History]

# ``sequential`` climbs in sweeps, and starts over in every round of the loop that calls it.
_SWEEPS: Final = 12
_STEEPEST: Final = 8.0
_EDGES: Final = (1e-6, 1 - 1e-6)


def accuracy(counts: History, right: Right, prior: Prior) -> History:
    """ACC: one probability of being right for each function, whatever the state."""
    return _right_or_wrong(counts, right, prior, by_state=False)


def confusion_vector(counts: History, right: Right, prior: Prior) -> History:
    """CV: one probability of being right for each function and what would be right to say."""
    return _right_or_wrong(counts, right, prior, by_state=True)


def confusion_matrix(counts: History, right: Right, prior: Prior) -> History:
    """CM: every symbol has its own probability in every state."""
    return _normalised(counts.sum(axis=2, keepdims=True) + prior[:, None, None, :])


def sequential(counts: History, right: Right, prior: Prior) -> History:
    """SEQ: the confusion matrix with a covariate, that the function's symbol has not changed.

    P(k | s, m) is proportional to q[s, k], times exp(beta[m]) if k = m. The paper gives beta a
    state as well; but then "O" learns that whatever is said goes on, explains every token of a name
    but the first, and takes them. Here beta belongs to the function and its symbol alone.
    """
    heard = prior > 0
    smoothed = counts + prior[:, None, None, :] / counts.shape[2]
    spoken, total = smoothed.sum(axis=2), smoothed.sum(axis=3)
    stayed = np.einsum("fsmm->fm", smoothed)
    draw = _normalised(spoken)
    beta = np.zeros_like(stayed)
    for _ in range(_SWEEPS):
        # Newton's step for beta, bounded: a symbol that never changes would have none.
        stay = _staying(draw, beta)
        slope = (total * stay * (1 - stay)).sum(axis=1)
        lack = stayed - (total * stay).sum(axis=1)
        newton = np.divide(lack, slope, out=np.zeros_like(lack), where=slope > 1e-9)
        beta = np.clip(beta + np.clip(newton, -2, 2), -_STEEPEST, _STEEPEST)
        # Then q, which at its maximum is what was said over what the totals make of it.
        scale = 1 + draw * np.expm1(beta)[:, None, :]
        each = total / scale
        exposure = each.sum(axis=2, keepdims=True) + each * np.expm1(beta)[:, None, :]
        draw = _normalised(np.where(heard[:, None, :], spoken / np.maximum(exposure, 1e-9), 0.0))
    boost = 1 + np.eye(counts.shape[3]) * np.expm1(beta)[:, :, None]
    return _normalised(draw[:, :, None, :] * boost[:, None, :, :])


def _staying(
    draw: Float64[ndarray, "functions states symbols"], beta: Float64[ndarray, "functions symbols"]
) -> Float64[ndarray, "functions states symbols"]:
    """Return the probability that a symbol goes on."""
    going_on = draw * np.exp(beta)[:, None, :]
    stay: Float64[ndarray, "functions states symbols"] = going_on / (1 - draw + going_on)
    return stay


UPDATES: Final[dict[str, Update]] = {
    "acc": accuracy,
    "cv": confusion_vector,
    "cm": confusion_matrix,
    "seq": sequential,
}


def right_symbols(
    covers: Bool[ndarray, "functions labels"],
    stands_for: Bool[ndarray, "labels outputs"],
    prefixes: int,
) -> Bool[ndarray, "functions states symbols"]:
    """Return what each function should say in each state, given the labels it declares.

    In a state whose label it does not know a function should be silent; a coarse label is right in
    every state it stands for.
    """
    labels, outputs = stands_for.shape
    means = covers[:, None, :] & stands_for.T[None]  # functions, outputs, labels
    same_prefix = np.eye(prefixes, dtype=bool)
    inner = np.einsum("fol,pq->foplq", means, same_prefix)
    right = np.zeros((len(covers), 1 + outputs * prefixes, 1 + labels * prefixes), dtype=bool)
    right[:, 1:, 1:] = inner.reshape(len(covers), outputs * prefixes, labels * prefixes)
    right[:, :, 0] = ~right.any(axis=2)
    return right


def _right_or_wrong(counts: History, right: Right, prior: Prior, *, by_state: bool) -> History:
    # The paper divides what is wrong by J - 1, with J functions; what is meant is the symbols.
    said = counts.sum(axis=2) + prior[:, None, :]
    choices = right.sum(axis=2)
    good, total = (said * right).sum(axis=2), said.sum(axis=2)
    if by_state:
        # States in which a function should say the same are one to it: those it does not know.
        alike = (right[:, :, None, :] == right[:, None, :, :]).all(axis=3).astype(np.float64)
        good = np.einsum("fst,ft->fs", alike, good)
        total = np.einsum("fst,ft->fs", alike, total)
    else:
        good = np.broadcast_to(good.sum(axis=1, keepdims=True), good.shape)
        total = np.broadcast_to(total.sum(axis=1, keepdims=True), total.shape)
    # Where nothing is known being right is as likely as not; the edges would be certainties.
    success = np.clip(
        np.divide(good, total, out=np.full(good.shape, 0.5), where=total > 0), *_EDGES
    )
    wrong = (1 - success) / np.maximum(right.shape[2] - choices, 1)
    table: History = np.where(right, (success / choices)[..., None], wrong[..., None])[:, :, None]
    return table


def _normalised(counts: ndarray) -> ndarray:
    """Return the last axis scaled to one; where there is nothing, nothing is known."""
    total = counts.sum(axis=-1, keepdims=True)
    shares: ndarray = np.full(counts.shape, 1 / counts.shape[-1])
    np.divide(counts, total, out=shares, where=total > 0)
    return shares
