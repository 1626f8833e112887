"""The index: what the lists show and search, made once a shard, kept in the workspace, compact.

In memory it is columns (Arrow and numpy), not objects: 50,000 documents cost little more than their
text. Single documents are read from disk when somebody opens them.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from jaxtyping import Bool, Float32, Int32, Int64
from numpy import ndarray

from silverspan.aggregation.posterior import Spans
from silverspan.corpus.document import document_id
from silverspan.errors import WorkspaceError
from silverspan.observations.votes import Votes
from silverspan.pipeline.aggregate import made_from
from silverspan.pipeline.state import Run
from silverspan.progress import track
from silverspan.view.tally import Tally, tally
from silverspan.workspace import corpus_shards
from silverspan.workspace.fingerprint import fingerprint, of_code
from silverspan.workspace.vote_shard import from_bytes as read_votes

_FOLDER: Final = "view/"
_KEY: Final = b"silverspan"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Index:
    """All documents of a run; ``uncertainty`` is the expected number of wrong tokens."""

    ids: pa.ChunkedArray
    texts: pa.ChunkedArray
    tokens: Int32[ndarray, " documents"]
    uncertainty: Float32[ndarray, " documents"]
    conflict: Int32[ndarray, " documents"]  # tokens with votes for more than one label
    speaks: Bool[ndarray, "documents functions"]
    has_label: Bool[ndarray, "documents labels"]
    has_gold: Bool[ndarray, " documents"]  # in the corpus itself
    spans: Spans
    tally: Tally

    def __len__(self) -> int:
        return len(self.tokens)


def index_of(run: Run) -> Index:
    """Return the index of a run whose label model is applied; made only where something changed."""
    functions = tuple(run.declared)
    code = fingerprint(
        of_code("view/index", "view/tally"),
        made_from(run),
        functions,
        run.project.settings.labels.model_dump(),
    )
    tables, tallies = [], []
    for number in track(range(len(run.shards)), "index", total=len(run.shards)):
        name = f"{_FOLDER}{number:05d}.parquet"
        made = fingerprint(code, run.shards[number].fingerprint, run.work[number].fingerprint)
        if not run.kept.is_fresh(name, made):
            run.kept.write(name, made, _made(run, number, functions))
        table, found = _read(run.kept.read(name), name)
        tables.append(table)
        tallies.append(found)
    for name in run.kept.names(f"{_FOLDER}0"):
        if int(name.removeprefix(_FOLDER).removesuffix(".parquet")) >= len(run.shards):
            run.kept.remove(name)
    return joined(tables, tallies, functions, run.project.space.outputs)


def joined(
    tables: Sequence[pa.Table],
    tallies: Sequence[Tally],
    functions: tuple[str, ...],
    labels: tuple[str, ...],
) -> Index:
    """Return the index of shards, given in the order of the corpus."""
    table = pa.concat_tables(tables)
    sizes = _lengths(table["label"])
    flat = {name: _flat(table[name]) for name in ("start", "end", "label", "probability")}
    document = np.repeat(np.arange(len(table)), sizes).astype(np.int32)
    has_label = np.zeros((len(table), len(labels)), dtype=bool)
    has_label[document, flat["label"]] = True
    speaks = np.zeros((len(table), len(functions)), dtype=bool)
    speakers = np.repeat(np.arange(len(table)), _lengths(table["functions"]))
    speaks[speakers, _flat(table["functions"])] = True
    return Index(
        ids=table["id"],
        texts=table["text"],
        tokens=table["tokens"].to_numpy(),
        uncertainty=table["uncertainty"].to_numpy(),
        conflict=table["conflict"].to_numpy(),
        speaks=speaks,
        has_label=has_label,
        has_gold=table["gold"].to_numpy(),
        spans=Spans(labels=labels, document=document, **flat),
        tally=Tally.joined(tallies, tables, functions),
    )


def row(
    *,
    id: str,
    text: str,
    tokens: int,
    uncertainty: float = 0.0,
    conflict: int = 0,
    functions: Iterable[int] = (),
    gold: bool = False,
    spans: Iterable[tuple[int, int, int, float]] = (),
) -> dict[str, Any]:
    """Return a document as a row of the table of its shard; functions and labels by number."""
    start, end, label, probability = zip(*spans, strict=True) if (spans := [*spans]) else ((),) * 4
    return {
        "id": id,
        "text": text,
        "tokens": tokens,
        "uncertainty": uncertainty,
        "conflict": conflict,
        "gold": gold,
        "functions": list(functions),
        "start": start,
        "end": end,
        "label": label,
        "probability": probability,
    }


def table_of(rows: Iterable[dict[str, Any]]) -> pa.Table:
    """Return the table of a shard."""
    return pa.Table.from_pylist(list(rows), schema=_SCHEMA)


_SCHEMA: Final = pa.schema(
    [
        ("id", pa.large_string()),
        ("text", pa.large_string()),
        ("tokens", pa.int32()),
        ("uncertainty", pa.float32()),
        ("conflict", pa.int32()),
        ("gold", pa.bool_()),
        ("functions", pa.list_(pa.int16())),
        ("start", pa.list_(pa.int32())),
        ("end", pa.list_(pa.int32())),
        ("label", pa.list_(pa.int16())),
        ("probability", pa.list_(pa.float32())),
    ]
)


def _made(run: Run, number: int, functions: tuple[str, ...]) -> bytes:
    """Return the index of one shard as a Parquet file."""
    docs = corpus_shards.read_shard(run.kept, run.shards[number])
    posterior = run.posterior(number)
    name = run.work[number].name
    shard = read_votes(run.kept.read(name), name)
    votes = shard.votes(run.project.space, run.declared)
    conflict = conflicts(votes)
    doubt = uncertainty(posterior.by_label(), posterior.position, posterior.offsets)
    spoken = [np.unique(votes.function[_rows(votes, i)]) for i in range(len(docs))]
    labels = {label: i for i, label in enumerate(posterior.labels)}
    rows = [
        row(
            id=document_id(doc),
            text=doc.text,
            tokens=len(doc),
            uncertainty=float(doubt[i]),
            conflict=int(conflict[i]),
            functions=spoken[i].tolist(),
            gold="gold" in doc.spans,
            spans=((a, b, labels[label], p) for a, b, label, p in posterior.spans.of(i)),
        )
        for i, doc in enumerate(docs)
    ]
    table = table_of(rows)
    found = tally(votes, posterior.spans)
    head = json.dumps(found.to_json(), ensure_ascii=True).encode()
    buffer = BytesIO()
    pq.write_table(table.replace_schema_metadata({_KEY: head}), buffer, compression="zstd")
    return buffer.getvalue()


def _read(content: bytes, name: str) -> tuple[pa.Table, Tally]:
    try:
        table = pq.read_table(BytesIO(content))
        found = Tally.from_json(json.loads(table.schema.metadata[_KEY]))
        return table.replace_schema_metadata(None).cast(_SCHEMA), found
    except (pa.ArrowException, ValueError, KeyError, TypeError) as error:
        raise WorkspaceError(f"is no index of this version ({error})", path=name) from error


def _rows(votes: Votes, document: int) -> slice:
    low, high = np.searchsorted(votes.document, [document, document + 1])
    return slice(int(low), int(high))


def uncertainty(
    by_label: Float32[ndarray, "voted kinds"],
    position: Int64[ndarray, " voted"],
    offsets: Int64[ndarray, " bounds"],
) -> Float32[ndarray, " documents"]:
    """Return for each document how many of its tokens have a wrong label, by the model's belief."""
    document = np.searchsorted(offsets, position, side="right") - 1
    missing = 1.0 - by_label.max(axis=1, initial=0.0).astype(np.float64)
    summed = np.bincount(document, weights=missing, minlength=len(offsets) - 1)
    return summed.astype(np.float32)


def conflicts(votes: Votes) -> Int64[ndarray, " documents"]:
    """Return for each document how many of its tokens have votes for more than one label."""
    is_output = votes.label < len(votes.space.outputs)
    size = (votes.end - votes.start)[is_output].astype(np.int64)
    owner = np.repeat(np.flatnonzero(is_output), size)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
    offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
    position = offset[votes.document[owner]] + votes.start[owner] + within
    pairs = np.unique(np.stack([position, votes.label[owner].astype(np.int64)]), axis=1)
    token, count = np.unique(pairs[0], return_counts=True)
    document = np.searchsorted(offset, token[count > 1], side="right") - 1
    return np.bincount(document, minlength=len(votes.lengths))


def _lengths(column: pa.ChunkedArray) -> ndarray:
    parts = [np.diff(chunk.offsets.to_numpy()) for chunk in column.chunks]
    return np.concatenate([np.zeros(0, dtype=np.int32), *parts])


def _flat(column: pa.ChunkedArray) -> ndarray:
    kind = column.type.value_type.to_pandas_dtype()
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    return np.concatenate([np.zeros(0, dtype=kind), *parts])
