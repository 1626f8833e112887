"""Labelling functions over a whole corpus, in memory: Docs in, ``Votes`` out.

The same loop over files, shards and processes is in ``workspace/``.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from spacy.tokens import Doc

from silverspan.corpus import document_id
from silverspan.labelling.apply import (
    Failure,
    OnError,
    annotation_of,
    batches,
    in_order,
    label_documents,
    leave_out,
    report_failures,
)
from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.labels import LabelSpace
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes
from silverspan.progress import track

logger = logging.getLogger(__name__)

_BATCH = 64


def annotate(
    corpus: Iterable[Doc],
    functions: Iterable[LabellingFunction],
    *,
    labels: LabelSpace | Iterable[str] | None = None,
    on_error: OnError = "raise",
) -> Votes:
    """Return what the functions say of every document of the corpus.

    ``labels`` are the output labels; without them, all that the functions declare. Functions that
    need annotation which the first document lacks (tags, dependencies) are left out, with a
    warning.

    Raises:
        LabellingError: a function raised (unless ``on_error`` is ``"skip"``), proposed a span
            that cannot be, or reads a function that is not there.
    """
    ordered = in_order(functions)
    said: list[Mapping[str, list[Proposal]]] = []
    ids: list[str] = []
    words: list[Sequence[str]] = []
    absent: list[frozenset[str]] = []
    failures: list[Failure] = []
    for docs in batches(track(corpus, "annotate"), _BATCH):
        if not said:
            ordered = leave_out(ordered, annotation_of(docs))
        names = [document_id(doc) or str(len(ids) + i) for i, doc in enumerate(docs)]
        for labelled in label_documents(docs, ordered, document_ids=names, on_error=on_error):
            said.append(labelled.proposals)
            absent.append(labelled.absent)
            failures += labelled.failures
        ids += names
        words += [[token.text for token in doc] for doc in docs]
    report_failures(failures)
    if not isinstance(labels, LabelSpace):
        declared = (label for function in ordered for label in function.labels)
        labels = LabelSpace.of(declared if labels is None else labels)
    asked = np.array(
        [[function.name not in gone for function in ordered] for gone in absent], dtype=bool
    ).reshape(len(said), len(ordered))
    return Votes.build(
        said,
        lengths=[len(document) for document in words],
        space=labels,
        functions={function.name: function.labels for function in ordered},
        documents=ids,
        asked=asked,
        features=token_features(words),
    )
