"""Progress of long loops, told to whoever listens: the command line shows a bar, others get a log.

``track`` wraps a loop anywhere in the package. ``reporting_to`` sets the listener of a block of
code; without one, ``track`` writes a line to ``logging`` every ten seconds and prints nothing.
"""

import contextlib
import logging
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import Protocol, TypeVar

T = TypeVar("T")

_log = logging.getLogger("silverspan")
_SECONDS_BETWEEN_LINES = 10.0


class Listener(Protocol):
    """Whoever shows progress."""

    def __call__(self, items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
        """Yield the items unchanged, showing how many have passed; ``total`` may be unknown."""
        ...


def log_progress(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    """Yield the items, logging their number now and then: the listener when nobody listens."""
    of_total = "" if total is None else f" of {total}"
    due = time.monotonic() + _SECONDS_BETWEEN_LINES
    for count, item in enumerate(items, start=1):
        yield item
        if time.monotonic() > due:
            _log.info("%s: %d%s", description, count, of_total)
            due += _SECONDS_BETWEEN_LINES


_listener: ContextVar[Listener] = ContextVar("silverspan_progress", default=log_progress)


def track(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """Yield the items, telling the listener how many have passed.

    >>> list(track("ab", "letters", total=2))
    ['a', 'b']
    """
    return _listener.get()(items, description, total)


@contextlib.contextmanager
def reporting_to(listener: Listener) -> Iterator[None]:
    """Send the progress of everything in the block to ``listener``."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
