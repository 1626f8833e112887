"""Rows of names to the arrays of a compiled gazetteer: sort, merge, number the meanings.

A row is one spelling of one entry: its key and spelling print (search.py), a kind, a weight, a
mark. Rows come in shards sorted by key, and are merged one range of keys at a time, so that memory
is bounded whatever the number of names. Nothing depends on the order in which rows came.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int64, UInt8, UInt32, UInt64
from numpy import ndarray

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers import search

#: Filter slots for each key: eight let one in eight spans that are no name pass to the table.
_SLOTS_PER_KEY = 8
#: Rows merged at a time.
_ROWS_AT_ONCE = 4_000_000
#: Probabilities are kept in steps of one part in these, so that equal meanings are stored once.
#: Coarser steps are only for gazetteers with more meanings than 16 bits can number.
_STEPS = (20, 4, 1)
_MOST_MEANINGS = 2**16 - 1


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rows:
    """Spellings of entries, sorted by key; a longer name goes on from each of ``prefixes``."""

    keys: UInt64[ndarray, " rows"]
    variants: UInt32[ndarray, " rows"]
    kinds: UInt32[ndarray, " rows"]
    weights: Float32[ndarray, " rows"]
    marked: Bool[ndarray, " rows"]
    prefixes: UInt64[ndarray, " prefixes"]


def rows_of_names(
    lengths: Int64[ndarray, " names"],
    cased: UInt64[ndarray, " tokens"],
    folded: UInt64[ndarray, " tokens"],
    kinds: UInt32[ndarray, " names"],
    weights: Float32[ndarray, " names"],
    marked: Bool[ndarray, " names"],
    longest: int,
) -> Rows:
    """Return the rows of names given as token hashes; empty and too long names are left out."""
    first = np.cumsum(lengths) - lengths
    fits = np.flatnonzero((lengths > 0) & (lengths <= longest))
    at, left = first[fits], lengths[fits]
    keys, prints = folded[at], cased[at]
    alive = np.arange(len(fits))
    prefixes: list[ndarray] = []
    for step in range(1, longest):
        alive = alive[left[alive] > step]
        if not len(alive):
            break
        prefixes.append(np.unique(keys[alive]))
        following = at[alive] + step
        keys[alive] = keys[alive] * search.MULTIPLIER + folded[following]
        prints[alive] = prints[alive] * search.MULTIPLIER + cased[following]
    order = np.argsort(keys, kind="stable")
    return Rows(
        keys=keys[order],
        variants=search.variant_print(prints)[order],
        kinds=kinds[fits][order],
        weights=weights[fits][order],
        marked=marked[fits][order],
        prefixes=np.unique(np.concatenate([*prefixes, np.empty(0, np.uint64)])),
    )


class Meanings:
    """Numbers distinct meanings; a meaning is a set of (subset, label, share) items."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self.items: list[ndarray] = [np.empty(0, np.int64)]  # meaning 0: none

    def number(
        self, group: Int64[ndarray, " items"], codes: Int64[ndarray, " items"], groups: int
    ) -> Int64[ndarray, " groups"]:
        """Return the meaning of each group of items; items are sorted by group, then code."""
        numbers = np.zeros(groups, dtype=np.int64)
        if not len(group):
            return numbers
        begins = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
        ends = np.append(begins[1:], len(group))
        # The sum of well-mixed item codes stands for the set of items.
        signatures = np.add.reduceat(_mix(codes.astype(np.uint64)), begins)
        distinct, example, inverse = np.unique(signatures, return_index=True, return_inverse=True)
        ids = np.empty(len(distinct), dtype=np.int64)
        # Numbered in order of appearance, which is the order of keys.
        for which in np.argsort(example).tolist():
            signature = int(distinct[which])
            found = self._numbers.get(signature)
            if found is None:
                found = self._numbers[signature] = len(self.items)
                where = example[which]
                self.items.append(codes[begins[where] : ends[where]])
            ids[which] = found
        numbers[group[begins]] = ids[inverse]
        return numbers


