"""Why the model believes what it believes: the log odds of a token, witness by witness.

The model is log-linear: how much likelier one kind is than another at a token is the sum of what
every function said or did not say, what the token looks like, and what its neighbours suggest. A
kind of several states (B and I) counts by the average over them, plus the entropy of that choice,
which goes with the neighbours; so the parts add up exactly, whichever two kinds are compared.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from silverspan.aggregation.hmm.channel import Looks
from silverspan.aggregation.hmm.em import Parameters
from silverspan.aggregation.hmm.frame import Evidence, Frame
from silverspan.aggregation.hmm.model import FittedHmm, make_frame
from silverspan.aggregation.hmm.transitions import Transitions
from silverspan.observations.islands import Block, Islands
from silverspan.observations.votes import Votes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Explanation:
    """The witnesses of every voted token, in natural logarithms; ``kinds`` are "O" and labels.

    ``neighbours`` is -inf where a kind is impossible. Parts of one kind mean nothing alone: only
    differences of two kinds do.
    """

    functions: tuple[str, ...]
    features: tuple[str, ...]
    kinds: tuple[str, ...]
    position: Int64[ndarray, " voted"]
    said: Float64[ndarray, "voted functions kinds"]
    looks: Float64[ndarray, "voted features kinds"]
    neighbours: Float64[ndarray, "voted kinds"]
    probability: Float64[ndarray, "voted kinds"]

    def odds(self, first: int, last: int, kind: int, against: int) -> "Odds | None":
        """Return why the tokens from ``first`` to before ``last`` are of one kind, not another.

        Of several tokens it is the mean. None: nobody voted there, or one of the kinds is
        impossible at each of them.
        """
        rows = np.flatnonzero((self.position >= first) & (self.position < last))
        possible = np.isfinite(self.neighbours[rows][:, [kind, against]]).all(axis=1)
        rows = rows[possible]
        if not len(rows):
            return None
        return Odds(
            functions=(self.said[rows, :, kind] - self.said[rows, :, against]).mean(axis=0),
            features=(self.looks[rows, :, kind] - self.looks[rows, :, against]).mean(axis=0),
            neighbours=float((self.neighbours[rows, kind] - self.neighbours[rows, against]).mean()),
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Odds:
    """How much each witness adds to the log odds of one kind against another."""

    functions: Float64[ndarray, " functions"]
    features: Float64[ndarray, " features"]
    neighbours: float

    @property
    def total(self) -> float:
        """The log odds themselves: the sum of all parts."""
        return float(self.functions.sum() + self.features.sum()) + self.neighbours


def explain(model: FittedHmm, votes: Votes) -> Explanation:
    """Return the witnesses of every voted token of some documents: of a few, they take room.

    >>> from silverspan.labels import LabelSpace
    >>> from silverspan.aggregation.hmm.model import Hmm
    >>> votes = Votes.build(
    ...     [{"a": [(0, 1, "LOC", 1.0)], "b": [(0, 1, "LOC", 1.0)]}] * 9, lengths=[3] * 9,
    ...     space=LabelSpace(outputs=("LOC",)), functions={"a": ["LOC"], "b": ["LOC"]},
    ... )
    >>> found = explain(Hmm().fit(votes), votes.slice(0, 1))
    >>> odds = found.odds(0, 1, kind=1, against=0)
    >>> bool(np.isclose(odds.total, np.log(found.probability[0, 1] / found.probability[0, 0])))
    True
    """
    votes = model.seen(votes)
    settings = model.settings
    islands = Islands.of(
        votes, settings.scheme, constrained=settings.constraint, coarse=settings.coarse
    )
    frame = make_frame(settings, model.space, model.functions, Looks.of(votes.features))
    features = () if votes.features is None else votes.features.names
    parts = [
        witnesses(model.parameters, Evidence(frame=frame, block=block)) for block in islands.blocks
    ]
    said, looks, neighbours, probability = (
        np.concatenate(column)[islands.row] for column in zip(*parts, strict=True)
    )
    return Explanation(
        functions=model.functions,
        features=features,
        kinds=("O", *model.space.outputs),
        position=islands.position,
        said=said,
        looks=looks,
        neighbours=neighbours,
        probability=probability,
    )


def witnesses(
    parameters: Parameters, evidence: Evidence
) -> tuple[
    Float64[ndarray, "rows functions kinds"],
    Float64[ndarray, "rows features kinds"],
    Float64[ndarray, "rows kinds"],
    Float64[ndarray, "rows kinds"],
]:
    """Return what functions, looks and neighbours say of every row, and P(kind)."""
    frame, block = evidence.frame, evidence.block
    said, placed = _said(parameters, evidence)
    looks = np.zeros((len(block.pattern), len(frame.sizes), frame.kinds))
    for column, table in enumerate(parameters.channel[: len(frame.sizes)]):
        looks[:, column] = table[block.features[:, column]]
    score = (said[block.pattern].sum(axis=1) + looks.sum(axis=1))[:, frame.kind]
    score += placed[block.pattern].sum(axis=1)[:, frame.place]
    score[~evidence.allowed()[block.pattern]] = -np.inf
    around = neighbours(parameters.transitions, score, block)
    joint = score + around
    by_kind = _sum_by_kind(joint, frame)
    # P(state | kind): 0 for what is impossible.
    with np.errstate(invalid="ignore"):
        share = np.exp(joint - by_kind[:, frame.kind])
    share = np.where(np.isfinite(joint), share, 0.0)
    places = np.einsum("rs,sp,sk->rpk", share, frame.state_to_place, frame.state_to_kind)
    of_functions = said[block.pattern] + np.einsum("rfp,rpk->rfk", placed[block.pattern], places)
    context = np.where(share > 0, around, 0.0) - np.log(np.where(share > 0, share, 1.0))
    of_neighbours = np.where(np.isfinite(by_kind), (share * context) @ frame.state_to_kind, -np.inf)
    top = joint.max(axis=1, keepdims=True)
    probability = np.exp(joint - top) @ frame.state_to_kind
    probability /= probability.sum(axis=1, keepdims=True)
    return of_functions, looks, of_neighbours, probability


def neighbours(
    transitions: Transitions, score: Float64[ndarray, "rows states"], block: Block
) -> Float64[ndarray, "rows states"]:
    """Return for every row and state the log weight of all paths of its island, without its score.

    Slow and plain: for the few islands that one looks at.
    """
    with np.errstate(divide="ignore"):
        move = np.log(transitions.move)
        enter = np.log(transitions.enter(block.at_start))
        leave = np.log(transitions.leave(block.at_end))
    found = np.empty_like(score)
    for island in range(len(block.count)):
        rows = block.steps[:-1][np.diff(block.steps) > island] + island
        before = enter[island]
        for i, row in enumerate(rows):
            if i:
                before = _log_sum((before + score[rows[i - 1]])[:, None] + move, axis=0)
            found[row] = before
        after = leave[island]
        for i, row in reversed(list(enumerate(rows))):
            if i < len(rows) - 1:
                after = _log_sum(move + (score[rows[i + 1]] + after)[None, :], axis=1)
            found[row] += after
    return found


def _said(
    parameters: Parameters, evidence: Evidence
) -> tuple[
    Float64[ndarray, "patterns functions kinds"], Float64[ndarray, "patterns functions places"]
]:
    """Return what each function adds to each kind, and to each place in a span, by pattern."""
    frame = evidence.frame
    size, kinds = len(evidence.block.patterns), frame.kinds
    said = np.zeros((size, frame.functions, kinds))
    placed = np.zeros((size, frame.functions, 1 + frame.places))
    weights = parameters.emission.reshape(frame.functions, -1, kinds)
    for rows, design, spot in evidence.parts():
        columns = design.reshape(len(design), frame.functions, -1)
        said[rows] = np.einsum("pfc,fck->pfk", columns, weights)
        if frame.spots:
            places = spot.reshape(len(spot), frame.functions, -1)
            boundary = parameters.boundary.reshape(frame.functions, frame.places, -1)
            placed[rows] = np.einsum("pfc,fck->pfk", places, boundary)
    return said, placed


def _sum_by_kind(
    score: Float64[ndarray, "rows states"], frame: Frame
) -> Float64[ndarray, "rows kinds"]:
    columns = [_log_sum(score[:, frame.kind == kind], axis=1) for kind in range(frame.kinds)]
    return np.stack(columns, axis=1)


def _log_sum(values: Float64[ndarray, "..."], axis: int) -> Float64[ndarray, "..."]:
    """Return log(sum(exp(values))) along an axis; of nothing but -inf it is -inf."""
    top = values.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        found: Float64[ndarray, ...] = np.squeeze(top, axis) + np.log(
            np.exp(values - top).sum(axis=axis)
        )
    return found
