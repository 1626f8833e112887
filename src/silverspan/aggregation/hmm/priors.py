"""Where Baum-Welch starts, what holds it back, and how much every witness counts.

Everything is read off the votes. The *vote* is the soft start: the more functions speak, of those
expected to, the less probable is "O". Its counts start the parameters and remain as pseudo-counts
(the anchor), so that where functions hardly overlap, and nothing can be learned of them, the model
stays with the vote. Or the start comes from a table of precision and recall: the paper's formula.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from silverspan.aggregation.hmm import channel
from silverspan.aggregation.hmm.em import Counts, tally
from silverspan.aggregation.hmm.emissions import Categorical
from silverspan.aggregation.hmm.frame import Evidence, Frame
from silverspan.aggregation.hmm.sums import Sums
from silverspan.aggregation.hmm.transitions import smoothing

#: Rough (precision, recall) of one function on one label.
Reliability = tuple[float, float]

#: A token is as likely a name as not when this share of the functions expected to speak does.
_EVEN: Final = 0.5
#: Spans of one label seldom touch: the share of neighbouring tokens that begin a new one.
_TOUCHING: Final = 0.1, 0.02
#: Tokens of average speech added to every function before its rate of speaking is trusted.
_FEW: Final = 5.0
#: Pseudo-votes of a function for each label, spread like everybody's votes for it.
_POOLED: Final = 3.0
#: Pseudo-votes for silence, and as many for all labels together, that keep tables off zero.
_SMOOTH: Final = 0.1
#: Tokens in which each function is supposed to see nine in ten boundaries right.
_BOUNDARY: Final = 2.0
#: Spans of every label supposed on top of those seen.
_SPANS: Final = 0.5
#: Added to the variance of each function before residuals are correlated.
_CAUTION: Final = 20.0
#: Patterns looked at together.
_PIECE: Final = 1 << 12


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Survey:
    """What the votes say of themselves before any model: all in sums over voted tokens."""

    said: Bool[ndarray, "functions names"]  # each function ever said each label
    speaking: Float64[ndarray, " functions"]  # votes, and P(it speaks | its labels are proposed)
    rate: Float64[ndarray, " functions"]
    expected: Float64[ndarray, " labels"]  # votes expected at a token of each label
    density: float  # votes per voted token
    meaning: Float64[ndarray, "kinds names"]  # P(kind | somebody says the label)
    common: Float64[ndarray, " names"]  # votes for each label

    @property
    def active(self) -> Bool[ndarray, " functions"]:
        """Which functions said anything at all."""
        return np.asarray(self.said.any(axis=1))

    def share(self, part: Evidence) -> Float64[ndarray, "patterns kinds"]:
        """Return the soft vote of every pattern of a block."""
        return _soft_vote(self.said, self.rate, part)[0]


def survey(evidence: Sums, frame: Frame) -> Survey:
    """Return the soft vote and how often functions speak, in three passes over the patterns."""
    often, speaking, tokens = evidence.total(_speech)
    said = often > 0
    chances = evidence.total(partial(_chances, said))
    average = speaking.sum() / max(chances.sum(), 1e-9)
    rate = (speaking + _FEW * average) / (chances + _FEW)
    expected, mass, meaning, common = evidence.total(partial(_expectations, said, rate))
    meaning = 1e-3 + meaning
    return Survey(
        said=said,
        speaking=speaking,
        rate=rate,
        expected=expected / np.maximum(mass, 1e-9),
        density=float(speaking.sum() / max(tokens, 1e-9)),
        meaning=meaning / meaning.sum(axis=0),
        common=np.round(common, 6),
    )


def _speech(
    part: Evidence,
) -> tuple[Float64[ndarray, "functions names"], Float64[ndarray, " functions"], float]:
    """Return how often each function says each label, how much it says, and all tokens."""
    frame, patterns, weight = part.frame, part.block.patterns, pattern_weights(part)
    said = np.zeros((frame.functions, len(frame.space.names)))
    np.add.at(said, (patterns.function, patterns.label), 1.0)
    speaking = np.zeros(frame.functions)
    np.add.at(speaking, patterns.function, patterns.probability * weight[patterns.entry])
    return said, speaking, float(weight.sum())


def _chances(
    said: Bool[ndarray, "functions names"], part: Evidence
) -> Float64[ndarray, " functions"]:
    """Return at how many tokens others propose what each function ever says."""
    members = part.frame.members().astype(np.float64)
    covers = (said @ members > 0).astype(np.float64)
    share = _label_votes(part, members)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-9)
    weight = pattern_weights(part)
    chances: Float64[ndarray, " functions"] = (
        (share @ covers.T) * part.block.patterns.asked * weight[:, None]
    ).sum(axis=0)
    return chances


def _expectations(
    said: Bool[ndarray, "functions names"], rate: Float64[ndarray, " functions"], part: Evidence
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return the sums behind ``Survey.expected``, ``meaning`` and ``common``."""
    patterns, weight = part.block.patterns, pattern_weights(part)
    soft, share, awaited = _soft_vote(said, rate, part)
    said_of = np.zeros((len(patterns), said.shape[1]))
    np.add.at(said_of, (patterns.entry, patterns.label), patterns.probability)
    return (
        (share * awaited * weight[:, None]).sum(axis=0),
        (share * weight[:, None]).sum(axis=0),
        (soft * weight[:, None]).T @ said_of,
        weight @ said_of,
    )


