"""The letters of numbers, dates, times and amounts: what the patterns of grammar.py match.

``KINDS`` is the whole alphabet. A token that joins several parts ("$1.2bn", "1996-08-31", "3-1")
has a letter of its own, so texts that were split into tokens elsewhere are read as well as spaCy's.
Words come from ``words/LANGUAGE/numeric.toml``; shapes of figures are the same in every language.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from silverspan.labelling.heuristics.spelling import Alphabet
from silverspan.labelling.heuristics.wordlists import sections

#: What each letter stands for. Word lists of ``numeric.toml`` are named after the list.
KINDS = {
    "1": "whole number of one or two digits, up to 31: may be a day",
    "n": "any other figure: 1,200.5, 47, 1.200,50, 007",
    "y": "four digits that may be a year: 1996",
    "i": "a round year, as likely a count: 2000",
    "Y": "decade: 1990s, '90s",
    "~": "span of years: 1996-97",
    "D": "a whole date: 1996-08-31, 31/08/96, 31.8.1996",
    "z": "clock time: 10:30, 1:45.3, 10:30pm, 10am",
    "s": "figures joined by a hyphen: 3-1",
    "o": "ordinal figure: 22nd",
    "B": "fraction: 1/2, ½",
    "b": "figure joined to a magnitude: 1.2bn",
    "P": "figure joined to a percent sign: 25%",
    "C": "figure joined to a currency sign or code: $1.2bn, US$3m, 50p",
    "j": "figure joined to a unit: 10km, 5-mile",
    "J": "number joined to a unit of time: three-year, 20-year-old",
    "w": "cardinals",
    "l": "one",
    "W": "ordinals",
    "X": "plural_magnitudes",
    "m": "magnitudes",
    "M": "months",
    "A": "ambiguous_months",
    "a": "weekdays",
    "E": "ambiguous_weekdays",
    "t": "relative_days",
    "d": "days_after_preposition",
    "T": "times_of_day",
    "v": "day_parts",
    "e": "seasons",
    "u": "date_units",
    "h": "time_units",
    "F": "fiscal",
    "f": "date_modifiers",
    "G": "after_durations",
    "I": "date_prepositions",
    "Q": "quarters",
    "g": "meridiem",
    "Z": "time_zones",
    "p": "percent",
    "q": "percent_split, first word",
    "R": "percent_split, second word",
    "x": "points",
    "c": "currency sign",
    "k": "currency code: stands before or after the figure",
    "K": "currency_words",
    "L": "ambiguous_currency_words",
    "V": "what stands before a currency word or sign: U.S., Swiss, HK",
    "U": "units",
    "r": "range_words",
    "O": "of",
    "H": "determiners",
    "S": "series",
    "N": "another capitalised word",
    "_": "another word",
    ".": "full stop",
    ",": "comma",
    "-": "hyphen or dash",
    "/": "slash",
    "+": "plus or minus sign",
    "'": "apostrophe",
    "(": "bracket or quotation mark",
    ";": "another mark",
}

# Lists whose case tells words apart, later ones losing to earlier ones.
_CASED = {
    "Q": "quarters",
    "Z": "time_zones",
    "M": "months",
    "A": "ambiguous_months",
    "a": "weekdays",
    "E": "ambiguous_weekdays",
    "S": "series",
    "V": "currency_adjectives",
}
_UNCASED = {
    "l": "one",
    "w": "cardinals",
    "W": "ordinals",
    "X": "plural_magnitudes",
    "m": "magnitudes",
    "t": "relative_days",
    "d": "days_after_preposition",
    "T": "times_of_day",
    "v": "day_parts",
    "e": "seasons",
    "u": "date_units",
    "h": "time_units",
    "F": "fiscal",
    "f": "date_modifiers",
    "G": "after_durations",
    "I": "date_prepositions",
    "g": "meridiem",
    "p": "percent",
    "x": "points",
    "K": "currency_words",
    "L": "ambiguous_currency_words",
    "U": "units",
    "r": "range_words",
    "O": "of",
    "H": "determiners",
}
_MARKS = {
    ".": ".",
    ",": ",",
    "-": "-",
    "--": "-",
    "–": "-",
    "—": "-",
    "/": "/",
    "+": "+",
    "−": "+",
    "±": "+",
    "'": "'",
    "’": "'",
    "‘": "'",
    "(": "(",
    ")": "(",
    "[": "(",
    "]": "(",
    '"': "(",
    "``": "(",
    "''": "(",
    "“": "(",
    "”": "(",
    "&": ";",
}

_FIGURE = r"(?:\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)"
_SIGN = r"[+\-−±~]?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[5-9]|20)\d\d"
# Stands for a list that a language lacks: matches nothing.
_NONE = ["\0"]
_DIGITS = re.compile(r"\d")


def _any_of(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _shapes(
    lists: dict[str, list[str]], money: dict[str, str | list[str]]
) -> list[tuple[str, str]]:
    """Return a letter and a pattern for every shape of token with digits; the first match wins."""
    symbols = f"[{re.escape(str(money['symbols']))}]"
    codes = _any_of(list(money["codes"]))
    magnitude = _any_of([*lists.get("magnitudes", _NONE), "M", "B", "K"])
    units = _any_of(lists.get("units", _NONE))
    spans = _any_of([*lists.get("date_units", _NONE), *lists.get("time_units", _NONE)])
    small = _any_of([*lists.get("cardinals", _NONE), *lists.get("one", _NONE)])
    meridiem = _any_of(lists.get("meridiem", _NONE))
    months = _any_of(
        [w.rstrip(".") for k in ("months", "ambiguous_months") for w in lists.get(k, _NONE)]
    )
    suffixes = _any_of(lists.get("ordinal_suffixes", _NONE))
    amount = rf"{_SIGN}{_FIGURE}(?:-?(?:{magnitude}))?"
    money_sign = rf"(?:(?:U\.S\.|[A-Z]{{0,3}}){symbols}[A-Z]{{0,2}}|{codes})"
    return [
        # A full stop may stick to a figure: some tokenizers take it for an ordinal's.
        ("y", r"(?:(?:1[5-9]|20)\d[1-9]|(?:1[6-9]|20)[1-9]0)\.?"),
        ("i", rf"{_YEAR}\.?"),
        ("1", rf"{_DAY}\.?"),
        ("Y", rf"['’]?\d0['’]?s|{_YEAR}['’]?s|['’]\d\d"),
        ("~", rf"{_YEAR}[-–/](?:\d\d|{_YEAR})"),
        ("D", rf"{_YEAR}[-/.](?:0?[1-9]|1[0-2])[-/.]{_DAY}(?:T[\d:.]+Z?)?"),
        ("D", rf"{_DAY}[-/.]{_DAY}[-/.](?:\d\d|{_YEAR})"),
        ("D", rf"{_DAY}[-/. ](?:{months})[-/. ](?:\d\d|{_YEAR})"),
        ("D", rf"(?:{months})[-/]{_DAY}|(?:{months})[-/.]?['’]?\d\d|(?:{months})[-/.]?{_YEAR}"),
        ("D", rf"FY['’]?(?:\d\d|{_YEAR})|[Qq][1-4][-/']?(?:\d\d|{_YEAR})"),
        ("z", rf"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?(?:{meridiem})?"),
        ("z", rf"\d{{1,2}}(?:\.[0-5]\d)?(?:{meridiem})|[0-5]?\d:[0-5]\d[.,]\d+"),
        ("z", r"(?:[01]?\d|2[0-3])h[0-5]\d"),
        ("P", rf"{amount}(?:%|pct|percent)|{_FIGURE}[-–]{_FIGURE}%"),
        ("C", rf"-?{money_sign}{amount}(?:[-–](?:{symbols})?{amount})?"),
        ("C", rf"{amount}{symbols}|{_FIGURE}[-–]{symbols}{amount}|\d+(?:[.,]\d+)?p"),
        ("o", rf"\d+(?:,\d{{3}})*(?i:{suffixes})"),
        ("J", rf"(?:{_FIGURE}|{small})-(?:{spans})(?:-old)?"),
        ("j", rf"{_FIGURE}-?(?:{units})(?:/[a-z]+)?"),
        ("b", rf"{_FIGURE}-?(?:{magnitude})"),
        ("s", rf"{_FIGURE}(?:[-–]\d+(?:[.,]\d+)?)+"),
        ("B", r"\d+/\d+|\d*[¼½¾⅓⅔⅛]"),
        ("n", rf"{_SIGN}{_FIGURE}\.?|\d+-\d+/\d+"),
    ]


@lru_cache(maxsize=16)
def alphabet(words: str | Path = "en") -> Alphabet:
    """Return the alphabet of values in a language.

    >>> import spacy
    >>> from silverspan.labelling.heuristics.spelling import page
    >>> page(spacy.blank("en")("since May 1996 US$ 3 million")).spell(alphabet())
    'IAyc1m'
    """
    return Alphabet(_letter_of(words))


def _letter_of(words: str | Path) -> Callable[[str], str]:
    lists: dict[str, list[str]] = sections(words, "numeric")
    money: dict[str, str | list[str]] = sections("common", "currencies")
    shapes = [(letter, re.compile(shape)) for letter, shape in _shapes(lists, money)]
    cased: dict[str, str] = {}
    uncased: dict[str, str] = {}
    for letter, name in _CASED.items():
        for word in lists.get(name, []):
            cased.setdefault(word, letter)
            # Headlines: "MONDAY", but not "MAY" and "SUN", which are other words as well.
            if letter in "Ma" and word.isalpha() and len(word) > 3:
                cased.setdefault(word.upper(), letter)
    for code in money["codes"]:
        cased.setdefault(code, "k")
    for prefix in money["prefixes"]:
        cased.setdefault(prefix, "V")
    for letter, name in _UNCASED.items():
        for word in lists.get(name, []):
            uncased.setdefault(word.lower(), letter)
    split = lists.get("percent_split", [])
    uncased.update(zip(split, "qR", strict=False))
    numerals = _any_of([*lists.get("cardinals", _NONE), *lists.get("one", _NONE)])
    ordinals = _any_of(lists.get("ordinals", _NONE))
    spans = _any_of([*lists.get("date_units", _NONE), *lists.get("time_units", _NONE)])
    links = _any_of(lists.get("number_links", _NONE))
    compound = re.compile(rf"(?:{numerals})(?:-(?:{numerals}))+")
    # Languages with links write numerals together: "femogtyve".
    joined = re.compile(rf"(?:{numerals})(?:(?:{links})?(?:{numerals}))+")
    compound_ordinal = re.compile(rf"(?:{numerals})-(?:{ordinals})")
    duration = re.compile(rf"(?:{numerals})-(?:{spans})(?:-old)?")
    sign = re.compile(rf"(?:U\.S\.|[A-Z]{{0,3}})[{re.escape(str(money['symbols']))}][A-Z]{{0,2}}")

    def letter_of(text: str) -> str:
        if text in cased:
            return cased[text]
        lower = text.lower()
        if lower in uncased:
            return uncased[lower]
        if text in _MARKS:
            return _MARKS[text]
        if _DIGITS.search(text):
            return next((letter for letter, shape in shapes if shape.fullmatch(text)), "_")
        if sign.fullmatch(text):
            return "c"
        if "number_links" in lists and joined.fullmatch(lower):
            return "w"
        if "-" in lower:
            if compound.fullmatch(lower):
                return "w"
            if compound_ordinal.fullmatch(lower):
                return "W"
            if duration.fullmatch(lower):
                return "J"
        if text[0].isalpha():
            return "N" if text[0].isupper() else "_"
        return ";"

    return letter_of
