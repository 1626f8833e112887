"""Votes as Parquet: the same fields as in JSON lines, one row for each document.

Rows go through the same checks as JSON objects, so both formats accept and refuse the same.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from silverspan.corpus.files import atomic_write_bytes
from silverspan.corpus.json_lines import JsonObject
from silverspan.errors import InputError
from silverspan.observations.jsonl import VotedRecord, to_voted, voted_fields

if TYPE_CHECKING:
    import pyarrow

#: Of the layout of columns; a file with another number was made by another version.
FORMAT = 1
_ROWS = 1000


@cache
def schema() -> "pyarrow.Schema":
    """Return the columns and their types."""
    import pyarrow as pa  # noqa: PLC0415 (heavy)

    gold = pa.struct([("start", pa.int32()), ("end", pa.int32()), ("label", pa.string())])
    vote = pa.struct([*gold, pa.field("probability", pa.float64())])
    columns = [
        # Ids are numbers or text in JSON; here both are JSON, so that 7 and "7" stay two.
        ("id", pa.string()),
        ("doc", pa.string()),
        ("tokens", pa.list_(pa.string())),
        ("spaces", pa.string()),
        ("sentence_starts", pa.list_(pa.int32())),
        ("gold", pa.list_(gold)),
        ("weak", pa.map_(pa.string(), pa.list_(vote))),
        ("asked", pa.list_(pa.string())),
    ]
    return pa.schema(columns, metadata={"silverspan": str(FORMAT)})


def read(path: str | Path) -> Iterator[VotedRecord]:
    """Yield the document of every row.

    Raises:
        InputError: the file is no such Parquet file; a wrong value names its row.
    """
    import pyarrow as pa  # noqa: PLC0415 (heavy)
    import pyarrow.parquet as pq  # noqa: PLC0415

    if not Path(path).is_file():
        raise InputError("there is no such file", path=path)
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            missing = {"id", "tokens", "weak"} - set(file.schema_arrow.names)
            if missing:
                raise InputError(f"has no column {', '.join(sorted(missing))}", path=path)
            for batch in file.iter_batches(_ROWS):
                for fields in _rows(batch):
                    number += 1
                    yield to_voted(JsonObject(path, number, fields))
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"is no Parquet file of votes, or damaged ({error})", path=path) from error


def write(voted: Iterable[VotedRecord], path: str | Path) -> None:
    """Write documents so that ``read`` gives them back, probabilities rounded.

    Raises:
        InputError: the file cannot be written.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 (heavy)

    rows = map(voted_fields, voted)
    with (
        atomic_write_bytes(path) as out,
        pq.ParquetWriter(out, schema(), compression="zstd") as writer,
    ):
        while chunk := list(islice(rows, _ROWS)):
            writer.write_batch(_batch(chunk))


def _batch(rows: list[dict[str, Any]]) -> "pyarrow.RecordBatch":
    """Return rows as columns; spans go column by column, for there are many."""
    import pyarrow as pa  # noqa: PLC0415 (heavy)

    columns = []
    for field in schema():
        values = [row.get(field.name) for row in rows]
        if field.name in ("id", "doc"):
            values = [None if value is None else json.dumps(value) for value in values]
        if field.name == "weak":
            said = [item for value in values for item in (value or {}).items()]
            column = pa.MapArray.from_arrays(
                _offsets([len(value or ()) for value in values]),
                pa.array([name for name, _ in said], pa.string()),
                _spans([spans for _, spans in said], field.type.item_type),
            )
        elif field.name == "gold":
            column = _spans(values, field.type)
        else:
            column = pa.array(values, field.type)
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, schema=schema())


def _spans(lists: list[Any], kind: "pyarrow.ListType") -> "pyarrow.ListArray":
    """Return lists of spans, of which some may be None."""
    import pyarrow as pa  # noqa: PLC0415 (heavy)

    fields = list(kind.value_type)
    flat = [(*span, 1.0)[: len(fields)] for spans in lists if spans for span in spans]
    columns = zip(*flat, strict=True) if flat else ((),) * len(fields)
    return pa.ListArray.from_arrays(
        _offsets([len(spans or ()) for spans in lists]),
        pa.StructArray.from_arrays(
            [pa.array(c, f.type) for c, f in zip(columns, fields, strict=True)], fields=fields
        ),
        mask=pa.array([spans is None for spans in lists], pa.bool_()),
    )


def _offsets(sizes: list[int]) -> "pyarrow.Array":
    import pyarrow as pa  # noqa: PLC0415 (heavy)

    return pa.array(list(accumulate(sizes, initial=0)), pa.int32())


def _rows(batch: "pyarrow.RecordBatch") -> Iterator[dict[str, Any]]:
    """Yield rows as the fields of JSON objects."""
    columns = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in schema().names:
            # Other writers have wider integers and long strings.
            column = column.cast(schema().field(name).type)
            columns[name] = _READERS.get(name, _plain)(column)
    for values in zip(*columns.values(), strict=True):
        yield {
            name: value for name, value in zip(columns, values, strict=True) if value is not None
        }


def _plain(column: "pyarrow.Array") -> list[Any]:
    values: list[Any] = column.to_pylist()
    return values


def _identifiers(column: "pyarrow.Array") -> list[Any]:
    return [None if value is None else json.loads(value) for value in column.to_pylist()]


def _lists(column: "pyarrow.ListArray") -> list[Any]:
    parts = [part.to_pylist() for part in column.values.flatten()]
    flat = list(map(list, zip(*parts, strict=True)))
    return _cut(column, flat)


def _maps(column: "pyarrow.MapArray") -> list[Any]:
    pairs = list(zip(column.keys.to_pylist(), _lists(column.items), strict=True))
    return [None if cut is None else dict(cut) for cut in _cut(column, pairs)]


def _cut(column: "pyarrow.Array", flat: list[Any]) -> list[Any]:
    bounds = pairwise(column.offsets.to_pylist())
    known = column.is_valid().to_pylist()
    return [flat[a:b] if valid else None for (a, b), valid in zip(bounds, known, strict=True)]


_READERS: dict[str, Callable[[Any], list[Any]]] = {
    "id": _identifiers,
    "doc": _identifiers,
    "gold": _lists,
    "weak": _maps,
}
