"""Search kernels: which token spans of a text are names, all positions advancing together.

Arrays in, arrays out; index.py holds the arrays, family.py makes spans of the rows found.

A span of tokens ``t1 .. tk`` has the key ``((t1 * P + t2) * P + ...) + tk`` modulo 2**64, where the
``t`` are hashes of folded tokens. A filter tells, for the key of any span, whether some name may
end here or go on; it errs on the side of yes. Only spans that pass are looked up among the names.
"""

import numpy as np
from jaxtyping import Bool, Int32, Int64, UInt8, UInt32, UInt64
from numpy import ndarray

#: The multiplier of keys: odd, so that multiplying loses nothing.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
#: Filter bits: a name may end at this key; a longer name may go on from it.
ENDS, CONTINUES = 1, 2
#: A hash no token has, placed between documents: spans over it are in no gazetteer.
BOUNDARY = np.uint64(0xD6E8FEB86659FD93)

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def slots(keys: UInt64[ndarray, " keys"], size: int) -> UInt64[ndarray, " keys"]:
    """Return each key's place among ``size`` filter slots: the key's fraction of its range."""
    return ((keys >> _HALF) * np.uint64(size)) >> _HALF


def filter_bits(
    keys: UInt64[ndarray, " keys"], filters: UInt8[ndarray, " bytes"]
) -> UInt8[ndarray, " keys"]:
    """Return the ``ENDS`` and ``CONTINUES`` bits of each key; four slots share a byte."""
    slot = slots(keys, len(filters) * 4)
    shift = ((slot & np.uint64(3)) << np.uint64(1)).astype(np.uint8)
    return (filters[(slot >> np.uint64(2)).astype(np.int64)] >> shift) & np.uint8(3)


def bucket_bounds(keys: UInt64[ndarray, " keys"], bits: int) -> UInt32[ndarray, " buckets"]:
    """Return where the sorted keys with each value of their first ``bits`` bits begin, and the end.

    Keys are spread evenly, so a bucket is a few keys long and finding one costs no binary search.
    """
    tops = np.arange(2**bits, dtype=np.uint64) << np.uint64(64 - bits)
    return np.append(np.searchsorted(keys, tops), len(keys)).astype(np.uint32)


def find_rows(
    wanted: UInt64[ndarray, " wanted"],
    keys: UInt64[ndarray, " keys"],
    bounds: UInt32[ndarray, " buckets"],
) -> Int64[ndarray, " wanted"]:
    """Return the first row of each wanted key among the sorted keys, or -1."""
    found = np.full(len(wanted), -1, dtype=np.int64)
    bits = (len(bounds) - 1).bit_length() - 1
    bucket = (
        (wanted >> np.uint64(64 - bits)).astype(np.int64)
        if bits
        else np.zeros(len(wanted), dtype=np.int64)
    )
    row = bounds[bucket].astype(np.int64)
    end = bounds[bucket + 1].astype(np.int64)
    alive = np.flatnonzero(row < end)
    row, end, key = row[alive], end[alive], wanted[alive]
    while len(alive):
        here = keys[row]
        hit = here == key
        found[alive[hit]] = row[hit]
        row += 1
        going = np.flatnonzero((here < key) & (row < end))
        alive, row, end, key = alive[going], row[going], end[going], key[going]
    return found


def find_variants(
    rows: Int64[ndarray, " hits"],
    prints: UInt32[ndarray, " hits"],
    keys: UInt64[ndarray, " keys"],
    variants: UInt32[ndarray, " keys"],
) -> Int64[ndarray, " hits"]:
    """Return, for hits found whatever their case, the row that also has their case, or -1.

    The spellings of one folded name stand in neighbouring rows.
    """
    found = np.full(len(rows), -1, dtype=np.int64)
    alive = np.arange(len(rows))
    row, print_ = rows.copy(), prints
    key = keys[rows]
    last = len(keys) - 1
    while len(alive):
        hit = variants[row] == print_
        found[alive[hit]] = row[hit]
        row = row + 1
        going = np.flatnonzero(~hit & (row <= last) & (keys[np.minimum(row, last)] == key))
        alive, row, print_, key = alive[going], row[going], print_[going], key[going]
    return found


