"""Whatever stands in a file, a reader gives documents or one SilverspanError."""

import contextlib
import gzip
import json
import random
import re

import pytest

from silverspan.aggregation.predictions import read_predictions
from silverspan.cli.main import main
from silverspan.corpus import Corpus, load_pipeline
from silverspan.corpus import jsonl as corpus_jsonl
from silverspan.corpus.docbin import to_bytes
from silverspan.corpus.reading import read_records
from silverspan.errors import InputError, SilverspanError
from silverspan.evaluation.files import evaluate_files
from silverspan.observations.votes_file import read_votes, write_votes

NLP = load_pipeline("blank:en")

VOTES = {
    "id": 1,
    "doc": "d",
    "tokens": ["In", "Oslo", "é"],
    "spaces": "110",
    "sentence_starts": [0],
    "gold": [[1, 2, "LOC"]],
    "weak": {"b": [[1, 2, "GPE", 0.5]]},
    "asked": ["b"],
}
PREDICTION = {
    "id": 1,
    "tokens": ["Oslo"],
    "pred": [[0, 1, "LOC", 0.5]],
    "probs": [{"O": 0.5, "LOC": 0.5}],
}
TEXT = {"id": "é", "text": "In Oslo é 😀", "gold": [[3, 7, "LOC"]]}
CONLL = "-DOCSTART- O\n\nIn O\nOslo B-LOC\n\né B-X\n"
CSV = 'id,text\n1,"a, ""b"" é"\n2,c\n'


def parse(path):
    return list(Corpus.read(path, NLP))


def votes(path):
    return read_votes(path, features=False)


def predictions(path):
    return read_predictions(path).posterior()


def scores(path):
    return evaluate_files(path, path).table()


READERS = {
    "votes.jsonl": (json.dumps(VOTES, ensure_ascii=False) + "\n", [parse, votes, scores]),
    "predictions.jsonl": (json.dumps(PREDICTION) + "\n", [parse, predictions, scores]),
    "text.jsonl": (json.dumps(TEXT, ensure_ascii=False) + "\n", [parse, scores]),
    "a.conll": (CONLL, [parse, scores]),
    "a.csv": (CSV, [parse]),
    "a.txt": ("héllo\n\n" * 9, [parse]),
}


@pytest.fixture(scope="session")
def originals(tmp_path_factory):
    """Good files of every format, as bytes, with what reads them."""
    folder = tmp_path_factory.mktemp("good")
    files = {name: (text.encode(), readers) for name, (text, readers) in READERS.items()}
    (folder / "v.jsonl").write_bytes(files["votes.jsonl"][0])
    write_votes(votes(folder / "v.jsonl"), folder / "v.parquet")
    files["v.parquet"] = (folder / "v.parquet").read_bytes(), [votes, scores]
    (folder / "a.conll").write_text(CONLL)
    files["a.spacy"] = to_bytes(parse(folder / "a.conll")), [parse, scores]
    return files


NAMES = [*READERS, "v.parquet", "a.spacy"]


def read_all(originals, folder, name, content):
    """Read a file with all that reads it; nothing but a SilverspanError may come out."""
    path = folder / name
    path.write_bytes(content)
    for read in originals[name][1]:
        with contextlib.suppress(SilverspanError):
            read(path)


