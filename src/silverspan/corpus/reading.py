"""Files become records: which files, in which format, under which ids.

Ids: the file's own (``id``), else the name of a file that is one document, else a running number
through the corpus. They are unique.
"""

import glob
import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, cast

from silverspan.corpus.ids import Ids
from silverspan.corpus.record import Problem, Reader, Record, stop
from silverspan.errors import InputError, UnknownNameError

#: What may follow ``path`` in reading: one, many, or a pattern such as ``news/*.txt``.
Paths = str | Path | Iterable[str | Path]
OnError = Literal["raise", "skip"]

#: Formats by name: module and function of the reader.
FORMATS: Final = {
    "text": "text:read_file",
    "lines": "text:read_each_line",
    "jsonl": "jsonl:read",
    "csv": "csv:read",
    "conll": "conll:read",
    "docbin": "docbin:read",
    "parquet": "parquet:read",
    "json": "json_list:read",
    "label-studio": "tools.label_studio:read",
    "doccano": "tools.doccano:read",
    "prodigy": "tools.prodigy:read",
    "argilla": "tools.argilla:read",
}
#: Formats by the ending of a name.
FORMATS_BY_ENDING: Final = {
    ".txt": "text",
    ".text": "text",
    ".md": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".conll": "conll",
    ".conll03": "conll",
    ".bio": "conll",
    ".iob": "conll",
    ".spacy": "docbin",
    ".parquet": "parquet",
    ".json": "json",
}

_log = logging.getLogger(__name__)


def read_records(
    paths: Paths,
    format: str | None = None,
    *,
    on_error: OnError = "raise",
    problem: Problem | None = None,
) -> Iterator[Record]:
    """Yield the documents of files, one at a time.

    ``format`` is told by the ending of each file where it is not given. With ``on_error="skip"``
    what cannot be read is left out, and the number of such places is logged; ``problem`` is told of
    each of them.

    Raises:
        InputError: a file is missing or damaged, or an id stands twice.
        UnknownNameError: there is no such format.
    """
    skipped: list[InputError] = []

    def skip(error: InputError) -> None:
        skipped.append(error)
        if problem is not None:
            problem(error)

    told = stop if on_error == "raise" else skip
    seen = Ids()
    files = expand(paths)
    for path in files:
        reader = reader_of(path, format)
        try:
            for record in reader(path, told):
                named = record if record.id else replace(record, id=str(len(seen)))
                where = f"{named.path}:{named.line}" if named.line else named.path
                before = seen.place(named.id)
                if before is not None:
                    told(
                        InputError(
                            f"the document id {named.id!r} stands also in {before}; "
                            "ids must be unique, or be left out everywhere",
                            path=named.path,
                            line=named.line,
                        )
                    )
                    continue
                seen.add(named.id, where)
                yield named
        except InputError as error:
            told(error)
    if skipped:
        _log.warning(
            "%d places could not be read and were skipped; the first: %s", len(skipped), skipped[0]
        )


def expand(paths: Paths) -> list[Path]:
    """Return the files that paths and patterns mean; those of a pattern are sorted.

    Raises:
        InputError: a pattern fits no file, or there are no paths.
    """
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    files: list[Path] = []
    for each in given:
        # A name that exists is that file, whatever brackets and stars it holds.
        if not glob.has_magic(str(each)) or Path(each).exists():
            files.append(Path(each))
            continue
        matches = map(Path, glob.glob(str(each), recursive=True))
        found = sorted(path for path in matches if path.is_file())
        if not found:
            raise InputError("no file fits this pattern", path=each)
        files += found
    if not files:
        raise InputError("no files are given")
    return files


def format_of(path: str | Path) -> str:
    """Return the format that the ending of a name means.

    >>> format_of("news.jsonl.gz")
    'jsonl'

    Raises:
        InputError: the ending means none.
    """
    ending = Path(str(path).removesuffix(".gz")).suffix.lower()
    if ending not in FORMATS_BY_ENDING:
        if Path(path).is_dir():
            raise InputError(
                f"is a folder; name its files, such as {Path(path) / '*.txt'}", path=path
            )
        if not Path(path).exists():
            raise InputError("there is no such file", path=path)
        raise InputError(
            f"the ending {ending!r} means no known format; name one of: {', '.join(FORMATS)}",
            path=path,
        )
    return FORMATS_BY_ENDING[ending]


def reader_of(path: str | Path, format: str | None = None) -> Reader:
    """Return the reader of a file: by the name of its format, or by its ending.

    Raises:
        InputError: the ending means no format.
        UnknownNameError: there is no such format.
    """
    name = format_of(path) if format is None else format
    if name not in FORMATS:
        raise UnknownNameError("corpus format", name, FORMATS)
    module, function = FORMATS[name].split(":")
    return cast(Reader, getattr(import_module(f"silverspan.corpus.{module}"), function))
