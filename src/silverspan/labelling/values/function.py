"""``snips``: the labelling function over the value parser, from a ``Doc`` to spans of tokens.

It is the second opinion on what date_detector, time_detector, money_detector and number_detector
say, and shares nothing with them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from spacy.attrs import IDX, LENGTH  # type: ignore[import-not-found] # (a compiled module)
from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.labelling.values.lexicon import lexicon
from silverspan.labelling.values.parser import value_parser

#: Readings of one stretch are few; no more of those said are looked back at.
_NEAR = 8
LABELS = ("CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME")


def snips(*, language: str = "en", minimum: float = 0.1) -> LabellingFunction:
    """Return the labelling function ``snips`` for texts in a language.

    Of readings that overlap it says the likeliest, and other labels of that same span with their
    probabilities; nothing under ``minimum``. Spans are those of OntoNotes: words that bound a value
    ("about", "more than") are in, a preposition before it is out. A value that begins or ends
    inside a token is left out.
    """
    parser = value_parser(language)
    settings = lexicon(language).settings
    bounds = frozenset(tuple(form.split()) for form in settings.get("bounds", ()))
    outside = frozenset(settings.get("outside", ()))

    def propose(doc: Doc) -> Iterator[Proposal]:
        text = doc.text
        values = parser.parse(text)
        if not values:
            return
        columns: Any = doc.to_array([IDX, LENGTH])
        starts = columns[:, 0].astype(np.int64)
        ends = starts + columns[:, 1].astype(np.int64)
        first = np.searchsorted(starts, [value.start for value in values]).tolist()
        last = np.searchsorted(ends, [value.end for value in values]).tolist()
        count = len(doc)
        taken: list[tuple[int, int]] = []
        for value, begin, finish in zip(values, first, last, strict=True):
            if value.probability < minimum or begin >= count or finish >= count:
                continue
            if starts[begin] != value.start or not value.end <= ends[finish] <= value.end + 1:
                continue
            if ends[finish] != value.end and text[value.end] != ".":
                continue  # but "Sept." at the end of a text is a token with its full stop
            span = (begin, finish + 1)
            if any(b < span[1] and begin < e and (b, e) != span for b, e in taken[-_NEAR:]):
                continue
            taken.append(span)
            start = _bounded(doc, begin, finish, value.label)
            yield start, finish + 1, value.label, value.probability

    def _bounded(doc: Doc, begin: int, finish: int, label: str) -> int:
        """Return where the span begins: without a preposition, with the words that bound it."""
        if begin < finish and doc[begin].lower_ in outside:
            begin += 1
        if label != "ORDINAL":
            before = tuple(token.lower_ for token in doc[max(0, begin - 3) : begin])
            for size in range(len(before), 0, -1):
                if before[-size:] in bounds:
                    return begin - size
        return begin

    return LabellingFunction(
        name="snips",
        labels=LABELS,
        propose=propose,
        group="heuristics",
        options={"language": language, "minimum": minimum},
        version="1",
    )
