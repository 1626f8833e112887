"""Functions made of another function's spans: kept, cut, widened, renamed, or ruled out.

Each takes ``of``, the function (or functions) it reads: by name, the votes of a function that runs;
as a ``LabellingFunction``, one that is asked on the spot and does not vote itself.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.labelling.heuristics.spelling import page
from silverspan.labelling.kit.sources import Source, Spans
from silverspan.labelling.phrases import Phrases

#: How the words of a span are written.
Casing = Literal["title", "upper", "lower", "mixed"]

#: The label of a span that is confidently no entity.
NO_ENTITY = "O"

_CASINGS: dict[str, Callable[[str], bool]] = {
    "title": lambda text: text[:1].isupper() and not (len(text) > 1 and text.isupper()),
    "upper": str.isupper,
    "lower": str.islower,
    "mixed": lambda text: not text.islower() and not text.isupper() and not text.istitle(),
}


def vicinity(
    name: str,
    of: Source,
    label: str,
    *,
    after: Iterable[str] = (),
    before: Iterable[str] = (),
    within: int = 0,
    cased: bool = False,
    probability: float = 1.0,
) -> LabellingFunction:
    """Return a function that labels spans which stand after, or before, one of some phrases.

    ``within`` is how many tokens may stand between.

    >>> import spacy
    >>> from silverspan.labelling.heuristics.names import proper_detector
    >>> owned = vicinity("owned", proper_detector(), "ORG", after=["shares of"])
    >>> list(owned(spacy.blank("en")("He sold shares of Komatsu to Ingrid.")))
    [(4, 5, 'ORG', 1.0)]
    """
    spans, after, before = Spans.of(of), tuple(after), tuple(before)
    left, right = Phrases(after, cased=cased), Phrases(before, cased=cased)

    def propose(doc: Doc) -> Iterator[Proposal]:
        opened = page(doc)
        ends = {end for _, end in left.spans(opened)}
        starts = {start for start, _ in right.spans(opened)}
        for start, end, *_ in dict.fromkeys(span[:2] for span in spans(doc)):
            near = any(start - gap in ends for gap in range(within + 1))
            if near or any(end + gap in starts for gap in range(within + 1)):
                yield start, end, label, probability

    options = {"label": label, "after": after, "before": before, "within": within, "cased": cased}
    return _made(name, spans, propose, {**options, "probability": probability}, labels=(label,))


def constrain(
    name: str,
    of: Source,
    *,
    labels: Iterable[str] = (),
    min_tokens: int = 1,
    max_tokens: int | None = None,
    casing: Casing | None = None,
    tags: Iterable[str] = (),
    matching: str | None = None,
    min_probability: float = 0.0,
) -> LabellingFunction:
    """Return a function that keeps the spans of another that meet every condition given.

    ``casing`` and ``tags`` must hold for each word of a span, the regular expression ``matching``
    for its whole text.
    """
    spans, labels, tags = Spans.of(of), tuple(labels), tuple(tags)
    pattern = None if matching is None else re.compile(matching)

    def holds(doc: Doc, proposal: Proposal) -> bool:
        start, end, label, probability = proposal
        words = [token for token in doc[start:end] if token.is_alpha]
        return (
            (not labels or label in labels)
            and end - start >= min_tokens
            and (max_tokens is None or end - start <= max_tokens)
            and probability >= min_probability
            and (casing is None or all(_CASINGS[casing](token.text) for token in words))
            and (not tags or all(token.tag_ in tags or token.pos_ in tags for token in words))
            and (pattern is None or pattern.fullmatch(doc[start:end].text) is not None)
        )

    def propose(doc: Doc) -> Iterator[Proposal]:
        return (proposal for proposal in spans(doc) if holds(doc, proposal))

    options = {
        "labels": labels,
        "min_tokens": min_tokens,
        "max_tokens": max_tokens,
        "casing": casing,
        "tags": tags,
        "matching": matching,
        "min_probability": min_probability,
    }
    needs = ("tag",) if tags else ()
    return _made(name, spans, propose, options, labels=labels or spans.labels, needs=needs)


def trim(
    name: str, of: Source, *, leading: Iterable[str] = (), trailing: Iterable[str] = ()
) -> LabellingFunction:
    """Return a function that cuts words off the edges of another's spans, whatever their case.

    >>> import spacy
    >>> from silverspan.labelling.kit import phrases
    >>> whole = phrases("banks", ["the Bank"], "ORG")
    >>> list(trim("cut", whole, leading=["the"])(spacy.blank("en")("at the Bank")))
    [(2, 3, 'ORG', 1.0)]
    """
    spans = Spans.of(of)
    first, last = _folded(leading), _folded(trailing)

    def propose(doc: Doc) -> Iterator[Proposal]:
        for start, end, label, probability in spans(doc):
            while start < end and doc[start].lower_ in first:
                start += 1
            while end > start and doc[end - 1].lower_ in last:
                end -= 1
            if start < end:
                yield start, end, label, probability

    options = {"leading": sorted(first), "trailing": sorted(last)}
    return _made(name, spans, propose, options)


def extend(
    name: str, of: Source, *, leading: Iterable[str] = (), trailing: Iterable[str] = ()
) -> LabellingFunction:
    """Return a function that widens another's spans over words beside them, whatever their case."""
    spans = Spans.of(of)
    first, last = _folded(leading), _folded(trailing)

    def propose(doc: Doc) -> Iterator[Proposal]:
        for start, end, label, probability in spans(doc):
            while start > 0 and doc[start - 1].lower_ in first:
                start -= 1
            while end < len(doc) and doc[end].lower_ in last:
                end += 1
            yield start, end, label, probability

    options = {"leading": sorted(first), "trailing": sorted(last)}
    return _made(name, spans, propose, options)


