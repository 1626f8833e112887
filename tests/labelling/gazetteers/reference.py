"""The slow, obvious matcher that judges the fast one: every start, longest first."""

from collections.abc import Iterable, Sequence


def longest_matches(
    words: Sequence[str], names: Iterable[str], *, cased: bool, multitoken: bool = False
) -> list[tuple[int, int]]:
    """Return spans of names, left to right, the longest at each start; ``names`` are word lists."""
    as_known = (lambda word: word) if cased else str.lower
    known = {tuple(as_known(word) for word in name.split()) for name in names}
    found, start = [], 0
    while start < len(words):
        for end in range(len(words), start, -1):
            if tuple(as_known(word) for word in words[start:end]) in known:
                found.append((start, end))
                start = end
                break
        else:
            start += 1
    return [span for span in found if not multitoken or span[1] - span[0] > 1]
