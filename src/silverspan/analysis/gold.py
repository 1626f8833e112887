"""With a little gold: the same measured, errors by kind, confusion, and likely errors of the gold.

Goes in: spans of gold and of a system, document by document, and P(label) by token. Nothing is
fitted here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Span = tuple[int, int, str]
Kind = Literal["correct", "type", "boundary", "type and boundary", "missed", "spurious"]

KINDS: Final[tuple[Kind, ...]] = (
    "correct",
    "type",
    "boundary",
    "type and boundary",
    "missed",
    "spurious",
)
#: The model is sure from this probability on.
SURE: Final = 0.9
#: What the table of confusion calls a token without a label.
OUTSIDE: Final = "O"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mistake:
    """A place where gold and the label model differ.

    ``confidence`` is the mean probability of what the model says, over the tokens on which the two
    differ. Where it is high, gold may be wrong.
    """

    document: str
    kind: Kind
    gold: Span | None
    found: Span | None
    text: str  # of both spans
    before: str
    after: str
    confidence: float
    with_gold: int  # functions that say just what gold says
    with_found: int  # functions that say just what the model says


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldFindings:
    """What a little gold tells of the label model's output."""

    documents: int
    tokens: int
    labels: tuple[str, ...]
    kinds: Mapping[str, Mapping[str, int]]  # by kind, then by label: gold's, or what was made up
    confusion: tuple[tuple[int, ...], ...]  # tokens: rows are gold's labels and O, columns found
    mistakes: tuple[Mistake, ...]  # the most confident first: likely errors of the gold
    suspicious: int  # places where the model is sure against gold, and two functions say the same

    def frames(self) -> dict[str, dict[str, list[Any]]]:
        """Return the tables as columns, by name."""
        names = (*self.labels, OUTSIDE)
        errors = [
            (kind, label, count)
            for kind, by_label in self.kinds.items()
            for label, count in by_label.items()
        ]
        confusion = [
            (row, column, self.confusion[i][j])
            for i, row in enumerate(names)
            for j, column in enumerate(names)
        ]
        mistakes: dict[str, list[Any]] = {item.name: [] for item in fields(Mistake)}
        for each in self.mistakes:
            for name, value in asdict(each).items():
                flat = " ".join(map(str, value)) if isinstance(value, tuple) else value
                mistakes[name].append(round(flat, 6) if isinstance(flat, float) else flat)
        return {
            "errors": _columns(("kind", "label", "count"), errors),
            "confusion": _columns(("gold", "found", "tokens"), confusion),
            "mistakes": mistakes,
        }


def pair_up(
    gold: Iterable[Span], found: Iterable[Span]
) -> list[tuple[Kind, Span | None, Span | None]]:
    """Return what became of every span of a document; each is held against one other at most.

    What agrees is settled first, then what has the same ends, then what has the same label and
    overlaps, then what merely overlaps; of several, what shares most tokens.

    >>> pair_up([(0, 2, "PER"), (5, 6, "LOC")], [(0, 3, "PER")])
    [('boundary', (0, 2, 'PER'), (0, 3, 'PER')), ('missed', (5, 6, 'LOC'), None)]
    """
    left, right = sorted(set(gold)), sorted(set(found))
    pairs: list[tuple[Kind, Span | None, Span | None]] = []
    by_rank: list[tuple[int, int, Span, Span]] = []
    for one in left:
        for two in right:
            if two[0] >= one[1]:
                break
            shared = min(one[1], two[1]) - max(one[0], two[0])
            if shared > 0:
                by_rank.append((_rank(one, two), -shared, one, two))
    free_left, free_right = set(left), set(right)
    for rank, _, one, two in sorted(by_rank):
        if one in free_left and two in free_right:
            free_left.discard(one)
            free_right.discard(two)
            pairs.append((KINDS[rank], one, two))
    pairs += [("missed", one, None) for one in free_left]
    pairs += [("spurious", None, two) for two in free_right]
    return sorted(pairs, key=lambda pair: (pair[1] or pair[2] or (0, 0, ""), pair[0]))


def _rank(one: Span, two: Span) -> int:
    if one[:2] == two[:2]:
        return 0 if one[2] == two[2] else 1
    return 2 if one[2] == two[2] else 3


class GoldTally:
    """Gathers what gold tells, document by document."""

    def __init__(self, labels: Sequence[str], *, keep: int = 40) -> None:
        self.labels = tuple(labels)
        self.kinds: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
        size = len(self.labels) + 1
        self.confusion = np.zeros((size, size), dtype=np.int64)
        self.documents = self.tokens = self.suspicious = 0
        self._mistakes: list[Mistake] = []
        self._keep = keep

    def add(
        self,
        document: str,
        tokens: Sequence[str],
        gold: Sequence[Span],
        found: Sequence[Span],
        probability: Float[ndarray, "tokens labels_and_o"],
        said: Mapping[str, Sequence[Span]],
    ) -> None:
        """Take in one document.

        ``probability`` has "O" first, then ``labels``; ``said`` is what each function proposed.
        """
        self.documents += 1
        self.tokens += len(tokens)
        right, wrong = self._by_token(gold, len(tokens)), self._by_token(found, len(tokens))
        np.add.at(self.confusion, (right, wrong), 1)
        for kind, one, two in pair_up(gold, found):
            whole = one or two
            if whole is None:
                continue
            self.kinds[kind][whole[2]] += 1
            if kind == "correct":
                continue
            start = min(span[0] for span in (one, two) if span)
            end = max(span[1] for span in (one, two) if span)
            differ = np.arange(start, end)[right[start:end] != wrong[start:end]]
            if not len(differ):
                continue
            # Columns of the tally end with "O", those of probabilities begin with it.
            column = np.where(wrong[differ] == len(self.labels), 0, wrong[differ] + 1)
            mistake = Mistake(
                document=document,
                kind=kind,
                gold=one,
                found=two,
                text=" ".join(tokens[start:end]),
                before=" ".join(tokens[max(start - 6, 0) : start]),
                after=" ".join(tokens[end : end + 6]),
                confidence=float(probability[differ, column].mean()),
                with_gold=sum(one in spans for spans in said.values()) if one else 0,
                with_found=sum(two in spans for spans in said.values()) if two else 0,
            )
            self._mistakes.append(mistake)
            self.suspicious += mistake.confidence >= SURE and mistake.with_found > 1
        if len(self._mistakes) > 4 * self._keep:
            self._mistakes = self._ranked()

    def _by_token(self, spans: Iterable[Span], length: int) -> ndarray:
        """Return the number of each token's label; that of "O" is the last."""
        result = np.full(length, len(self.labels), dtype=np.int64)
        number = {label: i for i, label in enumerate(self.labels)}
        for start, end, label in spans:
            result[start:end] = number.get(label, len(self.labels))
        return result

    def _ranked(self) -> list[Mistake]:
        return sorted(
            self._mistakes,
            key=lambda one: (-round(one.confidence, 6), -one.with_found, one.document, one.text),
        )[: self._keep]

    def findings(self) -> GoldFindings:
        """Return what was gathered."""
        return GoldFindings(
            documents=self.documents,
            tokens=self.tokens,
            labels=self.labels,
            kinds={
                kind: {label: counts[label] for label in self.labels if counts[label]}
                for kind, counts in self.kinds.items()
            },
            confusion=tuple(tuple(row) for row in self.confusion.tolist()),
            mistakes=tuple(self._ranked()),
            suspicious=self.suspicious,
        )


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}
