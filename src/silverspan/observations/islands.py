"""Islands: runs of voted tokens, each distinct run once, with how often it occurs.

Goes in: ``Votes``. Comes out: ``Islands``: blocks of distinct islands packed for batched passes
(hmm/kernels.py), what lies between them in sums, and where every token went. Between two islands
nobody votes, the state is "O" for certain, and so the islands are independent: nothing is lost.

Distinct islands are found by a 128-bit hash of their content and ordered by it, so blocks do not
depend on how documents are ordered or were split into shards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64, Int, Int32, Int64, UInt64
from numpy import ndarray

from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import TokenFeatures, Votes

#: Tokens of one block: small enough for the caches, large enough for whole-array arithmetic.
BLOCK: Final = 1 << 14

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_SEEDS: Final = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))


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
class Between:
    """The tokens outside all islands, in sums: they are "O" for certain."""

    starts: int  # documents that begin with such a token
    moves: int  # neighbours that are both outside
    said: Float64[ndarray, "functions silence_and_labels"]
    features: tuple[Int64[ndarray, " _"], ...]  # how often each id of each feature occurs


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Islands:
    """The distinct islands of some votes in blocks, and the rest in sums."""

    blocks: tuple[Block, ...]
    between: Between
    position: Int64[ndarray, " voted"]  # of the tokens inside, in the whole corpus, rising
    row: Int64[ndarray, " voted"]  # where each went: a row of all blocks, one after the other
    tokens: int  # of the whole corpus

    @classmethod
    def of(
        cls, votes: Votes, scheme: str, *, constrained: bool = True, coarse: bool = False
    ) -> "Islands":
        """Return the islands of votes.

        A token belongs to one if some function proposes an output label for it (or, with
        ``coarse``, a label that stands for several). Not ``constrained``, every token does, and
        every document is one island.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"a": [(0, 2, "LOC", 1.0), (4, 6, "LOC", 1.0)]}], lengths=[9],
        ...     space=LabelSpace(outputs=("LOC",)), functions={"a": ["LOC"]},
        ... )
        >>> islands = Islands.of(votes, "bio")
        >>> islands.position.tolist(), [block.count.tolist() for block in islands.blocks]
        ([0, 1, 4, 5], [[1.0, 1.0]])
        """
        said = TokenVotes.of(votes)
        inside = _inside(said, constrained, coarse)
        table = _Table.of(said, inside, scheme)
        first, length, at_start, at_end = _runs(inside, votes.lengths)
        keys = _island_keys(table.keys, first, length, at_start, at_end)
        order = np.lexsort((keys[1], keys[0], -length))
        kind, representative = _groups(order, length, *keys)
        count = np.bincount(kind, minlength=len(representative)).astype(np.float64)
        size = length[representative]
        row = np.empty(len(inside), dtype=np.int64)
        blocks, rows = [], 0
        place_of = np.empty((2, len(size)), dtype=np.int64)  # block, island within it
        for low, high in _bounds(size):
            steps, step, island = _pack(size[low:high])
            source = first[representative[low:high]][island] + step
            blocks.append(
                table.block(
                    source,
                    count=count[low:high],
                    at_start=at_start[representative[low:high]],
                    at_end=at_end[representative[low:high]],
                    steps=steps,
                )
            )
            place_of[0, low:high] = len(blocks) - 1
            place_of[1, low:high] = np.arange(high - low)
            rows += len(source)
        row = _rows(kind, length, place_of, blocks)
        return cls(
            blocks=tuple(blocks),
            between=_between(said, inside, votes.features, length, at_start),
            position=inside,
            row=row,
            tokens=votes.tokens,
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Table:
    """The tokens inside islands, with their patterns by reference to one token that has each."""

    said: TokenVotes
    document: Int64[ndarray, " inside"]
    ids: Int32[ndarray, "inside features"]
    places: Int64[ndarray, " all_entries"]
    pattern: Int64[ndarray, " inside"]
    bearer: Int64[ndarray, " patterns"]  # a token that has the pattern
    entry_from: Int64[ndarray, " inside"]  # its entries in said
    entry_to: Int64[ndarray, " inside"]
    keys: tuple[UInt64[ndarray, " inside"], UInt64[ndarray, " inside"]]

    @classmethod
    def of(cls, said: TokenVotes, inside: Int64[ndarray, " inside"], scheme: str) -> "_Table":
        votes = said.votes
        offset = np.cumsum(votes.lengths, dtype=np.int64)
        document = np.searchsorted(offset, inside, side="right")
        token = np.searchsorted(said.position, inside)
        token_has = np.zeros(len(inside), dtype=bool)
        known = token < len(said.position)
        token_has[known] = said.position[token[known]] == inside[known]
        bounds = np.searchsorted(said.token, np.arange(len(said.position) + 1))
        bounds = np.append(bounds, bounds[-1:] if len(bounds) else [0])
        entry_from = bounds[token]
        entry_to = np.where(token_has, bounds[np.minimum(token + 1, len(bounds) - 1)], entry_from)
        places = said.places(scheme)
        ids = _ids(votes.features, inside)
        patterns, keys = [], []
        for seed in _SEEDS:
            code = (
                said.function.astype(np.uint64) << np.uint64(40)
                | said.label.astype(np.uint64) << np.uint64(8)
                | places.astype(np.uint64)
            )
            weight = said.probability.view(np.uint32).astype(np.uint64)
            entry = _mix(_mix(code ^ seed) + weight)
            total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(entry, dtype=np.uint64)])
            function = _mix(
                np.arange(len(votes.functions), dtype=np.uint64) ^ _mix(np.array([seed]))
            )
            audience = (votes.asked * function).sum(axis=1, dtype=np.uint64)
            pattern = total[entry_to] - total[entry_from] + _mix(audience)[document]
            patterns.append(pattern)
            key = pattern.copy()
            for column in range(ids.shape[1]):
                shift = np.uint64(column + 1) << np.uint64(32)
                key += _mix((ids[:, column].astype(np.uint64) | shift) ^ seed)
            keys.append(key)
        order = np.lexsort((patterns[1], patterns[0]))
        kind, bearer = _groups(order, *patterns)
        return cls(
            said=said,
            document=document,
            ids=ids,
            places=places,
            pattern=kind,
            bearer=bearer,
            entry_from=entry_from,
            entry_to=entry_to,
            keys=(keys[0], keys[1]),
        )

    def block(self, source: Int64[ndarray, " rows"], **packed: ndarray) -> Block:
        """Return the block whose rows are these tokens."""
        own, pattern = np.unique(self.pattern[source], return_inverse=True)
        bearer = self.bearer[own]
        size = self.entry_to[bearer] - self.entry_from[bearer]
        entry = np.repeat(np.arange(len(own)), size)
        within = np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size)
        of = self.entry_from[bearer][entry] + within
        return Block(
            pattern=pattern.astype(np.int64),
            features=self.ids[source],
            patterns=Patterns(
                asked=self.said.votes.asked[self.document[bearer]],
                entry=entry,
                function=self.said.function[of].astype(np.int64),
                label=self.said.label[of].astype(np.int64),
                place=self.places[of],
                probability=self.said.probability[of].astype(np.float64),
            ),
            **packed,
        )


def _inside(said: TokenVotes, constrained: bool, coarse: bool) -> Int64[ndarray, " inside"]:
    if not constrained:
        return np.arange(said.votes.tokens, dtype=np.int64)
    if coarse:
        return said.position
    named = np.zeros(len(said.position), dtype=bool)
    named[said.token[~said.is_coarse]] = True
    return said.position[named]


def _runs(
    inside: Int64[ndarray, " inside"], lengths: Int32[ndarray, " documents"]
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return first token, length, and whether it touches its document's start and end, by run."""
    last = np.cumsum(lengths, dtype=np.int64)
    starts = last - lengths
    begins = np.isin(inside, starts)
    ends = np.isin(inside, last - 1)
    new = begins.copy()
    new[:1] = True
    new[1:] |= np.diff(inside) != 1
    first = np.flatnonzero(new)
    length = np.diff(np.append(first, len(inside)))
    return first, length, begins[first], ends[first + length - 1]