def _soft_vote(
    said: Bool[ndarray, "functions names"], rate: Float64[ndarray, " functions"], part: Evidence
) -> tuple[ndarray, ndarray, ndarray]:
    """Return P(kind), the shares of labels, and the votes to expect for each, by pattern."""
    members = part.frame.members().astype(np.float64)
    covers = (said @ members > 0).astype(np.float64)
    votes = _label_votes(part, members)
    total = votes.sum(axis=1, keepdims=True)
    share = votes / np.maximum(total, 1e-9)
    awaited = (part.block.patterns.asked * rate) @ covers
    usual = np.maximum((share * awaited).sum(axis=1, keepdims=True), 1.0)
    outside = _EVEN / (_EVEN + total / usual)
    soft = np.concatenate([outside, share * (1 - outside)], axis=1)
    return soft, share, awaited


def pattern_weights(evidence: Evidence) -> Float64[ndarray, " patterns"]:
    """Return how many tokens of the corpus have each pattern."""
    block = evidence.block
    # Of nothing, bincount makes whole numbers.
    return np.bincount(
        block.pattern, weights=block.count[block.island], minlength=len(block.patterns)
    ).astype(np.float64, copy=False)


def vote_counts(evidence: Sums, found: Survey, between: Counts) -> Counts:
    """Return the counts of a corpus in which every token is what the vote says it is."""
    return between + evidence.total(partial(_counts_of_vote, found))


def _counts_of_vote(found: Survey, part: Evidence) -> Counts:
    return _of_rows(part, _rows_of_vote(part, found.share(part)))


def prior_counts(start: Counts, found: Survey, frame: Frame, *, anchor: float) -> Counts:
    """Return the pseudo-counts: the anchor, and what keeps every probability off zero."""
    names, functions = len(frame.space.names), frame.functions
    votes = np.full((functions, 1 + names), _SMOOTH / max(names, 1))
    votes[:, 0] = _SMOOTH
    emission = np.stack(
        [frame.emission.columns(votes + pooled) for pooled in _pooled(found, frame)], axis=1
    )
    boundary = np.zeros_like(start.boundary)
    if frame.spots:
        boundary = frame.boundaries.prior(functions, _BOUNDARY)
    smooth = Counts(
        start=np.where(frame.legal.start, 1e-2, 0.0),
        move=smoothing(frame.labels, frame.legal, _SPANS),
        emission=emission,
        boundary=boundary,
        channel=channel.prior(start.channel),
    )
    return smooth.plus(start, anchor)


def trust(evidence: Sums, found: Survey, frame: Frame) -> Float64[ndarray, " functions"]:
    """Return the weight of every function: one over how many say what it says.

    Two functions that still agree once the label is known are not two witnesses. The residuals
    of each function's votes, about what the vote lets expect, are correlated; a function counts
    one over one plus its correlations.
    """
    functions, names = frame.functions, len(frame.space.names)
    table = evidence.total(partial(_said_by_kind, found))
    by_kind = table.reshape(frame.kinds, functions, 1 + names)
    said = (by_kind[:, :, 1:] + 0.1) / (by_kind.sum(axis=2, keepdims=True) + 0.2)
    covariance = evidence.total(partial(_covariance, found, said))
    deviation = np.sqrt(np.diag(covariance) + _CAUTION)
    correlation = covariance / np.outer(deviation, deviation)
    np.fill_diagonal(correlation, 0.0)
    correlation[~found.active] = 0.0
    correlation[:, ~found.active] = 0.0
    weights: Float64[ndarray, " functions"] = 1 / (1 + np.maximum(correlation, 0.0).sum(axis=1))
    return weights


def _said_by_kind(found: Survey, part: Evidence) -> Float64[ndarray, "kinds columns"]:
    """Return how often each function says what where the vote sees each kind."""
    frame, names = part.frame, len(part.frame.space.names)
    table = np.zeros((frame.kinds, frame.functions * (1 + names)))
    share, weight = found.share(part), pattern_weights(part)
    for rows, design in _plain_designs(part, names):
        table += (share[rows] * weight[rows, None]).T @ design
    return table


