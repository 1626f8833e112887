"""Forward, backward and best-path passes over islands packed step by step.

Scaled probabilities in and out; transitions.py and emissions.py make them, em.py uses them.
Rows ``steps[t]`` to ``steps[t + 1]`` are token ``t`` of every island longer than ``t``, the long
islands first, so every step is one matrix product on neighbouring rows. After Rabiner (1989).
"""

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray


def forward_backward(
    enter: Float64[ndarray, "islands states"],
    move: Float64[ndarray, "states states"],
    leave: Float64[ndarray, "islands states"],
    emit: Float64[ndarray, "rows states"],
    steps: Int64[ndarray, " bounds"],
    count: Float64[ndarray, " islands"],
) -> tuple[
    Float64[ndarray, "rows states"], Float64[ndarray, "states states"], Float64[ndarray, " islands"]
]:
    """Return P(state | votes) by row, the expected moves, and each island's log likelihood.

    ``enter`` holds the probability of each state at an island's first token, ``leave`` of what
    follows its last one; ``move[i, j]`` moves from ``i`` to ``j``. Islands count ``count`` times
    in the moves. Cost: three matrix products per step.
    """
    islands, states = enter.shape
    bounds = steps.tolist()
    alpha = np.empty_like(emit)
    scale = np.empty((len(emit), 1))
    before = enter
    for t in range(len(bounds) - 1):
        rows = slice(bounds[t], bounds[t + 1])
        now = before * emit[rows] if t == 0 else (before[: rows.stop - rows.start] @ move)
        if t:
            now *= emit[rows]
        # Rescaled at every position: the product of raw likelihoods underflows after forty tokens.
        size = now.sum(axis=1, keepdims=True)
        now /= size
        alpha[rows] = now
        scale[rows] = size
        before = now
    likelihood = np.zeros(islands)
    moves = np.zeros((states, states))
    gamma = alpha
    beta = np.empty((islands, states))
    alive = 0
    for t in range(len(bounds) - 2, -1, -1):
        low, high = bounds[t], bounds[t + 1]
        here = high - low
        if alive:
            # beta holds what follows token t + 1 of the islands that have one.
            ahead = emit[high : high + alive] * beta[:alive]
            ahead /= scale[high : high + alive]
            weighted = alpha[low : low + alive] * count[:alive, None]
            moves += weighted.T @ ahead
            beta[:alive] = ahead @ move.T
        if here > alive:
            ending = slice(alive, here)
            last = alpha[low + alive : high]
            total = (last * leave[ending]).sum(axis=1)
            likelihood[ending] = np.log(total)
            beta[ending] = leave[ending] / total[:, None]
        gamma_rows = alpha[low:high] * beta[:here]
        gamma[low:high] = gamma_rows
        alive = here
    island = np.arange(len(emit)) - np.repeat(steps[:-1], np.diff(steps))
    likelihood += np.bincount(island, weights=np.log(scale[:, 0]), minlength=islands)
    return gamma, moves * move, likelihood


def best_paths(
    enter: Float64[ndarray, "islands states"],
    move: Float64[ndarray, "states states"],
    leave: Float64[ndarray, "islands states"],
    score: Float64[ndarray, "rows states"],
    steps: Int64[ndarray, " bounds"],
) -> tuple[Int64[ndarray, " rows"], Float64[ndarray, " islands"]]:
    """Return the most probable state sequence of every island and its log probability.

    Everything is in natural logarithms, with ``-inf`` for impossible.
    """
    bounds = steps.tolist()
    states = np.empty(len(score), dtype=np.int64)
    came_from = np.zeros(score.shape, dtype=np.int64)
    best = np.empty_like(score)
    for t in range(len(bounds) - 1):
        low, high = bounds[t], bounds[t + 1]
        if t == 0:
            best[low:high] = enter + score[low:high]
            continue
        before = best[bounds[t - 1] : bounds[t - 1] + high - low]
        through = before[:, :, None] + move
        origin = through.argmax(axis=1)
        came_from[low:high] = origin
        reached = np.take_along_axis(through, origin[:, None, :], axis=1)[:, 0]
        best[low:high] = reached + score[low:high]
    total = np.empty(len(enter))
    following = np.empty(len(enter), dtype=np.int64)
    alive = 0
    for t in range(len(bounds) - 2, -1, -1):
        low, high = bounds[t], bounds[t + 1]
        here = high - low
        if alive:
            ahead = slice(high, high + alive)
            following[:alive] = came_from[ahead][np.arange(alive), following[:alive]]
        if here > alive:
            final = best[low + alive : high] + leave[alive:here]
            following[alive:here] = final.argmax(axis=1)
            total[alive:here] = final.max(axis=1)
        states[low:high] = following[:here]
        alive = here
    return states, total
