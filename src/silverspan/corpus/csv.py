"""CSV and TSV with a header: a document for each row, its text in the column ``text``.

A column ``id`` names the documents. The separator (comma, semicolon or tab) is the one of the
header. Other columns are ignored.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

from silverspan.corpus.files import LONGEST, read_lines
from silverspan.corpus.record import Problem, Record, stop
from silverspan.errors import InputError


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every row.

    Raises:
        InputError: there is no column ``text``, a row has fewer columns than the header, or a
            quotation mark is left open.
    """
    # The limit is one for the whole process; the default, 128 KiB, is shorter than documents are.
    csv.field_size_limit(LONGEST)
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        return
    separator = max(",;\t", key=first[1].count)
    try:
        header = next(csv.reader([first[1]], delimiter=separator))
    except csv.Error as error:  # a carriage return inside
        raise InputError(f"no header can be read: {error}", path=path, line=1) from None
    columns = [name.strip().lower() for name in header]
    if "text" not in columns:
        raise InputError(
            f'there is no column "text"; the columns are: {", ".join(columns)[:200]}',
            path=path,
            line=1,
        )
    text_at = columns.index("text")
    id_at = columns.index("id") if "id" in columns else None
    rows = csv.reader((line + "\n" for _, line in lines), delimiter=separator, strict=True)
    while True:
        start = rows.line_num + 2  # the header came before
        try:
            row = next(rows, None)
            if row is None:
                return
            if row and len(row) != len(header):
                raise csv.Error(f"{len(row)} columns where the header has {len(header)}")
        except csv.Error as error:
            problem(InputError(str(error), path=path, line=start))
        else:
            if row:
                identifier = "" if id_at is None else row[id_at]
                yield Record(id=identifier, text=row[text_at], path=str(path), line=start)
