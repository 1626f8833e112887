"""The letters of names: how a word is written, what list it stands in, whether it is a name here.

``KINDS`` is the alphabet of the name detectors (names.py, companies.py). A capital says little at
the start of a sentence and nothing in a heading in capitals; there the rest of the document
decides: a word that is written with a capital in the middle of a sentence is a name, one that is
also written small is not.
"""

import re
from collections.abc import Callable, Container
from functools import lru_cache
from pathlib import Path

from spacy.tokens import Doc

from silverspan.labelling.frequency import rank
from silverspan.labelling.heuristics.grammar import value_tokens
from silverspan.labelling.heuristics.spelling import BREAK, Alphabet, Page
from silverspan.labelling.heuristics.wordlists import entries, sections

#: What each letter stands for.
KINDS = {
    "F": "known first name",
    "G": "first name that is also an English word: Will, May, Grant",
    "T": "another word with a capital",
    "O": "generic word with a capital: Bank, Street, University",
    "U": "word in capitals: IBM, AT&T",
    "x": "mixed case, or capitals with figures: iPad, McDonald's, F-16",
    "i": "one capital letter: J, J.",
    "I": "several initials: J.P., U.S.",
    "K": "legal form of a company: Corp., GmbH",
    "S": "beginning of S.p.A., cut up by the tokenizer",
    "N": "nationality, language or religion: French, Muslim",
    "P": "particle with a capital: Van, De, Al",
    "B": "the same, when it begins a person's name: Van, Von",
    "p": "particle: van, de, bin",
    "b": "particle that begins a person's name: van, von",
    "h": "title: Mr., President",
    "H": "title that also begins other names: General, King",
    "m": "title_modifiers",
    "j": "suffix of a person's name: Jr., III",
    "f": "function word with a capital, or a capital that says nothing",
    "o": "connectors",
    "a": "and",
    "t": "determiners",
    "r": "prepositions",
    "s": "possessive 's",
    "n": "token of a value",
    "d": "another figure",
    "&": "ampersand",
    "-": "hyphen between two parts of a word",
    "'": "apostrophe",
    "/": "slash",
    ",": "comma",
    ".": "full stop",
    "q": "quotation mark or bracket",
    "l": "another word",
    ";": "another mark",
}
#: Letters of words that look like part of a name.
NAME = "FGTOUxINPBHK"
_MARKS = {
    "&": "&",
    "-": "-",
    "'": "'",
    "’": "'",
    "/": "/",
    ",": ",",
    ".": ".",
    "+": "&",
    "'s": "s",
    "’s": "s",
    "'S": "s",
    "’S": "s",
    "S.p": "S",
    "S.P": "S",
}
_PEOPLES = ("nationalities", "languages", "religions", "politics")
_QUOTES = frozenset('"“”„«»‘()[]{}`') | {"``", "''"}
# Rank up to which a word is common; the paper's threshold.
FREQUENT = 15_000
_TITLE = re.compile(r"m*(?:h(?:-?[mHh])*)|m+(?=h)")
_PROPER_TAGS = ("NNP", "NNPS", "PROPN", "NE")


@lru_cache(maxsize=16)
def alphabet(words: str | Path = "en") -> Alphabet:
    """Return the alphabet of names in a language."""
    return Alphabet(_letter_of(words))


@lru_cache(maxsize=16)
def _letter_of(words: str | Path) -> Callable[[str], str]:
    lists: dict[str, list[str]] = sections(words, "names")
    world: dict[str, list[str]] = sections(words, "world")
    exact: dict[str, str] = {**_MARKS}
    for letter, listed in (
        ("K", entries("common", "legal_forms")),
        ("b", lists.get("person_particles", [])),
        ("p", lists.get("particles", [])),
        ("B", lists.get("person_capital_particles", [])),
        ("o", lists.get("connectors", [])),
        ("a", lists.get("and", [])),
        ("t", lists.get("determiners", [])),
        ("r", lists.get("prepositions", [])),
        ("j", lists.get("suffixes", [])),
        ("H", lists.get("soft_titles", [])),
        ("h", lists.get("titles", [])),
        ("m", lists.get("title_modifiers", [])),
        ("G", entries(words, "ambiguous_first_names")),
        ("O", lists.get("generic_words", [])),
        ("P", lists.get("capital_particles", [])),
        ("N", [word for name in _PEOPLES for word in world.get(name, [])]),
    ):
        for word in listed:
            exact.setdefault(word, letter)
    function_words = frozenset(lists.get("function_words", []))
    first_names = entries(words, "first_names")
    hyphenated = frozenset(lists.get("hyphenated_endings", []))

    def letter_of(text: str) -> str:
        if text in exact:
            return exact[text]
        if text in _QUOTES:
            return "q"
        if "-" in text and text.rpartition("-")[2] in hyphenated:
            return "l"
        initial = text[0]
        if not any(map(str.isupper, text)):
            return "l" if initial.isalpha() else "d" if initial.isdigit() else ";"
        if len(text) > 1 and text.lower() in function_words:
            return "f"
        return _capital_letter(text, first_names)

    return letter_of


def _capital_letter(text: str, first_names: Container[str]) -> str:
    """Return the letter of a word that has a capital somewhere and stands in no other list."""
    bare = text.replace(".", "")
    if len(bare) <= 1:
        return "f" if text == "I" else "i"
    if text in first_names:
        return "F"
    if "-" in text and text.split("-")[0] in first_names and text.istitle():
        return "F"
    if "." in text[:-1] and bare.isupper() and all(len(part) <= 2 for part in text.split(".")):
        return "I"
    if not text[0].isalpha():
        return "d" if text[0].isdigit() else "x" if text[0] in "'’" else ";"
    if any(map(str.isdigit, text)):
        return "x"
    if text.isupper():
        return "U"
    if text[0].isupper():
        return "T"
    # One small letter before a capital is a brand ("iPad", "eBay"); anything else is noise.
    return "x" if text[:3].isalpha() and any(map(str.isupper, text[1:3])) else "l"