def _mix(values: UInt64[ndarray, " n"]) -> UInt64[ndarray, " n"]:
    mixed = (values + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(29))


def _shares(
    group: Int64[ndarray, " rows"],
    label: Int64[ndarray, " rows"],
    weight: Float64[ndarray, " rows"],
    steps: int,
) -> tuple[Int64[ndarray, " items"], Int64[ndarray, " items"], Int64[ndarray, " items"]]:
    """Return, for each group and label of it, the label's share of the group's weight in steps."""
    order = np.lexsort((label, group))
    group, label, weight = group[order], label[order], weight[order]
    new = np.append(True, (group[1:] != group[:-1]) | (label[1:] != label[:-1]))
    begins = np.flatnonzero(new)
    group, label, weight = group[begins], label[begins], np.add.reduceat(weight, begins)
    firsts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    sizes = np.diff(np.append(firsts, len(group)))
    total = np.repeat(np.add.reduceat(weight, firsts), sizes)
    share = np.rint(weight / total * steps).astype(np.int64)
    if steps == 1:  # only the likeliest label is left
        best = np.repeat(np.maximum.reduceat(weight, firsts), sizes)
        share = (weight >= best).astype(np.int64)
        keep = share > 0
        return group[keep], label[keep], share[keep]
    return group, label, np.maximum(share, 1)


def _meanings_of(
    group: Int64[ndarray, " rows"],
    groups: int,
    label: Int64[ndarray, " rows"],
    weight: Float64[ndarray, " rows"],
    marked: Bool[ndarray, " rows"],
    steps: int,
    meanings: Meanings,
) -> Int64[ndarray, " groups"]:
    parts = []
    for subset, rows in enumerate((np.ones(len(group), dtype=bool), marked)):
        if rows.any():
            of, which, share = _shares(group[rows], label[rows], weight[rows], steps)
            parts.append((of, (subset << 40) | (which << 8) | share))
    owner = np.concatenate([part[0] for part in parts])
    codes = np.concatenate([part[1] for part in parts])
    order = np.lexsort((codes, owner))
    return meanings.number(owner[order], codes[order], groups)


