"""Hugging Face datasets: a Parquet file that ``load_dataset("parquet", data_files=...)`` opens.

Columns ``id``, ``tokens``, ``ner_tags`` (IOB2, as class labels with names) and ``spans`` with their
probabilities.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from silverspan.corpus.document import original_id
from silverspan.corpus.files import atomic_write_bytes
from silverspan.integrations.export import DECIMALS, found
from silverspan.tagging import tags, write_tags

if TYPE_CHECKING:
    from spacy.tokens import Doc


def write(docs: "Iterable[Doc]", path: Path) -> None:
    """Write one row for each document; the documents are held in memory, for the list of labels.

    Raises:
        InputError: the file cannot be written.
    """
    import pyarrow as pa  # noqa: PLC0415 (heavy)
    import pyarrow.parquet as pq  # noqa: PLC0415

    kept = list(docs)
    names = tags(sorted({label for doc in kept for _, _, label, _ in found(doc)}), "bio")
    number_of = {name: number for number, name in enumerate(names)}
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
            ("spans", pa.list_(span)),
        ],
        metadata={"huggingface": json.dumps({"info": {"features": _features(names)}})},
    )
    table = pa.Table.from_pylist([_row(doc, number_of) for doc in kept], schema=schema)
    with atomic_write_bytes(path) as out:
        pq.write_table(table, out, compression="zstd")


def _row(doc: "Doc", number_of: dict[str, int]) -> dict[str, Any]:
    spans = found(doc)
    tagged = write_tags([span[:3] for span in spans], len(doc))
    return {
        "id": str(original_id(doc)),
        "tokens": [token.text for token in doc],
        "ner_tags": [number_of[tag] for tag in tagged],
        "spans": [
            {"start": s, "end": e, "label": label, "probability": round(p, DECIMALS)}
            for s, e, label, p in spans
        ],
    }


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
        "spans": [
            {
                "start": value("int32"),
                "end": value("int32"),
                "label": value("string"),
                "probability": value("float64"),
            }
        ],
    }