def _covariance(
    found: Survey, said: Float64[ndarray, "kinds functions names"], part: Evidence
) -> Float64[ndarray, "functions functions"]:
    """Return the covariance of the votes of functions, beyond what the vote lets expect."""
    frame, names = part.frame, len(part.frame.space.names)
    covariance = np.zeros((frame.functions, frame.functions))
    share, weight = found.share(part), pattern_weights(part)
    for rows, design in _plain_designs(part, names):
        votes = design.reshape(-1, frame.functions, 1 + names)
        asked = part.block.patterns.asked[rows]
        for label in range(frame.labels):
            residual = np.where(asked, votes[:, :, 1 + label] - share[rows] @ said[:, :, label], 0)
            covariance += (residual * weight[rows, None]).T @ residual
    return covariance


def silence_weights(
    found: Survey, frame: Frame, fixed: float | None
) -> Float64[ndarray, "functions kinds"]:
    """Return how much silence counts, by function and kind.

    Where one function speaks per token, its silence cannot tell "O" from what it does not know;
    where three do, it can. A function that never spoke has no silence to read.
    """
    density = np.append(found.density, found.expected)
    weight = np.clip((density - 1) / 2, 0, 1) if fixed is None else np.full(len(density), fixed)
    return np.where(found.active[:, None], weight, 0.0)


def table_counts(
    reliabilities: Mapping[str, Mapping[str, Reliability]],
    functions: Sequence[str],
    start: Counts,
    frame: Frame,
    *,
    default: Reliability = (0.5, 0.5),
) -> Counts:
    """Return start counts whose emissions follow the paper's formula, from rough estimates.

    In state ``s`` a function says ``s`` with its recall on ``s``, and another label ``k`` in
    proportion to (1 - recall on s) (1 - precision on k) and how frequent ``k`` is; the mass of
    every kind is that of the vote. Labels without an estimate get ``default``.
    """
    labels, names = frame.labels, len(frame.space.names)
    outputs = frame.space.outputs
    by_kind = np.bincount(frame.kind, weights=start.move.sum(axis=1), minlength=frame.kinds) + 1.0
    frequency = by_kind[1:] / by_kind[1:].sum()
    emission = np.zeros_like(start.emission)
    for kind in range(frame.kinds):
        votes = np.zeros((frame.functions, 1 + names))
        for number, function in enumerate(functions):
            known = reliabilities.get(function, {})
            precision, recall = np.array([known.get(label, default) for label in outputs]).T
            wrong = (1 - precision) * frequency
            if kind:
                wrong[kind - 1] = 0.0
                row = (1 - recall[kind - 1]) * wrong
                row[kind - 1] = recall[kind - 1]
                silent = max(1 - row.sum(), 1e-3)
            else:
                row, silent = wrong * by_kind[1:].sum() / by_kind[0], 1.0
            votes[number, 0], votes[number, 1 : 1 + labels] = silent, row
            votes[number] *= by_kind[kind] / votes[number].sum()
        emission[:, kind] = frame.emission.columns(votes)
    return _replace_emission(start, emission)


def uniform_counts(start: Counts) -> Counts:
    """Return start counts in which every function says anything alike, whatever the state."""
    return _replace_emission(start, np.ones_like(start.emission))


def function_counts(evidence: Sums, function: int, between: Counts) -> Counts:
    """Return the counts of a corpus in which every token is what one function says it is."""
    return between + evidence.total(partial(_counts_of_function, function))


def _counts_of_function(function: int, part: Evidence) -> Counts:
    frame, patterns = part.frame, part.block.patterns
    members = frame.members().astype(np.float64)
    own = np.flatnonzero(patterns.function == function)
    voted = members[patterns.label[own]]
    voted *= patterns.probability[own, None] / np.maximum(voted.sum(axis=1, keepdims=True), 1)
    share = np.zeros((len(patterns), frame.kinds))
    np.add.at(share[:, 1:], patterns.entry[own], voted)
    share[:, 0] = np.maximum(1 - share[:, 1:].sum(axis=1), 0.0)
    return _of_rows(part, _rows_of_vote(part, share))


