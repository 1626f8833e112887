"""What we keep in a spaCy document besides what spaCy keeps: its id, and the gold layer."""

from typing import TYPE_CHECKING, Any

from silverspan.corpus.json_lines import Span
from silverspan.errors import InputError

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: Where ``doc.user_data`` holds the id: a number if the file had one, else text.
ID = "silverspan.id"
#: Where ``doc.user_data`` holds the larger document that this one, a sentence, belongs to.
GROUP = "silverspan.group"
#: The layer of ``doc.spans`` with what a person annotated. A document without it has no gold.
GOLD = "gold"
#: The layer with what we found.
SILVER = "silver"


def document_id(doc: "Doc") -> str:
    """Return the id of a document; empty if it has none.

    >>> import spacy
    >>> document_id(spacy.blank("en")("Oslo"))
    ''
    """
    return str(doc.user_data.get(ID, ""))


def original_id(doc: "Doc") -> str | int:
    """Return the id as the file of the document has it: a number or text."""
    identifier: str | int = doc.user_data.get(ID, "")
    return identifier


def set_document_id(doc: "Doc", identifier: str | int) -> None:
    """Name a document.

    >>> import spacy
    >>> doc = spacy.blank("en")("Oslo")
    >>> set_document_id(doc, "news-7")
    >>> document_id(doc)
    'news-7'
    """
    doc.user_data[ID] = identifier


def gold_spans(doc: "Doc") -> list[Span] | None:
    """Return what a person annotated, sorted; ``None`` if nobody did, which is not the same as [].

    >>> import spacy
    >>> doc = spacy.blank("en")("In Oslo")
    >>> gold_spans(doc)
    >>> set_gold_spans(doc, [(1, 2, "LOC")])
    >>> gold_spans(doc)
    [(1, 2, 'LOC')]
    """
    if GOLD not in doc.spans:
        return None
    return sorted((span.start, span.end, span.label_) for span in doc.spans[GOLD])


def set_gold_spans(doc: "Doc", spans: "list[Span] | tuple[Span, ...]") -> None:
    """Set the gold layer; spans count tokens.

    Raises:
        InputError: a span lies outside the document.
    """
    set_layer(doc, GOLD, [(start, end, label, 1.0) for start, end, label in spans])


def set_layer(doc: "Doc", name: str, spans: "list[tuple[int, int, str, float]]") -> None:
    """Set ``doc.spans[name]``, its probabilities in ``doc.spans[name].attrs["probabilities"]``.

    Raises:
        InputError: a span lies outside the document.
    """
    from spacy.tokens import Span as DocSpan  # noqa: PLC0415 (heavy)
    from spacy.tokens import SpanGroup  # noqa: PLC0415

    for start, end, _, _ in spans:
        if not 0 <= start < end <= len(doc):
            raise InputError(
                f"span ({start}, {end}) of layer {name!r} lies outside document "
                f"{document_id(doc)!r}, which has {len(doc)} tokens"
            )
    attributes: dict[str, Any] = {}
    if any(probability != 1.0 for _, _, _, probability in spans):
        attributes["probabilities"] = [float(probability) for _, _, _, probability in spans]
    doc.spans[name] = SpanGroup(
        doc,
        name=name,
        spans=[DocSpan(doc, start, end, label=label) for start, end, label, _ in spans],
        attrs=attributes,
    )


def layer(doc: "Doc", name: str) -> list[tuple[int, int, str, float]]:
    """Return ``doc.spans[name]`` with its probabilities (1 where none are kept); [] without it.

    >>> import spacy
    >>> doc = spacy.blank("en")("In Oslo")
    >>> set_layer(doc, "geo", [(1, 2, "LOC", 0.5)])
    >>> layer(doc, "geo")
    [(1, 2, 'LOC', 0.5)]
    """
    if name not in doc.spans:
        return []
    group = doc.spans[name]
    probabilities = group.attrs.get("probabilities")
    if not isinstance(probabilities, list) or len(probabilities) != len(group):
        probabilities = [1.0] * len(group)
    return [
        (span.start, span.end, span.label_, float(probability))
        for span, probability in zip(group, probabilities, strict=True)
    ]


def span_from_characters(doc: "Doc", start: int, end: int) -> tuple[int, int] | None:
    """Return the tokens that characters ``start`` to ``end`` touch; ``None`` if they touch none.

    >>> import spacy
    >>> span_from_characters(spacy.blank("en")("In New York."), 3, 11)
    (1, 3)
    """
    # spaCy refuses what lies outside the text with an exception of its own.
    start, end = max(start, 0), min(end, len(doc.text))
    if start >= end:
        return None
    span = doc.char_span(start, end, alignment_mode="expand")
    return None if span is None or span.start == span.end else (span.start, span.end)
