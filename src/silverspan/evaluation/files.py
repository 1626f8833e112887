"""Files are scored: gold and predictions in any format, paired document by document.

Documents pair by their order if their tokens agree; else as one stream of tokens, which may be cut
into documents differently (sentences here, articles there); else by their ids, where sentences may
name the document they belong to. Tokens that are cut differently pair by their characters.
"""

import logging
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from jaxtyping import Float32
from numpy import ndarray

from silverspan.aggregation.predictions import dense_probabilities, to_prediction
from silverspan.corpus.alignment import Cut, moved, solid, words_of
from silverspan.corpus.document import SILVER, layer
from silverspan.corpus.json_lines import JsonObject, read_objects
from silverspan.corpus.jsonl import to_record
from silverspan.corpus.reading import format_of, reader_of
from silverspan.corpus.record import Record
from silverspan.errors import InputError, UnknownNameError
from silverspan.evaluation.matching import VIEWS
from silverspan.evaluation.scores import Evaluation, WeightedSpan, evaluate_spans
from silverspan.observations import annotated
from silverspan.observations import jsonl as votes_jsonl
from silverspan.observations import parquet as votes_parquet

Side = Literal["gold", "predicted"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Annotated:
    """A document with spans. ``tokens`` is None where spans count the characters of ``text``."""

    id: str
    tokens: tuple[str, ...] | None
    text: str | None
    #: None: nobody annotated this document.
    spans: tuple[WeightedSpan, ...] | None
    #: By token: a column for "O" and for each label of ``labels``.
    probabilities: Float32[ndarray, "_tokens labels_and_o"] | None = None
    labels: tuple[str, ...] = ()
    #: The larger document that this one, a sentence, belongs to.
    group: str | int | None = None
    #: How many spans did not begin and end with tokens, where they had to be laid over others.
    misaligned: int = 0
    path: str = ""
    line: int | None = None

    def error(self, message: str) -> InputError:
        """Return an error that names where the document stands, to be raised."""
        return InputError(message, path=self.path, line=self.line)


def evaluate_files(
    gold: str | Path,
    predicted: str | Path,
    *,
    gold_format: str | None = None,
    format: str | None = None,
    labels: Iterable[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    views: Sequence[str] = VIEWS,
    normalisations: Sequence[str] = (),
    gold_layer: str | None = None,
    layer: str | None = None,
) -> Evaluation:
    """Return the scores of one file against another.

    Each may be a votes file (its ``gold``), a predictions file, CoNLL, DocBin, or JSON lines of
    texts with gold. ``gold_layer`` and ``layer`` name one function of a votes file, annotator of a
    tool or layer of a DocBin instead. Documents that nobody annotated, or that ``layer`` was not
    asked about, are left out. Spans whose ends are not those of tokens are widened to them, and
    their number is logged.

    Raises:
        InputError: a file is missing or damaged, the documents of the two do not pair, or nothing
            is annotated.
        UnknownNameError: a file has no such layer.
    """
    right = list(read_annotated(gold, side="gold", format=gold_format, name=gold_layer))
    found = list(read_annotated(predicted, side="predicted", format=format, name=layer))
    pairs = [
        (one, two)
        for one, two in paired(right, found, gold, predicted)
        if one.spans is not None and (layer is None or two.spans is not None)
    ]
    if not pairs:
        raise InputError("has no gold: no document in it is annotated", path=gold)
    for path, documents in ((gold, [one for one, _ in pairs]), (predicted, [p for _, p in pairs])):
        if misaligned := sum(document.misaligned for document in documents):
            _log.warning(
                "%s: %d spans do not begin and end where the tokens do; they were widened, or "
                "left out where they hold no token",
                path,
                misaligned,
            )
    names = tuple(sorted({name for _, two in pairs for name in two.labels}))
    evaluation = evaluate_spans(
        [one.spans or () for one, _ in pairs],
        [two.spans or () for _, two in pairs],
        lengths=[len(one.tokens or ()) for one, _ in pairs],
        probabilities=[_columns(two, names) for _, two in pairs] if names else None,
        probability_labels=names,
        labels=labels,
        mapping=mapping,
        views=views,
        tokens=[one.tokens or () for one, _ in pairs],
        normalisations=normalisations,
    )
    return evaluation.grouped([one.group for one, _ in pairs])


def read_annotated(
    path: str | Path, *, side: Side, format: str | None = None, name: str | None = None
) -> Iterator[Annotated]:
    """Yield the documents of a file with the spans of one side, or of the layer of a name.

    Where a document has both, the gold side is its ``gold`` and the predicted side its ``pred`` (in
    a DocBin the layers ``gold`` and ``silver``, else the entities).

    Raises:
        InputError: the file is missing or damaged.
        UnknownNameError: no document has such a layer.
    """
    if name is not None:
        yield from _of_layer(path, format, name)
    elif (format or format_of(path)) == "jsonl":
        for number, item in enumerate(read_objects(path)):
            yield _of_object(item, side, str(number))
    else:
        for record in reader_of(path, format)(path):
            yield _of_record(record, side)


def _of_layer(path: str | Path, format: str | None, name: str) -> Iterator[Annotated]:
    """Yield the documents that one function or annotator was asked about."""
    if (format or format_of(path)) == "jsonl":
        voted = votes_jsonl.read(path)
    elif Path(path).suffix == ".parquet":
        voted = votes_parquet.read(path)
    else:
        voted = annotated.read(path, format)
    known: set[str] = set()
    for number, each in enumerate(voted):
        known.update(each.said, each.asked or ())
        was_asked = each.asked is None or name in each.asked
        yield Annotated(
            id=each.record.id or str(number),
            tokens=each.record.tokens,
            text=None,
            spans=each.said.get(name, ()) if was_asked else None,
            group=each.record.group,
            path=each.record.path,
            line=each.record.line,
        )
    if name not in known:
        raise UnknownNameError(f"layer of {path}", name, known)


def paired(
    gold: Sequence[Annotated],
    predicted: Sequence[Annotated],
    gold_path: str | Path = "gold",
    predicted_path: str | Path = "predictions",
) -> Iterator[tuple[Annotated, Annotated]]:
    """Yield each gold document with its predictions, both over the same tokens.

    Raises:
        InputError: they do not pair.
    """
    by_place = [_fitted(one, two) for one, two in zip(gold, predicted, strict=False)]
    if len(gold) == len(predicted) and all(pair is not None for pair in by_place):
        yield from (pair for pair in by_place if pair is not None)
        return
    if _stream(gold) is not None and _stream(gold) == _stream(predicted):
        yield from _recut(gold, predicted)
        return
    for ordered in _by_parents(gold, predicted):
        if _stream(gold) is not None and _stream(gold) == _stream(ordered):
            yield from _recut(gold, ordered)
            return
    by_id: dict[str, Annotated] = {}
    for document in predicted:
        if document.id and by_id.setdefault(document.id, document) is not document:
            raise document.error(f"the id {document.id!r} stands twice")
    for one in gold:
        if one.id not in by_id:
            raise InputError(
                f"has {len(predicted)} documents where {gold_path} has {len(gold)}, other tokens, "
                f"and none with the id {one.id!r}",
                path=predicted_path,
            )
        pair = _fitted(one, by_id[one.id])
        if pair is None:
            raise by_id[one.id].error(
                f"document {one.id!r} has other tokens than in {gold_path}"
                + _first_difference(one, by_id[one.id])
            )
        yield pair


def _of_object(item: JsonObject, side: Side, number: str) -> Annotated:
    has_gold, has_predictions = "gold" in item.fields, "pred" in item.fields
    if not has_predictions or (side == "gold" and has_gold):
        record = to_record(item)
        return _of_record(record if record.id else replace(record, id=number), side)
    record, prediction = to_prediction(item, number)
    labels = sorted({label for token in prediction.probs or () for label in token} - {"O"})
    return Annotated(
        id=record.id,
        tokens=record.tokens,
        text=None,
        spans=tuple(prediction.spans),
        probabilities=dense_probabilities(prediction, labels),
        labels=tuple(labels),
        group=record.group,
        path=record.path,
        line=record.line,
    )


def _of_record(record: Record, side: Side) -> Annotated:
    spans = None if record.gold is None else tuple((*span, 1.0) for span in record.gold)
    tokens, text = record.tokens, record.text
    if record.doc is not None:
        tokens = tuple(token.text for token in record.doc)
        entities = tuple((e.start, e.end, e.label_, 1.0) for e in record.doc.ents)
        if side == "predicted":
            has_layer = SILVER in record.doc.spans
            spans = tuple(layer(record.doc, SILVER)) if has_layer else entities or spans
        elif spans is None and record.doc.has_annotation("ENT_IOB"):
            spans = entities
    elif side == "predicted" and record.found is not None:
        spans = record.found
    return Annotated(
        id=record.id,
        tokens=tokens,
        text=text,
        spans=spans,
        group=record.group,
        path=record.path,
        line=record.line,
    )


def _by_parents(
    gold: Sequence[Annotated], predicted: Sequence[Annotated]
) -> Iterator[list[Annotated]]:
    """Yield the predictions in the order of gold, where one side's sentences name documents."""
    place_of_id = {one.id: place for place, one in enumerate(gold)}
    place_of_group = {str(one.group): place for place, one in enumerate(gold)}
    for place, name in (
        (place_of_group, lambda document: document.id),
        (place_of_id, lambda document: str(document.group)),
    ):
        known = [document for document in predicted if name(document) in place]
        yield sorted(known, key=lambda document: place[name(document)])


def _fitted(one: Annotated, two: Annotated) -> tuple[Annotated, Annotated] | None:
    """Return both over the same tokens, or None if their texts differ."""
    if one.tokens is not None and one.tokens == two.tokens:
        return one, two
    sources = [
        document.text or "" if document.tokens is None else document.tokens
        for document in (one, two)
    ]
    if solid(sources[0]) != solid(sources[1]):
        return None
    tokens = one.tokens or two.tokens or words_of(one.text or "")
    return _over(one, tokens), _over(two, tokens)


def _over(document: Annotated, tokens: tuple[str, ...]) -> Annotated:
    """Return a document over other tokens of the same text."""
    if document.tokens == tokens:
        return document
    source = Cut.of(document.text or "" if document.tokens is None else document.tokens)
    target = Cut.of(tokens)
    found = moved(document.spans or (), source, target)
    given = document.probabilities
    if given is not None:
        # A token has the distribution of the one that it begins in.
        places = [bisect_right(source.ends, start) for start in target.starts]
        given = given[np.minimum(places, len(given) - 1)]
    return replace(
        document,
        tokens=tokens,
        spans=None if document.spans is None else found.spans,
        probabilities=given,
        misaligned=found.misaligned,
    )


def _stream(documents: Sequence[Annotated]) -> list[str] | None:
    if any(document.tokens is None for document in documents):
        return None
    return list(chain.from_iterable(document.tokens or () for document in documents))


def _recut(
    gold: Sequence[Annotated], predicted: Sequence[Annotated]
) -> Iterator[tuple[Annotated, Annotated]]:
    """Yield the gold documents with what was predicted for the same stretch of tokens."""
    bounds = np.cumsum([0, *(len(document.tokens or ()) for document in gold)])
    cut: list[list[WeightedSpan]] = [[] for _ in gold]
    names = tuple(sorted({name for document in predicted for name in document.labels}))
    rows: list[Float32[ndarray, "_tokens labels_and_o"]] = []
    offset = 0
    for document in predicted:
        for start, end, label, probability in document.spans or ():
            place = int(np.searchsorted(bounds, offset + start, side="right")) - 1
            first = int(bounds[place])
            last = min(offset + end, int(bounds[place + 1]))
            cut[place].append((offset + start - first, last - first, label, probability))
        columns = _columns(document, names)
        rows.append(np.zeros((0, 1 + len(names)), dtype=np.float32) if columns is None else columns)
        offset += len(document.tokens or ())
    whole = np.concatenate(rows) if rows else np.zeros((0, 1), dtype=np.float32)
    is_complete = bool(names) and len(whole) == offset
    for number, document in enumerate(gold):
        low, high = bounds[number : number + 2]
        yield (
            document,
            Annotated(
                id=document.id,
                tokens=document.tokens,
                text=None,
                spans=tuple(cut[number]),
                probabilities=whole[low:high] if is_complete else None,
                labels=names if is_complete else (),
            ),
        )


def _columns(
    document: Annotated, names: Sequence[str]
) -> Float32[ndarray, "_tokens labels_and_o"] | None:
    """Return the probabilities with a column for each of ``names``."""
    if document.probabilities is None:
        return None
    columns = np.zeros((len(document.probabilities), 1 + len(names)), dtype=np.float32)
    columns[:, 0] = document.probabilities[:, 0]
    for source, name in enumerate(document.labels, start=1):
        columns[:, 1 + names.index(name)] = document.probabilities[:, source]
    return columns


def _first_difference(one: Annotated, two: Annotated) -> str:
    if one.tokens is None or two.tokens is None:
        return ""
    for place, (left, right) in enumerate(zip(one.tokens, two.tokens, strict=False)):
        if left != right:
            return f": token {place} is {left!r} there and {right!r} here"
    return f": {len(one.tokens)} there and {len(two.tokens)} here"
