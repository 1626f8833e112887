"""The words of one language, by the classes they have in the grammar; read from data/*.toml, *.tsv.

A class says what a word does in a value ("MONTH", "UNITW", "AGO"); many words have several. Every
distinct set of classes is one letter of an alphabet, so that a text becomes a string and the
grammar regular expressions over it. lexer.py looks words up here, grammar.py compiles rules here.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from silverspan.errors import UnknownNameError

#: How a form or a text falls into tokens; lexer.py puts numbers in front of this.
TOKENS = re.compile(r"\d+|[^\W\d_]+|[^\w\s]")
#: Classes of single signs, the same in every language.
SIGNS = {
    ",": "COMMA",
    "-": "DASH",
    "–": "DASH",
    "—": "DASH",
    "‑": "DASH",  # noqa: RUF001 (the dash that does not break)
    "/": "SLASH",
    ":": "COLON",
    "+": "PLUS",
    "−": "MINUS",
    "±": "PLUS",
    "(": "OPEN",
    ")": "CLOSE",
    "^": "CARET",
}
_FIRST_LETTER = 0x4E00
_MEMO = 200_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What a form means: the value it has in each of its classes."""

    values: Mapping[str, Any]
    letter: str
    tight: str  # the letter when it stands right after a number, or between two tokens, unspaced


#: Longer forms by their second token: the tokens, whether case counts, the entry; longest first.
Phrases = dict[str, list[tuple[tuple[str, ...], bool, Entry]]]


@dataclass(slots=True)
class Alphabet:
    """Sets of classes as single characters.

    >>> alphabet = Alphabet()
    >>> letter = alphabet.letter({"ORD", "UNITTIME"})
    >>> alphabet.having({"ORD"}) == letter
    True
    """

    letters: dict[frozenset[str], str] = field(default_factory=dict)
    members: dict[str, set[str]] = field(default_factory=dict)  # the letters of each class

    def letter(self, classes: Iterable[str]) -> str:
        """Return the character of a set of classes, a new one when the set is new."""
        key = frozenset(classes)
        if key not in self.letters:
            letter = self.letters[key] = chr(_FIRST_LETTER + len(self.letters))
            for name in key:
                self.members.setdefault(name, set()).add(letter)
        return self.letters[key]

    def having(self, classes: set[str]) -> str:
        """Return every character whose set has all of ``classes``."""
        first, *others = (self.members.get(name, set()) for name in classes)
        return "".join(sorted(first.intersection(*others)))


class Lexicon:
    """The forms of one language. ``lookup`` is the only part on the hot path."""

    def __init__(self, code: str) -> None:
        tables = tomllib.loads(_data(f"{code}.toml"))
        self.code = code
        self.settings: dict[str, Any] = tables.pop("language")
        self.alphabet = Alphabet()
        loose: dict[tuple[str, ...], dict[str, Any]] = {}
        cased: dict[tuple[str, ...], dict[str, Any]] = {}
        rows = [*_forms(tables), *_cldr_forms(code)]
        if self.settings.get("fused"):
            rows += _fused(tables)
            rows += [
                (name, value, form.replace(" ", ""))
                for name, value, form in rows
                if name == "CURRENCY" and form.count(" ") == 1
            ]
        for name, value, form in rows:
            exact = form.startswith("=")
            tokens = tuple(TOKENS.findall(form.removeprefix("=")))
            if tokens:
                table = cased if exact or form != form.lower() else loose
                table.setdefault(tokens, {}).setdefault(name, value)
        for sign, name in SIGNS.items():
            loose.setdefault((sign,), {}).setdefault(name, sign)
        # A form written with capitals also means whatever its small letters mean.
        for tokens, values in cased.items():
            for name, value in loose.get(tuple(t.lower() for t in tokens), {}).items():
                if not (name.endswith("A") and name[:-1] in values):  # "May" is no doubtful "may"
                    values.setdefault(name, value)
        self._loose = {tokens: self.entry(values) for tokens, values in loose.items()}
        self._cased = {tokens: self.entry(values) for tokens, values in cased.items()}
        self._phrases: dict[str, Phrases] = {}
        for forms, is_cased in ((self._cased, True), (self._loose, False)):
            for tokens, entry in forms.items():
                if len(tokens) > 1:
                    first = self._phrases.setdefault(tokens[0].lower(), {})
                    second = first.setdefault(tokens[1].lower(), [])
                    second.append((tokens, is_cased, entry))
        for phrases in self._phrases.values():
            for candidates in phrases.values():
                candidates.sort(key=lambda candidate: (-len(candidate[0]), not candidate[1]))
        self._memo: dict[str, tuple[Entry | None, Phrases | None]] = {}

    def entry(self, values: Mapping[str, Any]) -> Entry:
        """Return the entry of a form with these values, its letters made."""
        letter = self.alphabet.letter(values)
        return Entry(dict(values), letter, self.alphabet.letter({*values, "TIGHT"}))

    def forms(self) -> Iterable[tuple[tuple[str, ...], Entry]]:
        """Yield every form, as tokens, and its entry."""
        yield from self._loose.items()
        yield from self._cased.items()

    def lookup(self, token: str) -> tuple[Entry | None, Phrases | None]:
        """Return the entry of a token, and the longer forms it begins; each may be None."""
        found = self._memo.get(token)
        if found is None:
            if len(self._memo) > _MEMO:
                self._memo.clear()
            lower = token.lower()
            if lower == "’":
                lower = "'"
            entry = self._cased.get((token,)) or self._loose.get((lower,))
            found = self._memo[token] = (entry, self._phrases.get(lower))
        return found


def _forms(tables: Mapping[str, Any]) -> Iterable[tuple[str, Any, str]]:
    """Yield class, value and form of every line of a language's tables."""
    for name, content in tables.items():
        if name == "words":
            for word_class, forms in content.items():
                for form in forms:
                    yield word_class, True, form
        else:
            for value, forms in content.items():
                for form in forms:
                    yield name, int(value) if value.lstrip("-").isdecimal() else value, form
                    if name == "UNIT" and " " in form:
                        yield name, value, form.replace(" ", "-")


def _fused(tables: Mapping[str, Any]) -> Iterable[tuple[str, Any, str]]:
    """Yield the numbers from 21 to 99 written as one word."""
    for name, result in (("UNITW", "TEENW"), ("ORDW", "ORDW")):
        for tens, ten_forms in tables["TENW"].items():
            for one, one_forms in tables[name].items():
                if int(one) < 10:
                    for form in ten_forms:
                        yield result, int(tens) + int(one), form + one_forms[0]


def _cldr_forms(code: str) -> Iterable[tuple[str, Any, str]]:
    """Yield the lines of the table generated from CLDR: class, value, form."""
    for line in _data(f"{code}.cldr.tsv").splitlines():
        if line and not line.startswith("#"):
            name, value, form = line.split("\t")
            yield name, int(value) if value.isdecimal() else value, form


def _data(name: str) -> str:
    file = resources.files(__package__) / "data" / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def languages() -> tuple[str, ...]:
    """Return the codes of the languages there are tables for.

    >>> "en" in languages()
    True
    """
    files = (resources.files(__package__) / "data").iterdir()
    names = (file.name for file in files if file.name.endswith(".toml"))
    return tuple(sorted(name[:-5] for name in names if name != "grammar.toml"))


@lru_cache(maxsize=16)
def lexicon(code: str) -> Lexicon:
    """Return the words of a language, read once.

    Raises:
        UnknownNameError: there is no table for it; the message lists the languages there are.
    """
    if code not in languages():
        raise UnknownNameError("language of values", code, languages())
    return Lexicon(code)
