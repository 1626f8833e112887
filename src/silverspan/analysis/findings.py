"""The rows of an analysis, and the whole of it: as data, as JSON, and as frames.

A frame is a plain dictionary of columns, which ``pandas.DataFrame`` takes as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import TYPE_CHECKING, Any

from silverspan.analysis.gold import GoldFindings
from silverspan.analysis.suggestions import Suggestion
from silverspan.errors import MissingDependencyError, UnknownNameError

if TYPE_CHECKING:
    import pandas

#: Decimals of shares in JSON and frames.
_DIGITS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionRow:
    """One function, or one function on one ``label``. Shares are from 0 to 1.

    ``estimated`` is by the label model, ``measured`` by gold; None where nothing can be said.
    """

    function: str
    label: str | None
    documents: int
    spans: int
    tokens: int
    coverage: float  # of the tokens that it saw
    overlap: float  # of its tokens, those on which another speaks
    conflict: float  # ... and says something else
    redundancy: float  # ... and says the same
    span_overlap: float  # of its spans, those that touch another's
    span_conflict: float  # ... with another label or other ends
    estimated_precision: float | None  # by token
    estimated_recall: float | None
    estimated_span_precision: float | None
    estimated_span_recall: float | None
    measured_precision: float | None = None  # by span, strict
    measured_recall: float | None = None
    measured_f1: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionExtra:
    """What is told of a function as a whole only."""

    function: str
    labels: tuple[str, ...]  # what it said, most frequent first
    nearest: str | None  # the function that agrees with it most, as a share of either's tokens
    similarity: float
    weight: float | None  # what the label model counts it for
    changed: float | None  # leave-one-out: of the spans of either model, those of one only
    lost: int | None  # spans found only with it
    gained: int | None
    gain: float | None  # nats of likelihood by token it votes for


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelRow:
    """One label: who proposes it, and what became of it."""

    label: str
    functions: int  # that ever say it
    proposed: int  # tokens that somebody gives it
    one_witness: float  # of these, those that one function alone gives it
    spans: int  # that the label model found
    probability: float | None  # their mean probability


@dataclass(frozen=True, kw_only=True, slots=True)
class PairRow:
    """Two functions that speak of the same tokens."""

    first: str
    second: str
    agreement: float  # of the tokens that either labels
    disagreement: float
    common_spans: int  # that touch
    other_label: float  # of these, those with another label
    other_ends: float
    examples: tuple[tuple[str, str, str, int], ...]  # text, first's label, second's, how often


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentRow:
    """One document, and how hard it is."""

    document: str
    tokens: int
    voted: int
    spans: int
    entropy: float  # nats, over all its tokens
    expected_errors: float  # tokens
    contradicted: int  # tokens on which functions contradict one another
    difficulty: float  # expected errors by token, short documents drawn to the mean


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenRow:
    """One token that is hard to decide."""

    document: str
    index: int
    text: str
    before: str
    after: str
    entropy: float  # nats
    contradicting: int  # functions that contradict the most common label
    best: str
    probability: float
    second: str
    second_probability: float


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityRow:
    """A text that is found, or nearly so, in many places: what a look at it is worth."""

    text: str
    times: int
    expected_errors: float
    contradicted: float  # share of its occurrences
    labels: Mapping[str, int]  # what it was taken for; "O" is nothing
    document: str  # where to look first


@dataclass(frozen=True, kw_only=True, slots=True)
class Matrices:
    """Agreement and disagreement of pairs on one label, or over all."""

    label: str | None
    functions: tuple[str, ...]
    agreement: tuple[tuple[float, ...], ...]
    disagreement: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """The documents that what is costly was computed on."""

    documents: int
    tokens: int
    refit_documents: int
    refit_tokens: int
    refits: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Analysis:
    """Everything an analysis says."""

    documents: int
    tokens: int
    voted: int
    votes_per_voted_token: float
    functions: tuple[FunctionRow, ...]
    extras: tuple[FunctionExtra, ...]
    by_label: tuple[FunctionRow, ...]
    labels: tuple[LabelRow, ...]
    pairs: tuple[PairRow, ...]
    matrices: tuple[Matrices, ...]
    hardest_documents: tuple[DocumentRow, ...]
    hardest_tokens: tuple[TokenRow, ...]
    entities: tuple[EntityRow, ...]
    suggestions: tuple[Suggestion, ...]
    gold: GoldFindings | None
    sample: Sample

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as JSON-like data."""
        data: dict[str, Any] = rounded(asdict(self))
        return data

    def frames(self) -> dict[str, dict[str, list[Any]]]:
        """Return every table as columns, by name."""
        extras = {row.function: row for row in self.extras}
        whole = columns(self.functions)
        for item in fields(FunctionExtra):
            if item.name != "function":
                found = [getattr(extras[row.function], item.name) for row in self.functions]
                whole[item.name] = rounded([_flat(value) for value in found])
        del whole["label"]
        frames = {"functions": whole}
        frames["functions_by_label"] = columns(self.by_label, FunctionRow)
        frames["labels"] = columns(self.labels, LabelRow)
        frames["pairs"] = columns(self.pairs, PairRow)
        frames["documents"] = columns(self.hardest_documents, DocumentRow)
        frames["tokens"] = columns(self.hardest_tokens, TokenRow)
        frames["entities"] = columns(self.entities, EntityRow)
        frames["suggestions"] = columns(self.suggestions, Suggestion)
        if self.gold is not None:
            frames |= self.gold.frames()
        return frames

    def frame(self, name: str) -> "pandas.DataFrame":
        """Return one table as a pandas ``DataFrame``.

        Raises:
            UnknownNameError: there is no such table.
            MissingDependencyError: pandas is not installed.
        """
        frames = self.frames()
        if name not in frames:
            raise UnknownNameError("table of an analysis", name, frames)
        try:
            import pandas  # noqa: PLC0415 (optional)
        except ImportError:
            raise MissingDependencyError("pandas", extra="pandas") from None
        return pandas.DataFrame(frames[name])


def columns(rows: Iterable[Any], kind: type | None = None) -> dict[str, list[Any]]:
    """Return dataclass rows as columns; ``kind`` names them if there are no rows."""
    rows = list(rows)
    names = [item.name for item in fields(kind or type(rows[0]))] if rows or kind else []
    return {name: rounded([_flat(getattr(row, name)) for row in rows]) for name in names}


def rounded(value: Any) -> Any:
    """Return JSON-like data with floats that are as long as they are good.

    >>> rounded([0.12345678, float("nan")])
    [0.123457, None]
    """
    if isinstance(value, float):
        # JSON knows no infinity: a model that diverged still has a report.
        return round(value, _DIGITS) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    return value


def _flat(value: Any) -> Any:
    """Return what a cell can hold: several names in one text."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {count}" for key, count in value.items())
    if isinstance(value, tuple):
        return "; ".join(
            " ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in value
        )
    return value