def variant_print(cased: UInt64[ndarray, " spans"]) -> UInt32[ndarray, " spans"]:
    """Return the 32 bits by which a spelling is told from others of the same folded name."""
    return (cased >> _HALF).astype(np.uint32)


def find_names(
    folded: UInt64[ndarray, " tokens"],
    cased: UInt64[ndarray, " tokens"],
    first: UInt8[ndarray, " tokens"],
    *,
    filters: UInt8[ndarray, " bytes"],
    keys: UInt64[ndarray, " keys"],
    bounds: UInt32[ndarray, " buckets"],
    variants: UInt32[ndarray, " keys"],
    longest: int,
) -> tuple[
    Int32[ndarray, " hits"],
    Int32[ndarray, " hits"],
    Int64[ndarray, " hits"],
    Int64[ndarray, " hits"],
]:
    """Return every span that is a name: start, length, row, and row of the same case or -1.

    ``first`` are the filter bits of each token as the first of a span. The last ``longest`` tokens
    must be ``BOUNDARY``. Sorted by start, then length.
    """
    start = np.flatnonzero(first).astype(np.int32)
    key, spelling, bits = folded[start], cased[start], first[start]
    found: list[tuple[ndarray, ndarray, ndarray, ndarray]] = []
    for length in range(1, longest + 1):
        ends = np.flatnonzero(bits & ENDS)
        lengths = np.full(len(ends), length, dtype=np.int32)
        found.append((start[ends], lengths, key[ends], spelling[ends]))
        going = np.flatnonzero(bits & CONTINUES)
        if length == longest or not len(going):
            break
        start = start[going]
        next_ = start + np.int32(length)
        key = key[going] * MULTIPLIER + folded[next_]
        spelling = spelling[going] * MULTIPLIER + cased[next_]
        bits = filter_bits(key, filters)
    starts, lengths, wanted, spellings = (
        np.concatenate(column) for column in zip(*found, strict=True)
    )
    rows = find_rows(wanted, keys, bounds)
    hit = np.flatnonzero(rows >= 0)
    hit = hit[np.lexsort((lengths[hit], starts[hit]))]
    rows = rows[hit]
    same_case = find_variants(rows, variant_print(spellings[hit]), keys, variants)
    return starts[hit], lengths[hit], rows, same_case


def longest_at_each_start(
    start: Int32[ndarray, " hits"], allowed: Bool[ndarray, " hits"]
) -> Int64[ndarray, " chosen"]:
    """Return, of hits sorted by start and length, the longest allowed one at each start."""
    hits = np.flatnonzero(allowed)
    if not len(hits):
        return hits
    begins = start[hits]
    last = np.append(begins[1:] != begins[:-1], True)
    chosen: ndarray = hits[last]
    return chosen


def left_to_right(
    start: Int32[ndarray, " spans"], end: Int32[ndarray, " spans"], gap: int
) -> Bool[ndarray, " spans"]:
    """Return which spans a reader keeps who takes each span that begins after the last one taken.

    Spans are sorted by start, one to a start. ``gap`` tokens after a span taken are passed over.
    """
    kept = np.ones(len(start), dtype=bool)
    if len(start) < 2:
        return kept
    reach = end + np.int32(gap)
    # Most spans touch no other; only from the first overlap of a cluster does order matter.
    furthest = np.maximum.accumulate(reach)
    touching = np.append(False, start[1:] < furthest[:-1])
    limit = 0
    clusters = np.flatnonzero(touching)
    starts, reaches = start.tolist(), reach.tolist()
    previous = -2
    for span in clusters.tolist():
        if span != previous + 1:
            limit = reaches[span - 1]  # the one before opens the cluster, and is kept
        previous = span
        if starts[span] < limit:
            kept[span] = False
        else:
            limit = reaches[span]
    return kept
