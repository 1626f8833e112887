"""What scoring may overlook on both sides, where guidelines differ; said beside every score.

A normalisation is a kind, for all labels or for some: ``leading_determiners`` or
``leading_determiners:DATE+TIME``. No kind takes the last token of a span.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from silverspan.errors import UnknownNameError

#: A span: start, end, label, and perhaps a probability.
S = TypeVar("S", bound=tuple[Any, ...])

_DETERMINERS = frozenset({"the", "a", "an"})
_POSSESSIVES = frozenset({"'s", "’s", "'", "’", "`s"})

#: Whether the token at the left edge, and the one at the right edge, is overlooked.
_Edges = tuple[Callable[[str], bool], Callable[[str], bool]]


def _is_determiner(token: str) -> bool:
    return token.lower() in _DETERMINERS


def _is_possessive(token: str) -> bool:
    return token.lower() in _POSSESSIVES


def _is_punctuation(token: str) -> bool:
    return not any(character.isalnum() or character in "$€£¥%" for character in token)


def _never(token: str) -> bool:
    return False


_KINDS: Mapping[str, _Edges] = {
    "leading_determiners": (_is_determiner, _never),
    "trailing_possessives": (_never, _is_possessive),
    "edge_punctuation": (_is_punctuation, _is_punctuation),
}

#: The kinds there are.
NORMALISATIONS: Final = tuple(_KINDS)


def check_normalisation(name: str) -> str:
    """Return the name of a normalisation if there is such a kind.

    >>> check_normalisation("leading_determiners:DATE+TIME")
    'leading_determiners:DATE+TIME'

    Raises:
        UnknownNameError: there is none.
    """
    kind = name.partition(":")[0]
    if kind not in _KINDS:
        raise UnknownNameError("normalisation", kind, _KINDS)
    return name


def normalise(spans: Iterable[S], tokens: Sequence[str], kinds: Collection[str]) -> list[S]:
    """Return the spans as scoring compares them: without what is overlooked at their edges.

    >>> normalise([(0, 3, "DATE")], ["the", "third", "quarter"], ["leading_determiners"])
    [(1, 3, 'DATE')]
    >>> normalise([(0, 2, "ORG")], ["The", "Times"], ["leading_determiners:DATE"])
    [(0, 2, 'ORG')]

    Raises:
        UnknownNameError: there is no such kind.
    """
    rules = [_rule(name) for name in kinds]
    if not rules:
        return list(spans)
    return [_trimmed(span, tokens, rules) for span in spans]


def _rule(name: str) -> tuple[_Edges, frozenset[str] | None]:
    kind, _, labels = check_normalisation(name).partition(":")
    return _KINDS[kind], frozenset(labels.split("+")) if labels else None


def _trimmed(
    span: S, tokens: Sequence[str], rules: Sequence[tuple[_Edges, frozenset[str] | None]]
) -> S:
    start, end, label = span[:3]
    edges = [edge for edge, labels in rules if labels is None or label in labels]
    while end - start > 1 and any(leads(tokens[start]) for leads, _ in edges):
        start += 1
    while end - start > 1 and any(trails(tokens[end - 1]) for _, trails in edges):
        end -= 1
    return cast(S, (start, end, *span[2:]))
