"""A trained pipeline applied to records, as a stream; any pipeline that sets entities will do."""

from collections.abc import Iterable, Iterator

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import get_lang_class

from silverspan.aggregation.decoding import by_label
from silverspan.aggregation.predictions import Prediction
from silverspan.corpus.document import layer, original_id
from silverspan.corpus.parsing import parse
from silverspan.corpus.record import Record
from silverspan.training.soft_labels import LAYER, soft_labels


def predict(
    nlp: Language,
    records: Iterable[Record],
    *,
    probs: bool = False,
    n_process: int = 1,
    batch_size: int = 64,
) -> Iterator[Prediction]:
    """Yield what the pipeline finds in every record, in order.

    Entities without a probability, those of other components, have probability one.

    Raises:
        InputError: a record holds no text.
    """
    # The same vocabulary and tokeniser, and no component: those run in the processes.
    bare = get_lang_class(str(nlp.lang))(nlp.vocab)
    bare.tokenizer = nlp.tokenizer
    bare.max_length = nlp.max_length
    labels = tuple(sorted(label for name in nlp.pipe_names for label in nlp.pipe_labels[name]))
    for doc in nlp.pipe(parse(records, bare), n_process=n_process, batch_size=batch_size):
        spans = layer(doc, LAYER) if LAYER in doc.spans else _entities(doc)
        yield Prediction(
            id=original_id(doc),
            tokens=[token.text for token in doc],
            spans=spans,
            probs=_distributions(doc, labels) if probs else None,
        )


def _entities(doc: Doc) -> list[tuple[int, int, str, float]]:
    return [(span.start, span.end, span.label_, 1.0) for span in doc.ents]


def _distributions(doc: Doc, labels: tuple[str, ...]) -> list[dict[str, float]]:
    """Return P(label) at every token; without soft labels, one for the label of the entity."""
    soft = soft_labels(doc)
    names = ("O", *(labels if soft is None else soft.labels))
    dense = np.zeros((len(doc), len(names)))
    dense[:, 0] = 1.0
    if soft is not None:
        dense[soft.position] = by_label(soft.probability, soft.scheme)
    else:
        for start, end, label, _ in _entities(doc):
            dense[start:end] = 0.0
            dense[start:end, names.index(label)] = 1.0
    return [dict(zip(names, row, strict=True)) for row in dense.tolist()]
