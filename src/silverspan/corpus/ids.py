"""Which ids stand twice in a corpus, in sixteen bytes an id.

The first hundred thousand are kept with their places, for the message; of those after, a hash.
"""

import hashlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

_PLACES: Final = 100_000
_BUFFER: Final = 4096


class Ids:
    """The ids of a corpus, as they come.

    >>> ids = Ids()
    >>> ids.place("a")
    >>> ids.add("a", "news.jsonl:1")
    >>> ids.place("a")
    'news.jsonl:1'
    """

    def __init__(self, places: int = _PLACES, buffer: int = _BUFFER) -> None:
        self._most, self._buffer = places, buffer
        self._places: dict[str, str] = {}
        self._new: set[bytes] = set()
        # Sorted, each less than half as long as the one before: few to look through.
        self._runs: list[NDArray[np.bytes_]] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def place(self, identifier: str) -> str | None:
        """Return where an id stands already, or None."""
        if identifier in self._places:
            return self._places[identifier]
        if len(self) < self._most:
            return None
        key = _key(identifier)
        known = key in self._new or any(_has(run, key) for run in self._runs)
        return "an earlier place" if known else None

    def add(self, identifier: str, place: str) -> None:
        """Take in an id that is new."""
        self._size += 1
        if len(self._places) < self._most:
            self._places[identifier] = place
            return
        self._new.add(_key(identifier))
        if len(self._new) < self._buffer:
            return
        run = np.sort(np.array(list(self._new), dtype="S16"))
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]))
        self._runs.append(run)
        self._new.clear()


def _key(identifier: str) -> bytes:
    # A hash of 128 bits: two of a billion ids agree by chance once in 10^20 corpora. numpy drops
    # zero bytes at the end, and so do we.
    content = identifier.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest().rstrip(b"\0")


def _has(run: NDArray[np.bytes_], key: bytes) -> bool:
    place = int(np.searchsorted(run, np.bytes_(key)))
    return place < len(run) and run[place] == key
