"""Spans over one cut of a text become spans over another: characters, these tokens, those tokens.

What is compared is the text without its blanks, which every cut agrees on. A span that does not
begin and end with tokens takes in the tokens it touches, and is counted as misaligned.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

WeightedSpan = tuple[int, int, str, float]

_WORD = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> tuple[str, ...]:
    """Return words and marks: tokens of a kind, where neither side has any.

    >>> words_of("Anna, 7.")
    ('Anna', ',', '7', '.')
    """
    return tuple(_WORD.findall(text))


def spaces_of(text: str) -> tuple[bool, ...]:
    """Return whether a blank follows each of the words of a text.

    >>> spaces_of("Anna, 7.")
    (False, True, False, False)
    """
    ends = [match.end() for match in _WORD.finditer(text)]
    return tuple(text[end : end + 1].isspace() for end in ends)


def solid(source: str | Sequence[str]) -> str:
    """Return a text, or the tokens of one, without blanks.

    >>> solid("New  York ") == solid(["New", "York", " "]) == "NewYork"
    True
    """
    text = source if isinstance(source, str) else "".join(source)
    return "".join(text.split())


@dataclass(frozen=True, slots=True)
class Cut:
    """Where tokens, or the characters of a text, begin and end in the text without blanks."""

    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, source: str | Sequence[str]) -> "Cut":
        """Return the cut of a text into characters, or of one into tokens."""
        if isinstance(source, str):
            sizes = [0 if character.isspace() else 1 for character in source]
        else:
            sizes = [len(solid(token)) for token in source]
        edges = list(accumulate(sizes, initial=0))
        return cls(edges[:-1], edges[1:])


@dataclass(frozen=True, slots=True)
class Moved:
    """Spans over another cut, and how many of them did not begin and end where its tokens do."""

    spans: tuple[WeightedSpan, ...]
    misaligned: int


def moved(spans: Iterable[WeightedSpan], source: Cut, target: Cut) -> Moved:
    """Return spans of one cut as spans of another of the same text.

    One that holds blanks only is left out, and counted.

    >>> text, tokens = Cut.of("In New York."), Cut.of(["In", "New", "York", "."])
    >>> moved([(3, 11, "LOC", 1.0), (4, 6, "PER", 1.0)], text, tokens)
    Moved(spans=((1, 3, 'LOC', 1.0), (1, 2, 'PER', 1.0)), misaligned=1)
    """
    found = []
    misaligned = 0
    for start, end, label, probability in spans:
        low, high = source.starts[start], source.ends[end - 1]
        first, last = bisect_right(target.ends, low), bisect_left(target.starts, high)
        if low == high:
            misaligned += 1
            continue
        misaligned += target.starts[first] != low or target.ends[last - 1] != high
        found.append((first, last, label, probability))
    return Moved(tuple(found), misaligned)


def over_tokens(
    spans: Iterable[WeightedSpan], source: str | Sequence[str], tokens: Sequence[str]
) -> Moved | None:
    """Return spans of a text's characters, or of tokens, over these tokens; None if texts differ.

    >>> over_tokens([(3, 7, "LOC", 1.0)], "In Oslo.", ["In", "Oslo", "."])
    Moved(spans=((1, 2, 'LOC', 1.0),), misaligned=0)
    """
    if not isinstance(source, str) and list(source) == list(tokens):
        return Moved(tuple(spans), 0)
    if solid(source) != solid(tokens):
        return None
    return moved(spans, Cut.of(source), Cut.of(tokens))