def _island_keys(
    keys: tuple[UInt64[ndarray, " inside"], UInt64[ndarray, " inside"]],
    first: Int64[ndarray, " runs"],
    length: Int64[ndarray, " runs"],
    at_start: Bool[ndarray, " runs"],
    at_end: Bool[ndarray, " runs"],
) -> tuple[UInt64[ndarray, " runs"], UInt64[ndarray, " runs"]]:
    step = np.arange(length.sum()) - np.repeat(first, length)
    edges = _mix(at_start.astype(np.uint64) * np.uint64(2) + at_end.astype(np.uint64))
    sums = []
    for key in keys:
        total = np.concatenate(
            [
                np.zeros(1, np.uint64),
                np.cumsum(_mix(key + step.astype(np.uint64) * _GOLDEN), dtype=np.uint64),
            ]
        )
        sums.append(total[first + length] - total[first] + edges)
    return sums[0], sums[1]


def _groups(
    order: Int64[ndarray, " items"], *columns: ndarray
) -> tuple[Int64[ndarray, " items"], Int64[ndarray, " groups"]]:
    """Return the group of every item and one item of every group; groups stand as in ``order``."""
    new = np.zeros(len(order), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[order[1:]] != column[order[:-1]]
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    return group, order[new]


def _bounds(size: Int64[ndarray, " islands"]) -> Iterator[tuple[int, int]]:
    """Yield ranges of islands of about ``BLOCK`` tokens."""
    total = np.cumsum(size)
    low = 0
    while low < len(size):
        before = int(total[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(total, before + BLOCK, side="right")))
        yield low, high
        low = high


def _pack(size: Int64[ndarray, " islands"]) -> tuple[ndarray, ndarray, ndarray]:
    """Return the bounds of the steps, and the step and island of every packed row."""
    alive = len(size) - np.searchsorted(size[::-1], np.arange(int(size[0])), side="right")
    steps = np.concatenate([[0], np.cumsum(alive)])
    step = np.repeat(np.arange(len(alive)), alive)
    return steps, step, np.arange(int(steps[-1])) - steps[:-1][step]


def _rows(
    kind: Int64[ndarray, " runs"],
    length: Int64[ndarray, " runs"],
    place_of: Int64[ndarray, "two islands"],
    blocks: list[Block],
) -> Int64[ndarray, " inside"]:
    """Return the packed row of every token inside."""
    base = np.cumsum([0, *(len(block.pattern) for block in blocks)])
    # The bounds of the steps of all blocks in one array, to look them up in one go.
    steps = np.concatenate([np.zeros(0, np.int64), *(block.steps for block in blocks)])
    steps_from = np.cumsum([0, *(len(block.steps) for block in blocks)])
    block, island = place_of[:, kind]
    run = np.repeat(np.arange(len(kind)), length)
    step = np.arange(len(run)) - np.repeat(np.cumsum(length) - length, length)
    found: Int64[ndarray, " inside"] = (
        base[block[run]] + steps[steps_from[block[run]] + step] + island[run]
    )
    return found


def _between(
    said: TokenVotes,
    inside: Int64[ndarray, " inside"],
    features: TokenFeatures | None,
    length: Int64[ndarray, " runs"],
    at_start: Bool[ndarray, " runs"],
) -> Between:
    votes = said.votes
    within = np.bincount(
        np.searchsorted(np.cumsum(votes.lengths, dtype=np.int64), inside, side="right"),
        minlength=len(votes.lengths),
    )
    outside = (votes.lengths - within).astype(np.int64)
    # Only labels that stand for several can be said of a token outside.
    is_outside = ~np.isin(said.position, inside)
    lone = np.flatnonzero(is_outside[said.token])
    labels = len(votes.space.names)
    amount = np.bincount(
        said.function[lone].astype(np.int64) * labels + said.label[lone],
        weights=said.probability[lone],
        minlength=len(votes.functions) * labels,
    ).reshape(len(votes.functions), labels)
    silent = (outside[:, None] * votes.asked).sum(axis=0) - amount.sum(axis=1)
    everything = int(np.maximum(votes.lengths - 1, 0).sum())
    at_end = _touching_ends(inside, votes.lengths)
    touched = int(2 * len(length) - at_start.sum() - at_end + (length - 1).sum())
    starts = int((votes.lengths > 0).sum() - at_start.sum())
    return Between(
        starts=starts,
        moves=everything - touched,
        said=np.concatenate([silent[:, None], amount], axis=1).astype(np.float64),
        features=_outside_features(features, inside),
    )


def _touching_ends(inside: Int64[ndarray, " inside"], lengths: Int[ndarray, " documents"]) -> int:
    last = np.cumsum(lengths, dtype=np.int64) - 1
    return int(np.isin(last[lengths > 0], inside).sum())


def _outside_features(
    features: TokenFeatures | None, inside: Int64[ndarray, " inside"]
) -> tuple[Int64[ndarray, " _"], ...]:
    if features is None:
        return ()
    return tuple(
        np.bincount(features.ids[:, column], minlength=size)
        - np.bincount(features.ids[inside, column], minlength=size)
        for column, size in enumerate(features.sizes)
    )


def _ids(
    features: TokenFeatures | None, inside: Int64[ndarray, " inside"]
) -> Int32[ndarray, "inside features"]:
    if features is None:
        return np.zeros((len(inside), 0), dtype=np.int32)
    result: Int32[ndarray, "inside features"] = features.ids[inside]
    return result


def _mix(value: UInt64[ndarray, "*shape"]) -> UInt64[ndarray, "*shape"]:
    """Return a well-stirred 64-bit hash of every number (after Steele et al. 2014)."""
    value = value + _GOLDEN
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: UInt64[ndarray, "*shape"] = value ^ (value >> np.uint64(31))
    return result
