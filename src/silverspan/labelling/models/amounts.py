"""Numbers whose meaning their neighbours settle: money, percentages, dates, ordinals.

Only what is certain from one or two neighbouring tokens; the value parser reads the rest.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from spacy.lang.en.lex_attrs import like_num
from spacy.tokens import Doc, Token

_NUMBER = re.compile(r"[+-]?\d[\d.,]*", re.ASCII)
_SCALED = re.compile(r"\d[\d.,]*(k|m|mn|mln|bn|bln|tn|trn|million|billion|trillion)", re.I)
_SCALES = {
    "k", "m", "mn", "mln", "bn", "bln", "tn", "trn", "hundred", "thousand", "million", "millions",
    "billion", "billions", "trillion", "trillions", "dozen",
}  # fmt: skip
_SIGN = re.compile(r"(US|AU|NZ|HK|CA|A|C|S|R|NT|Z)?[$€£¥₤₹₽₩₺₪]")
_GLUED = re.compile(rf"(?:{_SIGN.pattern})\d[\d.,]*[a-z]*", re.I)
_CODES = {
    "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "RMB", "AUD", "CAD", "NZD", "HKD", "SGD", "SEK",
    "NOK", "DKK", "INR", "KRW", "BRL", "MXN", "ZAR", "RUB", "TRY", "PLN",
}  # fmt: skip
#: Not "pound", "mark", "crown", "real", "won": other things are counted in those words.
_UNITS = {
    "dollar", "dollars", "cent", "cents", "euro", "euros", "yen", "yuan", "renminbi", "rupee",
    "rupees", "peso", "pesos", "rouble", "roubles", "ruble", "rubles", "franc", "francs", "rand",
    "lira", "lire", "dinar", "dinars", "dirham", "dirhams", "shekel", "shekels", "ringgit",
    "rupiah", "baht", "zloty", "forint", "drachma", "drachmas", "guilder", "guilders", "pence",
    "krona", "kronor", "krone", "kroner", "sterling",
}  # fmt: skip
_PERCENT = {"%", "percent", "pct", "pct."}
_ORDINAL = re.compile(r"\d*(1st|2nd|3rd|\dth)", re.I)
_ISO_DATE = re.compile(r"(1[5-9]|20)\d\d-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])")
_YEAR = re.compile(r"(1[5-9]|20)\d\d(s|-\d\d)?")
_DAY = re.compile(r"(0?[1-9]|[12]\d|3[01])(st|nd|rd|th)?", re.I)
_MONTHS = {
    "january", "february", "april", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
}  # fmt: skip
#: Words and names too, so a month only beside a day or a year.
_DOUBTFUL_MONTHS = {"march", "may", "mar"}
_NAMESAKES = {"april", "june", "august", "jan"}
_WEEKDAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
_BEFORE_YEAR = {"in", "since", "until", "till", "during"}


def certain_spans(doc: Doc) -> Iterator[tuple[int, int, str]]:
    """Yield spans that are surely MONEY, PERCENT, DATE or ORDINAL, from left to right.

    >>> import spacy
    >>> doc = spacy.blank("en")("Sales fell 5 percent to $ 1.2 billion on August 22, 1996.")
    >>> [(doc[start:end].text, label) for start, end, label in certain_spans(doc)]
    [('5 percent', 'PERCENT'), ('$ 1.2 billion', 'MONEY'), ('August 22, 1996', 'DATE')]
    """
    place = 0
    texts = [token.text for token in doc]
    while place < len(texts):
        if not _may_begin(texts[place]):
            place += 1
            continue
        found = _money(doc, place) or _percent(doc, place) or _date(doc, place)
        if found is None and _ORDINAL.fullmatch(texts[place]):
            found = place + 1, "ORDINAL"
        if found:
            yield place, *found
            place = found[0]
        else:
            place += 1


@lru_cache(maxsize=1 << 16)
def _may_begin(text: str) -> bool:
    """Tell whether a span may begin with this text; most of a document's tokens cannot."""
    bare = text.lower().rstrip(".")
    return (
        text[0].isdigit()
        or text[0] in "+-"
        or text in _CODES
        or _SIGN.match(text) is not None
        or bare in _MONTHS | _DOUBTFUL_MONTHS | _WEEKDAYS
        or like_num(text)  # type: ignore[no-untyped-call]  # spaCy has no types here
    )


