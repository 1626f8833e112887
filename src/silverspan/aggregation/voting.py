"""Voting: the most frequent label among the functions that say anything.

Majority voting (``mv``) follows the paper: a token is part of a name if at least ``threshold``
functions say so, silence is no vote for "O", and the labels proposed compete. Weighted voting
(``wmv``) counts each function by how far the others agree with it.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.aggregation import storage
from silverspan.aggregation.aggregator import Fitted
from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.reliability import agreement_weights
from silverspan.aggregation.tallies import label_totals, tag_tally, voters
from silverspan.labels import LabelSpace
from silverspan.observations.align import align
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes
from silverspan.tagging import prefixes

#: "apart": the labels compete, then the boundaries; "joint": the tags compete.
Boundaries = Literal["apart", "joint"]

# The label said more often wins a tie, and nothing but a tie.
_TIE = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class MajorityVote:
    """Settings of majority voting.

    ``boundaries`` "joint" votes over the tags as such, so that ``B`` and ``I`` split the votes for
    one label: it is there for comparison.

    >>> votes = Votes.build(
    ...     [{"a": [(0, 2, "LOC", 1.0)], "b": [(1, 2, "LOC", 1.0)], "c": [(0, 1, "PER", 0.7)]}],
    ...     lengths=[3], space=LabelSpace(outputs=("LOC", "PER")),
    ...     functions={"a": ["LOC"], "b": ["LOC"], "c": ["PER"]},
    ... )
    >>> MajorityVote(scheme="io").fit(votes).posterior(votes).spans.of(0)[0][:3]
    (0, 2, 'LOC')
    """

    threshold: int = 1
    scheme: str = "bio"
    boundaries: Boundaries = "apart"

    def fit(self, votes: Votes) -> "FittedVote":
        """Return the vote in which every function counts the same."""
        return FittedVote(
            model="mv",
            functions=votes.functions,
            space=votes.space,
            weights=np.ones(len(votes.functions)),
            common=label_totals(TokenVotes.of(votes)),
            settings=self,
        )

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted vote that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightedVote:
    """Settings of weighted voting; ``rounds`` of weighing, ``prior`` tokens of average agreement.

    >>> space = LabelSpace(outputs=("LOC", "PER"))
    >>> agreed = {"a": [(0, 1, "LOC", 1.0)], "b": [(0, 1, "LOC", 1.0)], "c": [(0, 1, "PER", 1.0)]}
    >>> votes = Votes.build(
    ...     [agreed] * 20, lengths=[1] * 20, space=space, functions=dict.fromkeys("abc", []))
    >>> WeightedVote().fit(votes).weights.round(1).tolist()
    [0.8, 0.8, 0.1]
    """

    threshold: int = 1
    scheme: str = "bio"
    boundaries: Boundaries = "apart"
    rounds: int = 3
    prior: float = 5.0

    def fit(self, votes: Votes) -> "FittedVote":
        """Return the vote weighted by leave-one-out agreement."""
        tokens = TokenVotes.of(votes)
        return FittedVote(
            model="wmv",
            functions=votes.functions,
            space=votes.space,
            weights=agreement_weights(tokens, rounds=self.rounds, prior=self.prior),
            common=label_totals(tokens),
            settings=self,
        )

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted vote that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FittedVote:
    """A vote with the weight of every function."""

    model: str
    functions: tuple[str, ...]
    space: LabelSpace
    weights: Float64[ndarray, " functions"]
    common: Float64[ndarray, " labels"]  # votes for each label in the fit: they break ties
    settings: MajorityVote | WeightedVote

    def posterior(self, votes: Votes) -> Posterior:
        """Return the share of the votes that each tag has at every voted token."""
        votes = align(votes, functions=self.functions, space=self.space)
        tokens = TokenVotes.of(votes)
        scheme = self.settings.scheme
        tally = tag_tally(tokens, scheme, self.weights)
        outputs = self.common[: len(self.space.outputs)]
        share = np.repeat(outputs / max(outputs.sum(), 1e-9), len(prefixes(scheme)))
        # By label, not by tag: most names are short, and a tie between B and I should join.
        tally[:, 1:] *= 1 + _TIE * share
        # Too few voters, or only ones that name no label: "O".
        lost = (voters(tokens) < self.settings.threshold) | (tally.sum(axis=1) == 0)
        tally[lost] = 0
        tally[lost, 0] = 1
        return Posterior.build(
            labels=self.space.outputs,
            scheme=scheme,
            documents=votes.documents,
            lengths=votes.lengths,
            position=tokens.position,
            probability=tally / tally.sum(axis=1, keepdims=True),
            decoding="tags" if self.settings.boundaries == "joint" else "tokens",
        )

    def describe(self) -> dict[str, Any]:
        """Return the weight of every function."""
        return {
            "model": self.model,
            "settings": asdict(self.settings),
            "weights": dict(zip(self.functions, self.weights.round(6).tolist(), strict=True)),
        }

    def save(self, directory: str | Path) -> None:
        """Write the weights and settings into a directory."""
        storage.save(
            directory,
            storage.Stored(
                model=self.model,
                functions=self.functions,
                space=self.space,
                settings=asdict(self.settings),
                arrays={"weights": self.weights, "common": self.common},
            ),
        )


def _restore(stored: storage.Stored, settings: MajorityVote | WeightedVote) -> FittedVote:
    return FittedVote(
        model=stored.model,
        functions=stored.functions,
        space=stored.space,
        weights=stored.array("weights", (len(stored.functions),)),
        common=stored.array("common", (len(stored.space.names),)),
        settings=settings,
    )
