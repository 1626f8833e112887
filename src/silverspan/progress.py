"""Progress of long work, told to whoever listens: a bar on a terminal, nothing in a library call.

Below ``cli/`` code wraps its loops in ``track``; the command line listens with ``listening``.
Without a listener ``track`` only iterates.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

T = TypeVar("T")


class Listener(Protocol):
    """Shows progress; the terminal's is in cli/output.py."""

    def begin(self, what: str, total: int | None) -> int:
        """Start a task, return its number."""
        ...

    def advance(self, task: int, steps: int, note: str = "") -> None:
        """Say that ``steps`` more are done."""
        ...

    def end(self, task: int) -> None:
        """Say that the task is over, finished or not."""
        ...


_listener: ContextVar[Listener | None] = ContextVar("silverspan_progress", default=None)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Send progress made inside the block to ``listener``."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def track(items: Iterable[T], what: str, *, total: int | None = None) -> Iterator[T]:
    """Yield the items, telling the listener after each one.

    >>> list(track([1, 2], "counting"))
    [1, 2]
    """
    listener = _listener.get()
    if listener is None:
        yield from items
        return
    task = listener.begin(what, total)
    try:
        for item in items:
            yield item
            listener.advance(task, 1)
    finally:
        listener.end(task)


class Task:
    """Progress by hand, for work that is no loop over items: an EM round, a training step."""

    def __init__(self, what: str, *, total: int | None = None) -> None:
        self._listener = _listener.get()
        self._number = self._listener.begin(what, total) if self._listener else 0

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Say that ``steps`` more are done; ``note`` stands beside the bar."""
        if self._listener:
            self._listener.advance(self._number, steps, note)

    def __enter__(self) -> "Task":
        return self

    def __exit__(self, *_: object) -> None:
        if self._listener:
            self._listener.end(self._number)
