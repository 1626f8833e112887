"""This machine: everything in this process, or in several.

With more processes each has a queue of its own, so that what is held stays where it was loaded. No
more than a few items wait in a queue: memory does not grow with their number.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import count as numbers
from multiprocessing import get_context
from typing import Any, Final, TypeVar

from silverspan.engines.engine import Held, pairwise
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

    def __init__(self, n_process: int = 1) -> None:
        self.n_process = n_process
        self._pools: list[ProcessPoolExecutor] = []

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
        """Yield ``function(item)`` of every item, in order."""
        if self.n_process == 1 or len(items) < 2:
            yield from map(function, items)
            return
        waiting: deque[Future[R]] = deque()
        try:
            for number, item in enumerate(items):
                if len(waiting) >= _AHEAD * self.n_process:
                    yield _result(waiting.popleft())
                waiting.append(self._processes()[number % self.n_process].submit(function, item))
            while waiting:
                yield _result(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def hold(self, load: Callable[[T], Any], items: Sequence[T], *, keep: bool = True) -> Held:
        """Load every item, in this process or in the one that will count it."""
        if self.n_process == 1 or len(items) < 2:
            return _Here(load, items, keep)
        return _There(self._processes(), load, items, keep)

    def close(self) -> None:
        """End the processes."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        self._pools = []

    def _processes(self) -> list[ProcessPoolExecutor]:
        # Not forked: a forked child inherits threads' locks, and keeps the parent's memory alive.
        while len(self._pools) < self.n_process:
            context = get_context("spawn")
            self._pools.append(ProcessPoolExecutor(1, mp_context=context, initializer=_begin))
        return self._pools


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
        pools: Sequence[ProcessPoolExecutor],
        load: Callable[[Any], Any],
        items: Sequence[Any],
        keep: bool,
    ) -> None:
        self.pools = pools
        self.name = next(self._numbers)
        self.load, self.items, self.keep = load, items, keep

    def total(self, count: Callable[[Any], S], add: Callable[[S, S], S]) -> S:
        futures = [
            self.pools[number % len(self.pools)].submit(
                _counted, count, self.load, item, (self.name, number) if self.keep else None
            )
            for number, item in enumerate(self.items)
        ]
        try:
            return pairwise(map(_result, futures), add)
        finally:
            for future in futures:
                future.cancel()

    def release(self) -> None:
        for pool in self.pools:
            pool.submit(_forget, self.name)


_kept: dict[tuple[int, int], Any] = {}


def _begin() -> None:
    # Ctrl-C reaches every process of the terminal; the parent alone decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _counted(
    count: Callable[[Any], S],
    load: Callable[[Any], Any],
    item: Any,
    key: tuple[int, int] | None,
) -> S:
    if key is None:
        return count(load(item))
    if key not in _kept:
        _kept[key] = load(item)
    return count(_kept[key])


def _forget(name: int) -> None:
    for key in [key for key in _kept if key[0] == name]:
        del _kept[key]


def _result(future: "Future[R]") -> R:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise EngineError(
            "a worker process died; was it killed, or was there too little memory? "
            "Run again: what is done is kept"
        ) from error
