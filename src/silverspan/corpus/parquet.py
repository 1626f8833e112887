"""Parquet files of documents, first of all those of Hugging Face datasets: a document is a row.

Columns: ``text``, or ``tokens``; perhaps ``id``; tags, one a token, in ``ner_tags`` or ``tags``, as
names or as class labels; spans in ``spans``, ``entities`` or ``gold``, as ``{start, end, label}``
and perhaps a ``probability``. Tags are gold; spans with a probability are what a model found.
The Parquet of votes is a file of this kind, its functions being layers.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from silverspan.corpus.json_lines import JsonObject, Span, WeightedSpan, shown
from silverspan.corpus.record import Problem, Record, stop
from silverspan.errors import InputError, LabelError
from silverspan.tagging import read_tags

_TAGS = ("ner_tags", "tags")
_SPANS = ("gold", "spans", "entities")
_READ = ("id", "doc", "text", "tokens", "spaces", "sentence_starts", *_TAGS, *_SPANS, "weak")
_ROWS = 1000


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every row.

    Raises:
        InputError: the file is no such Parquet file; a wrong value names its row.
    """
    import pyarrow as pa  # noqa: PLC0415 (heavy)
    import pyarrow.parquet as pq  # noqa: PLC0415

    if not Path(path).is_file():
        raise InputError("there is no such file", path=path)
    if not Path(path).stat().st_size:
        return
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            if not {"text", "tokens"} & set(schema.names):
                raise InputError("has neither a column text nor a column tokens", path=path)
            names = _class_names(schema.metadata or {})
            is_ours = b"silverspan" in (schema.metadata or {})
            columns = [name for name in schema.names if name in _READ]
            for batch in file.iter_batches(_ROWS, columns=columns):
                for fields in batch.to_pylist():
                    number += 1
                    if is_ours:  # ids are JSON there, so that 7 and "7" stay two
                        fields |= {
                            key: json.loads(fields[key])
                            for key in ("id", "doc")
                            if fields.get(key) is not None
                        }
                    try:
                        yield _record(JsonObject(path, number, fields), names)
                    except InputError as error:
                        problem(error)
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"is no Parquet file of documents, or damaged ({error})", path=path
        ) from error


def _class_names(metadata: dict[bytes, bytes]) -> dict[str, list[str]]:
    """Return the names of class labels by column, as Hugging Face datasets keep them."""
    features = json.loads(metadata.get(b"huggingface", b"{}")).get("info", {}).get("features", {})
    found = {}
    for name, feature in features.items():
        inner = feature.get("feature", feature) if isinstance(feature, dict) else {}
        if isinstance(inner, dict) and isinstance(inner.get("names"), list):
            found[name] = [str(each) for each in inner["names"]]
    return found


def _record(item: JsonObject, names: dict[str, list[str]]) -> Record:
    identifier = item.identifier()
    has_tokens = item.fields.get("tokens") is not None
    tokens = item.tokens() if has_tokens else None
    text = None if has_tokens else item.value("text", str)
    if tokens is None and text is None:
        raise item.error('there is neither "text" nor "tokens"')
    length = len(tokens) if tokens is not None else len(text or "")
    unit = "tokens" if has_tokens else "characters"
    gold, found = _tagged(item, names, length) if has_tokens else None, None
    for key in _SPANS:
        spans = item.value(key, list)
        if spans is None:
            continue
        said = _spans(item, spans, f'"{key}"', length, unit)
        if any(isinstance(span, dict) and "probability" in span for span in spans):
            found = said
        elif gold is None:
            gold = tuple(span[:3] for span in said)
    weak = {name: spans for name, spans in item.fields.get("weak") or ()}
    return Record(
        id="" if identifier is None else str(identifier),
        number=identifier if isinstance(identifier, int) else None,
        text=text,
        tokens=tokens,
        spaces=None if tokens is None else item.spaces(length),
        sentence_starts=None if tokens is None else item.sentence_starts(length),
        gold=gold,
        gold_unit="tokens" if has_tokens else "characters",
        found=found,
        layers={
            name: _spans(item, spans or [], '"weak"', length, unit) for name, spans in weak.items()
        },
        group=item.identifier("doc"),
        path=str(item.path),
        line=item.line,
    )


def _tagged(item: JsonObject, names: dict[str, list[str]], length: int) -> tuple[Span, ...] | None:
    key = next((key for key in _TAGS if item.fields.get(key) is not None), None)
    if key is None:
        return None
    values: Sequence[Any] = item.value(key, list) or []
    if len(values) != length:
        raise item.error(f'"{key}" has {len(values)} tags for {length} tokens')
    known = names.get(key)
    tags = []
    for value in values:
        if type(value) is int:
            if known is None or not 0 <= value < len(known):
                raise item.error(f'"{key}" has the number {value}, and no class label has it')
            value = known[value]
        tags.append(value)
    try:
        return tuple(read_tags(tags))
    except (LabelError, TypeError, AttributeError) as error:
        raise item.error(f'"{key}" holds {shown(tags)}, which are no tags: {error}') from None


def _spans(
    item: JsonObject, values: list[Any], where: str, length: int, unit: str
) -> tuple[WeightedSpan, ...]:
    spans = []
    for value in values:
        if isinstance(value, dict):
            given = value.get("probability")
            value = [value.get("start"), value.get("end"), value.get("label")]
            value += [] if given is None else [given]
        spans.append(item.span(value, where, length, unit=unit))
    return tuple(spans)
