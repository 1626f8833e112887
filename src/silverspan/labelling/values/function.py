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
from silverspan.labelling.values.parser import value_parser

LABELS = ("CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME")


def snips(*, language: str = "en", minimum: float = 0.1) -> LabellingFunction:
    """Return the labelling function ``snips`` for texts in a language.

    Of readings that overlap it says the likeliest, and other labels of that same span with their
    probabilities; nothing under ``minimum``. A value that begins or
    ends inside a token is left out.
    """
    parser = value_parser(language)

    def propose(doc: Doc) -> Iterator[Proposal]:
        values = parser.parse(doc.text)
        if not values:
            return
        columns: Any = doc.to_array([IDX, LENGTH])
        starts = columns[:, 0].astype(np.int64)
        ends = starts + columns[:, 1].astype(np.int64)
        first = np.searchsorted(starts, [value.start for value in values]).tolist()
        last = np.searchsorted(ends, [value.end for value in values]).tolist()
        count = len(doc)
        covered, span = 0, (-1, -1)
        for value, begin, finish in zip(values, first, last, strict=True):
            if value.probability < minimum or begin >= count or finish >= count:
                continue
            if starts[begin] != value.start or ends[finish] != value.end:
                continue
            if begin < covered and (begin, finish) != span:
                continue
            covered, span = max(covered, finish + 1), (begin, finish)
            yield begin, finish + 1, value.label, value.probability

    return LabellingFunction(
        name="snips",
        labels=LABELS,
        propose=propose,
        group="heuristics",
        options={"language": language, "minimum": minimum},
        version="1",
    )
