"""Tag schemes as tables: which tags there are, which moves are legal, spans to tags and back.

Goes in: spans or tags, as flat arrays over the tokens of a whole corpus (``breaks`` marks the
tokens that begin a document or island) or as lists for one document. State 0 is "O"; label ``k``
owns the states ``1 + k * p`` to ``k * p + p``, one for each of its ``p`` prefixes, in order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Int, Int16, Int64
from numpy import ndarray

from silverspan.errors import LabelError

#: The prefixes of every scheme, in the order of their states.
PREFIXES: Final = {"io": "I", "bio": "BI", "biluo": "BILU"}

#: Prefixes after which nothing of the same span may come, and those that begin a span.
_LAST, _FIRST = "LU", "BU"
#: Other people's letters: BIOES and BMEWO.
_SYNONYMS: Final = {"E": "L", "S": "U", "M": "I", "W": "U"}


def prefixes(scheme: str) -> str:
    """Return the prefixes of a scheme, one letter each.

    >>> prefixes("bio")
    'BI'

    Raises:
        LabelError: there is no such scheme.
    """
    try:
        return PREFIXES[scheme]
    except KeyError:
        raise LabelError(
            f"no tag scheme is called {scheme!r}; the schemes are: {', '.join(PREFIXES)}"
        ) from None


def tags(labels: Sequence[str], scheme: str) -> tuple[str, ...]:
    """Return the tag of every state.

    >>> tags(["PER", "LOC"], "bio")
    ('O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC')
    """
    return ("O", *(f"{prefix}-{label}" for label in labels for prefix in prefixes(scheme)))


def labels_of(states: Int[ndarray, "..."], scheme: str) -> Int[ndarray, "..."]:
    """Return the label index of every state, -1 for "O".

    >>> labels_of(np.array([0, 1, 2, 3]), "bio").tolist()
    [-1, 0, 0, 1]
    """
    return (states - 1) // len(prefixes(scheme))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Moves:
    """What a scheme allows: states that may begin and end a sequence, and steps between them."""

    start: Bool[ndarray, " states"]
    move: Bool[ndarray, "states states"]  # move[i, j]: from i to j
    end: Bool[ndarray, " states"]


def legal_moves(labels: int, scheme: str) -> Moves:
    """Return the legal moves over the states of so many labels.

    >>> legal_moves(1, "bio").start.tolist()  # O, B, but not I
    [True, True, False]
    """
    letters = prefixes(scheme)
    prefix = np.array(["O", *(letters * labels)])
    label = labels_of(np.arange(len(prefix)), scheme)
    # Plain IO has no prefix that begins a span: its I begins, goes on and ends.
    begins = np.isin(prefix, list("O" + (_FIRST if "B" in letters else "I")))
    ends = np.isin(prefix, list("O" + (_LAST if "L" in letters else "BI")))
    goes_on = np.isin(prefix, list("IL"))[None, :] & np.isin(prefix, list("BI"))[:, None]
    move = (ends[:, None] & begins[None, :]) | (goes_on & (label[:, None] == label[None, :]))
    return Moves(start=begins, move=move, end=ends)


def encode(
    start: Int[ndarray, " spans"],
    end: Int[ndarray, " spans"],
    label: Int[ndarray, " spans"],
    *,
    tokens: int,
    scheme: str,
) -> Int16[ndarray, " tokens"]:
    """Return the state of every token; where spans overlap, the later one overwrites.

    >>> encode(np.array([1]), np.array([3]), np.array([0]), tokens=4, scheme="biluo").tolist()
    [0, 1, 3, 0]
    """
    letters = prefixes(scheme)
    first = 1 + len(letters) * label.astype(np.int64)
    size = end - start
    owner = np.repeat(np.arange(len(size)), size)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
    prefix = np.full(len(owner), letters.index("I"))
    if "L" in letters:
        prefix[offset == size[owner] - 1] = letters.index("L")
    if "B" in letters:
        prefix[offset == 0] = letters.index("B")
    if "U" in letters:
        prefix[size[owner] == 1] = letters.index("U")
    states = np.zeros(tokens, dtype=np.int16)
    states[start[owner] + offset] = first[owner] + prefix
    return states


def decode(
    states: Int[ndarray, " tokens"],
    *,
    scheme: str,
    breaks: Bool[ndarray, " tokens"] | None = None,
) -> tuple[Int64[ndarray, " spans"], Int64[ndarray, " spans"], Int64[ndarray, " spans"]]:
    """Return start, end and label of every span; illegal sequences are read leniently.

    ``breaks`` marks tokens that no span may reach across from the left.

    >>> decode(np.array([0, 1, 2, 1]), scheme="bio")
    (array([1, 3]), array([3, 4]), array([0, 0]))
    """
    letters = prefixes(scheme)
    label = labels_of(states.astype(np.int64), scheme)
    prefix = (states - 1) % len(letters)
    begins = np.isin(prefix, [i for i, letter in enumerate(letters) if letter in _FIRST])
    ended = np.isin(prefix, [i for i, letter in enumerate(letters) if letter in _LAST])
    begins[1:] |= ended[:-1] | (label[1:] != label[:-1])
    begins[:1] = True
    if breaks is not None:
        begins |= breaks
    # Every token opens a segment or goes on with one; segments of "O" are dropped.
    start = np.flatnonzero(begins)
    end = np.append(start[1:], len(states))
    named = label[start] >= 0
    # Inside a segment of "O" nothing begins but "O", so segments are of one label throughout.
    return start[named], end[named], label[start[named]]


def read_tags(sequence: Sequence[str], *, scheme: str | None = None) -> list[tuple[int, int, str]]:
    """Return the spans of one document's tag strings.

    IO, IOB1, IOB2 and BILUO (also BIOES) need not be told apart: a span begins at ``B`` or ``U``,
    after ``L`` or ``U``, or where the label changes. With ``scheme`` ("io", "iob1", "bio" or
    "biluo") the sequence must be legal in it.

    >>> read_tags(["I-PER", "I-PER", "B-PER", "O"])
    [(0, 2, 'PER'), (2, 3, 'PER')]

    Raises:
        LabelError: a string is no tag, or the sequence is not legal in ``scheme``.
    """
    parsed = [_parse(tag, place) for place, tag in enumerate(sequence)]
    if scheme is not None:
        _check(parsed, sequence, scheme)
    spans: list[tuple[int, int, str]] = []
    before = ("O", "")
    for place, (prefix, label) in enumerate(parsed):
        if label and (prefix in _FIRST or before[0] in _LAST or label != before[1]):
            spans.append((place, place + 1, label))
        elif label:
            spans[-1] = (spans[-1][0], place + 1, label)
        before = prefix, label
    return spans


def write_tags(
    spans: Iterable[tuple[int, int, str]], tokens: int, scheme: str = "bio"
) -> list[str]:
    """Return one document's tag strings.

    >>> write_tags([(1, 3, "LOC")], 4)
    ['O', 'B-LOC', 'I-LOC', 'O']
    """
    rows = list(spans)
    labels = sorted({label for _, _, label in rows})
    start, end = (np.array([row[i] for row in rows], dtype=np.int64) for i in (0, 1))
    label = np.array([labels.index(row[2]) for row in rows], dtype=np.int64)
    names = tags(labels, scheme)
    return [names[i] for i in encode(start, end, label, tokens=tokens, scheme=scheme)]


def _parse(tag: str, place: int) -> tuple[str, str]:
    if tag == "O":
        return "O", ""
    prefix, _, label = tag.partition("-")
    prefix = _SYNONYMS.get(prefix, prefix)
    if len(prefix) != 1 or prefix not in "BILU" or not label:
        raise LabelError(
            f"{tag!r} at token {place} is no tag; a tag is O or a prefix (B, I, L, U; or E, S), "
            "a hyphen and a label, as in B-PER"
        )
    return prefix, label


def _check(parsed: list[tuple[str, str]], sequence: Sequence[str], scheme: str) -> None:
    """Raise where a sequence breaks its scheme. IOB1 has its own rule and no table."""
    if scheme == "iob1":
        before = ("O", "")
        for place, (prefix, label) in enumerate(parsed):
            if prefix in "LU" or (prefix == "B" and label != before[1]):
                _refuse(sequence, place, scheme)
            before = prefix, label
        return
    labels = sorted({label for _, label in parsed if label})
    names = {tag: state for state, tag in enumerate(tags(labels, scheme))}
    moves = legal_moves(len(labels), scheme)
    previous = -1
    for place, (prefix, label) in enumerate(parsed):
        state = names.get(f"{prefix}-{label}" if label else "O", -1)
        allowed = moves.start if previous < 0 else moves.move[previous]
        if state < 0 or not allowed[state]:
            _refuse(sequence, place, scheme)
        previous = state
    if parsed and not moves.end[previous]:
        raise LabelError(f"the tags end with {sequence[-1]!r}, inside a span, in scheme {scheme!r}")


def _refuse(sequence: Sequence[str], place: int, scheme: str) -> None:
    after = f"after {sequence[place - 1]!r}" if place else "at the beginning"
    raise LabelError(
        f"the tag {sequence[place]!r} at token {place} cannot stand {after} in scheme {scheme!r}"
    )
