"""Snorkel's label model over candidate spans: the matrix completion of Ratner et al. (2019).

A baseline of the paper. Fitting needs the package ``snorkel`` (and torch), an optional extra; a
fitted model is a table of probabilities and is applied and stored without them.
"""

import logging
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.aggregation import storage
from silverspan.aggregation.aggregator import Fitted
from silverspan.aggregation.candidates import DETECTORS, Candidates
from silverspan.aggregation.posterior import Posterior
from silverspan.errors import AggregationError, MissingDependencyError
from silverspan.labels import LabelSpace
from silverspan.observations.align import align
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes
from silverspan.tagging import encode, prefixes

_log = logging.getLogger(__name__)

# The matrix completion solves for triples of functions.
_FEWEST = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Snorkel:
    """Settings of the Snorkel baseline.

    ``candidates`` "detectors" are the spans of the paper's three proper-noun detectors, "voted" the
    spans of all functions, "auto" the detectors' where one of them speaks.
    """

    candidates: Literal["auto", "detectors", "voted"] = "auto"
    scheme: str = "bio"
    epochs: int = 500
    learning_rate: float = 0.01
    seed: int = 0

    def fit(self, votes: Votes) -> "FittedSnorkel":
        """Return the fitted model.

        Raises:
            MissingDependencyError: the package is not installed.
            AggregationError: fewer than three functions speak of the candidates, or candidates of
                detectors are asked for and there are none.
        """
        detectors = _detectors(self.candidates, votes)
        found = Candidates.of(votes, detectors=detectors)
        labels = len(votes.space.outputs)
        speaks = np.flatnonzero((found.said >= 0).any(axis=0))
        table = np.full((len(votes.functions), labels, labels), 1.0)
        common = np.bincount(found.said[found.said >= 0], minlength=labels) + 1.0
        # With one label there is nothing to choose: every labelled candidate has it.
        if labels > 1:
            if len(speaks) < _FEWEST:
                raise AggregationError(
                    f"snorkel needs {_FEWEST} functions that speak of the candidate spans, and "
                    f"{len(speaks)} do; use candidates=voted, or another label model"
                )
            said = found.said[:, speaks].astype(np.int64)
            said = said[(said >= 0).any(axis=1)]
            table[speaks] = _complete(said, common / common.sum(), self)
        return FittedSnorkel(
            functions=votes.functions,
            space=votes.space,
            settings=self,
            detectors=detectors,
            common=common / common.sum(),
            table=table,
        )

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        settings = dict(stored.settings)
        detectors = tuple(settings.pop("used_detectors"))
        labels = len(stored.space.outputs)
        return FittedSnorkel(
            functions=stored.functions,
            space=stored.space,
            settings=cls(**settings),
            detectors=detectors,
            common=stored.array("common", (labels,)),
            table=stored.array("table", (len(stored.functions), labels, labels)),
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FittedSnorkel:
    """How often each function says each label of a span that has each label."""

    functions: tuple[str, ...]
    space: LabelSpace
    settings: Snorkel
    detectors: tuple[str, ...]
    common: Float64[ndarray, " labels"]
    table: Float64[ndarray, "functions said labels"]

    def posterior(self, votes: Votes) -> Posterior:
        """Return the labels' probabilities on the candidates chosen; elsewhere it is "O"."""
        votes = align(votes, functions=self.functions, space=self.space)
        found = Candidates.of(votes, detectors=self.detectors)
        share = self._shares(found)
        chosen = found.choose(share.max(axis=1, initial=0))
        tokens = TokenVotes.of(votes)
        size = len(prefixes(self.settings.scheme))
        offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
        start = offset[found.document[chosen]] + found.start[chosen]
        end = offset[found.document[chosen]] + found.end[chosen]
        # Encoded as if of the first label, the states tell the prefix.
        prefix = encode(
            start,
            end,
            np.zeros(len(chosen), dtype=np.int64),
            tokens=votes.tokens,
            scheme=self.settings.scheme,
        ).astype(np.int64)[tokens.position]
        owner = np.searchsorted(start, tokens.position, side="right") - 1
        probability = np.zeros((len(tokens.position), 1 + share.shape[1] * size))
        probability[:, 0] = prefix == 0
        inside = np.flatnonzero(prefix > 0)
        own = share[chosen[owner[inside]]]
        for label in range(share.shape[1]):
            probability[inside, label * size + prefix[inside]] = own[:, label]
        return Posterior.build(
            labels=self.space.outputs,
            scheme=self.settings.scheme,
            documents=votes.documents,
            lengths=votes.lengths,
            position=tokens.position,
            probability=probability,
        )

    def _shares(self, found: Candidates) -> Float64[ndarray, "candidates labels"]:
        """Return P(label | what was said) of every candidate."""
        score = np.tile(np.log(self.common), (len(found.start), 1))
        for function, table in enumerate(np.log(np.maximum(self.table, 1e-6))):
            said = found.said[:, function]
            spoke = said >= 0
            score[spoke] += table[said[spoke]]
        weight = np.exp(score - score.max(axis=1, keepdims=True, initial=-np.inf))
        shares: Float64[ndarray, "candidates labels"] = weight / weight.sum(axis=1, keepdims=True)
        return shares

    def describe(self) -> dict[str, Any]:
        """Return how often each function is right where it speaks of a label, without gold."""
        outputs = self.space.outputs
        joint = self.table * self.common
        precision = np.diagonal(joint, axis1=1, axis2=2) / joint.sum(axis=2)
        return {
            "model": "snorkel",
            "settings": asdict(self.settings),
            "estimated": "without gold",
            "candidates": list(self.detectors) or "voted",
            "functions": [
                {"function": name, "label": label, "precision": round(float(precision[f, k]), 4)}
                for f, name in enumerate(self.functions)
                for k, label in enumerate(outputs)
            ],
        }

    def save(self, directory: str | Path) -> None:
        """Write the table into a directory."""
        storage.save(
            directory,
            storage.Stored(
                model="snorkel",
                functions=self.functions,
                space=self.space,
                settings={**asdict(self.settings), "used_detectors": list(self.detectors)},
                arrays={"common": self.common, "table": self.table},
            ),
        )


def _detectors(candidates: str, votes: Votes) -> tuple[str, ...]:
    speak = {votes.functions[i] for i in np.unique(votes.function)}
    found = tuple(name for name in DETECTORS if name in speak)
    if candidates == "voted":
        return ()
    if not found and candidates == "detectors":
        raise AggregationError(
            f"none of {', '.join(DETECTORS)} says anything in these votes, and they make the "
            "candidate spans; use candidates=voted"
        )
    if not found:
        _log.info("no proper-noun detector speaks: the candidates are all voted spans")
    return found


def _complete(
    said: ndarray, common: Float64[ndarray, " labels"], settings: Snorkel
) -> Float64[ndarray, "functions said labels"]:
    """Return P(function says | label), as the package's matrix completion finds it."""
    try:
        from snorkel.labeling.model import LabelModel  # noqa: PLC0415 (optional, brings torch)
    except ImportError as error:
        raise MissingDependencyError("snorkel", extra="snorkel") from error
    labels = len(common)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LabelModel(cardinality=labels, verbose=False)
        model.fit(
            said,
            class_balance=common.tolist(),
            n_epochs=settings.epochs,
            lr=settings.learning_rate,
            seed=settings.seed,
            progress_bar=False,
        )
        table = model.mu.detach().numpy().astype(np.float64)
    table = np.clip(table, 1e-6, 1.0).reshape(said.shape[1], labels, labels)
    completed: Float64[ndarray, "functions said labels"] = table
    return completed
