"""What the fault tests share: how many faults, commands that can be killed, and what a run leaves.

The numbers are small in ``make test`` and large with ``SILVERSPAN_FAULTS=long``, which ``make
faults`` sets. Commands run as children of one process that has everything imported, so that a
random moment falls into work and not into imports.
"""

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

LONG = os.environ.get("SILVERSPAN_FAULTS") == "long"
#: No command of these tests works for so long; one that does hangs.
HANG = 120.0

_PARENT = """
import json, os, resource, signal, sys
import silverspan.cli.main, silverspan.pipeline, silverspan.report, silverspan.project
import silverspan.aggregation.files, silverspan.aggregation.hmm, silverspan.aggregation.mixtures
import silverspan.training.soft_tagger, silverspan.integrations.export, silverspan.corpus.docbin

for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name, stream in (("out", 1), ("err", 2)):
            os.dup2(os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        if order["file_size"]:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (order["file_size"],) * 2)
        os.chdir(order["folder"])
        code = silverspan.cli.main.main(order["words"])
        sys.stdout.flush()
        os._exit(code)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class HangError(AssertionError):
    """A command did not end."""


class Commands:
    """Runs ``silverspan`` commands, one at a time, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # what waits in a buffer of ours, select does not see
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )

    def close(self) -> None:
        self._parent.stdin.close()
        self._parent.wait()
        self._parent.stdout.close()

    def start(self, *words, folder=None, file_size=None) -> int:
        """Start a command and return its process."""
        order = {
            "words": [str(word) for word in words],
            "folder": str(folder or self.folder),
            "file_size": file_size,
            "out": str(self.folder / "stdout"),
            "err": str(self.folder / "stderr"),
        }
        self._parent.stdin.write(json.dumps(order).encode() + b"\n")
        self._parent.stdin.flush()
        return int(self._parent.stdout.readline())

    def wait(self, seconds: float = HANG) -> int | None:
        """Return the exit code, negative for a signal; None if it is still at work."""
        ready, _, _ = select.select([self._parent.stdout], [], [], seconds)
        return int(self._parent.stdout.readline()) if ready else None

    def run(self, *words, **settings) -> int:
        """Run a command to its end and return its exit code."""
        process = self.start(*words, **settings)
        code = self.wait()
        if code is None:
            os.killpg(process, signal.SIGKILL)
            self.wait()
            raise HangError(f"silverspan {' '.join(map(str, words))} did not end")
        return code

    def kill(self, process: int, number: int = signal.SIGKILL) -> int:
        """Send a signal to a command and all that it started; return its exit code."""
        os.killpg(process, number)
        code = self.wait()
        if code is None:
            os.killpg(process, signal.SIGKILL)
            self.wait()
            raise HangError(f"process {process} did not end after signal {number}")
        return code

    @property
    def errors(self) -> str:
        """What the last command printed on standard error."""
        return (self.folder / "stderr").read_text()


def said_one_error(errors: str) -> bool:
    """Whether a command printed one message, and no traceback."""
    return errors.count("error: ") == 1 and "Traceback" not in errors and errors.strip() != "error:"


def files_below(*folders: Path) -> dict[str, bytes]:
    """Return the content of every file, but of lock and receipt, which name process and paths."""
    return {
        f"{folder.name}/{path.relative_to(folder)}": path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("lock", "receipt.json")
    }


@contextmanager
def time_limit(seconds: int):
    """Raise ``HangError`` in this process if the block takes longer."""

    def stop(number, frame):
        raise HangError(f"this took more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Tally:
    """Counts what was tried, as it is tried: one line of JSON each, for docs/reliability.md.

    The lines go to the file that ``SILVERSPAN_FAULTS_TALLY`` names; tests/faults/figures.py adds
    them up.
    """

    def add(self, what: str, **counts: int) -> None:
        target = os.environ.get("SILVERSPAN_FAULTS_TALLY")
        if target:
            with open(target, "a", encoding="utf-8") as file:
                file.write(json.dumps({"what": what, **counts}) + "\n")
