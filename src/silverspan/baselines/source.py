"""Labelled source documents as a posterior that is certain: every trainer can learn from it."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.document import document_id, gold_spans
from silverspan.errors import InputError
from silverspan.tagging import encode, tags


def gold_posterior(
    docs: Sequence[Doc], labels: Iterable[str], mapping: Mapping[str, str] | None = None
) -> Posterior:
    """Return the gold of documents over the output labels, renamed first; others are left out.

    >>> import spacy
    >>> from silverspan.corpus.document import set_gold_spans
    >>> doc = spacy.blank("en")("In Oslo")
    >>> set_gold_spans(doc, [(1, 2, "GPE")])
    >>> gold_posterior([doc], ["LOC"], {"GPE": "LOC"}).spans.of(0)
    [(1, 2, 'LOC', 1.0)]

    Raises:
        InputError: a document has no gold.
    """
    outputs = tuple(labels)
    rename = dict(mapping or {})
    rows: list[tuple[int, int, int]] = []
    offset = 0
    for doc in docs:
        gold = gold_spans(doc)
        if gold is None:
            raise InputError(
                f"source document {document_id(doc)!r} has no gold; give labelled documents"
            )
        for start, end, label in gold:
            if rename.get(label, label) in outputs:
                place = outputs.index(rename.get(label, label))
                rows.append((offset + start, offset + end, place))
        offset += len(doc)
    spans = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    states = encode(spans[0], spans[1], spans[2], tokens=offset, scheme="bio")
    position = np.flatnonzero(states)
    return Posterior.build(
        labels=outputs,
        scheme="bio",
        documents=tuple(document_id(doc) or str(number) for number, doc in enumerate(docs)),
        lengths=np.array([len(doc) for doc in docs], dtype=np.int32),
        position=position,
        probability=np.eye(len(tags(outputs, "bio")))[states[position]],
        decoding="tags",
    )
