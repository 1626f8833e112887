"""What readers share: lines, tables and options; damage is noted with its line and passed over.

Files are plain, gzip, bzip2 or zip (the largest member), told by their first bytes. Progress is
told in bytes of the file as it lies on disk, so an estimate holds for packed files too.
"""

import bz2
import csv
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.entries import Damage
from silverspan.progress import Task

_TOLD_EVERY = 20_000
_CUT_OFF = (EOFError, OSError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile)
#: What spreadsheet programs and dumps reach; a longer field is an unclosed quotation mark.
_LONGEST_FIELD = 1_000_000


@contextmanager
def open_unpacked(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file for its unpacked bytes; gives the stream, and the file to ask for its place."""
    with path.open("rb") as raw:
        magic = raw.peek(4)[:4]
        stream: Any = raw
        if magic.startswith(b"\x1f\x8b"):
            stream = io.BufferedReader(cast(Any, gzip.GzipFile(fileobj=raw)))
        elif magic.startswith(b"BZh"):
            stream = io.BufferedReader(cast(Any, bz2.BZ2File(raw)))
        elif magic == b"PK\x03\x04":
            archive = zipfile.ZipFile(raw)
            largest = max(archive.infolist(), key=lambda member: member.file_size)
            stream = io.BufferedReader(cast(Any, archive.open(largest)))
        yield stream, raw


def read_bytes_of_lines(path: Path, damage: Damage) -> Iterator[tuple[int, bytes]]:
    """Yield every line as bytes without its end, with its number from 1; stops where it is cut."""
    number = told = 0
    with Task(f"reading {path.name}", total=path.stat().st_size) as task:
        try:
            with open_unpacked(path) as (stream, raw):
                for number, line in enumerate(stream, 1):
                    yield number, line.rstrip(b"\r\n")
                    if number % _TOLD_EVERY == 0:
                        task.advance(raw.tell() - told)
                        told = raw.tell()
        except _CUT_OFF as error:
            damage.add(path, number + 1, f"the file is cut off or damaged here ({error})")
        task.advance(path.stat().st_size - told)


def read_lines(path: Path, damage: Damage) -> Iterator[tuple[int, str]]:
    """Yield every line that is UTF-8; others are noted as damage."""
    for number, line in read_bytes_of_lines(path, damage):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError:
            damage.add(path, number, "not UTF-8")


def read_json(path: Path, damage: Damage) -> Any:
    """Return a whole JSON document.

    Raises:
        GazetteerError: it is damaged: of a JSON document that is cut off, nothing can be used.
    """
    text = b"\n".join(line for _, line in read_bytes_of_lines(path, damage))
    try:
        return json.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, UnicodeDecodeError) as error:
        raise GazetteerError(f"{path}: not a whole JSON document in UTF-8 ({error})") from error


def read_table(
    path: Path, damage: Damage, *, delimiter: str | None = None
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV or TSV file with a header, with the line each one ends at.

    Rows with too few or too many cells are noted as damage.
    """
    lines = read_lines(path, damage)
    place = 0

    def texts() -> Iterator[str]:
        nonlocal place
        for number, line in lines:
            place = number
            yield line + "\n"

    source = texts()
    head = next(source, "")
    if delimiter is None:
        delimiter = max(",\t;|", key=head.count)
    csv.field_size_limit(_LONGEST_FIELD)
    columns = [cell.strip() for cell in next(csv.reader([head], delimiter=delimiter), [])]
    rows = csv.reader(source, delimiter=delimiter)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            damage.add(path, place, f"no row of a table ({error})")
            continue
        if len(row) == len(columns):
            yield place, dict(zip(columns, row, strict=True))
        elif row:
            damage.add(path, place, f"{len(row)} cells in a table of {len(columns)} columns")


def take_options(
    given: Mapping[str, str], known: Mapping[str, str | None], where: str
) -> dict[str, str]:
    """Return the options of a reader with defaults filled in; ``None`` means it must be given.

    Raises:
        GazetteerError: an option is unknown or missing; lists those there are.
    """
    listing = ", ".join(
        f"{name}{'' if default is None else f'={default}'}" for name, default in known.items()
    )
    for name in given:
        if name not in known:
            raise GazetteerError(
                f"format {where!r} has no option {name!r}; it has: {listing or 'none'}"
            )
    for name, default in known.items():
        if default is None and name not in given:
            raise GazetteerError(f"format {where!r} needs the option {name!r}: --option {name}=...")
    return {name: given.get(name, default or "") for name, default in known.items()}


def take_number(options: Mapping[str, str], name: str, where: str) -> int:
    """Return an option that is a whole number.

    Raises:
        GazetteerError: it is none.
    """
    try:
        return int(options[name].replace("_", "") or 0)
    except ValueError as error:
        raise GazetteerError(
            f"option {name!r} of format {where!r} is a whole number, not {options[name]!r}"
        ) from error


def need_columns(path: Path, row: Mapping[str, str], columns: Sequence[str]) -> None:
    """Refuse a table that lacks columns a reader needs.

    Raises:
        GazetteerError: names the columns it has.
    """
    missing = [column for column in columns if column not in row]
    if missing:
        raise GazetteerError(
            f"{path}: has no column {missing[0]!r}; its columns are: {', '.join(row)}"
        )


def split_names(cell: str, separator: str = "|") -> Iterable[str]:
    """Yield the names of a cell that holds several."""
    for name in cell.split(separator):
        if name.strip():
            yield name.strip()