def _number_end(doc: Doc, start: int) -> int:
    """Return the end of the number that begins at ``start``; ``start`` if none does."""
    end = start
    while end < len(doc) and (
        _NUMBER.fullmatch(doc[end].text)
        or _SCALED.fullmatch(doc[end].text)
        or (doc[end].like_num and doc[end].is_alpha)
        or (end > start and doc[end].lower_.rstrip(".") in _SCALES)
    ):
        # Two figures in a row are two numbers: a table, or a year after an amount.
        if end > start and doc[end].text[0].isdigit():
            break
        end += 1
    return end


def _is_sign(token: Token) -> bool:
    return bool(_SIGN.fullmatch(token.text)) or token.text in _CODES


def _money(doc: Doc, start: int) -> tuple[int, str] | None:
    place = start
    if _is_sign(doc[place]):
        while place < len(doc) and _is_sign(doc[place]):
            place += 1
        end = _number_end(doc, place)
        return (end, "MONEY") if end > place else None
    if _GLUED.fullmatch(doc[place].text):
        end = place + 1
        while end < len(doc) and doc[end].lower_ in _SCALES:
            end += 1
        return end, "MONEY"
    end = _number_end(doc, place)
    if end == place or end == len(doc):
        return None
    unit = end
    # "3 million Canadian dollars"
    if unit + 1 < len(doc) and doc[unit].is_title and doc[unit + 1].lower_ in _UNITS:
        unit += 1
    if doc[unit].lower_ in _UNITS:
        return unit + 1, "MONEY"
    # A sign behind a number may as well belong to the next one: "3 $ 4".
    if _is_sign(doc[end]) and _number_end(doc, end + 1) == end + 1:
        return end + 1, "MONEY"
    return None


def _percent(doc: Doc, start: int) -> tuple[int, str] | None:
    end = _number_end(doc, start)
    if end == start or end == len(doc):
        return None
    if doc[end].lower_ in _PERCENT:
        return end + 1, "PERCENT"
    if end + 1 < len(doc) and doc[end].lower_ == "per" and doc[end + 1].lower_ == "cent":
        return end + 2, "PERCENT"
    return None


def _date(doc: Doc, start: int) -> tuple[int, str] | None:
    token = doc[start]
    if _ISO_DATE.fullmatch(token.text) or _is_weekday(token):
        return start + 1, "DATE"
    if _YEAR.fullmatch(token.text):
        # spaCy's tokenizer splits a number at its hyphens.
        if _ISO_DATE.fullmatch(doc[start : start + 5].text):
            return start + 5, "DATE"
        return (start + 1, "DATE") if _is_alone_as_year(doc, start) else None
    end, beside = start, False
    if _DAY.fullmatch(token.text) and start + 1 < len(doc) and _month(doc[start + 1]):
        end, beside = start + 2, True
    elif _month(token):
        end = start + 1
        # Not the count of something: "May 22%"
        if _DAY.fullmatch(doc[end].text if end < len(doc) else "") and not _percent(doc, end):
            end, beside = end + 1, True
    if end == start:
        return None
    comma = end < len(doc) and doc[end].text == ","
    if end + comma < len(doc) and _YEAR.fullmatch(doc[end + comma].text):
        end, beside = end + comma + 1, True
    return (end, "DATE") if beside or _month(token) == "sure" else None


def _month(token: Token) -> str:
    bare = token.lower_.rstrip(".")
    if token.is_lower or bare not in _MONTHS | _DOUBTFUL_MONTHS:
        return ""
    return "doubtful" if bare in _DOUBTFUL_MONTHS | _NAMESAKES else "sure"


def _is_weekday(token: Token) -> bool:
    return token.lower_ in _WEEKDAYS and not token.is_lower


def _is_alone_as_year(doc: Doc, place: int) -> bool:
    """Tell whether a number of a year's size counts nothing: "in 1996," but not "in 2000 homes"."""
    if place == 0 or doc[place - 1].lower_ not in _BEFORE_YEAR:
        return False
    following = doc[place + 1] if place + 1 < len(doc) else None
    return following is None or not following.is_alpha or following.is_stop
