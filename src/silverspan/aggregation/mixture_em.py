"""Expectation-maximisation for mixtures of multinomials, with or without a Markov chain.

In: indicator columns (indicators.py) and an update rule (confusions.py). Out: the parameters at
which the penalised likelihood stops growing. What the state is at unvoted tokens is known: "O".
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from silverspan.aggregation.chains import Runs, forward_backward
from silverspan.aggregation.confusions import History, Update
from silverspan.aggregation.decoding import run_breaks
from silverspan.aggregation.indicators import Indicators
from silverspan.aggregation.tallies import totals
from silverspan.observations.tokens import TokenVotes
from silverspan.progress import track

# Farther below the best state than this makes no difference, and would underflow.
_FLOOR = -300.0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Parameters:
    """What a mixture learns: how common states are, and what functions say in them."""

    start: Float64[ndarray, " states"]
    move: Float64[ndarray, "states states"] | None  # None: tokens are independent
    said: Float64[ndarray, "functions states previous symbols"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Sequence:
    """The runs of voted tokens, and what happens between them."""

    runs: Runs
    quiet_starts: int  # documents that begin with an unvoted token
    quiet_moves: int  # pairs of neighbouring unvoted tokens

    @classmethod
    def of(cls, tokens: TokenVotes) -> "Sequence":
        """Return the runs of the voted tokens."""
        lengths = tokens.votes.lengths.astype(np.int64)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        opens = tokens.position == offsets[tokens.document]
        closes = tokens.position + 1 == offsets[tokens.document + 1]
        runs = Runs.of(run_breaks(tokens.position, offsets), opens, closes)
        moves = int(np.maximum(lengths - 1, 0).sum())
        touched = int((runs.length - 1).sum() + (~runs.opens).sum() + (~runs.closes).sum())
        return cls(
            runs=runs,
            quiet_starts=int((lengths > 0).sum()) - int(runs.opens.sum()),
            quiet_moves=moves - touched,
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Expected:
    """What the parameters expect of the states, given what was said."""

    state: Float64[ndarray, "voted states"]
    responsibility: Float64[ndarray, "distinct states"]
    start: Float64[ndarray, " states"]
    move: Float64[ndarray, "states states"] | None
    log_likelihood: float


def expect(parameters: Parameters, indicators: Indicators, sequence: Sequence | None) -> Expected:
    """Return the probability of every state at every voted token; ``None``: no chain."""
    columns = column_table(parameters.said, indicators)
    said = indicators.log_likelihood(columns)
    silence = float(indicators.silent @ columns[:, 0])
    start = parameters.start
    if sequence is None or parameters.move is None:
        with np.errstate(divide="ignore"):
            joint = said + np.log(start)
        top = joint.max(axis=1, keepdims=True, initial=-np.inf)
        weight = np.exp(joint - top)
        total = weight.sum(axis=1, keepdims=True)
        share = weight / total
        return Expected(
            state=share[indicators.row],
            responsibility=share,
            start=indicators.count @ share,
            move=None,
            log_likelihood=float(indicators.count @ (np.log(total) + top)[:, 0]) + silence,
        )
    top = said.max(axis=1, keepdims=True, initial=-np.inf)
    emit = np.where(indicators.allowed, np.exp(np.maximum(said - top, _FLOOR)), 0.0)
    result = forward_backward(sequence.runs, emit[indicators.row], start, parameters.move)
    summed = [totals(indicators.row, column, len(top)) for column in result.state.T]
    return Expected(
        state=result.state,
        responsibility=np.stack(summed, axis=1) / indicators.count[:, None],
        start=result.start,
        move=result.move,
        log_likelihood=result.log_likelihood + float(indicators.count @ top[:, 0]) + silence,
    )


def maximise(
    expected: Expected,
    indicators: Indicators,
    *,
    update: Update,
    right: Bool[ndarray, "functions states symbols"],
    legal: Bool[ndarray, "states states"],
    prior: Float64[ndarray, "functions symbols"],
    smoothing: float,
    history: bool,
    quiet: tuple[int, int],
) -> Parameters:
    """Return the best parameters for the expected states.

    ``quiet`` are the unvoted starts and moves that count as "O" among the states' frequencies.
    """
    counts = dense_counts(expected.responsibility, indicators, right, history)
    said = update(counts, right, prior)
    start = expected.start + smoothing
    start[0] += quiet[0]
    move = None
    if expected.move is not None:
        start = np.where(legal[0], start, 0.0)
        moves = np.where(legal, expected.move + smoothing, 0.0)
        moves[0, 0] += quiet[1]
        move = moves / moves.sum(axis=1, keepdims=True)
    return Parameters(start=start / start.sum(), move=move, said=said)


def log_prior(
    parameters: Parameters,
    *,
    legal: Bool[ndarray, "states states"],
    prior: Float64[ndarray, "functions symbols"],
    smoothing: float,
    quiet: tuple[int, int],
) -> float:
    """Return what the log likelihood lacks to be what ``maximise`` makes grow."""
    said = np.log(np.maximum(parameters.said, 1e-300)).sum(axis=(1, 2))
    total = float((prior * said).sum())
    total += quiet[0] * float(np.log(parameters.start[0]))
    if parameters.move is None:
        return total + smoothing * float(np.log(parameters.start).sum())
    total += smoothing * float(np.log(parameters.start[legal[0]]).sum())
    total += smoothing * float(np.log(parameters.move[legal]).sum())
    return total + quiet[1] * float(np.log(parameters.move[0, 0]))


def guess(
    state: Float64[ndarray, "voted states"], indicators: Indicators, sequence: Sequence | None
) -> Expected:
    """Return expectations in which every token's state is as given, whatever its neighbours'."""
    distinct = len(indicators.count)
    summed = [totals(indicators.row, column, distinct) for column in state.T]
    share = np.stack(summed, axis=1) / indicators.count[:, None]
    start, move = indicators.count @ share, None
    if sequence is not None:
        runs = sequence.runs
        start = state[runs.first[runs.opens]].sum(axis=0)
        follows = np.ones(len(state), dtype=bool)
        follows[runs.first] = False
        rows = np.flatnonzero(follows)
        move = state[rows - 1].T @ state[rows]
        move[0] += state[runs.first[~runs.opens]].sum(axis=0)
        move[:, 0] += state[runs.last[~runs.closes]].sum(axis=0)
    return Expected(
        state=state, responsibility=share, start=start, move=move, log_likelihood=-np.inf
    )


def dense_counts(
    responsibility: Float64[ndarray, "distinct states"],
    indicators: Indicators,
    right: Bool[ndarray, "functions states symbols"],
    history: bool,
) -> History:
    """Return expected counts as a table of functions, states, previous and present symbols."""
    functions, states, symbols = right.shape
    counts = np.zeros((functions, states, symbols if history else 1, symbols))
    expected = indicators.expected_counts(responsibility)
    counts[indicators.function, :, indicators.previous, indicators.symbol] = expected
    return counts


def column_table(
    said: Float64[ndarray, "functions states previous symbols"], indicators: Indicators
) -> Float64[ndarray, "columns states"]:
    """Return the log probability of every column in every state."""
    table: Float64[ndarray, "columns states"] = np.log(
        np.maximum(said[indicators.function, :, indicators.previous, indicators.symbol], 1e-300)
    )
    return table


def climb(
    first: Parameters,
    *,
    step: Callable[[Parameters], tuple[Parameters, float]],
    rounds: int,
    tolerance: float,
) -> tuple[Parameters, list[float]]:
    """Return the parameters after at most so many rounds, and the log likelihood before each.

    Stops when a round moves the log likelihood by less than ``tolerance`` of it.
    """
    parameters, likelihoods = first, list[float]()
    for _ in track(range(rounds), "fitting the label model", total=rounds):
        following, likelihood = step(parameters)
        likelihoods.append(likelihood)
        if len(likelihoods) > 1:
            gain = likelihood - likelihoods[-2]
            if abs(gain) < tolerance * abs(likelihood):
                break
        parameters = following
    return parameters, likelihoods
