"""The functions of a run as a table that sorts, and what is known of each one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from silverspan.view.explained import ratings
from silverspan.view.library import Library
from silverspan.view.tally import FATES, Found

_EXAMPLES: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionRow:
    """One function: how much it says, what became of it, and how the model rates it."""

    number: int
    name: str
    group: str
    labels: tuple[str, ...]  # what it said, most frequent first
    documents: int  # that it says something of
    spans: int
    kept: float | None  # shares of its spans
    renamed: float | None
    dropped: float | None
    weight: float | None
    precision: float | None  # estimated by the model, over what it says


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelRow:
    """What one function says of one label."""

    label: str
    fates: tuple[int, ...]
    precision: float | None
    recall: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A vote that the label model did not follow, with the words around it."""

    found: Found
    id: str
    before: str
    text: str
    after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionPage:
    """All that is known of one function."""

    row: FunctionRow
    declared: tuple[str, ...]
    labels: tuple[LabelRow, ...]
    fates: tuple[str, ...]
    examples: tuple[Example, ...]


#: What the table may be sorted by: names rising, amounts falling.
SORTS: Final[dict[str, Callable[[FunctionRow], Any]]] = {
    "name": lambda row: row.name,
    "group": lambda row: (row.group, row.name),
    "documents": lambda row: -row.documents,
    "spans": lambda row: -row.spans,
    "kept": lambda row: -(row.kept if row.kept is not None else -1.0),
    "renamed": lambda row: -(row.renamed if row.renamed is not None else -1.0),
    "dropped": lambda row: -(row.dropped if row.dropped is not None else -1.0),
    "weight": lambda row: -(row.weight if row.weight is not None else -1.0),
    "precision": lambda row: -(row.precision if row.precision is not None else -1.0),
}


def table(library: Library, sort: str) -> tuple[list[FunctionRow], str]:
    """Return the rows of all functions, sorted, and by what; an unknown order is by group."""
    sort = sort if sort in SORTS else "group"

    def make() -> list[FunctionRow]:
        documents = library.index.speaks.sum(axis=0)
        rated = ratings(library.described)
        weights = library.described.get("weights", {})
        return [
            _row(library, number, int(documents[number]), rated.get(name, {}), weights.get(name))
            for number, name in enumerate(library.functions)
        ]

    return sorted(library.once("functions", 0, make), key=SORTS[sort]), sort


def _row(
    library: Library,
    number: int,
    documents: int,
    rated: dict[str, tuple[float | None, float | None]],
    weight: float | None,
) -> FunctionRow:
    tally = library.index.tally
    by_label = tally.counts[number].sum(axis=1)
    fates = tally.counts[number].sum(axis=0)
    spans = int(fates.sum())
    share = dict(zip(FATES, (fates / max(spans, 1)).tolist(), strict=True)) if spans else {}
    known = [
        (int(by_label[i]), rated[label][1])
        for i, label in enumerate(tally.labels)
        if label in rated and by_label[i] and rated[label][1] is not None
    ]
    total = sum(count for count, _ in known)
    weights = [pair[0] for pair in rated.values() if pair[0] is not None]
    name = library.functions[number]
    return FunctionRow(
        number=number,
        name=name,
        group=library.groups[name],
        labels=tuple(tally.labels[i] for i in np.argsort(-by_label, kind="stable") if by_label[i]),
        documents=documents,
        spans=spans,
        kept=share.get("kept"),
        renamed=share.get("renamed"),
        dropped=share.get("dropped"),
        weight=weights[0] if weights else weight,
        precision=sum(count * (p or 0.0) for count, p in known) / total if total else None,
    )


def findings(library: Library, number: int) -> FunctionPage:
    """Return all that is known of one function."""
    tally = library.index.tally
    name = library.functions[number]
    row = next(row for row in table(library, "name")[0] if row.number == number)
    described = library.described.get("functions")
    known = described.get(name, {}).get("labels", {}) if isinstance(described, dict) else {}
    if isinstance(described, list):
        known = {
            each["label"]: each
            for each in described
            if isinstance(each, dict) and each.get("function") == name and "label" in each
        }
    labels = [
        LabelRow(
            label=label,
            fates=tuple(tally.counts[number, i].tolist()),
            precision=known.get(label, {}).get("precision"),
            recall=known.get(label, {}).get("recall"),
        )
        for i, label in enumerate(tally.labels)
        if tally.counts[number, i].any()
    ]
    examples = []
    for found in tally.examples[number][:_EXAMPLES]:
        before, text, after = library.snippet(found.document, found.start, found.end)
        examples.append(
            Example(
                found=found,
                id=library.index.ids[found.document].as_py(),
                before=before,
                text=text,
                after=after,
            )
        )
    return FunctionPage(
        row=row,
        declared=library.declared[name],
        labels=tuple(labels),
        fates=FATES,
        examples=tuple(examples),
    )
