"""The contract of an engine: work on many items is done somewhere, and what comes back is the same.

Two kinds of work are all there is. ``map`` does something to every shard. ``hold`` loads items
once, wherever the engine likes, and leaves them there; ``total`` then sends a function to them, as
often as needed, and brings back only a sum. Sums are added up pairwise in the order of the items
(``pairwise``), so no engine can change a single bit. ``testing.check_engine`` holds an engine to
this contract.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar, runtime_checkable

from silverspan.registry import Registry

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")


@runtime_checkable
class Held(Protocol):
    """Items that were loaded and stay where they are."""

    def total(self, count: Callable[[Any], S], add: Callable[[S, S], S]) -> S:
        """Return the ``pairwise`` sum of ``count(item)`` over all items; there is one at least."""
        ...

    def release(self) -> None:
        """Forget the items."""
        ...


@runtime_checkable
class Engine(Protocol):
    """Does the work. Functions and items must be picklable; arrays and paths are."""

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield ``function(item)`` of every item, in order.

        Items are taken only a few ahead of the results, and few results wait to be fetched: either
        may be more than memory holds. An exception of ``function`` is raised here, and no further
        items are begun.
        """
        ...

    def hold(self, load: Callable[[T], Any], items: Sequence[T], *, keep: bool = True) -> Held:
        """Load every item and leave it where it was loaded.

        Without ``keep``, an engine that has only this machine's memory loads anew for every total.
        """
        ...

    def close(self) -> None:
        """Let go of processes and connections."""
        ...


#: Makers of engines by name. Each takes ``n_process``, how many processes to begin where it begins
#: any, and ``scheduler``, the address of a cluster that is there already, or None.
engines: Registry[Callable[..., Engine]] = Registry("engine", "silverspan.engines")


@contextmanager
def opened(
    name: str = "local", *, n_process: int = 1, scheduler: str | None = None
) -> Iterator[Engine]:
    """Make an engine for the time of the block.

    >>> with opened("local", n_process=1) as engine:
    ...     list(engine.map(abs, [-1, 2]))
    [1, 2]

    Raises:
        EngineError: the engine cannot be made, or its cluster cannot be reached.
        UnknownNameError: there is no such engine.
    """
    engine = engines[name](n_process=n_process, scheduler=scheduler)
    try:
        yield engine
    finally:
        engine.close()


def pairwise(items: Iterable[S], add: Callable[[S, S], S]) -> S:
    """Return the sum of items, neighbours first: ((0 + 1) + (2 + 3)) + (4 + 5) ...

    Takes the items as they come and keeps only as many sums as the tree is high.

    >>> pairwise("abcde", lambda one, two: f"({one}{two})")
    '(((ab)(cd))e)'

    Raises:
        ValueError: there is no item.
    """
    sums: list[tuple[int, S]] = []  # each with its height in the tree
    for item in items:
        height, value = 0, item
        while sums and sums[-1][0] == height:
            value = add(sums.pop()[1], value)
            height += 1
        sums.append((height, value))
    if not sums:
        raise ValueError("there is nothing to add up")
    _, value = sums.pop()
    while sums:
        value = add(sums.pop()[1], value)
    return value
