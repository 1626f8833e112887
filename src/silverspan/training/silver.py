"""The posterior written onto documents: ``doc.ents``, and the layer ``silver`` of ``doc.spans``."""

from collections.abc import Iterable, Iterator

from spacy.tokens import Doc, Span

from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.document import set_layer
from silverspan.errors import AggregationError
from silverspan.training.soft_labels import LAYER, SoftLabels, attach


def apply(posterior: Posterior, corpus: Iterable[Doc]) -> list[Doc]:
    """Set the spans of the posterior on the documents of the corpus, and return them.

    Probabilities are kept in ``doc.spans["silver"].attrs["probabilities"]``, one a span; the
    distributions of the tokens too, so that spaCy's own ``train`` can learn from the documents.

    Raises:
        AggregationError: the documents are not those of the posterior.
    """
    return list(silver_documents(posterior, corpus))


def silver_documents(posterior: Posterior, corpus: Iterable[Doc]) -> Iterator[Doc]:
    """Yield the documents of the corpus with their spans, one at a time.

    Raises:
        AggregationError: the documents are not those of the posterior.
    """
    for number, doc in enumerate(matching(posterior, corpus)):
        proposed = posterior.spans.of(number)
        doc.set_ents([Span(doc, start, end, label) for start, end, label, _ in proposed])
        set_layer(doc, LAYER, proposed)
        attach(doc, SoftLabels.of(posterior, number))
        yield doc


def matching(posterior: Posterior, corpus: Iterable[Doc]) -> Iterator[Doc]:
    """Yield the documents of the corpus as they are.

    Raises:
        AggregationError: they are not those of the posterior.
    """
    number = -1
    for number, doc in enumerate(corpus):
        if number >= len(posterior.lengths) or len(doc) != posterior.lengths[number]:
            raise AggregationError(
                f"document {number} of the corpus is not document {number} of the posterior; "
                "give the corpus that was annotated, in the same order"
            )
        yield doc
    if number + 1 != len(posterior.lengths):
        raise AggregationError(
            f"the corpus has {number + 1} documents, the posterior {len(posterior.lengths)}; "
            "give the corpus that was annotated, in the same order"
        )
