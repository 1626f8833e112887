"""Thousands of malformed inputs, made from good ones, for every reader and every command.

Readers run in this process; so do commands, but for some that have a process of their own.
"""

import gzip
import json
import random

import pytest

from silverspan.aggregation.predictions import read_predictions
from silverspan.cli.main import main
from silverspan.corpus import Corpus, load_pipeline
from silverspan.corpus.docbin import to_bytes
from silverspan.errors import SilverspanError
from silverspan.evaluation.files import evaluate_files
from silverspan.observations.votes_file import read_votes, write_votes
from tests.faults.damage import damaged
from tests.faults.harness import LONG, said_one_error, time_limit

READS = 5000 if LONG else 40
CALLS = 5000 if LONG else 25
#: Of those, in a process of their own.
PROCESSES = 60 if LONG else 1

VOTES = {
    "id": 1, "doc": "d", "tokens": ["In", "Oslo", "é"], "spaces": "110", "sentence_starts": [0],
    "gold": [[1, 2, "LOC"]], "weak": {"a": [[1, 2, "LOC"]], "b": [[1, 2, "LOC", 0.5]]},
    "asked": ["a", "b"],
}  # fmt: skip
PREDICTION = {
    "id": 1, "tokens": ["In", "Oslo"], "pred": [[1, 2, "LOC", 0.5]],
    "probs": [{"O": 1.0}, {"O": 0.5, "LOC": 0.5}],
}  # fmt: skip
TEXT = {"id": "é", "text": "In Oslo é 😀", "gold": [[3, 7, "LOC"]]}
OBJECTS = {"votes.jsonl": VOTES, "pred.jsonl": PREDICTION, "text.jsonl": TEXT}
TEXTS = {
    "a.conll": "-DOCSTART- O\n\nIn O\nOslo B-LOC\n\né B-X\n",
    "a.csv": 'id,text\n1,"a, ""b"" é"\n2,c\n',
    "a.txt": "héllo\n\n" * 9,
}
TOML = """[project]
name = "p"
seed = 1
[corpus]
path = "c.jsonl"
pipeline = "blank:en"
shard_size = 2
[labels]
output = ["LOC"]
map = { GPE = "LOC" }
[functions]
preset = "none"
files = ["functions.py"]
on_error = "raise"
[model]
name = "mv"
options = { threshold = 1 }
[training]
trainer = false
[evaluation]
views = ["strict"]
"""
FUNCTIONS = (
    "import silverspan as sp\n\n\n"
    '@sp.labelling_function(labels=["LOC"])\n'
    "def oslo(doc):\n"
    '    return [(t.i, t.i + 1, "LOC") for t in doc if t.text == "Oslo"]\n'
)
#: What stands where something else was meant.
ODD = [
    None, True, False, 0, -1, 1.5, 1e300, 10**30, "", "O", "x", "\x00", "é" * 300, "\u202e",
    [], [[]], [[[[1]]]], [1, "a"], {}, {"a": {"b": {}}}, "B-LOC", "../x", [0, 1, "LOC"],
]  # fmt: skip
NLP = load_pipeline("blank:en")
READERS = {
    "votes.jsonl": [lambda path: read_votes(path, features=False)],
    "pred.jsonl": [lambda path: read_predictions(path).posterior()],
    "v.parquet": [lambda path: read_votes(path, features=False)],
}
EVERY = [
    lambda path: list(Corpus.read(path, NLP)),
    lambda path: evaluate_files(path, path).table(),
]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Good files of every format, as bytes."""
    folder = tmp_path_factory.mktemp("good")
    files = {
        name: (json.dumps(fields, ensure_ascii=False) + "\n").encode() * 2
        for name, fields in OBJECTS.items()
    }
    files |= {name: text.encode() for name, text in TEXTS.items()}
    (folder / "v.jsonl").write_text(json.dumps(VOTES))
    write_votes(read_votes(folder / "v.jsonl", features=False), folder / "v.parquet")
    files["v.parquet"] = (folder / "v.parquet").read_bytes()
    (folder / "a.conll").write_text(TEXTS["a.conll"])
    files["a.spacy"] = to_bytes(list(Corpus.read(folder / "a.conll", NLP)))
    return files


def refusal(read, path):
    """Return the message with which a reader refuses a file; anything else is raised."""
    try:
        read(path)
    except SilverspanError as error:
        return str(error)
    return None


def odd(value, chance):
    """Return JSON with one part put in the place of another, deep down or at the top."""
    if isinstance(value, (dict, list)) and value and chance.random() < 0.8:
        copy = dict(value) if isinstance(value, dict) else list(value)
        key = chance.choice(list(copy) if isinstance(copy, dict) else range(len(copy)))
        if isinstance(copy, dict) and chance.random() < 0.15:
            del copy[key]
        elif isinstance(copy, dict) and chance.random() < 0.1:
            copy[chance.choice(["", "x", "\x00", key.upper()])] = copy.pop(key)
        else:
            copy[key] = odd(copy[key], chance)
        return copy
    return chance.choice(ODD)


def malformed(name, content, chance):
    """Return content that is probably wrong: in its bytes, its structure, or its values."""
    if name in OBJECTS and chance.random() < 0.6:
        text = json.dumps(odd(OBJECTS[name], chance), ensure_ascii=chance.random() < 0.5)
        return text.encode("utf-8", "surrogatepass")
    bad = content
    for _ in range(chance.randrange(1, 4)):
        _, bad = damaged(bad, chance)
        bad = bad or b""
    return gzip.compress(bad) if chance.random() < 0.1 else bad


@pytest.mark.parametrize(
    "name", [*OBJECTS, *TEXTS, "v.parquet", "a.spacy"]
)  # one name for each format
def test_readers_give_documents_or_one_error(good, tally, tmp_path, name):
    chance = random.Random(f"read {name}")
    path = tmp_path / name
    readers = [*READERS.get(name, []), *(EVERY if name not in ("v.parquet",) else EVERY[1:])]
    refused = 0
    for _ in range(READS):
        before = refused
        path.write_bytes(malformed(name, good[name], chance))
        for read in readers:
            with time_limit(60):
                told = refusal(read, path)
            refused += told is not None
            assert told is None or 0 < len(told) < 2000
        tally.add(
            f"generated: read {name}", inputs=1, readings=len(readers), refused=refused - before
        )


def toml(chance):
    """Return a project file with something wrong in it."""
    lines = TOML.splitlines()
    kind = chance.randrange(4)
    place = chance.choice([i for i, line in enumerate(lines) if " = " in line])
    key = lines[place].partition(" = ")[0]
    values = ["true", "-1", "1e999", "nan", '""', '"\\u0000"', "[]", "[[1]]", "{}", "9" * 400,
              "2020-01-01", '"../../x"', '"b\\u001b[31m"', '["LOC", "LOC"]']  # fmt: skip
    if kind == 0:
        lines[place] = f"{key} = {chance.choice(values)}"
    elif kind == 1:
        lines[place] = lines[place].replace(key, chance.choice([key + "x", key.upper(), "a.b"]))
    elif kind == 2:
        lines.insert(chance.randrange(len(lines)), chance.choice(["[", "x = 1", "[corpus]", "\0"]))
    else:
        _, content = damaged(TOML.encode(), chance)
        return content or b""
    return "\n".join(lines).encode()


def made_up(name, good, folder, chance):
    """Write a malformed input, and return the words of a command that reads it."""
    if name == "project":
        (folder / "c.jsonl").write_bytes(good["text.jsonl"].splitlines()[0])
        (folder / "functions.py").write_text(FUNCTIONS)
        (folder / "silverspan.toml").write_bytes(toml(chance))
        actions = [["run"], ["annotate"], ["status"], ["export", "--to", "jsonl", "-o", "out"],
                   ["report", "-o", "out.html"]]  # fmt: skip
        return [*chance.choice(actions), "."]
    path = folder / name
    path.write_bytes(malformed(name, good[name], chance))
    if name in ("votes.jsonl", "v.parquet"):
        model = chance.choice(["mv", "wmv", "cm", "hmm"])
        return ["aggregate", name, "-o", "out.jsonl", "--model", model]
    if name == "pred.jsonl" and chance.random() < 0.1:
        return ["train", name, "-o", "out", "--set", "max_epochs=1"]
    if chance.random() < 0.2:
        return ["predict", "blank:en", name, "-o", "out.jsonl"]
    return ["evaluate", name, name]


NAMES = ["project", *OBJECTS, *TEXTS, "v.parquet", "a.spacy"]


@pytest.mark.parametrize("name", NAMES)
def test_commands_succeed_or_say_one_thing(
    good, commands, tally, tmp_path, capsys, monkeypatch, name
):
    chance = random.Random(f"call {name}")
    count = CALLS // len(NAMES) if LONG else CALLS // (5 if name == "project" else 2)
    for number in range(count):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        words = [*made_up(name, good, folder, chance), "-q"]
        given = {path.name for path in folder.iterdir()}
        capsys.readouterr()
        if number < PROCESSES:
            code = commands.run(*words, folder=folder)
            out, told = (commands.folder / "stdout").read_text(), commands.errors
        else:
            with time_limit(60):
                code = main(words)
            out, told = capsys.readouterr()
        assert code in (0, 1), words
        if code:
            assert said_one_error(told), (words, told)
            assert len(told) < 4000
            assert out == ""
            left = {path.name for path in folder.iterdir()} - given
            assert not left & {"out", "out.jsonl", "out.html"}, words
        assert not [path for path in folder.rglob("*.part")]
        tally.add(f"generated: commands on {name}", inputs=1, refused=code)
