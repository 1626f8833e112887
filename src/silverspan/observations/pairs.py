"""How far each two functions agree and disagree, by label and over all, as in the paper's figure.

Tokens on which both speak count as agreement or as disagreement; both are divided by the tokens
that either of the two labels. Silence is no opinion. Spans are counted beside: two that touch are
common, and differ in label, in ends, in both or in nothing. Counts add up over shards.
"""

from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from silverspan.errors import InputError
from silverspan.labels import LabelSpace
from silverspan.observations.analysis import SILENT, compatible, top_labels
from silverspan.observations.meetings import same_ends, top_rows, touching
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

#: Voted tokens looked at together: counts in single precision stay exact.
_PIECE = 1 << 15

Square = Float64[ndarray, "functions functions"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PairCounts:
    """Tokens and spans of every pair of functions; the last of ``label`` axes counts a label.

    ``agree[f, g, l]`` are tokens on which both speak, fit together, and one says ``l``; ``same``
    those where both say ``l``.
    """

    space: LabelSpace
    functions: tuple[str, ...]
    tokens: Int64[ndarray, "functions labels"]
    agree: Int64[ndarray, "functions functions labels"]
    differ: Int64[ndarray, "functions functions labels"]
    same: Int64[ndarray, "functions functions labels"]
    agree_all: Int64[ndarray, "functions functions"]
    differ_all: Int64[ndarray, "functions functions"]
    common: Int64[ndarray, "functions functions"]  # spans that touch
    other_label: Int64[ndarray, "functions functions"]
    other_ends: Int64[ndarray, "functions functions"]

    @classmethod
    def of(cls, votes: Votes) -> "PairCounts":
        """Return the counts of some votes.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"a": [(0, 2, "LOC", 1.0)], "b": [(1, 2, "PER", 1.0)]}], lengths=[4],
        ...     space=LabelSpace(outputs=("LOC", "PER")), functions={"a": ["LOC"], "b": ["PER"]},
        ... )
        >>> counts = PairCounts.of(votes)
        >>> int(counts.differ_all[0, 1]), int(counts.common[0, 1]), int(counts.other_label[0, 1])
        (1, 1, 1)
        """
        said = top_labels(TokenVotes.of(votes))
        fits = compatible(votes)
        size, labels = len(votes.functions), len(fits)
        by_label = np.zeros((3, labels, size, size), dtype=np.int64)
        agree_all = np.zeros((size, size), dtype=np.int64)
        tokens = np.zeros((size, labels), dtype=np.int64)
        both_all = np.zeros((size, size), dtype=np.int64)
        for low in range(0, len(said), _PIECE):
            piece = said[low : low + _PIECE]
            speaks = (piece != SILENT).astype(np.float32)
            both_all += _counts(speaks.T @ speaks)
            for label in np.unique(piece[piece != SILENT]):
                own = (piece == label).astype(np.float32)
                fitting = (speaks * fits[label][piece]).astype(np.float32)
                same, one_fits, one = own.T @ own, own.T @ fitting, own.T @ speaks
                agree = _counts(one_fits + one_fits.T - same)
                by_label[:, label] += (agree, _counts(one + one.T - same) - agree, _counts(same))
                agree_all += _counts(one_fits)
                tokens[:, label] += _counts(own.sum(axis=0))
        common, other_label, other_ends = _spans(votes)
        agree, differ, same = np.moveaxis(by_label, 1, 3)
        return cls(
            space=votes.space,
            functions=votes.functions,
            tokens=tokens,
            agree=agree,
            differ=differ,
            same=same,
            agree_all=agree_all,
            differ_all=both_all - agree_all,
            common=common,
            other_label=other_label,
            other_ends=other_ends,
        )

    def __add__(self, other: "PairCounts") -> "PairCounts":
        if (self.space, self.functions) != (other.space, other.functions):
            raise InputError("counts of other functions or labels cannot be added up")
        summed = {
            item.name: getattr(self, item.name) + getattr(other, item.name)
            for item in fields(self)
            if item.name not in ("space", "functions")
        }
        return PairCounts(space=self.space, functions=self.functions, **summed)

    def shares(self, label: str | None = None) -> tuple[Square, Square]:
        """Return how often each pair agrees, and how often it disagrees.

        Both are shares of the tokens that either of the two labels; with ``label`` only of those
        that one of the two gives this label.
        """
        if label is None:
            own = self.tokens.sum(axis=1)
            agree, differ = self.agree_all, self.differ_all
            either = own[:, None] + own[None, :] - agree - differ
        else:
            number = self.space.id_of(label)
            if number is None:
                raise InputError(f"these votes have no label {label!r}")
            own = self.tokens[:, number]
            agree, differ = self.agree[:, :, number], self.differ[:, :, number]
            either = own[:, None] + own[None, :] - self.same[:, :, number]
        whole = np.maximum(either, 1)
        return agree / whole, differ / whole


def pairwise(votes: Votes, label: str | None = None) -> tuple[Square, Square]:
    """Return how often each pair of functions agrees, and how often it disagrees.

    Both count tokens where the two speak, divided by the tokens where either does; with ``label``
    only tokens that one of the two gives this label count. Silence is no opinion.

    Raises:
        InputError: there is no such label.
    """
    return PairCounts.of(votes).shares(label)


def _counts(numbers: ndarray) -> np.ndarray:
    return np.asarray(np.rint(numbers), dtype=np.int64)


def _spans(votes: Votes) -> list[Int64[ndarray, "functions functions"]]:
    """Return the spans that two functions have in common, by pair, and how these differ."""
    size = len(votes.functions)
    fits = compatible(votes)
    found = np.zeros((3, size * size), dtype=np.int64)
    for one, two in touching(votes, top_rows(votes)):
        pair = votes.function[one].astype(np.int64) * size + votes.function[two]
        label = ~fits[votes.label[one], votes.label[two]]
        ends = ~same_ends(votes, one, two)
        for row, chosen in zip(found, (pair, pair[label], pair[ends]), strict=True):
            row += np.bincount(chosen, minlength=size * size)
    tables = found.reshape(3, size, size)
    return list(tables + tables.transpose(0, 2, 1))
