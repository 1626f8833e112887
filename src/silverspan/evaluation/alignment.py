"""Spans in characters become spans in tokens, for files that know only one of the two."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

WeightedSpan = tuple[int, int, str, float]

_WORD = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> tuple[str, ...]:
    """Return words and marks: tokens of a kind, where neither side has any.

    >>> words_of("Anna, 7.")
    ('Anna', ',', '7', '.')
    """
    return tuple(_WORD.findall(text))


def places_in(text: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return where in a text its tokens stand, in characters; None if they are not its tokens.

    >>> places_in("Anna, 7.", ["Anna", ",", "7", "."])
    [(0, 4), (4, 5), (6, 7), (7, 8)]
    """
    places: list[tuple[int, int]] = []
    end = 0
    for token in tokens:
        start = text.find(token, end)
        # Between tokens there may be blanks and nothing else.
        if start < 0 or text[end:start].strip():
            return None
        end = start + len(token)
        places.append((start, end))
    return None if text[end:].strip() else places


def spans_in_tokens(
    spans: Sequence[WeightedSpan], places: Sequence[tuple[int, int]]
) -> tuple[WeightedSpan, ...]:
    """Return spans of characters as spans of the tokens they touch; left out if they touch none.

    >>> spans_in_tokens([(0, 4, "PER", 1.0)], [(0, 4), (4, 5)])
    ((0, 1, 'PER', 1.0),)
    """
    starts, ends = [start for start, _ in places], [end for _, end in places]
    found = []
    for start, end, label, probability in spans:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        if first < last:
            found.append((first, last, label, probability))
    return tuple(found)