@pytest.mark.parametrize("name", NAMES)
def test_good_files_are_good(originals, tmp_path, name):
    content, readers = originals[name]
    (tmp_path / name).write_bytes(content)
    for read in readers:
        assert read(tmp_path / name)


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("name", NAMES)
def test_truncated_files(originals, tmp_path, name, part):
    content = originals[name][0]
    cut = content[: len(content) * part // 10]
    read_all(originals, tmp_path, name, cut)
    packed = gzip.compress(content)
    read_all(originals, tmp_path, name, packed[: 1 + len(packed) * part // 10])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", NAMES)
def test_random_bytes_in_files(originals, tmp_path, name, seed):
    chance = random.Random(f"{name} {seed}")
    read_all(originals, tmp_path, name, chance.randbytes(chance.randrange(300)))
    for _ in range(5):
        content = bytearray(originals[name][0])
        for _ in range(chance.randrange(1, 6)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        place = chance.randrange(len(content))
        content[place:place] = chance.randbytes(chance.randrange(9))
        read_all(originals, tmp_path, name, bytes(content))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252"])
@pytest.mark.parametrize("name", ["votes.jsonl", "text.jsonl", "a.conll", "a.csv", "a.txt"])
def test_files_in_another_encoding_are_refused_or_read_as_what_they_are(tmp_path, name, encoding):
    text, readers = READERS[name]
    path = tmp_path / name
    path.write_bytes(text.encode(encoding, "replace"))
    if encoding in ("utf-16", "latin-1", "cp1252"):
        with pytest.raises(InputError, match=rf"{re.escape(name)}:\d+: .* UTF-8 was expected"):
            readers[0](path)
    else:
        with contextlib.suppress(SilverspanError):
            readers[0](path)


WRONG = {
    "true": True,
    "float": 1.5,
    "negative": -1,
    "huge": 10**30,
    "text": "nonsense",
    "list": [1, "a"],
    "nested": [[[[1]]]],
    "object": {"a": [1]},
    "infinite": "@1e400",
    "nan": "@NaN",
    "digits": "@" + "9" * 5000,
    "deep": "@" + "[" * 5000 + "]" * 5000,
    "surrogate": '@"\\udc00"',
}
# Where such a value is no mistake: an id may be any text or whole number, a text any text.
FINE = (
    {("id", kind) for kind in ("negative", "huge", "text")}
    | {("doc", kind) for kind in ("negative", "huge", "text")}
    | {("text", "text")}
)


def with_value(fields, key, value):
    if isinstance(value, str) and value.startswith("@"):
        return json.dumps({**fields, key: "@"}).replace('"@"', value[1:])
    return json.dumps({**fields, key: value})


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize(
    ("name", "fields", "key"),
    [
        *(("votes.jsonl", VOTES, key) for key in VOTES),
        *(("predictions.jsonl", PREDICTION, key) for key in PREDICTION),
        *(("text.jsonl", TEXT, key) for key in TEXT),
    ],
)
def test_every_field_of_the_wrong_type_is_refused_with_its_line(tmp_path, name, fields, key, kind):
    if (key, kind) in FINE or (name == "text.jsonl" and key == "doc"):
        return
    read = {"votes.jsonl": votes, "predictions.jsonl": predictions, "text.jsonl": parse}[name]
    path = tmp_path / name
    path.write_text("\n" + with_value(fields, key, WRONG[kind]) + "\n")
    with pytest.raises(InputError, match=rf"{name}:2: ") as caught:
        read(path)
    assert len(str(caught.value)) < 400
    assert caught.value.line == 2


SPANS = [
    [],
    [0],
    [0, 1],
    [0, 1, "X", 0.5, 1],
    [1, 1, "X"],
    [1, 0, "X"],
    [0, 9, "X"],
    [-1, 1, "X"],
    [0.0, 1, "X"],
    ["0", 1, "X"],
    [True, 1, "X"],
    [10**30, 10**31, "X"],
    [0, 1, ""],
    [0, 1, "O"],
    [0, 1, None],
    [0, 1, 5],
    [0, 1, ["X"]],
    [0, 1, "X", "1"],
    [0, 1, "X", -0.1],
    [0, 1, "X", 1.1],
    [0, 1, "X", True],
    [0, 1, "X", None],
    {"start": 0, "end": 1, "label": "X"},
    None,
    "X",
]


@pytest.mark.parametrize("span", SPANS, ids=json.dumps)
def test_every_impossible_span_is_refused(tmp_path, span):
    for read, fields in [
        (votes, {**VOTES, "gold": [span]}),
        (votes, {**VOTES, "weak": {"b": [[0, 1, "X"], span]}}),
        (predictions, {**PREDICTION, "pred": [span]}),
    ]:
        path = tmp_path / "a.jsonl"
        path.write_text(json.dumps(fields))
        with pytest.raises(InputError, match=r"a\.jsonl:1: "):
            read(path)


@pytest.mark.parametrize("name", ["votes.jsonl", "a.conll", "a.csv", "a.spacy", "v.parquet"])
def test_a_command_says_one_thing_and_exits_1(originals, tmp_path, capsys, name):
    path = tmp_path / name
    path.write_bytes(b"\x00\xff[" + originals[name][0][: len(originals[name][0]) // 2])
    assert main(["evaluate", str(path), str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "Traceback" not in captured.err


@pytest.mark.parametrize("model", ["mv", "wmv", "acc", "cv", "cm", "seq", "dcm"])
@pytest.mark.parametrize(
    ("weak", "message"),
    [
        (None, "of no function"),
        ({}, "of no function"),
        ({"a": []}, "says a label"),
        ({"a": [[0, 1, "ENT"]]}, "says a label"),
    ],
)
def test_votes_that_teach_nothing_are_told_and_not_aggregated(
    tmp_path, capsys, model, weak, message
):
    path, target = tmp_path / "v.jsonl", tmp_path / "p.jsonl"
    path.write_text("" if weak is None else json.dumps({"tokens": ["a"], "weak": weak}))
    assert main(["aggregate", str(path), "-o", str(target), "--model", model]) == 1
    assert message in " ".join(capsys.readouterr().err.split())
    assert not target.exists()


def test_a_broken_input_leaves_no_half_output(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n' * 1000 + "broken")
    with pytest.raises(InputError):
        corpus_jsonl.write(read_records(tmp_path / "a.jsonl"), tmp_path / "b.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl"]
