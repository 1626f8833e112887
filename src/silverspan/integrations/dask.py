"""Dask: work on a cluster that exists, or on a local one that is begun and ended with the run.

Maps are tasks, few of them ahead of what is fetched. What is held are results that stay on the
workers; a total sends one function out and brings one sum back, added up on the workers in the
fixed order of ``pairwise``. What a dead worker held or did is made again by others, from the same
items. Extra ``dask``.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, TypeVar

from silverspan import __version__
from silverspan.engines import Held, pairwise
from silverspan.errors import EngineError, MissingDependencyError

try:
    # As modules: distributed says the types of half its functions, which strict checking takes ill.
    dask: Any = import_module("dask")
    distributed: Any = import_module("distributed")
except ImportError:
    raise MissingDependencyError("dask", extra="dask") from None

#: A result that stays on a worker; distributed does not say its types.
Future = Any

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")

#: Items of each worker's thread that are under way or done and not yet fetched.
_AHEAD: Final = 3
#: Sums added up in one task. A power of two: then sums of sums are those of ``pairwise``.
_FAN_IN: Final = 8
#: Seconds to wait for a scheduler to answer, and for a first worker to come.
_ANSWER, _FIRST_WORKER = 10, 120
_SETTINGS: Final = {
    # Records travel with their tasks, on purpose: they are needed nowhere else.
    "distributed.admin.large-graph-warning-threshold": "1GB",
    # A document that ends its worker ends two, not four.
    "distributed.scheduler.allowed-failures": 1,
    "distributed.comm.timeouts.connect": f"{_ANSWER}s",
}


class Dask:
    """Work on a Dask cluster: that of a ``scheduler``, or ``n_process`` workers of this machine."""

    def __init__(self, n_process: int = 1, scheduler: str | None = None) -> None:
        self._address = scheduler
        self._settings = dask.config.set(_SETTINGS)
        self._cluster: Any = None
        self._client: Any = None
        try:
            if scheduler is None:
                self._cluster = distributed.LocalCluster(
                    n_workers=n_process,
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            self._client = distributed.Client(
                self._cluster or scheduler, timeout=_ANSWER, set_as_default=False
            )
            self._check()
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            self.close()
            where = f"at {scheduler}" if scheduler else "on this machine"
            raise EngineError(f"no Dask scheduler answers {where}: {error}") from error
        except BaseException:
            self.close()
            raise

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield ``function(item)`` of every item, in order."""
        sent = self._submit(_same, function)
        waiting: deque[Future] = deque()
        ahead = _AHEAD * self._threads()
        try:
            for item in items:
                if len(waiting) >= ahead:
                    yield self._result(waiting.popleft())
                waiting.append(self._submit(_call, sent, item))
            while waiting:
                yield self._result(waiting.popleft())
        finally:
            for future in (*waiting, sent):
                future.release()

    def hold(self, load: Callable[[T], Any], items: Sequence[T], *, keep: bool = True) -> Held:
        """Load every item on a worker, where it stays: a cluster has the memory."""
        return _OnWorkers(self, [self._submit(_call, load, item) for item in items])

    def close(self) -> None:
        """Leave the cluster, or end it if it is our own."""
        for known in (self._client, self._cluster):
            if known is not None:
                with suppress(Exception):
                    known.close(timeout=2)
        self._settings.__exit__(None, None, None)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Future:
        try:
            return self._client.submit(function, *arguments, pure=False)
        except Exception as error:
            raise self._named(error) from error

    def _result(self, future: Future) -> Any:
        try:
            return future.result()
        except Exception as error:
            named = self._named(error)
            if named is error:
                raise
            raise named from error

    def _named(self, error: Exception) -> Exception:
        """Return an error of the cluster as one that says what to do; others as they are."""
        where = self._address or "this machine"
        if isinstance(error, distributed.KilledWorker):
            return EngineError(
                "Dask workers died, and so did those that tried again; is there too little memory? "
                "Run again: what is done is kept"
            )
        gone = isinstance(error, distributed.comm.CommClosedError | CancelledError)
        if gone or self._client.status not in ("running", "connected"):
            return EngineError(
                f"the Dask scheduler of {where} is gone ({error}); run again when it is back: what "
                "is done is kept"
            )
        return error

    def _threads(self) -> int:
        """Return how many tasks can run at once; wait for the first worker."""
        try:
            self._client.wait_for_workers(1, timeout=_FIRST_WORKER)
            return int(sum(self._client.nthreads().values()))
        except TimeoutError:
            raise EngineError(
                f"the Dask cluster of {self._address or 'this machine'} has no worker; begin some"
            ) from None
        except Exception as error:
            raise self._named(error) from error

    def _check(self) -> None:
        """See that workers have this release.

        Raises:
            EngineError: one has another, or none.
        """
        self._threads()
        try:
            releases = set(self._client.run(_release).values())
        except Exception as error:
            raise EngineError(
                f"a Dask worker cannot import silverspan ({error}); install silverspan "
                f"{__version__} with the same packages on all of them"
            ) from error
        if releases != {__version__}:
            raise EngineError(
                f"Dask workers have silverspan {', '.join(sorted(releases))}, this command has "
                f"{__version__}; install the same on all of them"
            )


class _OnWorkers:
    """Results that stay on the workers."""

    def __init__(self, engine: Dask, futures: list[Future]) -> None:
        self._engine, self._futures = engine, futures

    def total(self, count: Callable[[Any], S], add: Callable[[S, S], S]) -> S:
        # Not scattered: what is scattered to a worker that dies is lost for good.
        sent = self._engine._submit(_same, count)
        level = [self._engine._submit(_call, sent, future) for future in self._futures]
        made = [sent, *level]
        while len(level) > 1:
            level = [
                self._engine._submit(_sum, add, level[first : first + _FAN_IN])
                for first in range(0, len(level), _FAN_IN)
            ]
            made += level
        try:
            found: S = self._engine._result(level[0])
            return found
        finally:
            for future in made:
                future.release()

    def release(self) -> None:
        for future in self._futures:
            future.release()


def _same(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def _call(function: Callable[[T], R], item: T) -> R:
    return function(item)


def _sum(add: Callable[[S, S], S], sums: Sequence[S]) -> S:
    return pairwise(sums, add)


def _release() -> str:
    return __version__
