"""What became of the votes of every function: kept, renamed, moved or dropped by the label model.

Counts of shards add up. A few dropped and renamed votes of each are remembered, to be looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

import numpy as np
import pyarrow as pa
from jaxtyping import Int64
from numpy import ndarray

from silverspan.aggregation.posterior import Spans
from silverspan.observations.votes import Votes

#: In the final span as they are; there with another label; with other ends; not there at all.
FATES: Final = ("kept", "renamed", "moved", "dropped")
#: Remembered votes of one function and fate, by shard and in all.
_REMEMBERED: Final = 4
_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Found:
    """One vote of a function; ``silver`` is what the label model says there, or empty."""

    document: int
    start: int
    end: int
    label: str
    fate: str
    silver: str


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Tally:
    """By function: ``counts[f, l, fate]`` of its spans for each label, and some examples."""

    functions: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Int64[ndarray, "functions labels fates"]
    examples: tuple[tuple[Found, ...], ...]

    @classmethod
    def joined(
        cls, parts: "Sequence[Tally]", tables: Sequence[pa.Table], functions: tuple[str, ...]
    ) -> "Tally":
        """Return the sum over shards; examples count the documents of the whole corpus."""
        first = [0, *accumulate(len(table) for table in tables)]
        return cls(
            functions=functions,
            labels=parts[0].labels,
            counts=np.sum([part.counts for part in parts], axis=0),
            examples=tuple(
                tuple(
                    Found(
                        one.document + before,
                        one.start,
                        one.end,
                        one.label,
                        one.fate,
                        one.silver,
                    )
                    for part, before in zip(parts, first, strict=False)
                    for one in part.examples[number]
                )[:_SHOWN]
                for number in range(len(functions))
            ),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the tally as JSON-like data."""
        return {
            "functions": self.functions,
            "labels": self.labels,
            "counts": self.counts.tolist(),
            "examples": [
                [
                    [one.document, one.start, one.end, one.label, one.fate, one.silver]
                    for one in found
                ]
                for found in self.examples
            ],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Tally":
        """Return what ``to_json`` made."""
        functions, labels = tuple(data["functions"]), tuple(data["labels"])
        counts = np.array(data["counts"], dtype=np.int64)
        return cls(
            functions=functions,
            labels=labels,
            counts=counts.reshape(len(functions), len(labels), len(FATES)),
            examples=tuple(tuple(Found(*one) for one in found) for found in data["examples"]),
        )


def tally(votes: Votes, silver: Spans) -> Tally:
    """Return what became of the votes of a shard.

    A coarse vote is kept if the label is one of those it stands for.
    """
    names = votes.space.names
    stands = [set(votes.space.stands_for(i)) for i in range(len(names))]
    counts = np.zeros((len(votes.functions), len(names), len(FATES)), dtype=np.int64)
    examples: list[list[Found]] = [[] for _ in votes.functions]
    seen = np.zeros((len(votes.functions), len(FATES)), dtype=np.int64)
    bounds = np.searchsorted(silver.document, np.arange(len(votes.documents) + 1))
    columns = (votes.document, votes.start, votes.end, votes.function, votes.label)
    for document, start, end, function, label in zip(*(c.tolist() for c in columns), strict=True):
        fate, row = 3, -1
        low, high = bounds[document], bounds[document + 1]
        # The first span that ends behind the start: spans of silver never overlap.
        at = low + int(np.searchsorted(silver.end[low:high], start, side="right"))
        if at < high and silver.start[at] < end:
            row = at
            same = silver.start[row] == start and silver.end[row] == end
            fate = (0 if int(silver.label[row]) in stands[label] else 1) if same else 2
        counts[function, label, fate] += 1
        if fate in (1, 3) and seen[function, fate] < _REMEMBERED:
            seen[function, fate] += 1
            said = "" if row < 0 else silver.labels[silver.label[row]]
            examples[function].append(Found(document, start, end, names[label], FATES[fate], said))
    return Tally(
        functions=votes.functions,
        labels=names,
        counts=counts,
        examples=tuple(tuple(found) for found in examples),
    )
