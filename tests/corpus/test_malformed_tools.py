"""Whatever stands in an export of a tool, reading gives documents or one SilverspanError."""

import contextlib
import json
import random
from itertools import cycle

import datasets
import pytest

from silverspan.aggregation.predictions import read_predictions
from silverspan.corpus import Corpus, load_pipeline
from silverspan.errors import SilverspanError
from silverspan.evaluation.files import evaluate_files
from silverspan.labelling.kit import annotations
from silverspan.observations.votes_file import read_votes

NLP = load_pipeline("blank:en")
SPAN = {"start": 0, "end": 4, "label": "LOC", "score": 0.5}
RESULT = [
    {
        "type": "labels",
        "score": 0.5,
        "value": {"start": 0, "end": 4, "text": "Oslo", "labels": ["LOC"], "globalOffsets": None},
    }
]
GOOD = {
    "label-studio": [
        {
            "id": 1,
            "data": {"text": "Oslo 😀", "id": "d1"},
            "annotations": [
                {"completed_by": {"email": "a"}, "was_cancelled": False, "result": RESULT},
                {"completed_by": 2, "ground_truth": True, "result": RESULT},
            ],
            "predictions": [{"model_version": "m", "result": RESULT}],
        },
    ],
    "argilla": [
        {
            "id": "d1",
            "fields": {"text": "Oslo 😀"},
            "suggestions": {"spans": {"value": [SPAN], "score": [0.5], "agent": "m"}},
            "responses": {"spans": [{"value": [SPAN], "user_id": "u"}]},
        },
        {"id": "d2", "text": "Oslo", "spans": [SPAN], "score": [0.5], "agent": "m"},
    ],
    "prodigy": [
        {
            "text": "Oslo 😀",
            "spans": [SPAN],
            "answer": "accept",
            "_annotator_id": "a",
            "meta": {"id": 1},
            "id": 1,
        },
    ],
    "doccano": [
        {"id": 1, "text": "Oslo", "label": [[0, 4, "LOC"]]},
        {
            "id": 2,
            "text": "Oslo",
            "entities": [{"id": 1, "label": "LOC", "start_offset": 0, "end_offset": 4}],
        },
    ],
}
WRONG = [None, True, -1, 1.5, 10**30, "", "x", "\x00", [], [1, "a"], [[[]]], {}, {"a": [1]}]


def paths(value, path=()):
    """Yield where every part of a JSON value stands."""
    yield path
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(part, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def write(path, objects, format):
    if format in ("prodigy", "doccano") and isinstance(objects, list):
        path.write_text("\n".join(map(json.dumps, objects)))
    else:
        path.write_text(json.dumps(objects))


READERS = {
    "corpus": lambda path, format: list(Corpus.read(path, NLP, format)),
    "votes": lambda path, format: read_votes(path, format=format, features=False),
    "scores": lambda path, format: evaluate_files(path, path, gold_format=format, format=format),
    "predictions": lambda path, format: read_predictions(path, format).posterior(),
    "functions": lambda path, format: annotations("people", path, format),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("format", GOOD)
def test_good_exports_are_good(tmp_path, format, reader):
    write(tmp_path / "a", GOOD[format], format)
    assert READERS[reader](tmp_path / "a", format)


@pytest.mark.parametrize("format", GOOD)
def test_any_value_in_the_place_of_any_other_is_read_or_refused(tmp_path, format):
    # Thirteen values and five readers: each value meets each reader, at one place or another.
    readers = cycle(READERS.values())
    for path in paths(GOOD[format]):
        for wrong in WRONG:
            write(tmp_path / "a", replaced(GOOD[format], path, wrong), format)
            with contextlib.suppress(SilverspanError):
                next(readers)(tmp_path / "a", format)


@pytest.mark.parametrize("format", [*GOOD, "json"])
def test_broken_exports_are_refused(tmp_path, format):
    write(tmp_path / "good", GOOD.get(format, GOOD["argilla"]), format)
    content = (tmp_path / "good").read_bytes()
    chance = random.Random(format)
    for part in range(0, len(content), 19):
        broken = bytearray(content[:part])
        if part % 2:
            broken = bytearray(content)
            broken[part : part + 2] = chance.randbytes(3)
        (tmp_path / "a").write_bytes(bytes(broken))
        for read in READERS.values():
            with contextlib.suppress(SilverspanError):
                read(tmp_path / "a", format)


@pytest.mark.parametrize("column", ["text", "tokens", "ner_tags", "spans", "id", "weak", "doc"])
def test_columns_of_any_type_are_read_or_refused(tmp_path, column):
    rows = {"tokens": [["Oslo"]], "ner_tags": [["B-LOC"]], "id": ["a"]}
    for wrong in (None, 1, 1.5, "x", ["x"], [1], [[1]], {"a": 1}, [{"a": 1}], [None]):
        table = datasets.Dataset.from_dict({**rows, column: [wrong]})
        table.to_parquet(str(tmp_path / "a.parquet"))
        for read in READERS.values():
            with contextlib.suppress(SilverspanError):
                read(tmp_path / "a.parquet", "parquet")
