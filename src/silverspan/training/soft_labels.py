"""Soft labels: the distribution over tags at the voted tokens of one document, kept in the ``Doc``.

Goes in: a posterior, or what ``attach`` left in ``doc.spans["silver"]``, which spaCy's own files
(``DocBin``, ``to_bytes``) carry along. Comes out: the target of every token for a student. Tokens
that are not there are "O" with probability one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Float32, Int32
from numpy import ndarray
from spacy.tokens import Doc, SpanGroup

from silverspan.aggregation.decoding import run_breaks
from silverspan.aggregation.posterior import Posterior
from silverspan.tagging import prefixes

#: The layer of a document that holds what aggregation produced, and its attribute with soft labels.
LAYER, ATTRIBUTE = "silver", "soft_labels"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SoftLabels:
    """P(tag) at some tokens of one document, in rising order; "O" everywhere else."""

    labels: tuple[str, ...]
    scheme: str
    position: Int32[ndarray, " voted"]
    probability: Float32[ndarray, "voted states"]

    @classmethod
    def of(cls, posterior: Posterior, document: int) -> "SoftLabels":
        """Return the soft labels of one document of a posterior, by its number."""
        low, high = posterior.offsets[document : document + 2]
        first, last = np.searchsorted(posterior.position, [low, high])
        return cls(
            labels=posterior.labels,
            scheme=posterior.scheme,
            position=(posterior.position[first:last] - low).astype(np.int32),
            probability=posterior.probability[first:last],
        )

    def within(self, start: int, end: int) -> "SoftLabels":
        """Return the soft labels of a part of the document, positions counted from its start."""
        first, last = np.searchsorted(self.position, [start, end])
        return SoftLabels(
            labels=self.labels,
            scheme=self.scheme,
            position=(self.position[first:last] - start).astype(np.int32),
            probability=self.probability[first:last],
        )

    def targets(self, labels: tuple[str, ...], tokens: int) -> Float32[ndarray, "tokens states"]:
        """Return the distribution over the BILUO tags of ``labels`` at every token.

        What belongs to a label that is not asked for is added to "O".
        """
        breaks = run_breaks(self.position.astype(np.int64), np.array([0, tokens]))
        own = to_biluo(self.probability, self.scheme, breaks)
        dense = np.zeros((tokens, 1 + 4 * len(labels)), dtype=np.float32)
        for number, label in enumerate(labels):
            if label in self.labels:
                column = 1 + 4 * self.labels.index(label)
                dense[self.position, 1 + 4 * number : 5 + 4 * number] = own[:, column : column + 4]
        dense[:, 0] = np.maximum(1.0 - dense[:, 1:].sum(axis=1), 0.0)
        return dense


def to_biluo(
    probability: Float[ndarray, "voted states"], scheme: str, breaks: Bool[ndarray, " voted"]
) -> Float32[ndarray, "voted biluo"]:
    """Return the distribution over BILUO tags; ``breaks`` marks the rows that begin a run.

    That a span goes on after this token is as probable as the next token's "inside", given that
    both are of one label: exactly so for the marginals of a chain, where only a token of the same
    label can come before an inside one. Whether it began here and whether it goes on are taken as
    independent. In IO neighbours of one label are one span as far as their probabilities allow.

    >>> p = np.array([[0.2, 0.8, 0.0], [0.6, 0.0, 0.4]])  # half of the first span's mass goes on
    >>> to_biluo(p, "bio", np.array([True, False])).round(2).tolist()
    [[0.20000000298023224, 0.4000000059604645, 0.0, 0.0, 0.4000000059604645], \
[0.6000000238418579, 0.0, 0.0, 0.4000000059604645, 0.0]]
    """
    if scheme == "biluo":
        return probability.astype(np.float32)
    size = len(prefixes(scheme))
    rows, states = probability.shape
    parts = probability[:, 1:].astype(np.float64).reshape(rows, (states - 1) // size, size)
    mass = parts.sum(axis=2)
    inside = parts[:, :, 1].copy() if size > 1 else np.zeros_like(mass)
    if size == 1:
        inside[1:] = np.minimum(mass[:-1], mass[1:])
    inside[breaks] = 0.0
    begins = mass - inside
    following = np.zeros_like(mass)
    following[:-1] = inside[1:]
    share = np.minimum(following / np.maximum(mass, 1e-12), 1.0)
    tags = [begins * share, inside * share, inside * (1 - share), begins * (1 - share)]
    tagged = np.stack(tags, axis=2).reshape(rows, 4 * mass.shape[1])
    return np.concatenate([probability[:, :1], tagged], axis=1).astype(np.float32)


def attach(doc: Doc, soft: SoftLabels) -> None:
    """Keep soft labels in the document's layer ``silver``, beside the spans that it may have.

    >>> import spacy
    >>> doc = spacy.blank("en")("In Oslo")
    >>> attach(doc, SoftLabels(labels=("LOC",), scheme="io", position=np.array([1], np.int32),
    ...                        probability=np.array([[0.25, 0.75]], np.float32)))
    >>> soft_labels(Doc(doc.vocab).from_bytes(doc.to_bytes())).probability.tolist()
    [[0.25, 0.75]]
    """
    if LAYER not in doc.spans:
        doc.spans[LAYER] = SpanGroup(doc, name=LAYER)
    doc.spans[LAYER].attrs[ATTRIBUTE] = {
        "labels": list(soft.labels),
        "scheme": soft.scheme,
        "position": soft.position.astype("<i4").tobytes(),
        "probability": soft.probability.astype("<f4").tobytes(),
    }


def soft_labels(doc: Doc) -> SoftLabels | None:
    """Return what ``attach`` kept, ``None`` if there is nothing."""
    kept: dict[str, Any] | None = (
        doc.spans[LAYER].attrs.get(ATTRIBUTE) if LAYER in doc.spans else None
    )
    if kept is None:
        return None
    labels = tuple(kept["labels"])
    states = 1 + len(prefixes(kept["scheme"])) * len(labels)
    return SoftLabels(
        labels=labels,
        scheme=kept["scheme"],
        position=np.frombuffer(kept["position"], dtype="<i4"),
        probability=np.frombuffer(kept["probability"], dtype="<f4").reshape(-1, states),
    )
