"""What fitting found, told honestly: everything here is estimated, without gold.

Holds the test of collapse, too: whether the model should be believed rather than the vote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from silverspan.aggregation.hmm.em import Parameters, posterior
from silverspan.aggregation.hmm.frame import Evidence, Frame
from silverspan.aggregation.hmm.priors import Survey, pattern_weights
from silverspan.aggregation.hmm.sums import Sums
from silverspan.tagging import tags

#: A function is believed if its votes are confirmed this often, of the times they should be.
_CONFIRMED: Final = 0.7
#: The model has collapsed if it drops more than this share of what believed functions propose.
_DROPPED: Final = 0.3


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Findings:
    """What was learned of the functions, and how the fitting went."""

    confusion: Float64[ndarray, "functions kinds silence_and_labels"]
    mass: Float64[ndarray, " kinds"]  # expected tokens of each kind
    common: Float64[ndarray, " names"]  # votes for each label, which break the vote's ties
    history: tuple[float, ...]  # the penalised log likelihood, by round
    dropped: float
    tokens: int
    voted: int

    @property
    def collapsed(self) -> bool:
        """Whether the model drops what it should not: then the vote is the better one."""
        return self.dropped > _DROPPED


def dropped_share(evidence: Sums, found: Survey, parameters: Parameters, frame: Frame) -> float:
    """Return how much of what believed functions propose the model calls "O".

    The votes of a function should be confirmed by others as often as these speak where its labels
    are proposed. A function whose votes are, is believed; where it is part of a proposal that the
    vote takes for a name, the model should rarely say "O". Noise is not believed, so a model
    that drops it has not collapsed.
    """
    covers = (found.said @ frame.members().astype(np.float64) > 0).astype(np.float64)
    silent = np.log1p(-np.minimum(found.rate[:, None] * covers, 0.95))  # log P(silent | label)
    due, met = evidence.total(partial(_confirmed, silent))
    believed = (met + 5.0) / (due + 5.0) >= _CONFIRMED
    proposed, lost = evidence.total(partial(_dropped, parameters, found, believed))
    return float(lost / proposed) if proposed else 0.0


def _confirmed(
    silent: Float64[ndarray, "functions labels"], part: Evidence
) -> tuple[Float64[ndarray, " functions"], Float64[ndarray, " functions"]]:
    """Return how often votes of each function should be confirmed, and are."""
    due, met = np.zeros(len(silent)), np.zeros(len(silent))
    members = part.frame.members().astype(np.float64)
    patterns, weight = part.block.patterns, pattern_weights(part)
    everybody = patterns.asked @ silent
    votes = np.zeros((len(patterns), members.shape[1]))
    entry, label = np.nonzero(members[patterns.label])
    token, function = patterns.entry[entry], patterns.function[entry]
    np.add.at(votes, (token, label), 1.0)
    chance = -np.expm1(everybody[token, label] - silent[function, label])
    np.add.at(due, function, chance * weight[token])
    np.add.at(met, function, (votes[token, label] > 1) * weight[token])
    return due, met


def _dropped(
    parameters: Parameters, found: Survey, believed: Bool[ndarray, " functions"], part: Evidence
) -> tuple[float, float]:
    """Return how many tokens believed functions take for names, and the model does not."""
    patterns, block = part.block.patterns, part.block
    trusted = np.zeros(len(patterns), dtype=bool)
    trusted[patterns.entry[believed[patterns.function]]] = True
    trusted &= found.share(part)[:, 0] < 0.5
    gamma, _, _ = posterior(parameters, part)
    count = block.count[block.island] * trusted[block.pattern]
    return float(count.sum()), float(count[gamma[:, 0] > 0.5].sum())


def describe(
    findings: Findings,
    parameters: Parameters,
    frame: Frame,
    functions: Sequence[str],
    trust: Float64[ndarray, " functions"],
) -> dict[str, Any]:
    """Return what was learned, ready for JSON, in plain words."""
    outputs = frame.space.outputs
    joint = findings.confusion * findings.mass[:, None]
    said = joint.sum(axis=1)
    table: dict[str, Any] = {}
    for number, function in enumerate(functions):
        own = findings.confusion[number]
        table[function] = {
            "weight": _round(trust[number]),
            "labels": {
                label: {
                    "precision": _round(
                        joint[number, 1 + k, 1 + k] / max(said[number, 1 + k], 1e-12)
                    ),
                    "recall": _round(own[1 + k, 1 + k]),
                    "coverage": _round(1 - own[1 + k, 0]),
                }
                for k, label in enumerate(outputs)
            },
            "confusion": {
                kind: {
                    name: _round(own[row, column])
                    for column, name in enumerate(("silent", *frame.space.names))
                }
                for row, kind in enumerate(("O", *outputs))
            },
        }
    names = tags(outputs, frame.scheme)
    move = parameters.transitions.move
    return {
        "functions": table,
        "transitions": {
            source: {target: _round(move[i, j]) for j, target in enumerate(names)}
            for i, source in enumerate(names)
        },
        "start": {
            name: _round(p) for name, p in zip(names, parameters.transitions.start, strict=True)
        },
        "log_likelihood": [round(value, 3) for value in findings.history],
        "tokens": findings.tokens,
        "voted_tokens": findings.voted,
    }


def _round(value: float) -> float:
    return round(float(value), 6)
