"""The distinct islands of some votes as flat tables that can be split, sent, merged and kept.

Goes in: ``Votes``, of one shard or of a whole corpus. Comes out: ``Distinct``, each island once
with how often it occurs, and ``Between``, what lies outside in sums. Both add up over shards.

Islands are known by a 128-bit hash of their content and ordered by length and hash, so a table does
not depend on how documents are ordered or were cut into shards; and a table splits by the leading
bits of the hash into parts that equal islands always share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int, Int8, Int16, Int32, Int64, UInt64
from numpy import ndarray

from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import TokenFeatures, Votes

#: Tokens of the corpus for which there is one part; a part must fit into memory with ease.
TOKENS_OF_A_PART: Final = 1 << 21
#: Sums of probabilities are kept in units so small, as whole numbers: they add up in any order.
_UNITS: Final = 1 << 30

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_SEEDS: Final = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))


def parts_for(tokens: int) -> int:
    """Return into how many parts the islands of so many tokens are split: a power of two.

    >>> parts_for(1_000), parts_for(5_000_000)
    (1, 4)
    """
    return 1 << max(0, -(-tokens // TOKENS_OF_A_PART) - 1).bit_length()


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Between:
    """The tokens outside all islands, in sums: they are "O" for certain."""

    tokens: int  # of the whole corpus
    voted: int  # of these, inside islands
    starts: int  # documents that begin with a token outside
    moves: int  # neighbours that are both outside
    units: Int64[ndarray, "functions silence_and_labels"]  # what was said, in tiny units
    features: tuple[Int64[ndarray, " _"], ...]  # how often each id of each feature occurs

    @property
    def said(self) -> Float64[ndarray, "functions silence_and_labels"]:
        """How often each function was silent, and said each label, outside all islands."""
        result: Float64[ndarray, "functions silence_and_labels"] = self.units / _UNITS
        return result

    def plus(self, other: "Between") -> "Between":
        """Return the sums of both."""
        return Between(
            tokens=self.tokens + other.tokens,
            voted=self.voted + other.voted,
            starts=self.starts + other.starts,
            moves=self.moves + other.moves,
            units=self.units + other.units,
            features=tuple(a + b for a, b in zip(self.features, other.features, strict=True)),
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Distinct:
    """Distinct islands, the long ones first and else by key; their tokens one after the other.

    ``pattern`` refers to the distinct patterns: what all functions said of a token. The entries of
    pattern ``p`` are rows ``bounds[p]`` to ``bounds[p + 1]``, by function and label.
    """

    key: UInt64[ndarray, "islands two"]
    length: Int32[ndarray, " islands"]
    at_start: Bool[ndarray, " islands"]  # it begins its document
    at_end: Bool[ndarray, " islands"]
    count: Int64[ndarray, " islands"]  # how often it occurs
    pattern: Int32[ndarray, " rows"]
    ids: Int32[ndarray, "rows features"]
    pattern_key: UInt64[ndarray, "patterns two"]
    audience: Int32[ndarray, " patterns"]  # a row of asked
    asked: Bool[ndarray, "audiences functions"]
    bounds: Int64[ndarray, " patterns_and_one"]
    function: Int16[ndarray, " entries"]
    label: Int16[ndarray, " entries"]  # counts space.names
    place: Int8[ndarray, " entries"]  # an index into the prefixes of the scheme
    probability: Float32[ndarray, " entries"]

    def __len__(self) -> int:
        return len(self.length)

    def split(self, parts: int) -> "list[Distinct]":
        """Return the islands in ``parts`` tables, a power of two, by the first bits of their key.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"a": [(0, n, "LOC", 1.0)]} for n in range(1, 9)], lengths=[9] * 8,
        ...     space=LabelSpace(outputs=("LOC",)), functions={"a": ["LOC"]},
        ... )
        >>> table = distinct(votes, "bio").table
        >>> sum(map(len, table.split(4))), len(merge(table.split(4)))
        (8, 8)
        """
        if parts == 1:
            return [self]
        own = (self.key[:, 0] >> np.uint64(64 - (parts.bit_length() - 1))).astype(np.int64)
        return [self._islands(np.flatnonzero(own == part)) for part in range(parts)]

    def _islands(self, chosen: Int64[ndarray, " chosen"]) -> "Distinct":
        """Return a table of some islands, with the patterns they need."""
        length = self.length.astype(np.int64)
        source = _ranges((np.cumsum(length) - length)[chosen], length[chosen])
        kept, pattern = np.unique(self.pattern[source], return_inverse=True)
        size = np.diff(self.bounds)[kept]
        entry = _ranges(self.bounds[kept], size)
        audience, renumbered = np.unique(self.audience[kept], return_inverse=True)
        return Distinct(
            key=self.key[chosen],
            length=self.length[chosen],
            at_start=self.at_start[chosen],
            at_end=self.at_end[chosen],
            count=self.count[chosen],
            pattern=pattern.astype(np.int32),
            ids=self.ids[source],
            pattern_key=self.pattern_key[kept],
            audience=renumbered.astype(np.int32),
            asked=self.asked[audience],
            bounds=np.append(0, np.cumsum(size)).astype(np.int64),
            function=self.function[entry],
            label=self.label[entry],
            place=self.place[entry],
            probability=self.probability[entry],
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Found:
    """The islands of some votes, and which of them each run of voted tokens is."""

    table: Distinct
    between: Between
    position: Int64[ndarray, " voted"]  # of the tokens inside, in the whole corpus, rising
    island: Int64[ndarray, " runs"]  # a row of the table, run after run
    length: Int64[ndarray, " runs"]


def distinct(votes: Votes, scheme: str, *, constrained: bool = True, coarse: bool = False) -> Found:
    """Return the distinct islands of votes.

    A token belongs to one if some function proposes an output label for it (or, with ``coarse``, a
    label that stands for several). Not ``constrained``, every token does, and every document is
    one island.
    """
    said = TokenVotes.of(votes)
    inside = _inside(said, constrained, coarse)
    tokens = _Tokens.of(said, inside, scheme)
    first, length, at_start, at_end = _runs(inside, votes.lengths)
    keys = _island_keys(tokens.keys, first, length, at_start, at_end)
    island, bearer = _groups(np.lexsort((keys[1], keys[0], -length)), length, *keys)
    source = _ranges(first[bearer], length[bearer])
    table = Distinct(
        key=np.stack(keys, axis=1)[bearer],
        length=length[bearer].astype(np.int32),
        at_start=at_start[bearer],
        at_end=at_end[bearer],
        count=np.bincount(island, minlength=len(bearer)).astype(np.int64),
        pattern=tokens.pattern[source].astype(np.int32),
        ids=tokens.ids[source],
        **tokens.patterns(),
    )
    return Found(
        table=table,
        between=_between(said, inside, votes.features, length, at_start),
        position=inside,
        island=island,
        length=length,
    )


def merge(tables: Sequence[Distinct]) -> Distinct:
    """Return the islands of all tables, equal ones once; the order of tables does not matter."""
    if len(tables) == 1:
        return tables[0]
    joined = {
        item.name: np.concatenate([getattr(table, item.name) for table in tables])
        for item in fields(Distinct)
    }
    before = {
        name: np.cumsum([0, *(len(getattr(table, name)) for table in tables[:-1])])
        for name in ("pattern_key", "asked", "function")
    }
    asked, audience = np.unique(joined["asked"], axis=0, return_inverse=True)
    own = np.concatenate(
        [table.audience + base for table, base in zip(tables, before["asked"], strict=True)]
    )
    begin = np.concatenate(
        [table.bounds[:-1] + base for table, base in zip(tables, before["function"], strict=True)]
    )
    size = np.concatenate([np.diff(table.bounds) for table in tables])
    key = joined["pattern_key"]
    kind, bearer = _groups(np.lexsort((key[:, 1], key[:, 0])), key[:, 0], key[:, 1])
    entry = _ranges(begin[bearer], size[bearer])
    pattern = np.concatenate(
        [
            kind[table.pattern.astype(np.int64) + base]
            for table, base in zip(tables, before["pattern_key"], strict=True)
        ]
    )
    one, two = joined["key"].T
    length = joined["length"].astype(np.int64)
    island, chosen = _groups(np.lexsort((two, one, -length)), length, one, two)
    rows = _ranges((np.cumsum(length) - length)[chosen], length[chosen])
    count = np.zeros(len(chosen), dtype=np.int64)
    np.add.at(count, island, joined["count"])
    return Distinct(
        key=joined["key"][chosen],
        length=joined["length"][chosen],
        at_start=joined["at_start"][chosen],
        at_end=joined["at_end"][chosen],
        count=count,
        pattern=pattern[rows].astype(np.int32),
        ids=joined["ids"][rows],
        pattern_key=key[bearer],
        audience=audience.reshape(-1)[own[bearer]].astype(np.int32),
        asked=asked,
        bounds=np.append(0, np.cumsum(size[bearer])).astype(np.int64),
        **{name: joined[name][entry] for name in ("function", "label", "place", "probability")},
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Tokens:
    """The tokens inside islands, with their patterns by reference to one token that has each."""

    said: TokenVotes
    document: Int64[ndarray, " inside"]
    ids: Int32[ndarray, "inside features"]
    places: Int64[ndarray, " all_entries"]
    pattern: Int64[ndarray, " inside"]
    pattern_keys: tuple[UInt64[ndarray, " inside"], UInt64[ndarray, " inside"]]
    bearer: Int64[ndarray, " patterns"]  # a token that has the pattern
    entry_from: Int64[ndarray, " inside"]  # its entries in said
    entry_to: Int64[ndarray, " inside"]
    keys: tuple[UInt64[ndarray, " inside"], UInt64[ndarray, " inside"]]

    @classmethod
    def of(cls, said: TokenVotes, inside: Int64[ndarray, " inside"], scheme: str) -> "_Tokens":
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
        kind, bearer = _groups(np.lexsort((patterns[1], patterns[0])), *patterns)
        return cls(
            said=said,
            document=document,
            ids=ids,
            places=places,
            pattern=kind,
            pattern_keys=(patterns[0], patterns[1]),
            bearer=bearer,
            entry_from=entry_from,
            entry_to=entry_to,
            keys=(keys[0], keys[1]),
        )

    def patterns(self) -> dict[str, ndarray]:
        """Return the columns of ``Distinct`` that tell what all functions said."""
        bearer = self.bearer
        size = self.entry_to[bearer] - self.entry_from[bearer]
        entry = _ranges(self.entry_from[bearer], size)
        asked, audience = _audiences(self.said.votes.asked)
        return {
            "pattern_key": np.stack(self.pattern_keys, axis=1)[bearer],
            "audience": audience[self.document[bearer]].astype(np.int32),
            "asked": asked,
            "bounds": np.append(0, np.cumsum(size)).astype(np.int64),
            "function": self.said.function[entry],
            "label": self.said.label[entry],
            "place": self.places[entry].astype(np.int8),
            "probability": self.said.probability[entry],
        }


def _audiences(
    asked: Bool[ndarray, "documents functions"],
) -> tuple[Bool[ndarray, "audiences functions"], Int64[ndarray, " documents"]]:
    """Return the distinct rows, and which of them each document has."""
    if asked.all():
        return asked[:1], np.zeros(len(asked), dtype=np.int64)
    rows, which = np.unique(asked, axis=0, return_inverse=True)
    return rows, which.reshape(-1)


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
        # Stirred once more: parts are told apart by the first bits of the sum.
        sums.append(_mix(total[first + length] - total[first] + edges))
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


def _ranges(first: Int[ndarray, " ranges"], size: Int[ndarray, " ranges"]) -> ndarray:
    """Return the numbers from ``first`` on, ``size`` of them, range after range."""
    ends = np.cumsum(size)
    shift: ndarray = np.repeat(first - (ends - size), size)
    numbers: ndarray = np.arange(len(shift)) + shift
    return numbers


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
    amount = np.zeros((len(votes.functions), len(votes.space.names)), dtype=np.int64)
    units = np.rint(said.probability[lone].astype(np.float64) * _UNITS).astype(np.int64)
    np.add.at(amount, (said.function[lone], said.label[lone]), units)
    silent = (outside[:, None] * votes.asked).sum(axis=0) * _UNITS - amount.sum(axis=1)
    everything = int(np.maximum(votes.lengths - 1, 0).sum())
    at_end = _touching_ends(inside, votes.lengths)
    touched = int(2 * len(length) - at_start.sum() - at_end + (length - 1).sum())
    starts = int((votes.lengths > 0).sum() - at_start.sum())
    return Between(
        tokens=votes.tokens,
        voted=len(inside),
        starts=starts,
        moves=everything - touched,
        units=np.concatenate([silent[:, None], amount], axis=1),
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
