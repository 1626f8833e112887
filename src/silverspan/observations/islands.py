"""Islands: runs of voted tokens, each distinct run once, packed for batched passes.

Goes in: ``Votes``, or the table of their distinct islands (distinct.py). Comes out: blocks of
islands packed for hmm/kernels.py, and where every token went. Between two islands nobody votes,
the state is "O" for certain, and so the islands are independent: nothing is lost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64, Int32, Int64
from numpy import ndarray

from silverspan.observations.distinct import Between, Distinct, Found, distinct
from silverspan.observations.votes import Votes

#: Tokens of one block: small enough for the caches, large enough for whole-array arithmetic.
BLOCK: Final = 1 << 14


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Patterns:
    """What all functions said of a token, each distinct combination once.

    ``asked`` holds for every pattern which functions saw the token; entries are sorted by pattern.
    """

    asked: Bool[ndarray, "patterns functions"]
    entry: Int64[ndarray, " entries"]  # a row of asked
    function: Int64[ndarray, " entries"]
    label: Int64[ndarray, " entries"]  # counts space.names
    place: Int64[ndarray, " entries"]  # an index into the prefixes of the scheme
    probability: Float64[ndarray, " entries"]

    def __len__(self) -> int:
        return len(self.asked)

    def parts(self, size: int) -> Iterator["Patterns"]:
        """Yield the patterns in pieces of at most ``size``."""
        for low in range(0, len(self), size):
            first, last = np.searchsorted(self.entry, [low, low + size])
            rows = slice(int(first), int(last))
            yield Patterns(
                asked=self.asked[low : low + size],
                entry=self.entry[rows] - low,
                function=self.function[rows],
                label=self.label[rows],
                place=self.place[rows],
                probability=self.probability[rows],
            )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Block:
    """Distinct islands, the long ones first, with their tokens packed step by step.

    Rows ``steps[t]`` to ``steps[t + 1]`` are token ``t`` of every island longer than ``t``, in the
    order of the islands.
    """

    count: Float64[ndarray, " islands"]  # how often each island occurs
    at_start: Bool[ndarray, " islands"]  # it begins its document
    at_end: Bool[ndarray, " islands"]
    steps: Int64[ndarray, " bounds"]
    pattern: Int64[ndarray, " rows"]  # a row of patterns
    features: Int32[ndarray, "rows features"]
    patterns: Patterns

    @property
    def island(self) -> Int64[ndarray, " rows"]:
        """The island of every row."""
        size = np.diff(self.steps)
        result: Int64[ndarray, " rows"] = np.arange(self.steps[-1]) - np.repeat(
            self.steps[:-1], size
        )
        return result


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Islands:
    """The distinct islands of some votes in blocks, and the rest in sums."""

    blocks: tuple[Block, ...]
    between: Between
    position: Int64[ndarray, " voted"]  # of the tokens inside, in the whole corpus, rising
    row: Int64[ndarray, " voted"]  # where each went: a row of all blocks, one after the other

    @classmethod
    def of(
        cls, votes: Votes, scheme: str, *, constrained: bool = True, coarse: bool = False
    ) -> "Islands":
        """Return the islands of votes, as ``distinct`` finds them.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"a": [(0, 2, "LOC", 1.0), (4, 6, "LOC", 1.0)]}], lengths=[9],
        ...     space=LabelSpace(outputs=("LOC",)), functions={"a": ["LOC"]},
        ... )
        >>> islands = Islands.of(votes, "bio")
        >>> islands.position.tolist(), [block.count.tolist() for block in islands.blocks]
        ([0, 1, 4, 5], [[1.0, 1.0]])
        """
        found = distinct(votes, scheme, constrained=constrained, coarse=coarse)
        blocks = pack(found.table)
        return cls(
            blocks=blocks,
            between=found.between,
            position=found.position,
            row=_rows(found, blocks),
        )


def pack(table: Distinct) -> tuple[Block, ...]:
    """Return the islands of a table in blocks; there is one at least, if need be an empty one."""
    size = table.length.astype(np.int64)
    first = np.cumsum(size) - size
    blocks = []
    for low, high in _bounds(size):
        steps, step, island = _steps(size[low:high])
        source = first[low:high][island] + step
        own, pattern = np.unique(table.pattern[source], return_inverse=True)
        blocks.append(
            Block(
                count=table.count[low:high].astype(np.float64),
                at_start=table.at_start[low:high],
                at_end=table.at_end[low:high],
                steps=steps,
                pattern=pattern.astype(np.int64),
                features=table.ids[source],
                patterns=_patterns(table, own),
            )
        )
    return tuple(blocks)


def _patterns(table: Distinct, own: Int32[ndarray, " patterns"]) -> Patterns:
    size = np.diff(table.bounds)[own]
    entry = np.repeat(np.arange(len(own)), size)
    within = np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size)
    of = table.bounds[own][entry] + within
    return Patterns(
        asked=table.asked[table.audience[own]],
        entry=entry,
        function=table.function[of].astype(np.int64),
        label=table.label[of].astype(np.int64),
        place=table.place[of].astype(np.int64),
        probability=table.probability[of].astype(np.float64),
    )


def _bounds(size: Int64[ndarray, " islands"]) -> Iterator[tuple[int, int]]:
    """Yield ranges of islands of about ``BLOCK`` tokens."""
    total = np.cumsum(size)
    low = 0
    while low < len(size):
        before = int(total[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(total, before + BLOCK, side="right")))
        yield low, high
        low = high
    if not len(size):
        yield 0, 0


def _steps(size: Int64[ndarray, " islands"]) -> tuple[ndarray, ndarray, ndarray]:
    """Return the bounds of the steps, and the step and island of every packed row."""
    longest = int(size[0]) if len(size) else 0
    alive = len(size) - np.searchsorted(size[::-1], np.arange(longest), side="right")
    steps = np.concatenate([[0], np.cumsum(alive)]).astype(np.int64)
    step = np.repeat(np.arange(len(alive)), alive)
    return steps, step, np.arange(int(steps[-1])) - steps[:-1][step]


def _rows(found: Found, blocks: Sequence[Block]) -> Int64[ndarray, " voted"]:
    """Return the packed row of every token inside."""
    base = np.cumsum([0, *(len(block.pattern) for block in blocks)])
    # The bounds of the steps of all blocks in one array, to look them up in one go.
    steps = np.concatenate([block.steps for block in blocks])
    steps_from = np.cumsum([0, *(len(block.steps) for block in blocks)])
    sizes = [len(block.count) for block in blocks]
    block_of = np.repeat(np.arange(len(blocks)), sizes)
    within = np.concatenate([np.arange(size) for size in sizes])
    block, island = block_of[found.island], within[found.island]
    run = np.repeat(np.arange(len(found.island)), found.length)
    step = np.arange(len(run)) - np.repeat(np.cumsum(found.length) - found.length, found.length)
    rows: Int64[ndarray, " voted"] = (
        base[block[run]] + steps[steps_from[block[run]] + step] + island[run]
    )
    return rows
