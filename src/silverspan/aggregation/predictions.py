"""Predictions files: the spans a label model or tagger found, and how probable they are.

One JSON object a document: ``id``, ``tokens``, ``pred`` with ``[start, end, label, probability]``
and, if asked for, ``probs`` with the distribution over "O" and the labels at every token.
Probabilities have six decimals, so that equal posteriors give equal bytes.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float32
from numpy import ndarray

from silverspan.aggregation.posterior import Posterior, Spans
from silverspan.corpus.files import atomic_write
from silverspan.corpus.in_tokens import read_in_tokens
from silverspan.corpus.json_lines import JsonObject, WeightedSpan, read_objects, to_json
from silverspan.corpus.jsonl import to_record
from silverspan.corpus.reading import FORMATS_BY_ENDING, Paths, expand
from silverspan.corpus.record import Record
from silverspan.errors import InputError
from silverspan.observations.jsonl import DECIMALS
from silverspan.tagging import prefixes

# What is written with six decimals adds up to one but for the rounding; others round to two.
_TOLERANCE = 0.02

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Prediction:
    """What was found in one document; ``probs[t][label]`` is a probability at token ``t``."""

    id: str | int
    tokens: Sequence[str]
    spans: Sequence[WeightedSpan]
    probs: Sequence[dict[str, float]] | None = None


def write_predictions(
    posterior: Posterior,
    tokens: Sequence[Sequence[str]],
    path: str | Path,
    *,
    ids: Sequence[str | int] | None = None,
    probs: bool = False,
) -> None:
    """Write a posterior: its spans, and with ``probs`` its probabilities by label at every token.

    ``ids`` are the documents' ids as their file had them; without them, those of the posterior.

    Raises:
        InputError: the file cannot be written.
    """
    names = ("O", *posterior.labels)

    def predictions() -> Iterator[Prediction]:
        for number, words in enumerate(tokens):
            rows = posterior.probabilities(number).tolist() if probs else None
            yield Prediction(
                id=posterior.documents[number] if ids is None else ids[number],
                tokens=words,
                spans=posterior.spans.of(number),
                probs=None if rows is None else [dict(zip(names, r, strict=True)) for r in rows],
            )

    save_predictions(predictions(), path)


def save_predictions(predictions: Iterable[Prediction], path: str | Path) -> None:
    """Write predictions, one document a line.

    Raises:
        InputError: the file cannot be written.
    """
    with atomic_write(path) as out:
        for each in predictions:
            out.write(to_line(each))


def to_line(prediction: Prediction) -> str:
    """Return the line of one document."""
    return to_json(_fields(prediction)) + "\n"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Predictions:
    """A predictions file: ``spans[i]`` and ``probs[i]`` are of ``records[i]``."""

    records: tuple[Record, ...]
    spans: tuple[tuple[WeightedSpan, ...], ...]
    #: Every label, sorted; column ``1 + k`` of ``probs`` is label ``k``, column 0 is "O".
    labels: tuple[str, ...]
    probs: tuple[Float32[ndarray, "_tokens labels_and_o"] | None, ...]

    @property
    def ids(self) -> tuple[str | int, ...]:
        """The ids as the file has them: numbers or text."""
        return tuple(record.original_id for record in self.records)

    @property
    def tokens(self) -> tuple[tuple[str, ...], ...]:
        """The tokens of every document."""
        return tuple(record.tokens or () for record in self.records)

    def posterior(self) -> Posterior:
        """Return the predictions as a posterior over BIO tags, to train on.

        A document without ``probs`` has, inside each span, the span's probability and else "O".
        """
        letters = prefixes("bio")
        states = 1 + len(letters) * len(self.labels)
        lengths = np.array([len(words) for words in self.tokens], dtype=np.int32)
        tags = np.zeros((int(lengths.sum()), states), dtype=np.float32)
        first = 0
        for record, spans, probs in zip(self.records, self.spans, self.probs, strict=True):
            length = len(record.tokens or ())
            mass = self._mass(length, spans) if probs is None else probs
            own = tags[first : first + length]
            own[:, 0] = mass[:, 0]
            inside = 1 + letters.index("I")
            own[:, inside :: len(letters)] = mass[:, 1:]
            # A span's first token begins it; elsewhere a label can only be told to go on.
            for start, _, label, _ in spans:
                begin = 1 + len(letters) * self.labels.index(label)
                own[start, begin] += own[start, begin + 1]
                own[start, begin + 1] = 0.0
            first += length
        position = np.flatnonzero(tags[:, 0] < 1.0)
        return Posterior(
            labels=self.labels,
            scheme="bio",
            documents=tuple(record.id for record in self.records),
            lengths=lengths,
            position=position.astype(np.int64),
            probability=tags[position],
            spans=self._columns(),
        )

    def _mass(
        self, length: int, spans: Sequence[WeightedSpan]
    ) -> Float32[ndarray, "tokens labels_and_o"]:
        mass = np.zeros((length, 1 + len(self.labels)), dtype=np.float32)
        mass[:, 0] = 1.0
        for start, end, label, probability in spans:
            mass[start:end] = 0.0
            mass[start:end, 0] = 1.0 - probability
            mass[start:end, 1 + self.labels.index(label)] = probability
        return mass

    def _columns(self) -> Spans:
        rows = [
            (number, start, end, self.labels.index(label), probability)
            for number, spans in enumerate(self.spans)
            for start, end, label, probability in sorted(spans)
        ]
        table = np.array(rows, dtype=np.float64).reshape(len(rows), 5).T
        return Spans(
            labels=self.labels,
            document=table[0].astype(np.int32),
            start=table[1].astype(np.int32),
            end=table[2].astype(np.int32),
            label=table[3].astype(np.int16),
            probability=table[4].astype(np.float32),
        )


def read_predictions(paths: Paths, format: str | None = None) -> Predictions:
    """Return the predictions of files, one document after the other.

    Files of other formats than JSON lines, told by their endings or by ``format``, are read as far
    as a model or a person annotated their documents.

    Raises:
        InputError: a file is missing or damaged, or nothing in it is annotated; a wrong field is
            named with its line.
        UnknownNameError: there is no such format.
    """
    found: list[Prediction] = []
    records: list[Record] = []
    running = count()
    for path in expand(paths):
        if format not in (None, "jsonl") or (format is None and _is_annotated(path)):
            pairs = _annotated(path, format, running)
        else:
            items = read_objects(path)
            pairs = (to_prediction(item, str(next(running))) for item in items)
        for record, prediction in pairs:
            records.append(record)
            found.append(prediction)
    labels = {label for each in found for _, _, label, _ in each.spans}
    labels.update(label for each in found for token in each.probs or () for label in token)
    names = tuple(sorted(labels - {"O"}))
    return Predictions(
        records=tuple(records),
        spans=tuple(tuple(each.spans) for each in found),
        labels=names,
        probs=tuple(dense_probabilities(each, names) for each in found),
    )


def _is_annotated(path: Path) -> bool:
    ending = Path(str(path).removesuffix(".gz")).suffix.lower()
    return FORMATS_BY_ENDING.get(ending, "jsonl") in ("conll", "docbin", "parquet", "json")


def _annotated(
    path: Path, format: str | None, running: Iterator[int]
) -> Iterator[tuple[Record, Prediction]]:
    """Yield what a model, or else a person, said of the documents of a file."""
    left_out = kept = 0
    for record in read_in_tokens(path, format):
        spans = record.found
        if spans is None and record.gold is not None:
            spans = tuple((*span, 1.0) for span in record.gold)
        if spans is None:
            left_out += 1
            continue
        kept += 1
        named = record if record.id else replace(record, id=str(next(running)))
        bare = replace(named, gold=None, found=None, layers={}, doc=None)
        prediction = Prediction(id=named.original_id, tokens=bare.tokens or (), spans=_apart(spans))
        yield bare, prediction
    if not kept:
        raise InputError("nobody annotated a document of this file", path=path)
    if left_out:
        _log.warning("%s: %d documents that nobody annotated are left out", path, left_out)


def _apart(spans: Iterable[WeightedSpan]) -> list[WeightedSpan]:
    """Return spans that do not overlap, more probable and then longer ones first."""
    chosen: list[WeightedSpan] = []
    taken: set[int] = set()
    for span in sorted(spans, key=lambda span: (-span[3], span[0] - span[1], span)):
        if taken.isdisjoint(range(span[0], span[1])):
            taken.update(range(span[0], span[1]))
            chosen.append(span)
    return sorted(chosen)


def to_prediction(item: JsonObject, number: str) -> tuple[Record, Prediction]:
    """Return what one object holds; ``number`` is the id if it has none.

    Raises:
        InputError: a field is missing or of the wrong type.
    """
    tokens = item.tokens()
    record = to_record(item)
    if not record.id:
        record = Record(id=number, tokens=tokens, path=record.path, line=record.line)
    spans = item.value("pred", list)
    if spans is None:
        raise item.error('there is no "pred"')
    found = tuple(item.span(span, '"pred"', len(tokens)) for span in spans)
    probs = item.value("probs", list)
    if probs is not None:
        if len(probs) != len(tokens):
            raise item.error(f'"probs" should have {len(tokens)} objects, one for each token')
        for place, token in enumerate(probs):
            if not _is_distribution(token):
                _check_distribution(item, token, f'"probs"[{place}]')
    identifier = record.original_id
    return record, Prediction(id=identifier, tokens=tokens, spans=found, probs=probs)


def _is_distribution(token: Any) -> bool:
    """Return whether all is well, fast: files hold a distribution for each of a million tokens."""
    if type(token) is not dict or not token:
        return False
    values = token.values()
    return (
        {float, int}.issuperset(map(type, values))
        and min(values) >= 0
        and max(values) <= 1
        and abs(sum(values) - 1.0) <= _TOLERANCE
    )


def _check_distribution(item: JsonObject, token: Any, where: str) -> None:
    if not isinstance(token, dict) or not token:
        raise item.error(f"{where} should be an object of labels and probabilities")
    total = sum(item.probability(value, where) for value in token.values())
    if abs(total - 1.0) > _TOLERANCE:
        raise item.error(f"{where} adds up to {total:.4g}, not to 1")


def dense_probabilities(
    prediction: Prediction, labels: Sequence[str]
) -> Float32[ndarray, "tokens labels_and_o"] | None:
    """Return ``probs`` as an array, "O" first, then ``labels``; None if there are none."""
    if prediction.probs is None:
        return None
    column = {name: i for i, name in enumerate(("O", *labels))}
    mass = np.zeros((len(prediction.tokens), len(column)), dtype=np.float32)
    rows = prediction.probs
    if len(set(map(tuple, rows))) == 1:  # the same labels at every token, as everybody writes it
        table = np.array([list(token.values()) for token in rows], dtype=np.float32)
        mass[:, [column[label] for label in rows[0]]] = table
    else:
        for place, token in enumerate(rows):
            for label, probability in token.items():
                mass[place, column[label]] = probability
    mass /= mass.sum(axis=1, keepdims=True)
    return mass


def _fields(prediction: Prediction) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": prediction.id,
        "tokens": tuple(prediction.tokens),
        "pred": [
            [start, end, label, round(float(probability), DECIMALS)]
            for start, end, label, probability in prediction.spans
        ],
    }
    if prediction.probs is not None:
        fields["probs"] = [
            {label: round(float(probability), DECIMALS) for label, probability in token.items()}
            for token in prediction.probs
        ]
    return fields
