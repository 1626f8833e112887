"""``date_detector``, ``time_detector``, ``money_detector`` and ``number_detector``.

They share one pass of grammar.py and so never claim the same token twice.
"""

from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, LooseProposal
from silverspan.labelling.heuristics.grammar import value_spans
from silverspan.labelling.heuristics.spelling import page
from silverspan.labelling.heuristics.wordlists import version_of


def date_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels dates, years, ages and spans of days or more as DATE.

    >>> import spacy
    >>> list(date_detector()(spacy.blank("en")("since Friday, 31 August 1996")))
    [(1, 6, 'DATE')]
    """
    return _detector("date_detector", ("DATE",), words)


def time_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels clock times, parts of days and short durations as TIME."""
    return _detector("time_detector", ("TIME",), words)


def money_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels amounts with a currency as MONEY."""
    return _detector("money_detector", ("MONEY",), words)


def number_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels counts, ranks, percentages and measures."""
    return _detector("number_detector", ("CARDINAL", "ORDINAL", "PERCENT", "QUANTITY"), words)


def _detector(name: str, labels: tuple[str, ...], words: str | Path) -> LabellingFunction:
    def propose(doc: Doc) -> Iterator[LooseProposal]:
        for span in value_spans(page(doc), words):
            if span[2] in labels:
                yield span

    return LabellingFunction(
        name=name,
        labels=labels,
        propose=propose,
        group="heuristics",
        options={"words": str(words)},
        version=version_of(words),
    )
