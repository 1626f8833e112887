"""Text to lexemes: the words, signs and numbers that may be part of a value, and breaks between.

One pass of one regular expression, then one of numbers.py. What means nothing to the grammar is a
break (``entry`` None); runs of breaks are one. Digits get the classes their shape allows (DAY,
HOUR, Y4 ...), so that the grammar never looks at text.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from silverspan.labelling.values.compounds import compound_splitter, compound_value
from silverspan.labelling.values.digits import ROMAN, digit_values, roman
from silverspan.labelling.values.lexicon import Entry, Lexicon, Phrases
from silverspan.labelling.values.numbers import Lexeme, number_kinds, read_number

_LONGEST = 36
_GLUE = " \u00a0\u202f\u2009"

#: Spaced groups such as "1 234 567": digits of tables must not flow together, so a plain space
#: counts only when the number ends like one (000, or decimals), or in languages that write it so.
_MASTER = r"""
(?P<url>(?:https?://|www\.)\S+)
|(?P<gap>\t|\n[^\S\n]*\n)
|(?P<iso>(?:\d{{4}}-\d\d-\d\d|(?<!\w))T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w))
|(?P<decade>(?:['’]\d|(?<!\d)(?:1[0-9]|20)?[0-9])0['’]?s(?![^\W\d])
  |(?<!\d)(?:1[0-9]|20)[0-9]0[ ]s(?!\w))
|(?P<apostrophe>(?<!\w)['’]\d\d(?![\w'’]|[.,]\d))
|(?P<ordinal>\d{{1,3}}(?:,?\d{{3}}){{0,4}}[ ]?(?:{suffixes})(?!\w))
|(?P<dotted>\d{{1,2}}\.[ ]?\d{{1,2}}\.[ ]?(?:\d{{4}}|\d{{2}})(?!\d|\.\d)
  |\d{{4}}\.\d{{1,2}}\.\d{{1,2}}(?!\d|\.\d))
|(?P<version>\d+(?:\.\d+){{2,}}(?:(?<!\.\d{{3}})|(?<=\D0\.\d{{3}}))(?!\d))
|(?P<phone>(?<![\d.,-])(?:\+\d{{1,3}}[ -])?(?:\(\d{{3}}\)[ ]?|\d{{3}}-)?\d{{3}}-\d{{4}}(?![\d-])
  |(?<![\d.,-])\d{{3,4}}-\d{{4}}-\d{{2,4}}(?![\d-]))
|(?P<number>{number})
|(?P<word>[^\W\d_]+|[²³]+)
|(?P<sign>[^\w\s]|_)
"""

_GROUPS = r"""
\d+(?:\.\d+)?[x\u00d7]10(?:\^[-−+]?|[-−])\d{{1,2}}(?!\d)|
\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?
|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?!\d)(?:\.\d+)?
|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)(?:,\d+)?
|\d{{1,3}}(?:\.\d{{3}})+,\d{{1,2}}(?!\d)
|\d{{1,3}}(?:['’]\d{{3}}){{1,6}}(?!\d)(?:[.,]\d+)?
|\d{{1,3}}(?:[\u00a0\u202f\u2009]\d{{3}}(?!\d)){{1,6}}(?:[.,]\d+)?
|\d{{1,2}}(?:[ ]\d{{3}}(?![\d]|[.,]\d{{3}})){{2,6}}+(?:[.,]\d{{1,2}}(?!\d))?
|\d{{1,3}}(?:[ ]\d{{3}}(?![\d]|[.,]\d{{3}})){{1,6}}+{spaced}
|{decimal}
|\d+[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]?|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]
"""
#: What may stand glued to the end of a number ("20km", "5pm", "3rd" aside).
_AFTER_NUMBER = frozenset(
    {
        "UNIT",
        "UNIT1",
        "UNITTIGHT",
        "INCHWORD",
        "UNITDAY",
        "UNITDAY1",
        "UNITTIME",
        "UNITTIME1",
        "MERIDIEM",
        "MERIDIEM1",
    }
    | {
        "MAGABBR",
        "MAGLETTER",
        "MAGUPPER",
        "MAGW",
        "PERCENT",
        "BASIS",
        "POINTS",
        "CURRENCY",
        "CODE",
        "SYMBOL",
    }
    | {"CENT", "CENT1", "TEMPERATURE", "ZONE", "ERA", "MONTH", "MONTHA", "NOON", "HOURSW"}
    | {
        "MILITARY",
        "X",
        "QUARTER",
        "OCLOCK",
        "DEGREE",
        "PER",
        "AGESUFFIX",
        "HOURSIGN",
        "FISCAL",
        "ISH",
        "DECADEYEARS",
    }
)
#: What a number may be glued to ("EUR20", "Q3", "FY2018").
_BEFORE_NUMBER = frozenset(
    {"CODE", "SYMBOL", "QUARTER", "FISCAL", "ERA", "X", "MERIDIEM", "MONTH", "HOURSIGN"}
)
#: The same where the word itself is glued to a number before it ("15h30", "6ft2").
_BETWEEN_NUMBERS = _BEFORE_NUMBER | {"UNIT", "UNITTIME", "UNITTIME1", "UNITDAY1"}
_NUMBER_STARTS = (
    *("NEG", "VAGUE", "MAGPL", "A", "HALFPART", "ZEROW", "POINTW", "DOZENW"),
    *("ORDW", "UNITW", "TEENW", "TENW", "HUNDW", "MAGW", "DIGITS", "COMPOUND", "FRACW"),
    "ONEHALFW",
)
_OPENERS = frozenset("-−+±–")

#: Shapes of numbers and signs besides plain digits; see Lexer._seed.
_SEEDS = (
    "1,234 1,234.5 0.5 9.75 9.30 24.59 12.31 12.45 31.12 1.5 1e5 1,5 1,55 9,30 \u00bd 1\u00bd",
    "12345 20200131 99999999 -5 -5.5 -1,000 5 - 5 a.b 1/2 1-2 1:2",
    "1990s 90s '98 1.2.2020 2020-01-01T10:00 1st 31st 32nd 100th IV",
)


class Lexer:
    """Lexemes of texts in one language."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        settings = lexicon.settings
        self._comma = settings["decimal"] == ","
        self._compounds: Mapping[str, Any] | None = None
        spaced = "(?:,\\d+)?" if self._comma else r"(?:(?<=[ ]000)|(?:,\d{1,2}|\.\d{1,3})(?!\d))"
        decimal = (
            r"\d+,\d+(?![\d])|\d{1,3}(?:\.\d{3})(?!\d)|\d+\.\d+"
            if self._comma
            else (
                r"(?:\d+|(?<!\w))\.\d+(?:[eE][+-]?\d{1,3}(?!\w))?|\d+,\d{1,2}(?![\d,])|\d+[eE][+-]?\d{1,3}(?!\w)"
            )
        )
        number = _GROUPS.format(spaced=spaced, decimal=decimal)
        suffixes = "|".join(map(re.escape, settings["ordinal_suffixes"])) or r"(?!)"
        pattern = _MASTER.format(number=number, suffixes=suffixes)
        self._master = re.compile(pattern, re.VERBOSE | re.IGNORECASE)
        self._digits: dict[str, Entry | None] = {}
        self._starters = (-1, frozenset[str]())
        self._entries: dict[frozenset[str], Entry] = {}
        self._ordinal_dot = bool(settings.get("ordinal_dot"))
        self._splitter = compound_splitter(lexicon) if settings.get("compounds") else None
        self._seed()

    def _seed(self) -> None:
        """Make the letters of every shape of number: the grammar is compiled for known ones."""
        for size in (1, 2, 3):
            for n in range(10**size):
                self._number(f"{n:0{size}d}")
        for high in (0, 5, 10, 12, 18, 19, 20, 21, 23, 24, 25, 99):
            for low in (0, 30, 49, 50, 59, 60, 99):
                self._number(f"{high:02d}{low:02d}")
        for kind in number_kinds():
            self._kind(kind)
            self._kind(kind | {"DIGITS"})
        starters = self._number_starters()
        for tokens, entry in list(self.lexicon.forms()):
            if entry.letter in starters:
                self.lexemes(" ".join(tokens))
                self.lexemes("1 " + " ".join(tokens))
        for seed in _SEEDS:
            self.lexemes(seed)

    def lexemes(self, text: str) -> list[Lexeme]:
        """Return the lexemes of a text, numbers merged."""
        raw = self._tokens(text)
        merged: list[Lexeme] = []
        append = merged.append
        starters = self._number_starters()
        i, count = 0, len(raw)
        while i < count:
            lexeme = raw[i]
            entry = lexeme.entry
            if entry is None or entry.letter not in starters:
                append(lexeme)
                i += 1
                continue
            number = read_number(raw, i, compounds=self._splitter is not None)
            if number is None:
                append(lexeme)
                i += 1
                continue
            values = number.values
            classes = number.classes
            if number.stop == i + 1:
                # A single word keeps its other meanings: "second" is a unit, "quarter" a period.
                values = {**entry.values, **values}
                classes = frozenset({*classes, *entry.values})
            kind = self._kind(classes)
            joined = Entry({**dict.fromkeys(classes, True), **values}, kind.letter, kind.tight)
            append(Lexeme(joined, lexeme.start, raw[number.stop - 1].end, lexeme.tight))
            i = number.stop
        return self._signed(text, merged)

    def _number_starters(self) -> frozenset[str]:
        alphabet = self.lexicon.alphabet
        if len(alphabet.letters) != self._starters[0]:
            letters = "".join(alphabet.having({name}) for name in _NUMBER_STARTS)
            self._starters = (len(alphabet.letters), frozenset(letters))
        return self._starters[1]

    def _kind(self, classes: frozenset[str]) -> Entry:
        entry = self._entries.get(classes)
        if entry is None:
            entry = self._entries[classes] = self.lexicon.entry(dict.fromkeys(classes))
        return entry

    def _signed(self, text: str, lexemes: list[Lexeme]) -> list[Lexeme]:
        """Join a sign to the number it stands right before, where no number stands before it."""
        if not any(sign in text for sign in _OPENERS):
            return lexemes
        kept: list[Lexeme] = []
        for lexeme in lexemes:
            if (
                kept
                and (lexeme.tight or (len(kept) == 1 and not text[: kept[0].start].strip()))
                and lexeme.entry is not None
                and "NUM" in lexeme.entry.values
                and text[lexeme.start] in ".0123456789"
                and (before := kept[-1]).entry is not None
                and before.end - before.start == 1
                and text[before.start] in _OPENERS
                and (before.start == 0 or text[before.start - 1] in " (\n[=\u00a0")
                and (len(kept) == 1 or (text[before.start] in "-−+±" and not _counts(kept[-2])))
            ):
                values = dict(lexeme.entry.values)
                if text[before.start] in "-−–":
                    values["NUM"] = -values["NUM"]
                kind = self._kind(frozenset({"NUM", "DIGITS", "SIGNED"}))
                kept[-1] = Lexeme(
                    Entry(values, kind.letter, kind.tight), before.start, lexeme.end, before.tight
                )
            else:
                kept.append(lexeme)
        return kept

    def _tokens(self, text: str) -> list[Lexeme]:
        found: list[Lexeme] = []
        append = found.append
        lookup = self.lexicon.lookup
        matches = list(self._master.finditer(text))
        i, count = 0, len(matches)
        previous_end = -1
        broken = True
        glued = ""  # the kind of the token that ends where this one starts
        name_end = -2  # where the last unknown word with a capital letter ends: "COVID"-19
        while i < count:
            match = matches[i]
            start, end = match.span()
            kind = match.lastgroup
            token = match.group()
            tight = start == previous_end
            if not tight:
                glued = ""
            i += 1
            entry: Entry | None = None
            previous_end = end
            if kind == "word" or kind == "sign" or kind == "number":
                entry, phrases = lookup(token) if kind != "number" else (None, lookup(token)[1])
                if phrases is not None:
                    longer = _phrase(phrases, matches, i - 1)
                    if longer is not None:
                        entry, i = longer
                        end = previous_end = matches[i - 1].end()
                        kind = "phrase"
                if kind == "number":
                    entry = self._number(token)
                    if self._ordinal_dot and entry is not None and _has_dot(matches, i):
                        entry = self._ordinal(token) or entry
                        if "ORD" in entry.values:
                            end = previous_end = matches[i].end()
                            i += 1
                elif entry is None and kind == "word":
                    entry = self._word(token)
                elif (
                    token == "."
                    and kind == "sign"
                    and tight
                    and i < count
                    and (matches[i].start() == end or self._month_year_follows(matches, i))
                ):
                    # "Sept.15", "16. Nov. 2016": no end of a sentence.
                    entry = self._kind(frozenset({"DOT"}))
            elif kind == "ordinal":
                entry = self._ordinal(token)
            elif kind == "decade" or kind == "apostrophe" or kind == "dotted" or kind == "iso":
                entry = self._special(kind, token)
            # A number glued to letters that are no unit of it is a code ("A4", "4x4"), not a value.
            wordy = kind == "word" or (kind == "phrase" and token[0].isalpha())
            if tight and glued == "word" and (kind not in ("word", "sign", "phrase")):
                last = found[-1].entry if found else None
                allowed = _BETWEEN_NUMBERS if last and found[-1].tight else _BEFORE_NUMBER
                if last is None or not (last.values.keys() & allowed):
                    entry = None
                    if found and found[-1].entry is not None:
                        found[-1] = Lexeme(None, found[-1].start, end, False)
                        broken = True
            elif (
                tight
                and glued == "number"
                and wordy
                and (entry is None or not (entry.values.keys() & _AFTER_NUMBER))
            ):
                entry = None
                if found:
                    found[-1] = Lexeme(None, found[-1].start, end, False)
                    broken = True
            if (
                start == name_end + 1
                and kind == "number"
                and text[name_end] in "-\u2011"
                and (len(token) != 4 or token[:2] not in ("19", "20"))
            ):
                entry = None
                if not broken:
                    found[-1] = Lexeme(None, found[-1].start, end, False)
                    broken = True
            if wordy and token != token.lower() and (entry is None or len(token) == 1):
                name_end = end
            if entry is None:
                if not broken:
                    append(Lexeme(None, start, end, False))
                    broken = True
                glued = "word" if wordy else ("number" if kind in ("number", "version") else "")
                if kind == "version":
                    glued = ""
            else:
                append(Lexeme(entry, start, end, tight))
                broken = False
                if kind == "phrase":
                    glued = "word" if text[end - 1].isalpha() else ""
                elif wordy:
                    glued = "word"
                else:
                    glued = "number" if kind != "sign" else ""
        return found

    def _month_year_follows(self, matches: list[re.Match[str]], i: int) -> bool:
        """Whether a day, a full stop, a month and a year stand around token ``i``, the month."""
        month = self.lexicon.lookup(matches[i].group())[0] if i > 1 else None
        if month is None or not ({"MONTH", "MONTHA"} & month.values.keys()):
            return False
        after = [match.group() for match in matches[i + 1 : i + 3]]
        year = after[1] if after[:1] == ["."] and len(after) > 1 else (after or [""])[0]
        return len(year) == 4 and year.isdecimal() and matches[i - 2].group().isdecimal()

    def _word(self, token: str) -> Entry | None:
        if len(token) > 1 and token[0] in "IVX" and ROMAN.fullmatch(token):
            kind = self._kind(frozenset({"ROMAN"}))
            return Entry({"ROMAN": roman(token)}, kind.letter, kind.tight)
        if token[0] in "IVX" and (ordinal := self._roman_ordinal.fullmatch(token)):
            return self._ordinal(str(roman(ordinal[1])))
        if self._splitter is not None and len(token) > 5:
            return self._compound(token)
        return None

    def _compound(self, token: str) -> Entry | None:
        assert self._splitter is not None
        if not self._splitter.fullmatch(token.lower()):
            return None
        parts = [
            Lexeme(self.lexicon.lookup(part)[0], 0, 0, True)
            for part in self._splitter_parts.findall(token.lower())
        ]
        value, ordinal = compound_value([part.entry for part in parts if part.entry is not None])
        if value is None:
            return None
        if ordinal:
            return self._ordinal(str(value))
        classes = {"NUM", "NW", "COMPOUND"}
        if 0 < value <= 31:
            classes |= {"DAYW"}
        if 0 < value < 60:
            classes |= {"MINW"}
        if 0 < value <= 24:
            classes |= {"HOURW"}
        if 1100 <= value < 2100:
            classes |= {"YEARW"}
        kind = self._kind(frozenset(classes))
        return Entry({**dict.fromkeys(classes, True), "NUM": value}, kind.letter, kind.tight)

    @cached_property
    def _roman_ordinal(self) -> re.Pattern[str]:
        """What is like "XIXe": two signs or more, and what ordinals of the language end in."""
        suffixes = "|".join(map(re.escape, self.lexicon.settings["ordinal_suffixes"])) or "(?!)"
        return re.compile(rf"(?=[IVX]{{2}})({ROMAN.pattern})(?:{suffixes})")

    @cached_property
    def _splitter_parts(self) -> re.Pattern[str]:
        assert self._splitter is not None
        return re.compile(self._splitter.pattern[3:-2])

    def _ordinal(self, token: str) -> Entry | None:
        digits = re.sub(r"\D", "", token)
        if not digits or len(digits) > _LONGEST:
            return None
        value = int(digits)
        classes = {"ORD", "ORDDIGITS"}
        if 1 <= value <= 31:
            classes.add("ORDDAY")
        kind = self._kind(frozenset(classes))
        return Entry({"ORD": value}, kind.letter, kind.tight)

    def _special(self, kind: str, token: str) -> Entry | None:
        digits = re.sub(r"\D", "", token)
        values: dict[str, Any]
        if kind == "decade":
            values = {"DECADE": int(digits)}
        elif kind == "apostrophe":
            values = {"APOSTROPHEYEAR": int(digits)}
        elif kind == "iso":
            values = {"ISO": token}
        else:
            values = {"DOTTED": tuple(int(part) for part in token.split("."))}
        shape = self._kind(frozenset(values))
        return Entry(values, shape.letter, shape.tight)

    def _number(self, token: str) -> Entry | None:
        if len(token) > _LONGEST:
            return None
        if token in self._digits:
            return self._digits[token]
        values = digit_values(token, comma=self._comma)
        kind = self._kind(frozenset(values))
        entry = Entry(values, kind.letter, kind.tight)
        if len(self._digits) > 50_000:
            self._digits.clear()
        self._digits[token] = entry
        return entry


def _counts(lexeme: Lexeme) -> bool:
    """Whether what stands before a sign makes it a dash: a number, a sum, a date."""
    return lexeme.entry is not None and "NUM" in lexeme.entry.values


def _has_dot(matches: list[re.Match[str]], i: int) -> bool:
    return (
        i < len(matches)
        and matches[i].group() == "."
        and matches[i].start() == matches[i - 1].end()
        and matches[i - 1].group().isdecimal()
        and int(matches[i - 1].group()[:9]) <= 100
        and (
            matches[i + 1].start() - matches[i].end() <= 1
            if i + 1 < len(matches)
            else i == 1  # an ordinal alone, cut out of its text
        )
    )


def _phrase(phrases: Phrases, matches: list[re.Match[str]], i: int) -> tuple[Entry, int] | None:
    """Return the longest form that begins at token ``i`` and the index after it."""
    limit = len(matches)
    if i + 1 >= limit:
        return None
    candidates = phrases.get(_plain_token(matches[i + 1].group()))
    if candidates is None:
        return None
    for tokens, is_cased, entry in candidates:
        stop = i + len(tokens)
        if stop > limit:
            continue
        for expected, match in zip(tokens, matches[i:stop], strict=True):
            token = match.group()
            if token != expected and (is_cased or _plain_token(token) != expected):
                break
        else:
            if all(
                after.start() - before.end()
                <= (0 if len(tokens) == 2 and _is_glued(before, after) else 2)
                for before, after in pairwise(matches[i:stop])
            ):
                return entry, stop
    return None


def _plain_token(token: str) -> str:
    """Return a token as the tables have it: small letters, a plain apostrophe."""
    return "'" if token == "\u2019" else token.lower()


def _is_glued(before: re.Match[str], after: re.Match[str]) -> bool:
    """Whether a form with these two tokens has no space between them: "m2", "A$"."""
    return after.group().isdecimal() or (
        after.group() == "$" and len(before.group()) == 1 and before.group() not in "cC."
    )
