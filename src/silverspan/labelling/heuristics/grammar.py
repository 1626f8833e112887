"""The grammar of values: one pass over a document finds dates, times, amounts, counts and measures.

Patterns over the letters of numeric.py, joined in order of precedence into one expression: where
two kinds could start at a token the earlier one wins, and no token belongs to two values. That is
the exclusivity of the four detectors of values.py, and what names yield to.
"""

import re
from pathlib import Path

from silverspan.labelling.heuristics.numeric import alphabet
from silverspan.labelling.heuristics.spelling import Page

# A figure, with its fraction: 3, 1,200.5, 3 1/2, 1.2bn.
_FIGURE = r"(?:\+?[1niybs](?:-?B)?|B)"
_WORDS = r"(?:[wl](?:-?[wl])*)"
_NUMBER = rf"(?:(?:{_FIGURE}|{_WORDS})(?:-?m)*)"
_DAY = r"(?:1(?:\.(?=[MA]))?|o|W)"
_MONTH = r"(?:[MA](?:\.(?=[1yio]))?)"
_YEAR = r"[yi]"
_WEEKDAY = r"(?:[aE]\.?,?)"
# What follows a count, and so never a year.
_COUNTED = r"[mkKLpPUhuxqRB]"

_MONEY = [
    # $ 1.2 billion, US $ 3m, $ 5 - 10 million
    rf"V?c-?{_FIGURE}(?:-?m)*(?:-{_FIGURE}(?:-?m)*)?",
    # $5 billion, 50p, $5-$6
    r"V?c?C(?:-?m)*(?:[-r]C(?:-?m)*)?",
    # 3 million dollars, 10 Swiss francs, ten to twelve euros, a million dollars, 1 000 kr
    rf"(?:[1n]n{{1,4}}|{_NUMBER}|Hm+)(?:[-r]{_NUMBER})?-?V{{0,2}}[Kk]",
    rf"{_NUMBER}(?:(?<=m)-?L|-?V{{1,2}}L)",
    rf"{_NUMBER}c",
    # DM 30 million, USD 5
    rf"(?<![1niy])k\.?{_FIGURE}(?:-?m)*",
    # millions of dollars
    r"X(?:OX)?OV{0,2}K",
]
_TIME = [
    r"z(?:[-r]z)?g?\.?Z?",
    r"[1n](?:[-r][1n])?g\.?Z?",
    r"[1niy]Z",
    # kl. 10.30
    r"g[1nz]",
    # this morning, Monday night, in the evening
    r"(?:H?f|a|t)v|(?<=I)Hv(?!N)",
    r"T",
    rf"(?:H?f)?{_NUMBER}-?h(?:r?{_NUMBER}h)?G?",
    r"H?fh",
]
_PERCENT = [
    rf"(?:{_NUMBER}|P)(?:[-r](?:{_NUMBER}|P))?(?:-?px?|qR)",
    r"P(?:[-r]P)?",
]
_QUANTITY = [
    # 1 200 kg
    r"1n{1,4}-?U+",
    rf"{_NUMBER}(?:[-r]{_NUMBER})?(?:-?U)+",
    r"jU?",
]
_DATE = [
    # Friday, 31 August 1996; the 31st of August; 5-7 May
    rf"{_WEEKDAY}?(?:H(?=[oW]))?{_DAY}(?:[-r]{_DAY})?O?{_MONTH},?(?:{_YEAR}(?!{_COUNTED}))?(?![1n])",
    # August 31, 1996; Monday, May 5-7
    rf"{_WEEKDAY}?{_MONTH}{_DAY}(?:[-r]{_DAY}(?![MA]))?(?:,?{_YEAR}(?!{_COUNTED}))?(?!{_COUNTED})",
    rf"{_WEEKDAY}?D",
    # 1996 - 08 - 31, 31 / 8 / 1996, cut up by the tokenizer
    r"(?<![-/])y-[1n]-[1n](?![-/])",
    r"(?<![-/])1(?P<cut>[-/])1(?P=cut)[1yin](?![-/])",
    # August 1996, May to July 1996, early August 1996
    rf"(?:f-?O?)?{_MONTH}(?:[-r]{_MONTH})?,?O?{_YEAR}",
    rf"f-?O?{_MONTH}(?:[-r]{_MONTH})?",
    rf"M(?:[-r]{_MONTH})?",
    r"(?<=[IOG])A(?:[-r][MA])?(?![NAV])",
    # Monday, last Friday, Monday to Friday
    r"f?a(?:[-r]a)?",
    r"(?<=[,(I])E(?=[,(.])",
    r"t(?!v)|Id",
    # Q3, Q3 1996, the third quarter of fiscal 1996
    rf"Q(?:O?(?:F?{_YEAR}|D))?",
    rf"H?f?[Wo]u(?:O?(?:H?F?{_YEAR}|Hu))?",
    # fiscal 1996, fiscal year 1996, the end of the year, early 1996, the summer of 1996
    rf"H?Fu?{_YEAR}|H?Fu",
    rf"H?fO(?:H?f?[ue]|H?{_YEAR}|H?Y)",
    rf"f-?{_YEAR}",
    rf"[Hf]?eO?{_YEAR}|[Hf]e(?![N_])",
    # the 1990s, the late 1990s, 1996-97, 1996 - 97, 1995 to 1997
    r"(?:H?f-?|H)?Y|f?~",
    rf"{_YEAR}(?:[-/][yi1n](?![-/])|r{_YEAR})",
    # last year, the past two years, two years ago, ten days, three-year
    rf"H?f(?:{_NUMBER})?u",
    rf"{_NUMBER}(?:[-r]{_NUMBER})?-?u(?:-?G)?",
    r"J",
    r"HuG",
    # A bare year: after a preposition of time, or where nothing counted follows.
    rf"(?<=[IO])(?:y|i(?![_N]))(?!{_COUNTED})",
    r"(?<=H)y(?=[N_W])|^y(?=_)",
    rf"y(?!{_COUNTED}|[_:])",
]
_ORDINAL = [r"o", r"(?:w-)?W(?!x)"]
# A number after "Act" or "No." counts nothing: it is part of a name.
_CARDINAL = [
    r"(?<!S)(?<!S\.)(?<!S\.\n)(?:"
    r"[1niyb](?:-[1niyb])+|"
    rf"{_FIGURE}(?:-?m)*|w(?:-?[wl])*(?:-?m)*|lm+|Hm+(?=[_NUO])|X|"
    r"(?<!H)l(?=O|-?_)(?:-?[wl])*)"
]
_LABELS = {
    "MONEY": _MONEY,
    "TIME": _TIME,
    "PERCENT": _PERCENT,
    "QUANTITY": _QUANTITY,
    "DATE": _DATE,
    "ORDINAL": _ORDINAL,
    "CARDINAL": _CARDINAL,
}
# The look-ahead turns most positions down at once: no value starts with a plain word or a mark.
_VALUES = re.compile(
    r"(?=[^N_.,(;:\n'/ROSZvmx\-])(?:"
    + "|".join(f"(?P<{label}>{'|'.join(ways)})" for label, ways in _LABELS.items())
    + ")",
    re.MULTILINE,
)


def value_spans(opened: Page, words: str | Path = "en") -> list[tuple[int, int, str]]:
    """Return every value of a document with its label, in order, none overlapping.

    >>> import spacy
    >>> from silverspan.labelling.heuristics.spelling import page
    >>> value_spans(page(spacy.blank("en")("It won 3-1 in May 1996.")))
    [(2, 5, 'CARDINAL'), (6, 8, 'DATE')]
    """
    letters = alphabet(words)

    def find() -> list[tuple[int, int, str]]:
        token_at = opened.token_at
        return [
            (token_at[match.start()], token_at[match.end() - 1] + 1, str(match.lastgroup))
            for match in _VALUES.finditer(opened.spell(letters))
        ]

    return opened.remember(("values", letters), find)


def value_tokens(opened: Page, words: str | Path = "en") -> frozenset[int]:
    """Return the tokens that belong to a value: names yield to them."""
    return opened.remember(
        ("value tokens", alphabet(words)),
        lambda: frozenset(
            i for start, end, _ in value_spans(opened, words) for i in range(start, end)
        ),
    )