def _parts(shards: Sequence[Rows]) -> Iterator[list[tuple[Rows, slice]]]:
    """Yield, for one range of keys after another, the slice of each shard that falls in it."""
    total = sum(len(shard.keys) for shard in shards)
    count = max(1, total // _ROWS_AT_ONCE)
    edges = [int(2**64 * part / count) for part in range(1, count)]
    places = [
        [0, *np.searchsorted(shard.keys, np.array(edges, np.uint64)).tolist(), len(shard.keys)]
        for shard in shards
    ]
    for part in range(count):
        yield [
            (shard, slice(place[part], place[part + 1]))
            for shard, place in zip(shards, places, strict=True)
        ]


def compile_rows(
    shards: Sequence[Rows],
    label_of_kind: Int64[ndarray, " kinds"],
    *,
    subsets: int,
    progress: Callable[[int], None] = lambda rows: None,
) -> dict[str, ndarray]:
    """Return the arrays of the gazetteer (``index.ARRAYS``) without the kinds of label -1.

    Raises:
        GazetteerError: no row is left.
    """
    for steps in _STEPS:
        meanings = Meanings()
        columns = _merge(shards, label_of_kind, steps, meanings, progress)
        if len(meanings.items) <= _MOST_MEANINGS:
            break
    else:
        raise GazetteerError(
            f"more than {_MOST_MEANINGS} sets of labels: too many distinct labels for one file; "
            "map kinds to fewer labels"
        )
    keys = columns["keys"]
    if not len(keys):
        raise GazetteerError(
            "no name is left after cleaning and mapping kinds to labels; "
            "check the format, the language and the mapping"
        )
    prefixes = np.unique(np.concatenate([shard.prefixes for shard in shards]))
    bits = max(1, int(len(keys) // 4).bit_length() - 1)
    return {
        "filters": build_filter(keys, prefixes),
        **columns,
        "bounds": search.bucket_bounds(keys, bits),
        **_table(meanings, subsets),
    }


def _merge(
    shards: Sequence[Rows],
    label_of_kind: Int64[ndarray, " kinds"],
    steps: int,
    meanings: Meanings,
    progress: Callable[[int], None],
) -> dict[str, ndarray]:
    merged: dict[str, list[ndarray]] = {
        name: [] for name in ("keys", "variants", "cased", "uncased")
    }
    for part in _parts(shards):
        key = np.concatenate([shard.keys[rows] for shard, rows in part])
        variant = np.concatenate([shard.variants[rows] for shard, rows in part])
        label = label_of_kind[np.concatenate([shard.kinds[rows] for shard, rows in part])]
        weight = np.concatenate([shard.weights[rows] for shard, rows in part]).astype(np.float64)
        marked = np.concatenate([shard.marked[rows] for shard, rows in part])
        progress(len(key))
        kept = np.flatnonzero(label >= 0)
        kept = kept[np.lexsort((variant[kept], key[kept]))]
        if not len(kept):
            continue
        key, variant, label = key[kept], variant[kept], label[kept]
        weight, marked = weight[kept], marked[kept]
        new_key = np.append(True, key[1:] != key[:-1])
        new_row = new_key | np.append(True, variant[1:] != variant[:-1])
        name, row = np.cumsum(new_key) - 1, np.cumsum(new_row) - 1
        names, rows = int(name[-1]) + 1, int(row[-1]) + 1
        firsts = np.flatnonzero(new_row)
        of = (label, weight, marked, steps, meanings)
        merged["keys"].append(key[firsts])
        merged["variants"].append(variant[firsts])
        merged["cased"].append(_meanings_of(row, rows, *of).astype(np.uint16))
        merged["uncased"].append(_meanings_of(name, names, *of)[name[firsts]].astype(np.uint16))
    types = {"keys": np.uint64, "variants": np.uint32, "cased": np.uint16, "uncased": np.uint16}
    return {
        column: np.concatenate([*parts, np.empty(0, types[column])])
        for column, parts in merged.items()
    }


def build_filter(
    keys: UInt64[ndarray, " keys"], prefixes: UInt64[ndarray, " prefixes"]
) -> UInt8[ndarray, " bytes"]:
    """Return the filter (see search.py) of names and of the keys they go on from."""
    size = max(1, -(-_SLOTS_PER_KEY * (len(keys) + len(prefixes)) // 4)) * 4
    bits = np.zeros(size, dtype=np.uint8)
    bits[search.slots(keys, size).astype(np.int64)] |= search.ENDS
    bits[search.slots(prefixes, size).astype(np.int64)] |= search.CONTINUES
    packed = bits[0::4].copy()
    for place in range(1, 4):
        packed |= bits[place::4] << np.uint8(2 * place)
    return packed


def _table(meanings: Meanings, subsets: int) -> dict[str, ndarray]:
    bounds: list[list[int]] = []
    labels: list[int] = []
    probabilities: list[float] = []
    for items in meanings.items:
        row = [len(labels)]
        for subset in range(subsets):
            here = [int(code) for code in items if int(code) >> 40 == subset]
            total = sum(code & 255 for code in here)
            for code in sorted(here, key=lambda code: (-(code & 255), code)):
                labels.append((code >> 8) & 0xFFFFFFFF)
                probabilities.append((code & 255) / total)
            row.append(len(labels))
        bounds.append(row)
    return {
        "meaning_bounds": np.array(bounds, dtype=np.uint32),
        "meaning_labels": np.array(labels, dtype=np.uint16),
        "meaning_probabilities": np.array(probabilities, dtype=np.float32),
    }