def relabel(
    name: str, of: Source, mapping: Mapping[str, str], *, others: bool = False
) -> LabellingFunction:
    """Return a function that renames another's labels, and keeps the ``others`` only if asked."""
    spans = Spans.of(of)

    def propose(doc: Doc) -> Iterator[Proposal]:
        for start, end, label, probability in spans(doc):
            if label in mapping or others:
                yield start, end, mapping.get(label, label), probability

    labels = [mapping.get(label, label) for label in spans.labels if others or label in mapping]
    if "*" in spans.labels:
        labels = [*mapping.values(), *(["*"] if others else [])]
    options = {"mapping": dict(mapping), "others": others}
    return _made(name, spans, propose, options, labels=tuple(dict.fromkeys(labels)))


def exclude(name: str, of: Source, without: Source) -> LabellingFunction:
    """Return a function that keeps another's spans that no span of ``without`` overlaps."""
    spans, against = Spans.of(of), Spans.of(without)

    def propose(doc: Doc) -> Iterator[Proposal]:
        taken = {i for start, end, *_ in against(doc) for i in range(start, end)}
        for proposal in spans(doc):
            if taken.isdisjoint(range(proposal[0], proposal[1])):
                yield proposal

    both = Spans((*spans.parts, *against.parts))
    return _made(name, both, propose, {"without": against.options()}, labels=spans.labels)


def negate(name: str, of: Source, *, probability: float = 1.0) -> LabellingFunction:
    """Return a function that says of another's spans: never an entity (the label ``"O"``).

    Silence says that a function found nothing; this says that there is nothing.
    """
    spans = Spans.of(of)

    def propose(doc: Doc) -> Iterator[Proposal]:
        for start, end in dict.fromkeys(span[:2] for span in spans(doc)):
            yield start, end, NO_ENTITY, probability

    return _made(name, spans, propose, {"probability": probability}, labels=(NO_ENTITY,))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)


def _made(
    name: str,
    spans: Spans,
    propose: Callable[[Doc], Iterator[Proposal]],
    options: Mapping[str, Any],
    *,
    labels: tuple[str, ...] | None = None,
    needs: tuple[str, ...] = (),
) -> LabellingFunction:
    return LabellingFunction(
        name=name,
        labels=spans.labels if labels is None else labels,
        propose=propose,
        reads=spans.reads,
        needs=tuple(dict.fromkeys((*spans.needs, *needs))),
        options={"of": spans.options(), **options},
    )
