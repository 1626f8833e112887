"""Worker processes that can be killed, may die, and never hold anybody up.

One thread in the parent hands every idle worker one call at a time through a pipe, so nothing can
wait for each other in a circle. A call whose worker dies is tried once more in a new one.
"""

import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final

from silverspan.errors import EngineError

#: So often a call is tried whose worker died.
_TRIES: Final = 2


@dataclass
class _Task:
    number: int
    call: Any  # pickled
    place: int | None
    tries: int = 0


@dataclass
class _Worker:
    process: BaseProcess
    pipe: "connection.Connection[Any, Any]"
    task: _Task | None = None


@dataclass
class _Place:
    """Where one worker is, or will be; ``waiting`` are the calls that no other may take."""

    worker: _Worker | None = None
    waiting: deque[_Task] = field(default_factory=deque)


class Processes:
    """Some worker processes, each begun when there is work for it."""

    def __init__(self, size: int) -> None:
        self._places = [_Place() for _ in range(size)]
        self._waiting: deque[_Task] = deque()
        self._done: dict[int, tuple[bool, Any]] = {}
        self._wanted: set[int] = set()
        self._next = 0

    def __len__(self) -> int:
        return len(self._places)

    def running(self) -> list[int]:
        """Return the places where there is a worker."""
        return [number for number, place in enumerate(self._places) if place.worker is not None]

    def begin(self, call: Callable[[], Any], place: int | None = None) -> int:
        """Have a call made by any worker, or by the one at a place; return its number."""
        self._next += 1
        task = _Task(self._next, ForkingPickler.dumps(call), place)
        self._wanted.add(task.number)
        (self._waiting if place is None else self._places[place].waiting).append(task)
        self._collect(0)
        self._feed()
        return task.number

    def result(self, number: int) -> Any:
        """Return what a call gave, or raise what it raised.

        Raises:
            EngineError: its worker died, and so did the next.
        """
        while number not in self._done:
            self._feed()
            self._collect(None)
        self._wanted.discard(number)
        is_value, value = self._done.pop(number)
        if is_value:
            return value
        raise value

    def forget(self, numbers: Iterable[int]) -> None:
        """Do not make these calls if they are not begun; their results are dropped."""
        gone = set(numbers)
        self._wanted -= gone
        for number in gone:
            self._done.pop(number, None)
        for queue in (self._waiting, *(place.waiting for place in self._places)):
            kept = [task for task in queue if task.number not in gone]
            queue.clear()
            queue.extend(kept)

    def close(self) -> None:
        """End all workers at once, whatever they are doing."""
        self.forget(set(self._wanted))
        for place in self._places:
            if place.worker is not None:
                place.worker.process.kill()
        for place in self._places:
            if place.worker is not None:
                self._bury(place)

    def _feed(self) -> None:
        """Give every idle worker something to do."""
        for place in self._places:
            queue = place.waiting or self._waiting
            if queue and (place.worker is None or place.worker.task is None):
                self._send(place, queue.popleft())

    def _send(self, place: _Place, task: _Task) -> None:
        # A worker that died while it was idle is found out here, once.
        for _ in range(2):
            place.worker = place.worker or _start()
            try:
                place.worker.pipe.send_bytes(task.call)
            except (BrokenPipeError, ConnectionResetError):
                self._bury(place)
            else:
                place.worker.task = task
                return
        self._finish(task, (False, EngineError("worker processes die as soon as they begin")))

    def _collect(self, seconds: float | None) -> None:
        """Take in what workers have done; wait for the first at most so long."""
        busy = {p.worker.pipe: p for p in self._places if p.worker and p.worker.task}
        try:
            for pipe in connection.wait(list(busy), seconds):
                place = busy[pipe]  # type: ignore[index]  # wait gives back what it was given
                worker = place.worker
                if worker is None or worker.task is None:  # pragma: no cover (for the types)
                    continue
                task, worker.task = worker.task, None
                try:
                    content = worker.pipe.recv_bytes()
                except (EOFError, OSError):
                    self._died(place, task)
                else:
                    self._finish(task, ForkingPickler.loads(content))
        except BaseException:
            # Interrupted in the middle of a message: nothing that is under way can be trusted.
            self.close()
            raise

    def _died(self, place: _Place, task: _Task) -> None:
        code = self._bury(place)
        task.tries += 1
        if task.tries < _TRIES:
            queue = self._waiting if task.place is None else place.waiting
            queue.appendleft(task)
            return
        reason = _reason(code)
        message = (
            f"a worker process died ({reason}), and so did the one that tried again; is there too "
            "little memory? Run again: what is done is kept"
        )
        self._finish(task, (False, EngineError(message)))

    def _bury(self, place: _Place) -> int | None:
        if place.worker is None:  # pragma: no cover (for the types)
            return None
        worker, place.worker = place.worker, None
        worker.pipe.close()
        worker.process.join(5)
        worker.process.kill()
        worker.process.join()
        code = worker.process.exitcode
        worker.process.close()
        return code

    def _finish(self, task: _Task, outcome: tuple[bool, Any]) -> None:
        if task.number in self._wanted:
            self._done[task.number] = outcome


def _start() -> _Worker:
    # Not forked: a forked child inherits threads' locks, and keeps the parent's memory alive.
    context = get_context("spawn")
    own, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    with _no_interrupt():
        process.start()
    theirs.close()
    return _Worker(process, own)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Keep Ctrl-C from processes begun in the block: the parent alone decides what happens."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover (Windows)
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _reason(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _work(pipe: "connection.Connection[Any, Any]") -> None:
    """Make calls until the parent is gone."""
    while True:
        try:
            content = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        outcome = _made(content)
        try:
            pipe.send_bytes(outcome)
        except OSError:
            return


def _made(content: bytes) -> Any:
    """Return the pickled outcome of a pickled call."""
    try:
        return ForkingPickler.dumps((True, ForkingPickler.loads(content)()))
    except Exception as error:
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
        try:
            found = ForkingPickler.dumps((False, error))
            ForkingPickler.loads(found)  # some errors can be sent and not be read
            return found
        except Exception:
            return ForkingPickler.dumps((False, EngineError(f"{type(error).__name__}: {error}")))
