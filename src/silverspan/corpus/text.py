"""Plain text: a file is one document, or each of its lines is."""

from collections.abc import Iterator
from pathlib import Path

from silverspan.corpus.files import read_lines, read_text
from silverspan.corpus.record import Problem, Record, stop


def read_file(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the one document of a text file, named after it; an empty file is an empty document.

    Raises:
        InputError: the file cannot be read as UTF-8 text.
    """
    name = Path(path).name.removesuffix(".gz")
    yield Record(id=name.removesuffix(".txt"), text=read_text(path), path=str(path), line=1)


def read_each_line(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield a document for each line that is not blank.

    Raises:
        InputError: the file cannot be read as UTF-8 text.
    """
    for number, line in read_lines(path):
        if line and not line.isspace():
            yield Record(text=line, path=str(path), line=number)
