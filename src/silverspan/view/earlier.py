"""Another run to compare with: spans by document, from a predictions file or from the last view.

Each time a project is viewed its spans are remembered; when they have changed since, the ones
before are what the comparison shows unless another run is named.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from silverspan.aggregation.posterior import Spans
from silverspan.aggregation.predictions import to_prediction
from silverspan.corpus.json_lines import read_objects
from silverspan.errors import InputError, WorkspaceError
from silverspan.pipeline.state import PREDICTIONS, Run
from silverspan.project import Project
from silverspan.workspace.fingerprint import fingerprint

WeightedSpan = tuple[int, int, str, float]

_SEEN: Final = "view/seen.parquet"
_BEFORE: Final = "view/before.parquet"
#: How a document differs: both have the span, with other labels, only one of them has it.
DIFFERENCES: Final = ("label", "boundary", "only here", "only there")


Found = Mapping[str, tuple[WeightedSpan, ...]]


class Earlier:
    """The spans of another run, by the id of the document; read when they are first asked for."""

    def __init__(self, name: str, read: Callable[[], Found]) -> None:
        self.name = name
        self._read = read

    @cached_property
    def found(self) -> Found:
        """The spans of every document."""
        return self._read()

    def spans(self, document: str, tokens: int) -> tuple[WeightedSpan, ...] | None:
        """Return the spans of a document; None if that run did not have it, or had another."""
        spans = self.found.get(document)
        return spans if spans is None or all(end <= tokens for _, end, _, _ in spans) else None

    @classmethod
    def of(cls, path: str | Path) -> "Earlier":
        """Return the predictions of a file, or of another project's last run.

        Raises:
            InputError: there are none.
        """
        path = Path(path)
        file = path
        if path.is_dir() or path.suffix == ".toml":
            file = Project(path).output / PREDICTIONS
        if not file.is_file():
            raise InputError("there are no predictions to compare with here", path=file)
        found: dict[str, tuple[WeightedSpan, ...]] = {}
        for number, item in enumerate(read_objects(file)):
            record, prediction = to_prediction(item, str(number))
            found[record.id] = tuple(prediction.spans)
        name = path.resolve().name if path.is_dir() else path.name
        return cls(name, lambda: found)


def remember(run: Run, ids: Sequence[str], spans: Spans) -> Earlier | None:
    """Remember the spans of this run; return those of the run that was viewed before it, if any."""
    table = pa.table(
        {
            "id": pa.array(list(ids), pa.large_string()),
            "bounds": np.searchsorted(spans.document, np.arange(1, len(ids) + 1)),
        }
    )
    rows = pa.table(
        {
            "start": spans.start,
            "end": spans.end,
            "label": pa.array([spans.labels[i] for i in spans.label.tolist()], pa.string()),
            "probability": spans.probability,
        }
    )
    content = _packed(table, rows)
    made = fingerprint(content)
    if not run.kept.is_fresh(_SEEN, made):
        # The first time, or if it is damaged, there is nothing to compare with.
        with contextlib.suppress(WorkspaceError):
            run.kept.write(_BEFORE, "before", run.kept.read(_SEEN))
        run.kept.write(_SEEN, made, content)
    try:
        packed = run.kept.read(_BEFORE)
    except WorkspaceError:
        return None
    return Earlier("the run before", lambda: _unpacked(packed))


def _packed(table: pa.Table, rows: pa.Table) -> bytes:
    buffer = BytesIO()
    sizes = np.diff(table["bounds"].to_numpy(), prepend=0)
    bounds = pa.array(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32))
    lists = {
        name: pa.ListArray.from_arrays(bounds, rows[name].combine_chunks())
        for name in rows.column_names
    }
    pq.write_table(pa.table({"id": table["id"], **lists}), buffer, compression="zstd")
    return buffer.getvalue()


def _unpacked(content: bytes) -> dict[str, tuple[WeightedSpan, ...]]:
    columns = pq.read_table(BytesIO(content)).to_pydict()
    return {
        name: tuple(zip(*spans, strict=True))
        for name, *spans in zip(
            *(columns[key] for key in ("id", "start", "end", "label", "probability")), strict=True
        )
    }


def differences(
    here: Iterable[WeightedSpan], there: Iterable[WeightedSpan]
) -> list[tuple[str, WeightedSpan | None, WeightedSpan | None]]:
    """Return how two lists of spans differ: the kind, the span here, the span there.

    >>> differences([(0, 2, "ORG", 0.9)], [(0, 2, "LOC", 0.5), (4, 5, "LOC", 1.0)])
    [('label', (0, 2, 'ORG', 0.9), (0, 2, 'LOC', 0.5)), ('only there', None, (4, 5, 'LOC', 1.0))]
    """
    mine = {span[:2]: span for span in here}
    theirs = {span[:2]: span for span in there}
    found: list[tuple[str, WeightedSpan | None, WeightedSpan | None]] = []
    for place in sorted(mine.keys() & theirs.keys()):
        if mine[place][2] != theirs[place][2]:
            found.append(("label", mine[place], theirs[place]))
    left = [mine[place] for place in sorted(mine.keys() - theirs.keys())]
    right = [theirs[place] for place in sorted(theirs.keys() - mine.keys())]
    for span in left:
        touching = next((o for o in right if span[0] < o[1] and o[0] < span[1]), None)
        if touching is not None:
            right.remove(touching)
            found.append(("boundary", span, touching))
        else:
            found.append(("only here", span, None))
    found += [("only there", None, span) for span in right]
    return found


def count(
    differing: Iterable[tuple[str, WeightedSpan | None, WeightedSpan | None]],
) -> Counter[tuple[str, str]]:
    """Count differences by label (the one here, if there is one) and kind."""
    return Counter(((here or there or (0, 0, "", 0.0))[2], kind) for kind, here, there in differing)
