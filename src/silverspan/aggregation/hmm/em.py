"""Baum-Welch: expected counts, update, when to stop.

``expected_counts`` is a pure function of the parameters and one block of islands, and counts add
up: so the blocks may be counted anywhere (sums.py). However the work is spread, the result is the
same to the last bit.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.aggregation.hmm import channel, transitions
from silverspan.aggregation.hmm.frame import Evidence, Frame
from silverspan.aggregation.hmm.kernels import forward_backward
from silverspan.aggregation.hmm.sums import Sums
from silverspan.aggregation.hmm.transitions import Transitions
from silverspan.observations.distinct import Between
from silverspan.observations.islands import Block
from silverspan.progress import Task

#: A state this many nats below the best one of its token is as good as impossible.
_FLOOR = 600.0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Parameters:
    """What the passes need; the weights of the witnesses are in the tables already."""

    transitions: Transitions
    emission: Float64[ndarray, "columns kinds"]
    boundary: Float64[ndarray, "places kinds_of_place"]
    channel: tuple[Float64[ndarray, "_ kinds"], ...]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Counts:
    """Expected sufficient statistics; they add up."""

    start: Float64[ndarray, " states"]
    move: Float64[ndarray, "states states"]
    emission: Float64[ndarray, "columns kinds"]
    boundary: Float64[ndarray, "places kinds_of_place"]
    channel: tuple[Float64[ndarray, "_ kinds"], ...]
    likelihood: float = 0.0

    def plus(self, other: "Counts", factor: float = 1.0) -> "Counts":
        """Return these counts and ``factor`` times the others."""
        return Counts(
            start=self.start + factor * other.start,
            move=self.move + factor * other.move,
            emission=self.emission + factor * other.emission,
            boundary=self.boundary + factor * other.boundary,
            channel=tuple(a + factor * b for a, b in zip(self.channel, other.channel, strict=True)),
            likelihood=self.likelihood + factor * other.likelihood,
        )

    def __add__(self, other: "Counts") -> "Counts":
        return self.plus(other)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Weighing:
    """How much each witness counts; fixed while the model is fitted."""

    trust: Float64[ndarray, " functions"]
    silence: Float64[ndarray, "functions kinds"]
    powers: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Fit:
    """The parameters, the counts they come from, and the penalised log likelihood by round."""

    parameters: Parameters
    counts: Counts
    history: tuple[float, ...]


def scores(parameters: Parameters, evidence: Evidence) -> Float64[ndarray, "rows states"]:
    """Return the log probability of what was said of every row in each state; -inf: impossible."""
    frame, block = evidence.frame, evidence.block
    kind, place = frame.kind, frame.place
    by_pattern = np.empty((len(block.patterns), len(kind)))
    for rows, design, spot in evidence.parts():
        by_pattern[rows] = (design @ parameters.emission)[:, kind]
        if parameters.boundary.size:
            by_pattern[rows] += (spot @ parameters.boundary)[:, place]
    by_pattern[~evidence.allowed()] = -np.inf
    found: Float64[ndarray, "rows states"] = by_pattern[block.pattern]
    if parameters.channel:
        looks = np.zeros((len(found), frame.kinds))
        for column, table in enumerate(parameters.channel):
            looks += table[block.features[:, column]]
        found += looks[:, kind]
    return found


def posterior(
    parameters: Parameters, evidence: Evidence
) -> tuple[Float64[ndarray, "rows states"], Float64[ndarray, "states states"], float]:
    """Return P(state | votes) by row, the expected moves, and the log likelihood of the block."""
    block = evidence.block
    score = scores(parameters, evidence)
    top = score.max(axis=1, keepdims=True)
    score -= top
    np.maximum(score, -_FLOOR, out=score, where=score > -np.inf)
    emit = np.exp(score, out=score)
    gamma, moves, likelihood = forward_backward(
        parameters.transitions.enter(block.at_start),
        parameters.transitions.move,
        parameters.transitions.leave(block.at_end),
        emit,
        block.steps,
        block.count,
    )
    likelihood = likelihood + np.bincount(
        block.island, weights=top[:, 0], minlength=len(likelihood)
    )
    return gamma, moves, float(likelihood @ block.count)


def expected_counts(parameters: Parameters, evidence: Evidence) -> Counts:
    """Return the expected counts of one block under the parameters."""
    block = evidence.block
    gamma, moves, likelihood = posterior(parameters, evidence)
    return tally(gamma, moves, evidence, likelihood, _edges(block, moves, gamma))


def tally(
    gamma: Float64[ndarray, "rows states"],
    moves: Float64[ndarray, "states states"],
    evidence: Evidence,
    likelihood: float,
    edges: Float64[ndarray, " states"],
) -> Counts:
    """Return the counts of a block whose rows are in these states with these probabilities."""
    frame, block = evidence.frame, evidence.block
    gamma = gamma * block.count[block.island][:, None]
    by_kind = gamma @ frame.state_to_kind
    patterns = len(block.patterns)
    kinds = _by(block.pattern, by_kind, patterns)
    emission = np.zeros((frame.columns, frame.kinds))
    places = _by(block.pattern, gamma @ frame.state_to_place, patterns)
    boundary = np.zeros((frame.spots, frame.places + 1 if frame.spots else 0))
    for rows, design, spot in evidence.parts():
        emission += design.T @ kinds[rows]
        if frame.spots:
            boundary += spot.T @ places[rows]
    return Counts(
        start=edges,
        move=moves,
        emission=emission,
        boundary=boundary,
        channel=tuple(
            _by(block.features[:, column], by_kind, size) for column, size in enumerate(frame.sizes)
        ),
        likelihood=likelihood,
    )


def _edges(
    block: Block, moves: Float64[ndarray, "states states"], gamma: Float64[ndarray, "rows states"]
) -> Float64[ndarray, " states"]:
    """Add the moves into and out of islands to ``moves``; return the starts of documents."""
    islands = len(block.count)
    first = gamma[:islands] * block.count[:, None]
    moves[0] += first[~block.at_start].sum(axis=0)
    length = np.bincount(block.island, minlength=islands)
    last = gamma[block.steps[length - 1] + np.arange(islands)] * block.count[:, None]
    moves[:, 0] += last[~block.at_end].sum(axis=0)
    starts: Float64[ndarray, " states"] = first[block.at_start].sum(axis=0)
    return starts


def between_counts(between: Between, frame: Frame) -> Counts:
    """Return the counts of the tokens outside all islands, where the state is certain."""
    states = len(frame.kind)
    start, move = np.zeros(states), np.zeros((states, states))
    start[0], move[0, 0] = between.starts, between.moves
    emission = np.zeros((frame.columns, frame.kinds))
    emission[:, 0] = frame.emission.columns(between.said)
    looks = []
    for size, seen in zip(frame.sizes, between.features, strict=False):
        table = np.zeros((size, frame.kinds))
        table[:, 0] = seen
        looks.append(table)
    return Counts(
        start=start,
        move=move,
        emission=emission,
        boundary=np.zeros((frame.spots, frame.places + 1 if frame.spots else 0)),
        channel=tuple(looks),
    )


def maximise(counts: Counts, frame: Frame, weighing: Weighing) -> Parameters:
    """Return the parameters that make the counts most likely."""
    functions = len(weighing.trust)
    emission = frame.emission.estimate(counts.emission, functions)
    boundary = counts.boundary
    if frame.spots:
        boundary = frame.boundaries.estimate(boundary)
        boundary = boundary * np.repeat(weighing.trust, frame.places)[:, None]
    return Parameters(
        transitions=transitions.estimate(counts.start, counts.move, frame.legal),
        emission=frame.emission.scale(emission, weighing.trust, weighing.silence),
        boundary=boundary,
        channel=tuple(
            channel.estimate(table, power)
            for table, power in zip(counts.channel, weighing.powers, strict=True)
        ),
    )


def log_density(counts: Counts, parameters: Parameters) -> float:
    """Return the log probability of data, or of a prior's pseudo-data, with these counts."""
    with np.errstate(divide="ignore"):
        start, move = np.log(parameters.transitions.start), np.log(parameters.transitions.move)
    total = _dot(counts.start, start) + _dot(counts.move, move)
    total += _dot(counts.emission, parameters.emission)
    total += _dot(counts.boundary, parameters.boundary)
    return total + sum(map(_dot, counts.channel, parameters.channel))


