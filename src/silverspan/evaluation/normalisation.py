"""What scoring may overlook on both sides, where guidelines differ; said beside every score."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar, cast

#: A span: start, end, label, and perhaps a probability.
S = TypeVar("S", bound=tuple[Any, ...])

_DETERMINERS = frozenset({"the", "a", "an"})


def normalise(spans: Iterable[S], tokens: Sequence[str], kinds: Collection[str]) -> list[S]:
    """Return the spans as scoring compares them: without a leading determiner, if asked.

    >>> normalise([(0, 3, "DATE")], ["the", "third", "quarter"], ["leading_determiners"])
    [(1, 3, 'DATE')]
    """
    if "leading_determiners" not in kinds:
        return list(spans)
    return [
        cast(S, (span[0] + 1, *span[1:]))
        if span[1] - span[0] > 1 and tokens[span[0]].lower() in _DETERMINERS
        else span
        for span in spans
    ]
