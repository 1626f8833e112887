"""From the scores of a network to entities in documents: the last step of every student.

Goes in: P(tag) at every token, in BILUO. Comes out: a posterior with legal spans, and from that
``doc.ents`` and the layer ``silver``.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc, Span

from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.document import set_layer
from silverspan.training.soft_labels import LAYER, SoftLabels, attach

#: A token that is "O" with this probability is "O": what is left are short runs, quick to decode.
CERTAINLY_OUTSIDE = 0.999

#: P(tag) at every token of each document.
Scores = list[NDArray[np.float32]]
Decoding = Literal["paths", "tokens"]


def posterior_of(scores: Scores, labels: tuple[str, ...], decoding: Decoding) -> Posterior:
    """Return the posterior of documents with its spans decoded.

    >>> score = np.array([[0.2, 0.0, 0.0, 0.0, 0.8]], np.float32)
    >>> posterior_of([score], ("LOC",), "paths").spans.of(0)[0][:3]
    (0, 1, 'LOC')
    """
    dense = np.concatenate([np.zeros((0, 1 + 4 * len(labels)), np.float32), *scores])
    position = np.flatnonzero(dense[:, 0] < CERTAINLY_OUTSIDE)
    return Posterior.build(
        labels=labels,
        scheme="biluo",
        documents=tuple(map(str, range(len(scores)))),
        lengths=np.array([len(score) for score in scores], dtype=np.int32),
        position=position,
        probability=dense[position].astype(np.float32),
        decoding=decoding,
    )


def set_silver(docs: Sequence[Doc], posterior: Posterior) -> None:
    """Set ``doc.ents`` and the layer ``silver``, with probabilities, of every document."""
    for number, doc in enumerate(docs):
        spans = posterior.spans.of(number)
        doc.set_ents([Span(doc, start, end, label) for start, end, label, _ in spans])
        set_layer(doc, LAYER, spans)
        attach(doc, SoftLabels.of(posterior, number))
