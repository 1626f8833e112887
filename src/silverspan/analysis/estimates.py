"""How good each function is as the label model sees it: precision and recall without gold.

By token the posterior is the measure: of the tokens that a function gives a label, how much
probability that label has there; of all its probability, how much lies on these tokens. By span
the decoded spans are: which of the function's are among them with both ends and label. Only
documents that the function saw count. Counts add up over shards. A model that believes a function
too much flatters it: these are estimates.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from silverspan.aggregation.posterior import Posterior
from silverspan.observations.analysis import SILENT, compatible, top_labels
from silverspan.observations.meetings import top_rows
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Estimates:
    """Counts of agreement between functions and a posterior, by function and label."""

    said: Float64[ndarray, "functions labels"]  # tokens
    hit: Float64[ndarray, "functions labels"]  # of these, how many the posterior expects right
    there: Float64[ndarray, "functions labels"]  # tokens that the posterior expects of the label
    spans: Int64[ndarray, "functions labels"]
    span_hit: Int64[ndarray, "functions labels"]
    span_there: Int64[ndarray, "functions labels"]

    @classmethod
    def of(cls, votes: Votes, posterior: Posterior) -> "Estimates":
        """Return the counts of some votes and what a label model made of them."""
        tokens = TokenVotes.of(votes)
        said = top_labels(tokens)
        functions, labels = len(votes.functions), len(votes.space.names)
        outputs = len(votes.space.outputs)
        members = np.zeros((outputs, labels))
        for label in range(labels):
            members[list(votes.space.stands_for(label)), label] = 1.0
        # The mass of every label, coarse ones included, where a function speaks.
        mass = at_positions(posterior, tokens.position)[:, 1:] @ members
        row, function = np.nonzero(said != SILENT)
        cell = function * labels + said[row, function].astype(np.int64)
        size = functions * labels
        hit = np.bincount(cell, weights=mass[row, said[row, function]], minlength=size)
        return cls(
            said=np.bincount(cell, minlength=size).reshape(functions, labels).astype(np.float64),
            hit=hit.reshape(functions, labels).astype(np.float64),  # of nothing: whole numbers
            there=votes.asked.T.astype(np.float64) @ _by_document(posterior) @ members,
            **_spans(votes, posterior, members),
        )

    def __add__(self, other: "Estimates") -> "Estimates":
        return Estimates(
            said=self.said + other.said,
            hit=self.hit + other.hit,
            there=self.there + other.there,
            spans=self.spans + other.spans,
            span_hit=self.span_hit + other.span_hit,
            span_there=self.span_there + other.span_there,
        )


def at_positions(
    posterior: Posterior, position: Int64[ndarray, " tokens"]
) -> Float64[ndarray, "tokens labels_and_o"]:
    """Return P("O") and of each label at some tokens; "O" for certain where nothing is stored."""
    found = np.zeros((len(position), 1 + len(posterior.labels)))
    found[:, 0] = 1.0
    if not len(posterior.position):
        return found
    row = np.minimum(np.searchsorted(posterior.position, position), len(posterior.position) - 1)
    there = posterior.position[row] == position
    found[there] = posterior.by_label()[row[there]]
    return found


def _by_document(posterior: Posterior) -> Float64[ndarray, "documents labels"]:
    """Return how many tokens of each label each document is expected to have."""
    document = np.searchsorted(posterior.offsets, posterior.position, side="right") - 1
    mass = posterior.by_label()[:, 1:].astype(np.float64)
    size = len(posterior.lengths)
    columns = [
        np.bincount(document, weights=mass[:, label], minlength=size).astype(np.float64)
        for label in range(mass.shape[1])
    ]
    return np.stack(columns, axis=1)


def _spans(
    votes: Votes, posterior: Posterior, members: Float64[ndarray, "outputs labels"]
) -> dict[str, Int64[ndarray, "functions labels"]]:
    functions, labels = len(votes.functions), len(votes.space.names)
    silver, offsets = posterior.spans, posterior.offsets
    begins = offsets[silver.document] + silver.start
    rows = top_rows(votes)
    own = offsets[votes.document[rows]] + votes.start[rows]
    # Decoded spans never overlap: the first token tells which one it can be.
    place = np.minimum(np.searchsorted(begins, own), max(len(begins) - 1, 0))
    cell = votes.function[rows].astype(np.int64) * labels + votes.label[rows]
    if len(begins):
        hit = (begins[place] == own) & (
            silver.end[place] - silver.start[place] == votes.end[rows] - votes.start[rows]
        )
        hit &= compatible(votes)[votes.label[rows], silver.label[place]]
    else:
        hit = np.zeros(len(rows), dtype=bool)
    by_document = np.zeros((len(votes.lengths), members.shape[0]), dtype=np.int64)
    np.add.at(by_document, (silver.document, silver.label.astype(np.int64)), 1)
    there = votes.asked.T.astype(np.int64) @ by_document @ members.astype(np.int64)
    size = functions * labels
    return {
        "spans": np.bincount(cell, minlength=size).reshape(functions, labels),
        "span_hit": np.bincount(cell[hit], minlength=size).reshape(functions, labels),
        "span_there": there,
    }