def _of_rows(part: Evidence, gamma: Float64[ndarray, "rows states"]) -> Counts:
    block, frame = part.block, part.frame
    weighted = gamma * block.count[block.island][:, None]
    size = np.diff(block.steps)
    states = len(frame.kind)
    moves = np.zeros((states, states))
    length = np.bincount(block.island, minlength=len(block.count))
    for t in range(len(size) - 1):
        low, high, following = block.steps[t], block.steps[t + 1], int(size[t + 1])
        moves += gamma[low : low + following].T @ weighted[high : high + following]
    last = block.steps[length - 1] + np.arange(len(length))
    moves[:, 0] += weighted[last][~block.at_end].sum(axis=0)
    moves[0] += weighted[: len(length)][~block.at_start].sum(axis=0)
    starts = weighted[: len(length)][block.at_start].sum(axis=0)
    legal = frame.legal
    moves = _split_touching(np.where(legal.move, moves, 0.0), frame)
    starts = np.where(legal.start, starts, 0.0)
    return tally(gamma, moves, part, 0.0, starts)


def _split_touching(
    moves: Float64[ndarray, "states states"], frame: Frame
) -> Float64[ndarray, "states states"]:
    """Share moves within a label between going on and beginning anew, as is usual."""
    if frame.scheme != "bio":
        return moves
    moves = moves.copy()
    for begin in range(1, len(moves), 2):
        total = moves[begin : begin + 2, begin] + moves[begin : begin + 2, begin + 1]
        moves[begin : begin + 2, begin] = total * _TOUCHING[1]
        moves[begin : begin + 2, begin + 1] = total * (1 - _TOUCHING[1])
    return moves


def _rows_of_vote(
    part: Evidence, share: Float64[ndarray, "patterns kinds"]
) -> Float64[ndarray, "rows states"]:
    """Return the soft vote by row: the mass of each kind shared among its places."""
    block, frame = part.block, part.frame
    patterns = block.patterns
    place = np.zeros((len(patterns), frame.labels, frame.places))
    members = frame.members()[patterns.label].astype(np.float64)
    for label in range(frame.labels):
        np.add.at(
            place[:, label],
            (patterns.entry, patterns.place),
            members[:, label] * patterns.probability,
        )
    by_row = place[block.pattern]
    if frame.scheme == "bio":
        votes = by_row.sum(axis=2)
        before = np.zeros_like(votes)
        size = np.diff(block.steps)
        following = np.arange(size[0], len(votes)) if len(size) else np.zeros(0, np.int64)
        step = np.repeat(np.arange(1, len(size)), size[1:])
        before[following] = votes[following - block.steps[step] + block.steps[step - 1]]
        # After a vote for the same label a span more probably goes on than begins anew.
        by_row[:, :, 0] *= np.where(before > 0, _TOUCHING[0], 1.0)
        by_row[:, :, 1] *= np.where(before > 0, 1 - _TOUCHING[0], 0.0)
        by_row[:, :, 0] += np.where(by_row.sum(axis=2) == 0, 1.0, 0.0)
    total = by_row.sum(axis=2, keepdims=True)
    by_row = np.where(total > 0, by_row / np.maximum(total, 1e-300), 1 / frame.places)
    mass = share[block.pattern]
    states: Float64[ndarray, "rows states"] = np.concatenate(
        [mass[:, :1], (by_row * mass[:, 1:, None]).reshape(len(mass), frame.labels * frame.places)],
        axis=1,
    )
    return states


def _pooled(found: Survey, frame: Frame) -> Float64[ndarray, "kinds functions silence_and_labels"]:
    """Return pseudo-votes of every function for its labels, wrong as often as all are together."""
    # A function that said nothing while the model was fitted may yet say anything.
    covers = found.said | ~found.active[:, None]
    votes = np.zeros((frame.kinds, *covers.shape[:1], 1 + covers.shape[1]))
    votes[:, :, 1:] = _POOLED * found.meaning[:, None, :] * covers
    return votes


def _plain_designs(
    part: Evidence, names: int
) -> Iterator[tuple[slice, Float64[ndarray, "patterns columns"]]]:
    """Yield plain vote counts, whatever the model's own emission is."""
    plain = Categorical()
    if part.frame.emission == plain:
        for rows, design, _ in part.parts():
            yield rows, design
        return
    low = 0
    for piece in part.block.patterns.parts(_PIECE):
        yield slice(low, low + len(piece)), plain.design(piece, names)
        low += len(piece)


def _replace_emission(counts: Counts, emission: Float64[ndarray, "columns kinds"]) -> Counts:
    return replace(counts, emission=emission)


def _label_votes(part: Evidence, members: ndarray) -> Float64[ndarray, "patterns labels"]:
    patterns = part.block.patterns
    votes = np.zeros((len(patterns), members.shape[1]))
    share = members[patterns.label]
    share = share / np.maximum(share.sum(axis=1, keepdims=True), 1.0)
    np.add.at(votes, patterns.entry, share * patterns.probability[:, None])
    return votes
