"""Votes as Parquet: the same fields as in JSON lines, one row for each document.

Rows go through the same checks as JSON objects, so both formats accept and refuse the same.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
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
                for row in batch.to_pylist():
                    number += 1
                    yield to_voted(JsonObject(path, number, _fields(row)))
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"is no Parquet file of votes, or damaged ({error})", path=path) from error


def write(voted: Iterable[VotedRecord], path: str | Path) -> None:
    """Write documents so that ``read`` gives them back, probabilities rounded.

    Raises:
        InputError: the file cannot be written.
    """
    import pyarrow as pa  # noqa: PLC0415 (heavy)
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = map(_row, voted)
    with (
        atomic_write_bytes(path) as out,
        pq.ParquetWriter(out, schema(), compression="zstd") as writer,
    ):
        while batch := list(islice(rows, _ROWS)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema()))


def _row(voted: VotedRecord) -> dict[str, Any]:
    fields = voted_fields(voted)
    fields["id"] = json.dumps(fields["id"])
    if "doc" in fields:
        fields["doc"] = json.dumps(fields["doc"])
    if "gold" in fields:
        fields["gold"] = [_struct(span) for span in fields["gold"]]
    said = fields["weak"].items()
    fields["weak"] = [(name, [_struct((*span, 1.0)) for span in spans]) for name, spans in said]
    return fields


def _struct(span: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(("start", "end", "label", "probability"), span, strict=False))


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in row.items() if value is not None}
    for name in ("id", "doc"):
        if name in fields:
            fields[name] = json.loads(fields[name])
    if "gold" in fields:
        fields["gold"] = [list(span.values()) for span in fields["gold"]]
    said = fields.get("weak", [])
    fields["weak"] = {name: [list(span.values()) for span in spans] for name, spans in said}
    return fields
