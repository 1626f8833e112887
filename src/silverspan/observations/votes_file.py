"""Votes files: many documents with their votes read into one ``Votes``, and written again.

Goes in: JSON lines or Parquet, told by the ending. Comes out: ``VotesFile``, the votes and beside
them the documents (ids, tokens, gold), which writers and scorers need and label models never see.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from silverspan.corpus.json_lines import Span
from silverspan.corpus.reading import Paths, expand
from silverspan.corpus.record import Record
from silverspan.errors import InputError
from silverspan.labels import LabelSpace
from silverspan.observations import annotated, jsonl, parquet
from silverspan.observations.features import token_features
from silverspan.observations.jsonl import VotedRecord
from silverspan.observations.votes import Votes

_log = logging.getLogger(__name__)
#: Endings of files whose annotators become functions.
_ANNOTATED = (".spacy", ".json", ".spacy.gz", ".json.gz")


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class VotesFile:
    """Votes and the documents they are of; ``records[i]`` is document ``i`` of ``votes``."""

    votes: Votes
    records: tuple[Record, ...]
    #: How many votes each label without a place in the label space had.
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str | int, ...]:
        """The ids as the file has them: numbers or text."""
        return tuple(record.original_id for record in self.records)

    @property
    def tokens(self) -> tuple[tuple[str, ...], ...]:
        """The tokens of every document."""
        return tuple(record.tokens or () for record in self.records)

    @property
    def gold(self) -> tuple[tuple[Span, ...] | None, ...]:
        """What a person said of every document; None: nobody did."""
        return tuple(record.gold for record in self.records)

    @property
    def groups(self) -> tuple[str | int | None, ...]:
        """The larger document of every document, where files name one."""
        return tuple(record.group for record in self.records)


def read_votes(
    paths: Paths,
    *,
    labels: Iterable[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    space: LabelSpace | None = None,
    functions: Iterable[str] | None = None,
    without: Iterable[str] = (),
    announced: Iterable[str] = (),
    features: bool = True,
    format: str | None = None,
) -> VotesFile:
    """Return the votes of files, one document after the other.

    Without ``format`` they are votes files, or DocBins (``.spacy``) and tools' exports (``.json``)
    whose annotators become functions; with it, of that corpus format.

    The label space is ``space``, or has the outputs ``labels``, or all labels that functions say;
    ``mapping`` renames labels first. Votes for a label without a place are left out and counted.
    ``functions`` and ``without`` choose functions by name or pattern (``doc_*``). Functions are
    sorted by name; what they can say is what they say in these files. ``announced`` names functions
    that may be silent throughout, of which a file then knows nothing. With ``features``, a table of
    token features is made of the tokens.

    Raises:
        InputError: a file is missing or damaged, or an id stands twice in one.
        LabelError: ``mapping`` has a target that is no label.
        UnknownNameError: no function has one of the names.
    """
    voted = [each for path in expand(paths) for each in _numbered(_read(path, format))]
    said = _labels_by_function(voted, announced)
    if space is None:
        names = {label for known in said.values() for label in known} if labels is None else labels
        space = (
            LabelSpace.of(names, mapping)
            if labels is None
            else LabelSpace(outputs=tuple(labels), finer=dict(mapping or {}))
        )
    records = tuple(each.record for each in voted)
    votes = Votes.build(
        [each.said for each in voted],
        lengths=[len(record.tokens or ()) for record in records],
        space=space,
        functions=said,
        documents=[record.id for record in records],
        asked=_asked([each.asked for each in voted], list(said)),
    )
    if functions is not None:
        votes = votes.select(functions)
    votes = votes.without(without)
    if features:
        votes = replace(votes, features=token_features([record.tokens or () for record in records]))
    return VotesFile(votes=votes, records=records, left_out=_left_out(voted, space))


def write_votes(file: VotesFile, path: str | Path) -> None:
    """Write votes and documents, as JSON lines or (``.parquet``) as Parquet.

    Functions that never speak are kept as empty lists in the first document.

    Raises:
        InputError: the file cannot be written.
    """
    writer = parquet if _is_parquet(path) else jsonl
    writer.write(voted_records(file), path)


def voted_records(file: VotesFile) -> Iterator[VotedRecord]:
    """Yield every document with its votes."""
    votes = file.votes
    names, labels = votes.functions, votes.space.names
    bounds = np.searchsorted(votes.document, np.arange(len(votes.documents) + 1))
    silent = set(range(len(names))) - set(np.unique(votes.function).tolist())
    for document, record in enumerate(file.records):
        rows = slice(bounds[document], bounds[document + 1])
        said: dict[int, list[tuple[int, int, str, float]]] = {}
        if document == 0:
            said = {function: [] for function in silent}
        for function, start, end, label, probability in zip(
            votes.function[rows].tolist(),
            votes.start[rows].tolist(),
            votes.end[rows].tolist(),
            votes.label[rows].tolist(),
            votes.probability[rows].tolist(),
            strict=True,
        ):
            said.setdefault(function, []).append((start, end, labels[label], probability))
        saw = votes.asked[document]
        yield VotedRecord(
            record=record,
            said={names[function]: tuple(said[function]) for function in sorted(said)},
            asked=None if saw.all() else tuple(np.array(names, dtype=object)[saw].tolist()),
        )


def _read(path: Path, format: str | None = None) -> Iterator[VotedRecord]:
    if format in (None, "parquet") and _is_parquet(path):
        return parquet.read(path)
    if format == "jsonl" or (format is None and not path.name.endswith(_ANNOTATED)):
        return jsonl.read(path)
    return annotated.read(path, format)


def _is_parquet(path: str | Path) -> bool:
    return Path(path).suffix == ".parquet"


def _numbered(voted: Iterable[VotedRecord]) -> Iterator[VotedRecord]:
    """Number the documents without an id; refuse an id that stands twice in one file."""
    seen: dict[str, int | None] = {}
    for number, each in enumerate(voted):
        record = each.record if each.record.id else replace(each.record, id=str(number))
        if record.id in seen:
            raise InputError(
                f'"id" {record.id!r} stands also in line {seen[record.id]}; '
                "ids must be unique in a file",
                path=record.path,
                line=record.line,
            )
        seen[record.id] = record.line
        yield replace(each, record=record)


def _labels_by_function(
    voted: Iterable[VotedRecord], announced: Iterable[str]
) -> dict[str, set[str]]:
    labels: dict[str, set[str]] = {name: set() for name in announced}
    for each in voted:
        for name in each.asked or ():
            labels.setdefault(name, set())
        for name, spans in each.said.items():
            labels.setdefault(name, set()).update([span[2] for span in spans])
    return dict(sorted(labels.items()))


def _asked(asked: Sequence[tuple[str, ...] | None], functions: list[str]) -> np.ndarray:
    number_of = {name: i for i, name in enumerate(functions)}
    seen = np.ones((len(asked), len(functions)), dtype=bool)
    for document, names in enumerate(asked):
        if names is not None:
            seen[document] = False
            seen[document, [number_of[name] for name in names]] = True
    return seen


def _left_out(voted: Iterable[VotedRecord], space: LabelSpace) -> dict[str, int]:
    counts = Counter(
        label for each in voted for spans in each.said.values() for _, _, label, _ in spans
    )
    missing = {label: n for label, n in sorted(counts.items()) if space.id_of(label) is None}
    if missing:
        _log.warning(
            "votes for labels without a place among %s are left out: %s",
            ", ".join(space.outputs),
            ", ".join(f"{label} ({n})" for label, n in missing.items()),
        )
    return missing
