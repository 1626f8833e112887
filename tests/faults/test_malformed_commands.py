"""Whatever a command is given, it ends with exit code 1 and one message, and leaves no half file.

Everything runs in this process, so several hundred inputs take seconds. ``0`` is allowed where
chance made an input that is valid after all.
"""

import gzip
import json
import random

import pytest

from silverspan.cli.main import main
from silverspan.corpus import Corpus, load_pipeline
from silverspan.corpus.docbin import to_bytes
from silverspan.observations.votes_file import read_votes, write_votes

VOTES = {
    "id": 1,
    "doc": "d",
    "tokens": ["In", "Oslo", "é"],
    "spaces": "110",
    "sentence_starts": [0],
    "gold": [[1, 2, "LOC"]],
    "weak": {"a": [[1, 2, "LOC"]], "b": [[1, 2, "LOC", 0.5]]},
    "asked": ["a", "b"],
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

TEXTS = {
    "votes.jsonl": json.dumps(VOTES, ensure_ascii=False) + "\n",
    "pred.jsonl": json.dumps(PREDICTION) + "\n",
    "text.jsonl": json.dumps(TEXT, ensure_ascii=False) + "\n",
    "a.conll": CONLL,
    "a.csv": CSV,
}
NAMES = [*TEXTS, "v.parquet", "a.spacy"]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The bytes of a good file of every format."""
    folder = tmp_path_factory.mktemp("good")
    files = {name: text.encode() for name, text in TEXTS.items()}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    write_votes(read_votes(folder / "votes.jsonl", features=False), folder / "v.parquet")
    files["v.parquet"] = (folder / "v.parquet").read_bytes()
    files["a.spacy"] = to_bytes(list(Corpus.read(folder / "a.conll", load_pipeline("blank:en"))))
    return files


def command(path, target):
    """Return the words of the command that reads such a file and writes ``target``, if any."""
    if path.name.startswith(("votes.jsonl", "v.parquet")):
        return ["aggregate", str(path), "-o", str(target), "--model", "mv"]
    return ["evaluate", str(path), str(path)]


def run(words, folder, capsys, *, valid=False):
    """Run a command on bad input: code 1, one message, nothing written; or 0 if ``valid`` may be.

    ``folder`` is where it could leave something.
    """
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code = main(words)
    captured = capsys.readouterr()
    if code == 0 and valid:
        return
    assert code == 1
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("error: ") == 1
    assert len(captured.err) < 3000
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before


# A table has texts but no gold: the one that no command here can be content with.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "a.csv"])
def test_good_files_pass(good, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(good[name])
    assert main([*command(path, tmp_path / "out.jsonl"), "-q"]) == 0


@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("name", NAMES)
def test_truncated_files(good, tmp_path, capsys, name, part):
    path, packed = tmp_path / name, tmp_path / f"{name}.gz"
    path.write_bytes(good[name][: len(good[name]) * part // 5])
    run(command(path, tmp_path / "out.jsonl"), tmp_path, capsys, valid=True)
    path.unlink()
    (tmp_path / "out.jsonl").unlink(missing_ok=True)
    whole = gzip.compress(good[name])
    packed.write_bytes(whole[: 1 + (len(whole) - 9) * part // 5])
    run(command(packed, tmp_path / "out.jsonl"), tmp_path, capsys)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", NAMES)
def test_random_bytes(good, tmp_path, capsys, name, seed):
    chance = random.Random(f"{name} {seed}")
    content = bytearray(good[name])
    for _ in range(4):
        content[chance.randrange(len(content))] = chance.randrange(256)
    for number, bad in enumerate([chance.randbytes(200), bytes(content)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_bytes(bad)
        run(command(folder / name, folder / "out.jsonl"), folder, capsys, valid=True)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252"])
@pytest.mark.parametrize("name", ["votes.jsonl", "text.jsonl", "a.conll", "a.csv"])
def test_wrong_encodings(tmp_path, capsys, name, encoding):
    path = tmp_path / name
    path.write_bytes(TEXTS[name].encode(encoding, "replace"))
    run(command(path, tmp_path / "out.jsonl"), tmp_path, capsys)


# JSON, so that what no Python value can say can be said.
WRONG = {
    "null": "null",
    "true": "true",
    "float": "1.5",
    "negative": "-1",
    "huge": "1" + "0" * 30,
    "digits": "9" * 5000,
    "infinite": "1e400",
    "nan": "NaN",
    "text": '"nonsense"',
    "surrogate": '"\\udc00"',
    "list": '[1, "a"]',
    "nested": "[[[[1]]]]",
    "object": '{"a": [1]}',
    "deep": "[" * 5000 + "]" * 5000,
}
FIELDS = [
    *(("votes.jsonl", VOTES, key) for key in VOTES),
    *(("pred.jsonl", PREDICTION, key) for key in PREDICTION),
    *(("text.jsonl", TEXT, key) for key in TEXT),
]
# What may be left out may be null, and an id or a text may be any text.
FINE = {
    (key, kind)
    for key in ("id", "doc", "text")
    for kind in ("null", "negative", "huge", "text", "digits")
} | {(key, "null") for key in ("spaces", "sentence_starts", "gold", "asked", "probs")}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize(("name", "fields", "key"), FIELDS)
def test_every_field_with_a_wrong_value(tmp_path, capsys, name, fields, key, kind):
    path = tmp_path / name
    path.write_text(json.dumps({**fields, key: "@"}).replace('"@"', WRONG[kind]) + "\n")
    run(command(path, tmp_path / "out.jsonl"), tmp_path, capsys, valid=(key, kind) in FINE)


@pytest.mark.parametrize("wrong", ["O", "B-", "-LOC", "X-LOC", "B-LOC I-LOC extra -"])
def test_tags_that_are_none(tmp_path, capsys, wrong):
    path = tmp_path / "a.conll"
    path.write_text(f"In O\nOslo {wrong}\nalone\n")
    run(command(path, None), tmp_path, capsys, valid=wrong == "O")


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", 'id,text\n1,"open\n', "id,text\n1\n"])
@pytest.mark.parametrize("action", ["evaluate", "aggregate"])
def test_tables_without_what_is_needed(tmp_path, capsys, content, action):
    path = tmp_path / "a.csv"
    path.write_text(content)
    words = [str(path)] * 2 if action == "evaluate" else [str(path), "-o", str(tmp_path / "o")]
    run([action, *words], tmp_path, capsys, valid=action == "evaluate" and not content)


@pytest.mark.parametrize("kind", ["missing", "folder"])
@pytest.mark.parametrize(
    "words",
    [
        ["aggregate", "FILE", "-o", "out.jsonl"],
        ["aggregate", "FILE.jsonl", "-o", "out.jsonl"],
        ["aggregate", "votes.jsonl", "--load", "FILE", "-o", "out.jsonl"],
        ["evaluate", "FILE", "FILE"],
        ["train", "FILE", "-o", "model"],
        ["predict", "FILE", "votes.jsonl", "-o", "out.jsonl"],
        ["run", "FILE"],
        ["annotate", "FILE"],
        ["status", "FILE"],
        ["report", "FILE", "-o", "out.html"],
        ["export", "FILE", "--to", "conll", "-o", "out.conll"],
        ["view", "FILE"],
        ["functions", "check", "FILE"],
        ["gazetteer", "info", "FILE"],
        ["gazetteer", "build", "text", "FILE", "-o", "out.gaz", "--option", "label=GPE"],
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_what_is_not_there(tmp_path, monkeypatch, capsys, words, kind):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.jsonl").write_text(TEXTS["votes.jsonl"])
    if kind == "folder":
        (tmp_path / "FILE").mkdir()
    run(words, tmp_path, capsys)


GOOD_PROJECT = """
[project]
name = "p"
seed = 1

[corpus]
path = "c.jsonl"
pipeline = "blank:en"

[labels]
output = ["LOC"]

[functions]
preset = "none"
files = ["functions.py"]
"""
KEYS = {
    "project": ["name", "seed"],
    "corpus": ["path", "format", "pipeline", "shard_size", "on_error"],
    "labels": ["output", "map", "coarse"],
    "functions": [
        "preset", "files", "only", "without", "on_error", "second_stage", "options", "rules",
    ],
    "model": ["name", "options"],
    "training": ["trainer", "options"],
    "evaluation": ["gold", "labels", "map", "views"],
    "output": ["directory"],
}  # fmt: skip
VALUES = {
    "float": "1.5",
    "negative": "-1",
    "huge": "1" + "0" * 30,
    "nan": "nan",
    "date": "2020-01-01",
    "empty": '""',
    "text": '"nonsense"',
    "zero": r'"\u0000"',
    "list": '[1, "a"]',
    "nested": "[[[[1]]]]",
    "object": "{ a = [1] }",
}


def project_with(section, key, value):
    lines, kept, here = GOOD_PROJECT.splitlines(), [], ""
    for line in lines:
        here = line[1:-1] if line.startswith("[") else here
        if not (here == section and line.startswith(f"{key} =")):
            kept.append(line)
    text = "\n".join(kept) + "\n"
    if f"[{section}]" not in text:
        return f"{text}[{section}]\n{key} = {value}\n"
    return text.replace(f"[{section}]\n", f"[{section}]\n{key} = {value}\n")


@pytest.fixture
def project(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"text": "In Oslo"}\n')
    (tmp_path / "functions.py").write_text(
        "import silverspan as sp\n\n\n"
        '@sp.labelling_function(labels=["LOC"])\n'
        "def oslo(doc):\n"
        '    return [(t.i, t.i + 1, "LOC") for t in doc if t.text == "Oslo"]\n'
    )
    return tmp_path


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(
    ("section", "key"), [(section, key) for section, keys in KEYS.items() for key in keys]
)
def test_every_key_of_the_project_file_with_a_wrong_value(project, capsys, section, key, kind):
    text = project_with(section, key, VALUES[kind])
    if section != "training":
        text += "\n[training]\ntrainer = false\n"
    (project / "silverspan.toml").write_text(text)
    code = main(["run", str(project), "-q"])
    captured = capsys.readouterr()
    assert captured.out == ""
    if code == 0:
        assert "error: " not in captured.err
    else:
        assert code == 1
        assert captured.err.startswith("error: ")
        assert captured.err.count("error: ") == 1
    assert not list(project.rglob("*.tmp"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "a = ",
        "[corpus]\n[corpus]\n",
        "a = " + "[" * 3000 + "]" * 3000,
        "a = " + "9" * 5000,
        "[labels]\noutput = []\n",
        GOOD_PROJECT + "[functionz]\n",
        GOOD_PROJECT.replace("seed", "sed"),
        GOOD_PROJECT.replace("[labels]", "[[labels]]"),
        GOOD_PROJECT.replace('"LOC"', '"O"'),
        GOOD_PROJECT.replace('"LOC"', '"LOC", "LOC"'),
        GOOD_PROJECT + '[labels.map]\nLOC = "LOC"\nGPE = "NOWHERE"\n',
        GOOD_PROJECT.encode("utf-16"),
        b"\xff\xfe\x00",
        GOOD_PROJECT.replace('"c.jsonl"', '"missing*.jsonl"'),
        GOOD_PROJECT.replace('"functions.py"', '"missing.py"'),
        GOOD_PROJECT.replace('"none"', '"nonsense"'),
        GOOD_PROJECT.replace("blank:en", "blank:zzz"),
        GOOD_PROJECT.replace("blank:en", "no_such_model"),
        GOOD_PROJECT + '[model]\nname = "nonsense"\n',
        GOOD_PROJECT + "[model.options]\nnonsense = 1\n",
        GOOD_PROJECT + '[training]\ntrainer = "nonsense"\n',
        GOOD_PROJECT + "[training.options]\nnonsense = 1\n",
        GOOD_PROJECT + '[evaluation]\ngold = "missing.jsonl"\n',
    ],
)
def test_project_files_that_cannot_be_run(project, capsys, text):
    content = text if isinstance(text, bytes) else text.encode()
    (project / "silverspan.toml").write_bytes(content)
    assert main(["run", str(project), "-q"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("error: ") == 1


@pytest.mark.parametrize(
    "code",
    ["def (", "raise ValueError('no')", "import nothing_of_that_name", "\x00", "x = 1"],
)
def test_function_files_that_cannot_be_used(project, capsys, code):
    (project / "silverspan.toml").write_text(GOOD_PROJECT)
    (project / "functions.py").write_text(code)
    assert main(["annotate", str(project), "-q"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "functions" in captured.err
