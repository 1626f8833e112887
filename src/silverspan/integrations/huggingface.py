"""Hugging Face datasets: a Parquet file that ``load_dataset("parquet", data_files=...)`` opens.

Columns ``id``, ``tokens``, ``ner_tags`` (IOB2, as class labels with names), ``soft_labels`` (a
probability for each of those names at every token) and ``spans`` with their probabilities.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float32
from numpy import ndarray

from silverspan.corpus.document import original_id
from silverspan.corpus.files import atomic_write_bytes
from silverspan.errors import InputError
from silverspan.integrations.export import DECIMALS, found
from silverspan.tagging import tags, write_tags
from silverspan.training.soft_labels import soft_labels

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: So many tokens, or documents, are held and written at once.
_TOKENS = 20_000
_ROWS = 1000


def write(docs: "Iterable[Doc]", path: Path) -> None:
    """Write one row for each document, some at a time.

    The names of class labels stand at the head of the file. Documents of a label model carry them;
    others are gone through twice, or held in memory if they come only once.

    Raises:
        InputError: the file cannot be written, or a document has labels that the first has not.
    """
    import pyarrow as pa  # noqa: PLC0415 (heavy)
    import pyarrow.parquet as pq  # noqa: PLC0415

    labels, kept = _labels(docs)
    names = tags(labels, "bio")
    span = pa.struct(
        [
            ("start", pa.int32()),
            ("end", pa.int32()),
            ("label", pa.string()),
            ("probability", pa.float64()),
        ]
    )
    schema = pa.schema(
        [
            ("id", pa.string()),
            ("tokens", pa.list_(pa.string())),
            ("ner_tags", pa.list_(pa.int64())),
            ("soft_labels", pa.list_(pa.list_(pa.float32()))),
            ("spans", pa.list_(span)),
        ],
        metadata={"huggingface": json.dumps({"info": {"features": _features(names)}})},
    )
    rows = (_row(doc, labels, names) for doc in kept)
    with (
        atomic_write_bytes(path) as out,
        pq.ParquetWriter(out, schema, compression="zstd") as writer,
    ):
        for chunk in _chunks(rows):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))


def _labels(docs: "Iterable[Doc]") -> "tuple[tuple[str, ...], Iterator[Doc]]":
    """Return all labels, and the documents, still to be gone through."""
    stream = iter(docs)
    first = next(stream, None)
    if first is None:
        return (), stream
    soft = soft_labels(first)
    if soft is not None:
        return tuple(sorted(soft.labels)), chain([first], stream)
    kept = docs
    if stream is docs:
        kept = [first, *stream]
    labels = {label for doc in kept for _, _, label, _ in found(doc)}
    return tuple(sorted(labels)), iter(kept)


def _chunks(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    tokens = 0
    for row in rows:
        chunk.append(row)
        tokens += len(row["tokens"])
        if len(chunk) == _ROWS or tokens >= _TOKENS:
            yield chunk
            chunk, tokens = [], 0
    if chunk:
        yield chunk


def _row(doc: "Doc", labels: tuple[str, ...], names: Sequence[str]) -> dict[str, Any]:
    spans = found(doc)
    for _, _, label, _ in spans:
        if label not in labels:
            raise InputError(
                f"document {original_id(doc)!r} has the label {label!r}, which is none of those of "
                f"the first document: {', '.join(labels)}"
            )
    tagged = write_tags([span[:3] for span in spans], len(doc))
    number_of = {name: number for number, name in enumerate(names)}
    return {
        "id": str(original_id(doc)),
        "tokens": [token.text for token in doc],
        "ner_tags": [number_of[tag] for tag in tagged],
        "soft_labels": list(_soft(doc, labels)),
        "spans": [
            {"start": s, "end": e, "label": label, "probability": round(p, DECIMALS)}
            for s, e, label, p in spans
        ],
    }


def _soft(doc: "Doc", labels: tuple[str, ...]) -> Float32[ndarray, "tokens tags"]:
    """Return the distribution over IOB2 tags at every token.

    Without soft labels a token has the probability of its span, and "O" the rest.
    """
    dense = np.zeros((len(doc), 1 + 2 * len(labels)), dtype=np.float32)
    soft = soft_labels(doc)
    if soft is None:
        for start, end, label, probability in found(doc):
            column = 1 + 2 * labels.index(label)
            dense[start, column] = probability
            dense[start + 1 : end, column + 1] = probability
    else:
        # A span begins with B or with U, and goes on with I or with L.
        biluo = soft.targets(labels, len(doc))[:, 1:].reshape(len(doc), len(labels), 4)
        dense[:, 1::2] = biluo[:, :, 0] + biluo[:, :, 3]
        dense[:, 2::2] = biluo[:, :, 1] + biluo[:, :, 2]
    dense[:, 0] = np.maximum(1.0 - dense[:, 1:].sum(axis=1), 0.0)
    return dense.round(DECIMALS)


def _features(names: Sequence[str]) -> dict[str, Any]:
    def value(kind: str) -> dict[str, str]:
        return {"dtype": kind, "_type": "Value"}

    return {
        "id": value("string"),
        "tokens": {"feature": value("string"), "_type": "Sequence"},
        "ner_tags": {
            "feature": {"names": list(names), "_type": "ClassLabel"},
            "_type": "Sequence",
        },
        "soft_labels": {
            "feature": {"feature": value("float32"), "_type": "Sequence"},
            "_type": "Sequence",
        },
        "spans": [
            {
                "start": value("int32"),
                "end": value("int32"),
                "label": value("string"),
                "probability": value("float64"),
            }
        ],
    }
