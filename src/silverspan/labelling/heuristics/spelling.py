"""A document as a string of letters, one letter a token, so that regular expressions match tokens.

An ``Alphabet`` sorts tokens into kinds ("month", "number", "capitalised word") and gives each kind
a letter; sentences are kept apart by a line break. A pattern over that string runs at the speed of
``re``, its match is a token span, and ``^`` and ``$`` are the edges of a sentence. Each distinct
word is sorted once per process, so the cost per token is a dictionary look-up.
"""

import re
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from spacy.strings import StringStore
from spacy.tokens import Doc

#: Stands between sentences, and for tokens that are only white space.
BREAK = "\n"
# Distinct words remembered per alphabet: some 100 MB at most.
_REMEMBERED = 1_000_000

T = TypeVar("T")


class Alphabet:
    """Gives every token a letter, by its text alone.

    >>> import spacy
    >>> digits = Alphabet(lambda text: "1" if text.isdigit() else "_")
    >>> page(spacy.blank("en")("on 5 May 1999")).spell(digits)
    '_1_1'
    """

    def __init__(self, letter_of: Callable[[str], str]) -> None:
        self._letter_of = letter_of
        self._letters: dict[int, str] = {}

    def letters(self, opened: "Page") -> list[str]:
        """Return the letter of each token."""
        known = self._letters
        new = opened.distinct.difference(known)
        if new:
            if len(known) > _REMEMBERED:
                known.clear()
                new = opened.distinct
            for word in new:
                text = opened.strings[word]
                known[word] = BREAK if not text or text.isspace() else self._letter_of(text)
        return [known[word] for word in opened.words]


@dataclass(slots=True)
class Page:
    """What detectors share about one document: its spellings, and results they remember.

    ``words`` and ``lower`` are ids in ``strings``, ``spaced`` tells whether white space follows a
    token, ``sentences`` are token spans;
    ``token_at`` leads from a position in a spelling to the token.
    """

    words: list[int]
    lower: list[int]
    spaced: list[bool]
    distinct: set[int]
    sentences: list[tuple[int, int]]
    token_at: list[int]
    strings: StringStore
    _doc: "weakref.ref[Doc]"
    _memory: dict[object, Any] = field(default_factory=dict)

    @property
    def doc(self) -> Doc:
        """The document itself, which the page does not keep alive."""
        doc = self._doc()
        if doc is None:
            raise ReferenceError("the document of this page is gone: keep a name for it")
        return doc

    def text(self, token: int) -> str:
        """Return the text of a token."""
        return str(self.strings[self.words[token]])

    def spell(self, alphabet: Alphabet) -> str:
        """Return the document in an alphabet, sentences joined by line breaks."""
        return self.remember(alphabet, lambda: self.join(alphabet.letters(self)))

    def join(self, letters: list[str]) -> str:
        """Return one letter a token as a string, sentences joined by line breaks."""
        flat = "".join(letters)
        return BREAK.join([flat[start:end] for start, end in self.sentences])

    def spans(self, pattern: "re.Pattern[str]", spelling: str) -> Iterator[tuple[int, int]]:
        """Yield the token spans of a pattern's matches, in order."""
        token_at = self.token_at
        for match in pattern.finditer(spelling):
            start, end = match.span()
            if end > start:
                yield token_at[start], token_at[end - 1] + 1

    def remember(self, key: object, compute: Callable[[], T]) -> T:
        """Return what was computed under ``key`` for this document, computing it the first time."""
        if key not in self._memory:
            self._memory[key] = compute()
        result: T = self._memory[key]
        return result


def _open(doc: Doc) -> Page:
    size = len(doc)
    attributes: list[int | str] = ["ORTH", "LOWER", "SENT_START", "SPACY"]
    table = doc.to_array(attributes).astype(np.uint64).reshape(size, 4)
    words: list[int] = table[:, 0].tolist()
    first = np.flatnonzero(table[:, 2] == 1)
    starts = [0, *first[first > 0].tolist()] if size else []
    sentences = list(zip(starts, [*starts[1:], size], strict=True)) if size else []
    token_at: list[int] = []
    for start, end in sentences:
        token_at.extend(range(start, end + 1))
    return Page(
        words=words,
        lower=table[:, 1].tolist(),
        spaced=table[:, 3].astype(bool).tolist(),
        distinct=set(words),
        sentences=sentences,
        token_at=token_at,
        strings=doc.vocab.strings,
        _doc=weakref.ref(doc),
    )


# Detectors take turns on a batch of documents: their pages are kept while the documents live, up to
# this many tokens since the last clearing, some 200 MB.
_KEPT_TOKENS = 500_000
_pages: "weakref.WeakKeyDictionary[Doc, Page]" = weakref.WeakKeyDictionary()
_opened_tokens = [0]


def page(doc: Doc) -> Page:
    """Return the page of a document: the same one while detectors take turns on it."""
    kept = _pages.get(doc)
    if kept is not None and len(kept.words) == len(doc):
        return kept
    _opened_tokens[0] += len(doc)
    if _opened_tokens[0] > _KEPT_TOKENS:
        _pages.clear()
        _opened_tokens[0] = len(doc)
    opened = _open(doc)
    _pages[doc] = opened
    return opened
