"""Companies by their legal form: ``company_type_detector`` (COMPANY).

A run of words with a capital that ends in "Corp.", "GmbH", "S.p.A." or another legal form of many
countries: "AT&T Corp.", "J.P. Morgan & Co.", "Bank of Tokyo Ltd", "Novo Nordisk A/S".
"""

import re
from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, LooseProposal
from silverspan.labelling.heuristics.casing import names
from silverspan.labelling.heuristics.spelling import Page, page
from silverspan.labelling.heuristics.wordlists import version_of

_WORD = r"[FGTOUxINPBHij]"
_COMPANY = re.compile(
    # From inside a run of words the search would only run in vain.
    rf"(?:(?<!{_WORD})(?<!{_WORD}[-&'s/o])(?<!{_WORD}ot){_WORD}(?:(?:&|-|'|s|,(?={_WORD}&)|a(?={_WORD}K)|ot?(?={_WORD})|/)?{_WORD})*"
    # & Co. KG, Pte Ltd, ", Inc.", A / S cut up by the tokenizer
    r"(?:(?:,|&|a)?K(?:[&,]?K)*|S\.?\n?i|i/i)"
    r")"
)


def company_spans(opened: Page, words: str | Path) -> list[tuple[int, int]]:
    """Return the names that end in a legal form."""
    return opened.remember(
        ("companies", str(words)), lambda: list(opened.spans(_COMPANY, names(opened, words)))
    )


def company_type_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels names ending in a legal form as COMPANY.

    >>> import spacy
    >>> list(company_type_detector()(spacy.blank("en")("shares of AT&T Corp. fell")))
    [(2, 4, 'COMPANY')]
    """

    def propose(doc: Doc) -> Iterator[LooseProposal]:
        for start, end in company_spans(page(doc), words):
            yield start, end, "COMPANY"

    return LabellingFunction(
        name="company_type_detector",
        labels=("COMPANY",),
        propose=propose,
        group="heuristics",
        options={"words": str(words)},
        version=version_of(words),
    )
