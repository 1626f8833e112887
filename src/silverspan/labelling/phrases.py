"""Lists of phrases, found in documents whatever the tokenizer that cut them.

Each entry is cut twice, by spaCy's tokenizer of the language and at blanks, so that texts which
were split into tokens elsewhere are matched too. Of phrases that overlap, the first and longest
counts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

import spacy
from spacy.strings import get_string_id
from spacy.tokens import Doc

from silverspan.labelling.heuristics.spelling import Page

#: A phrase as the ids of its tokens' texts.
Key = tuple[int, ...]


class Phrases:
    """A list of phrases.

    >>> from silverspan.labelling.heuristics.spelling import page
    >>> doc = spacy.blank("en")("He won the World Cup.")
    >>> list(Phrases(["World Cup", "World"]).spans(page(doc)))
    [(3, 5)]
    """

    def __init__(self, entries: Iterable[str], *, cased: bool = True, language: str = "en") -> None:
        self.cased = cased
        self.keys = keys(entries, cased=cased, language=language)
        self._lengths = _lengths(self.keys)

    def spans(self, opened: Page) -> Iterator[tuple[int, int]]:
        """Yield the token spans of the phrases in a document, in order, none overlapping."""
        reached = 0
        words = opened.words if self.cased else opened.lower
        for start, word in enumerate(words):
            if start < reached or word not in self._lengths:
                continue
            for length in self._lengths[word]:
                if tuple(words[start : start + length]) in self.keys:
                    reached = start + length
                    yield start, reached
                    break


def keys(entries: Iterable[str], *, cased: bool = True, language: str = "en") -> frozenset[Key]:
    """Return the token ids of entries, each cut by the language's tokenizer and at blanks."""
    tokenizer = _tokenizer(language)
    found = set()
    for entry in entries:
        text = entry if cased else entry.lower()
        for tokens in (
            text.split(),
            [token.text for token in tokenizer(text) if not token.is_space],
        ):
            if tokens:
                found.add(tuple(map(get_string_id, tokens)))
    return frozenset(found)


def occurrences(words: Sequence[int], wanted: Iterable[Key]) -> Iterator[tuple[int, int, Key]]:
    """Yield every place where one of the wanted phrases stands, overlapping ones too."""
    known = frozenset(wanted)
    lengths = _lengths(known)
    for start, word in enumerate(words):
        if word in lengths:
            for length in lengths[word]:
                phrase = tuple(words[start : start + length])
                if phrase in known:
                    yield start, start + length, phrase


def _lengths(wanted: Iterable[Key]) -> dict[int, list[int]]:
    """Return, by first word, the lengths of the phrases that begin with it, longest first."""
    lengths: defaultdict[int, set[int]] = defaultdict(set)
    for key in wanted:
        lengths[key[0]].add(len(key))
    return {word: sorted(found, reverse=True) for word, found in lengths.items()}


@cache
def _tokenizer(language: str) -> Callable[[str], Doc]:
    return spacy.blank(language).tokenizer
