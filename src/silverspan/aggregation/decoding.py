"""From tag probabilities to legal spans that never overlap: arrays in, arrays out.

Rows are the voted tokens of a corpus in rising order; ``breaks`` marks the rows that begin a run
of neighbours. Two ways to decide: token by token, type first and boundaries second, or the best
legal path. posterior.py turns rows into documents and keeps the result.
"""

import numpy as np
from jaxtyping import Bool, Float, Float64, Int, Int16, Int64
from numpy import ndarray

from silverspan.tagging import Moves, encode, prefixes

#: Scores handled at a time in ``best_paths``: a bound on memory for large tag sets.
_CELLS = 4_000_000


def run_breaks(
    position: Int64[ndarray, " voted"], offsets: Int64[ndarray, " bounds"]
) -> Bool[ndarray, " voted"]:
    """Return which rows begin a run: after a gap, or first in their document.

    ``offsets`` counts the tokens before each document, and all of them at the end.

    >>> run_breaks(np.array([0, 1, 2, 5]), np.array([0, 2, 9])).tolist()
    [True, False, True, True]
    """
    breaks = np.ones(len(position), dtype=bool)
    breaks[1:] = np.diff(position) != 1
    # A run that goes on across the end of a document is two runs.
    first = np.searchsorted(position, offsets[:-1])
    breaks[first[first < len(position)]] = True
    return breaks


def by_label(
    probability: Float[ndarray, "voted states"], scheme: str
) -> Float[ndarray, "voted labels_and_o"]:
    """Return the probability of "O" and of each label, the prefixes of a label summed.

    >>> by_label(np.array([[0.5, 0.2, 0.3]]), "bio").tolist()
    [[0.5, 0.5]]
    """
    parts = _by_prefix(probability, scheme)
    return np.concatenate([probability[:, :1], parts.sum(axis=2)], axis=1)


def decode_tokens(
    probability: Float[ndarray, "voted states"], breaks: Bool[ndarray, " voted"], scheme: str
) -> Int16[ndarray, " voted"]:
    """Return the state of every row: the most probable type, then the more probable boundaries.

    >>> p = np.array([[0.4, 0.6, 0.0], [0.4, 0.35, 0.25], [0.4, 0.1, 0.5]])
    >>> decode_tokens(p, np.array([True, False, False]), "bio").tolist()
    [1, 1, 2]
    """
    # B and I split the votes for one type between them: asking each alone, "O" would win
    # the second row above, where six tenths say that it is a name.
    rows = len(probability)
    label = by_label(probability, scheme).argmax(axis=1) - 1
    new = breaks | (label != np.roll(label, 1))
    letters = prefixes(scheme)
    if "B" in letters:
        own = _by_prefix(probability, scheme)[np.arange(rows), label]
        mass = {letter: own[:, i] for i, letter in enumerate(letters)}
        begins, goes_on = mass["B"].copy(), mass["I"].copy()
        if "L" in letters:
            begins += mass["U"]
            goes_on += mass["L"]
            begins[1:] += mass["L"][:-1] + mass["U"][:-1]
            goes_on[1:] += mass["B"][:-1] + mass["I"][:-1]
        new |= begins > goes_on
    start = np.flatnonzero(new)
    end = np.append(start[1:], rows)
    named = label[start] >= 0
    start, end = start[named], end[named]
    return encode(start, end, label[start], tokens=rows, scheme=scheme)


def best_paths(
    score: Float64[ndarray, "voted states"], breaks: Bool[ndarray, " voted"], moves: Moves
) -> tuple[Int16[ndarray, " voted"], Float64[ndarray, " runs"]]:
    """Return the legal path of the highest summed score through every run, and that score.

    Scores are finite for "O" at least; log probabilities give the most probable path, plain
    probabilities the one with most expected right tokens.
    """
    first = np.flatnonzero(breaks)
    length = np.diff(np.append(first, len(score)))
    # All runs go in step, the long ones first: at step t the runs longer than t are a prefix.
    order = np.argsort(-length, kind="stable")
    first, length = first[order], length[order]
    forbidden = np.where(moves.move, 0.0, -np.inf)
    states = np.zeros(len(score), dtype=np.int16)
    came_from = np.zeros(score.shape, dtype=np.int16)
    best = np.zeros_like(score)
    for step in range(int(length[0]) if len(length) else 0):
        alive = int(np.searchsorted(-length, -step))
        rows = first[:alive] + step
        best[rows] = score[rows]
        if step == 0:
            best[rows] += np.where(moves.start, 0.0, -np.inf)
            continue
        for part in _chunks(rows, forbidden.size):
            through = best[part - 1][:, :, None] + forbidden
            origin = through.argmax(axis=1)
            came_from[part] = origin
            best[part] += np.take_along_axis(through, origin[:, None, :], axis=1)[:, 0]
    last = first + length - 1
    final = best[last] + np.where(moves.end, 0.0, -np.inf)
    states[last] = final.argmax(axis=1)
    total = np.zeros(len(first))
    total[order] = final.max(axis=1, initial=-np.inf)
    for step in range(1, int(length[0]) if len(length) else 0):
        rows = last[: int(np.searchsorted(-length, -step))] - step
        states[rows] = came_from[rows + 1, states[rows + 1]]
    return states, total


def _by_prefix(
    probability: Float[ndarray, "voted states"], scheme: str
) -> Float[ndarray, "voted labels prefixes"]:
    size = len(prefixes(scheme))
    rows, states = probability.shape
    return probability[:, 1:].reshape(rows, (states - 1) // size, size)


def _chunks(rows: Int[ndarray, " rows"], cells: int) -> list[Int[ndarray, " _"]]:
    size = max(1, _CELLS // cells)
    return [rows[i : i + size] for i in range(0, len(rows), size)]
