"""How commands speak: results on standard output, progress and messages on standard error."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stdout
from typing import Any

from rich.console import Console
from rich.logging import RichHandler
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from silverspan.progress import listening


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``, ``-q`` and ``-v``, which every command has."""
    parser.add_argument("--json", action="store_true", help="print machine-readable results")
    parser.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell more on the way")


def positive(text: str) -> int:
    """Return a whole number above zero: the type of an argument."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) < 2**31):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return int(text)


def port(text: str) -> int:
    """Return the number of a port that can be served on: the type of an argument."""
    number = positive(text)
    if number > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return number


def complain(message: str) -> None:
    """Print one error message on standard error."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print("[bold red]error:[/] ", end="")
    # Not as markup: a message may quote a user's own brackets and escapes.
    console.print(_printable(message), markup=False)


def _printable(text: str) -> str:
    """Return the text with control characters, an escape sequence's first of all, made visible."""
    return "".join(c if c in "\n\t" or c.isprintable() else repr(c)[1:-1] for c in text)


class _Bars:
    """The listener that draws progress bars, only while something is under way.

    Results are printed between and after: a bar that is still drawn would overwrite them.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._open: set[int] = set()

    def begin(self, what: str, total: int | None) -> int:
        task = int(self._progress.add_task(what, total=total, note=""))
        self._open.add(task)
        self._progress.start()
        return task

    def advance(self, task: int, steps: int, note: str = "") -> None:
        self._progress.advance(TaskID(task), steps)
        if note:
            self._progress.update(TaskID(task), note=note)

    def end(self, task: int) -> None:
        if task not in self._open:  # A loop given up, and collected after everything closed.
            return
        self._progress.stop_task(TaskID(task))
        self._open.remove(task)
        if not self._open:
            self.close()

    def close(self) -> None:
        """Leave the bars as they are, above what comes next."""
        self._open.clear()
        self._progress.stop()
        for task in self._progress.task_ids:
            self._progress.remove_task(task)


@contextmanager
def session(arguments: argparse.Namespace) -> Iterator[None]:
    """Set up logging and, on a terminal, progress bars, for the time of one command."""
    quiet, verbose = getattr(arguments, "quiet", False), getattr(arguments, "verbose", False)
    console = Console(stderr=True, highlight=False)
    handler: logging.Handler
    if console.is_terminal:
        handler = RichHandler(console=console, show_time=False, show_path=False, show_level=verbose)
    else:  # A file or a pipe: one message, one line, whatever its length.
        handler = logging.StreamHandler(sys.stderr)
    logger = logging.getLogger("silverspan")
    level = logging.ERROR if quiet else logging.DEBUG if verbose else logging.INFO
    previous = logger.level, logger.propagate
    logger.setLevel(level)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        if quiet and not getattr(arguments, "json", False):
            with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
                yield
        elif quiet or not console.is_terminal:
            yield
        else:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
            )
            # Or what is printed for a file or a pipe would go to the terminal with the bars.
            progress = Progress(*columns, console=console, redirect_stdout=False)
            with closing(_Bars(progress)) as bars, listening(bars):
                yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(previous[0])
        logger.propagate = previous[1]


def print_json(value: Any) -> None:
    """Print a value as JSON, keys in their order."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def print_table(
    rows: Sequence[Mapping[str, Any]], *, title: str | None = None, right: Sequence[str] = ()
) -> None:
    """Print rows as a table that fits the terminal; the columns named in ``right`` are numbers."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in names:
        numeric = name in right
        table.add_column(name, justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows:
        table.add_row(*(_printable(_cell(row.get(name))) for name in names))
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def say(message: str = "") -> None:
    """Print one line of result on standard output."""
    print(_printable(message))
