"""spaCy documents are scored: gold layers or entities on one side, entities on the other.

Nothing here imports spaCy; documents are only asked for what they hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from silverspan.corpus.document import (
    SILVER,
    document_id,
    gold_spans,
    layer,
    span_from_characters,
)
from silverspan.errors import InputError
from silverspan.evaluation.matching import VIEWS, Span
from silverspan.evaluation.scores import Evaluation, WeightedSpan, evaluate_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc


def evaluate(
    gold_docs: "Iterable[Doc]",
    docs: "Iterable[Doc]",
    *,
    labels: Iterable[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    views: Sequence[str] = VIEWS,
    normalisations: Sequence[str] = (),
) -> Evaluation:
    """Return the scores of documents against gold ones, in the same order.

    Gold is the layer ``doc.spans["gold"]``, or ``doc.ents`` without it; what was found is
    ``doc.spans["silver"]``, or ``doc.ents`` without it. Tokens may differ where the text is the
    same. ``mapping`` renames labels on both sides; then ``labels`` keeps some, else all count;
    ``normalisations`` name differences to overlook.

    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> ruler = nlp.add_pipe("entity_ruler")
    >>> ruler.add_patterns([{"label": "LOC", "pattern": "Oslo"}])
    >>> evaluate([nlp("In Oslo")], [nlp("In Oslo")]).f1
    1.0

    Raises:
        InputError: there are more documents on one side, or their texts differ.
    """
    truth: list[list[Span]] = []
    guess: list[list[WeightedSpan]] = []
    tokens: list[list[str]] = []
    for number, (right, found) in enumerate(zip_longest(gold_docs, docs)):
        if right is None or found is None:
            side = "gold" if found is None else "predicted"
            raise InputError(f"there are more {side} documents than {number}, the others")
        truth.append(_gold(right))
        guess.append(_found(found, right))
        tokens.append([token.text for token in right])
    return evaluate_spans(
        truth,
        guess,
        lengths=list(map(len, tokens)),
        labels=labels,
        mapping=mapping,
        views=views,
        tokens=tokens,
        normalisations=normalisations,
    )


def _gold(doc: "Doc") -> list[Span]:
    gold = gold_spans(doc)
    return [(e.start, e.end, e.label_) for e in doc.ents] if gold is None else gold


def _found(doc: "Doc", gold: "Doc") -> list[WeightedSpan]:
    if SILVER in doc.spans:
        spans = layer(doc, SILVER)
    else:
        spans = [(e.start, e.end, e.label_, 1.0) for e in doc.ents]
    if len(doc) == len(gold) and all(a.text == b.text for a, b in zip(doc, gold, strict=True)):
        return spans
    if doc.text != gold.text:
        name = document_id(gold) or document_id(doc)
        raise InputError(f"document {name!r} has another text on the other side")
    moved: list[WeightedSpan] = []
    for start, end, label, probability in spans:
        span = doc[start:end]
        place = span_from_characters(gold, span.start_char, span.end_char)
        if place is not None:
            moved.append((*place, label, probability))
    return moved
