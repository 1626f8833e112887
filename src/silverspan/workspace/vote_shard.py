"""What functions said of one shard, as one Parquet file that keeps each function's fingerprint.

In a file of its own each function could be redone alone; in one file there are few files. Redoing
a function rewrites the file, but runs only that function.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from silverspan.errors import WorkspaceError
from silverspan.labelling.apply import Failure, Labelled
from silverspan.labelling.function import Proposal
from silverspan.labels import LabelSpace
from silverspan.observations.votes import TokenFeatures, Votes

_KEY = b"silverspan"
_DICTIONARY = pa.dictionary(pa.int32(), pa.string())
_SCHEMA = pa.schema(
    [
        ("document", pa.int32()),
        ("function", _DICTIONARY),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("label", _DICTIONARY),
        ("probability", pa.float64()),
    ]
)


@dataclass(frozen=True, kw_only=True, slots=True)
class VoteShard:
    """The proposals of one shard; ``functions`` maps each name to its fingerprint."""

    documents: tuple[str, ...]
    lengths: tuple[int, ...]
    functions: Mapping[str, str]
    labelled: tuple[Labelled, ...]

    def kept(self, functions: Mapping[str, str]) -> "VoteShard":
        """Return only what functions of the same fingerprint said."""
        same = {n: f for n, f in self.functions.items() if functions.get(n) == f}
        return replace(
            self,
            functions=same,
            labelled=tuple(
                Labelled(
                    proposals={n: spans for n, spans in one.proposals.items() if n in same},
                    absent=one.absent & same.keys(),
                    failures=tuple(f for f in one.failures if f.function in same),
                )
                for one in self.labelled
            ),
        )

    def extended(self, functions: Mapping[str, str], labelled: Iterable[Labelled]) -> "VoteShard":
        """Return the shard with what more functions said, functions in the order of their names."""
        return replace(
            self,
            functions=dict(sorted({**self.functions, **functions}.items())),
            labelled=tuple(
                Labelled(
                    proposals=dict(sorted({**old.proposals, **new.proposals}.items())),
                    absent=old.absent | new.absent,
                    failures=tuple(sorted((*old.failures, *new.failures), key=_failure_key)),
                )
                for old, new in zip(self.labelled, labelled, strict=True)
            ),
        )

    def votes(
        self,
        space: LabelSpace,
        functions: Mapping[str, tuple[str, ...]],
        features: TokenFeatures | None = None,
    ) -> Votes:
        """Return the votes of the functions, given with their declared labels, as arrays."""
        asked = np.array(
            [[name not in one.absent for name in functions] for one in self.labelled], dtype=bool
        ).reshape(len(self.labelled), len(functions))
        return Votes.build(
            ({n: s for n, s in one.proposals.items() if n in functions} for one in self.labelled),
            lengths=self.lengths,
            space=space,
            functions=functions,
            documents=self.documents,
            asked=asked,
            features=features,
        )


def _failure_key(failure: Failure) -> tuple[str, str, str]:
    return failure.function, failure.document, failure.reason


def to_bytes(shard: VoteShard) -> bytes:
    """Return the shard as a Parquet file; equal shards give equal bytes."""
    rows = [
        (number, name, *span)
        for number, one in enumerate(shard.labelled)
        for name, spans in sorted(one.proposals.items())
        for span in spans
    ]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(_SCHEMA)
    head: dict[str, Any] = {
        "documents": shard.documents,
        "lengths": shard.lengths,
        "functions": dict(shard.functions),
        "absent": [sorted(one.absent) for one in shard.labelled],
        "failures": [
            [[f.function, f.document, f.reason] for f in one.failures] for one in shard.labelled
        ],
    }
    schema = _SCHEMA.with_metadata({_KEY: json.dumps(head, ensure_ascii=True).encode()})
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _SCHEMA, strict=True)]
    buffer = BytesIO()
    pq.write_table(pa.table(arrays, schema=schema), buffer, compression="zstd")
    return buffer.getvalue()


def from_bytes(content: bytes, name: str) -> VoteShard:
    """Return the shard that a Parquet file holds.

    Raises:
        WorkspaceError: it is none; ``name`` says which file in the message.
    """
    try:
        table = pq.read_table(BytesIO(content))
        head = json.loads(table.schema.metadata[_KEY])
        said: list[dict[str, list[Proposal]]] = [{} for _ in head["documents"]]
        for document, function, *span in zip(
            *(column.to_pylist() for column in table.columns), strict=True
        ):
            said[document].setdefault(function, []).append(tuple(span))
        return VoteShard(
            documents=tuple(head["documents"]),
            lengths=tuple(head["lengths"]),
            functions=head["functions"],
            labelled=tuple(
                Labelled(
                    proposals=layers,
                    absent=frozenset(absent),
                    failures=tuple(Failure(*failure) for failure in failures),
                )
                for layers, absent, failures in zip(
                    said, head["absent"], head["failures"], strict=True
                )
            ),
        )
    except (pa.ArrowException, ValueError, KeyError, IndexError, TypeError) as error:
        raise WorkspaceError(f"is no votes file of this version ({error})", path=name) from error