def fit(
    evidence: Sums,
    between: Counts,
    *,
    start: Counts,
    prior: Counts,
    frame: Frame,
    weighing: Weighing,
    rounds: int,
    tolerance: float,
) -> Fit:
    """Return the fit from start counts, after so many rounds or when it hardly changes any more.

    Where silence counts in full, no round lowers the penalised likelihood. Read by coverage,
    silence weighs less in the states than in its own parameters: then a round may lower it, and
    the one before was the last.
    """
    parameters = maximise(start.plus(prior), frame, weighing)
    counts = start
    best = parameters, counts
    history: list[float] = []
    with Task("fitting the HMM", total=rounds) as task:
        for _ in range(rounds):
            counts = between + evidence.total(partial(expected_counts, parameters))
            value = counts.likelihood + log_density(between, parameters)
            value += log_density(prior, parameters)
            if history and value < history[-1]:
                parameters, counts = best
                break
            change = value - history[-1] if history else np.inf
            history.append(value)
            best = parameters, counts
            task.advance(note=f"log likelihood {value:.1f}")
            if change <= tolerance * abs(value):
                break
            parameters = maximise(counts.plus(prior), frame, weighing)
    return Fit(parameters=parameters, counts=counts, history=tuple(history))


def _by(
    index: ndarray, amount: Float64[ndarray, "rows kinds"], size: int
) -> Float64[ndarray, "size kinds"]:
    columns = [
        np.bincount(index, weights=amount[:, k], minlength=size) for k in range(amount.shape[1])
    ]
    # Of nothing, bincount makes whole numbers.
    return np.stack(columns, axis=1).astype(np.float64, copy=False)


def _dot(counts: ndarray, logarithms: ndarray) -> float:
    # Nothing times minus infinity is nothing: an illegal move that is never made.
    return float((counts * np.where(counts != 0, logarithms, 0.0)).sum())
