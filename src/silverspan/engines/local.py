"""This machine: everything in this process, or in several.

What is held stays in the process that loaded it. Few items are under way at any time, so memory
does not grow with their number.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from itertools import count as numbers
from typing import Any, Final, TypeVar

from silverspan.engines.engine import Held, pairwise
from silverspan.engines.processes import Processes
from silverspan.errors import EngineError

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")

#: Items of each process that are under way or done and not yet fetched.
_AHEAD: Final = 3


class Local:
    """Work on this machine, in ``n_process`` processes.

    >>> Local().hold(float, ["1", "2", "3"]).total(abs, lambda a, b: a + b)
    6.0
    """

    def __init__(self, n_process: int = 1, scheduler: str | None = None) -> None:
        if scheduler is not None:
            raise EngineError("this machine needs no scheduler; say --engine dask to use one")
        self.n_process = n_process
        self._processes = Processes(n_process)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield ``function(item)`` of every item, in order."""
        stream = iter(items)
        first = list(islice(stream, 2))
        if self.n_process == 1 or len(first) < 2:
            yield from map(function, chain(first, stream))
            return
        waiting: deque[int] = deque()
        try:
            for item in chain(first, stream):
                if len(waiting) >= _AHEAD * self.n_process:
                    yield self._processes.result(waiting.popleft())
                waiting.append(self._processes.begin(partial(function, item)))
            while waiting:
                yield self._processes.result(waiting.popleft())
        finally:
            self._processes.forget(waiting)

    def hold(self, load: Callable[[T], Any], items: Sequence[T], *, keep: bool = True) -> Held:
        """Load every item, in this process or in the one that will count it."""
        if self.n_process == 1 or len(items) < 2:
            return _Here(load, items, keep)
        return _There(self._processes, load, items, keep)

    def close(self) -> None:
        """End the processes at once, whatever they are doing."""
        self._processes.close()


@dataclass
class _Here:
    load: Callable[[Any], Any]
    items: Sequence[Any]
    keep: bool
    loaded: list[Any] = field(default_factory=list)

    def total(self, count: Callable[[Any], S], add: Callable[[S, S], S]) -> S:
        return pairwise(map(count, self._each()), add)

    def _each(self) -> Iterator[Any]:
        if not self.keep:
            yield from map(self.load, self.items)
            return
        yield from self.loaded
        for item in self.items[len(self.loaded) :]:
            self.loaded.append(self.load(item))
            yield self.loaded[-1]

    def release(self) -> None:
        self.loaded.clear()


class _There:
    _numbers = numbers()

    def __init__(
        self,
        processes: Processes,
        load: Callable[[Any], Any],
        items: Sequence[Any],
        keep: bool,
    ) -> None:
        self.processes = processes
        self.name = next(self._numbers)
        self.load, self.items, self.keep = load, items, keep
        self.sent: set[int] = set()

    def total(self, count: Callable[[Any], S], add: Callable[[S, S], S]) -> S:
        calls = [self._begin(count, number) for number in range(len(self.items))]

        def results() -> Iterator[S]:
            for number, call in enumerate(calls):
                try:
                    yield self.processes.result(call)
                except _MissingError:  # its process died since, and another took its place
                    self.sent.discard(number)
                    yield self.processes.result(self._begin(count, number))

        try:
            found: S = pairwise(results(), add)
            return found
        finally:
            self.processes.forget(calls)

    def _begin(self, count: Callable[[Any], S], number: int) -> int:
        # Items may be large: what is held there already is not sent again.
        load = None if number in self.sent else partial(self.load, self.items[number])
        key = (self.name, number) if self.keep else None
        call = self.processes.begin(
            partial(_counted, count, load, key), place=number % len(self.processes)
        )
        if self.keep:
            self.sent.add(number)
        return call

    def release(self) -> None:
        for place in self.processes.running():
            self.processes.result(self.processes.begin(partial(_forget, self.name), place=place))


class _MissingError(Exception):
    """A process does not hold what it should."""


_kept: dict[tuple[int, int], Any] = {}


def _counted(
    count: Callable[[Any], S], load: Callable[[], Any] | None, key: tuple[int, int] | None
) -> S:
    if key in _kept:
        return count(_kept[key])
    if load is None:
        raise _MissingError
    item = load()
    if key is not None:
        _kept[key] = item
    return count(item)


def _forget(name: int) -> None:
    for key in [key for key in _kept if key[0] == name]:
        del _kept[key]