def names(opened: Page, words: str | Path = "en") -> str:
    """Return the document in the alphabet of names, with capitals that say nothing turned to "f".

    Tokens of values (dates, amounts, numbers) are "n": a name never takes them in.

    >>> import spacy
    >>> from silverspan.labelling.heuristics.spelling import page
    >>> names(page(spacy.blank("en")("The cat saw Ingrid van Basten of AT&T Corp.")))
    'fllFbToUK'
    """
    return opened.remember(("names", alphabet(words)), lambda: _names(opened, words))


def _names(opened: Page, words: str | Path) -> str:
    letter_of = _letter_of(words)
    letters = alphabet(words).letters(opened)
    for i in value_tokens(opened, words):
        letters[i] = "n"
    for i, letter in enumerate(letters):
        # A hyphen or apostrophe joins words only where no white space stands beside it.
        if letter in "-'" and (i == 0 or opened.spaced[i - 1] or opened.spaced[i]):
            letters[i] = ";" if letter == "-" else "q"
    headings, starts = _without_case(opened, letters)
    if headings or starts:
        seen, small = _evidence(opened, letters, headings, starts)
        for start, end in headings:
            for i in range(start, end):
                if letters[i] in "FGTOUNKPBHhmf":
                    letter = letter_of(opened.strings[opened.lower[i]].title())
                    known = opened.lower[i] in seen and opened.lower[i] not in small
                    # A nationality is one in any case.
                    letters[i] = letter if known or letter == "N" else "f"
        tags = proper_tags(opened.doc)
        for i in starts:
            word = opened.lower[i]
            if letters[i] == "i":
                letters[i] = "f" if opened.text(i) == "A" else "i"
            elif letters[i] != "G" and word in small and word not in seen:
                letters[i] = "f"
            elif word not in seen and letters[i] in "TOGHm":
                if tags is not None:
                    is_name = tags[i]
                else:
                    follows = letters[i + 1] if i + 1 < len(letters) else BREAK
                    is_name = follows in "FTOUixIPBKpb" or _is_rare(opened.strings[word], words)
                if not is_name:
                    letters[i] = "f"
    # "Prime Minister" and "Attorney General" are titles, "General Motors" and "Prime Time" are not.
    spelling = opened.join(letters)
    spelling = _TITLE.sub(lambda match: "h" * len(match[0]), spelling)
    return spelling.replace("m", "T")


def _without_case(opened: Page, letters: list[str]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the sentences in capitals throughout, and the first words of the other sentences."""
    headings: list[tuple[int, int]] = []
    starts: list[int] = []
    for start, end in opened.sentences:
        sentence = letters[start:end]
        first = start
        while first < end and letters[first] in "q;-'nd.\n,/":
            first += 1
        if first < end and letters[first] in "TOGHNhmPBi":
            starts.append(first)
        capitals = 0
        for i in range(start, end):
            letter = letters[i]
            if letter in "lotrabps" and opened.words[i] == opened.lower[i]:
                break
            if letter in "FTUGONHhmfIKi":
                text = opened.text(i)
                if len(text) > 1:
                    if not text.isupper():
                        break
                    capitals += 1
        else:
            if capitals >= 3 or (capitals == 2 and "f" in sentence):
                headings.append((start, end))
                if first < end and starts and starts[-1] == first:
                    starts.pop()
    return headings, starts


def _evidence(
    opened: Page, letters: list[str], headings: list[tuple[int, int]], starts: list[int]
) -> tuple[set[int], set[int]]:
    """Return the words written with a capital that means something, and those written small."""
    silent = set(starts)
    for start, end in headings:
        silent.update(range(start, end))
    seen: set[int] = set()
    small: set[int] = set()
    for i, (word, lower) in enumerate(zip(opened.words, opened.lower, strict=True)):
        if word == lower:
            if letters[i] == "l":
                small.add(lower)
        elif i not in silent and letters[i] in NAME:
            seen.add(lower)
    return seen, small


def proper_tags(doc: Doc) -> list[bool] | None:
    """Return for each token whether it is tagged as a proper noun; ``None`` without a tagger."""
    if not doc.has_annotation("TAG"):
        return None
    proper = {doc.vocab.strings[tag] for tag in _PROPER_TAGS}
    return [tag in proper for tag in doc.to_array("TAG").tolist()]


def _is_rare(word: str, words: str | Path) -> bool:
    listed = entries(words, "frequent_words")
    if listed:
        return word.lower() not in listed
    found = rank(word)
    return found is None or found > FREQUENT


@lru_cache(maxsize=16)
def _rarity(words: str | Path) -> Alphabet:
    return Alphabet(lambda text: "R" if text[0].isalpha() and _is_rare(text, words) else "_")


def is_infrequent(opened: Page, start: int, end: int, words: str | Path = "en") -> bool:
    """Return whether a span has a word that is not among the most frequent ones.

    Those of ``frequent_words.txt``; a language without that file is measured by the English list.
    """
    alphabet_of = _rarity(words)
    rarity = opened.remember(alphabet_of, lambda: "".join(alphabet_of.letters(opened)))
    return "R" in rarity[start:end]
