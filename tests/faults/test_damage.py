"""Flipped, cut, emptied and deleted files: found, told, made again; never believed in part."""

import random
import shutil
from pathlib import Path

import pytest

import silverspan
from silverspan.cli.main import main
from silverspan.labelling.models import installed, pipeline
from tests.faults.damage import damaged
from tests.faults.harness import LONG, files_below, said_one_error, time_limit
from tests.pipeline.conftest import SETTINGS, write_project

EACH = 10 if LONG else 1
#: Of the files of a model's folder, in the short form.
FILES = 1000 if LONG else 2

SCORED = (
    SETTINGS.replace(
        "trainer = false", 'trainer = "soft_tagger"\noptions = { max_epochs = 1 }'
    ).replace('name = "mv"', 'name = "hmm"')
    + '\n[evaluation]\ngold = "gold.jsonl"\n'
)
GOLD = '{"id": "d0", "text": "Ms Berg left Oslo for Rome .", "gold": [[3, 7, "PER"]]}\n'


def replace(path, content):
    """Put another file in the place of one, so that what is mapped from the old stays as it is."""
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)


@pytest.mark.slow
def test_whatever_is_damaged_in_a_workspace_is_made_again(tally, tmp_path, capsys):
    project = write_project(tmp_path / "p", documents=12, settings=SCORED)
    (project.directory / "gold.jsonl").write_text(GOLD)
    assert main(["run", "-q", str(project.directory)]) == 0
    folders = (project.workspace, project.output)
    whole = files_below(*folders)
    places = {f"{f.name}/{p.relative_to(f)}": p for f in folders for p in f.rglob("*")}
    chance = random.Random(9)
    names = [name for name in whole for _ in range(EACH)]
    for name in names if LONG else chance.sample(names, 6):
        kind, content = damaged(whole[name], chance)
        replace(places[name], content)
        for words in (["status", "-q"], ["run", "-q"]):
            with time_limit(120):
                assert main([*words, str(project.directory)]) == 0, (name, kind)
        assert files_below(*folders) == whole, (name, kind)
        tally.add("damage: workspace", damaged=1, differences=0)
    capsys.readouterr()


VOTES = "".join(
    f'{{"id": {i}, "tokens": ["In", "Oslo", "Ms", "Berg", "saw", "Rome"], '
    f'"weak": {{"a": [[1, 2, "LOC"]], "b": [[{i % 3}, {i % 3 + 1}, "LOC"]], '
    f'"c": [[3, 4, "PER"], [5, 6, "{"LOC" if i % 4 else "PER"}"]]}}}}\n'
    for i in range(40)
)
LABEL_MODELS = {
    **{name: [] for name in ("mv", "wmv", "acc", "cv", "cm", "seq", "dcm", "hmm")},
    "dirichlet": ["--set", "emission=dirichlet"],
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder with inputs."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "votes.jsonl").write_text(VOTES)
    (folder / "text.jsonl").write_text('{"text": "Ms Berg left Oslo for Rome ."}\n')
    (folder / "names.txt").write_text("Oslo\nRome\nNew York\n" + "Name\n" * 99)
    return folder


def make(shelf, kind):
    """Make something that commands read; return it, and the command that reads it."""
    votes, found, target = (str(shelf / n) for n in ("votes.jsonl", "found.jsonl", kind))
    if kind in LABEL_MODELS:
        words = ["aggregate", votes, "-o", found, "--save", target, "-q", *LABEL_MODELS[kind]]
        model = ["--model", "hmm" if kind == "dirichlet" else kind]
        assert main([*words, *model]) == 0
        return shelf / kind, ["aggregate", votes, "-o", found, "--load", target]
    if kind in ("soft_tagger", "plain"):
        assert main(["aggregate", votes, "-o", found, "-q"]) == 0
        few = ["--set", "max_epochs=1"] if kind == "soft_tagger" else []
        assert main(["train", found, "-o", target, "--trainer", kind, "-q", *few]) == 0
        return shelf / kind, ["predict", target, str(shelf / "text.jsonl"), "-o", found]
    if kind == "gazetteer":
        words = ["gazetteer", "build", "text", str(shelf / "names.txt"), "-o", target, "-q"]
        assert main([*words, "--option", "label=GPE"]) == 0
        return shelf / kind, ["gazetteer", "lookup", "from Oslo to New York", target]
    shipped = Path(silverspan.__file__).parent / "labelling/models/sources/weights/SEC"
    shutil.copytree(shipped, shelf / kind)
    return shelf / kind, ["models", "check", target]


def fresh_process():
    """Forget the models that this process has opened."""
    pipeline._load.cache_clear()
    pipeline._family.cache_clear()
    installed.describe.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*LABEL_MODELS, "soft_tagger", "plain", "gazetteer", "recogniser"])
def test_a_damaged_model_is_told_in_one_message(shelf, tally, capsys, kind):
    made, words = make(shelf, kind)
    files = [made] if made.is_file() else sorted(p for p in made.rglob("*") if p.is_file())
    target = shelf / "found.jsonl"
    chance = random.Random(kind)
    for path in files if LONG else chance.sample(files, min(FILES, len(files))):
        whole = path.read_bytes()
        for _ in range(EACH):
            damage, content = damaged(whole, chance)
            replace(path, content)
            target.unlink(missing_ok=True)
            fresh_process()
            capsys.readouterr()
            with time_limit(120):
                code = main(words)
            told = capsys.readouterr()
            tally.add(f"damage: {kind}", damaged=1, refused=code)
            if code == 0:
                continue
            assert code == 1, (path, damage)
            assert said_one_error(told.err) or kind == "recogniser", (path, damage, told.err)
            assert not target.exists(), (path, damage)
        replace(path, whole)
    assert main(words) == 0


def test_a_damaged_checkpoint_is_a_training_from_the_start(shelf, tally, capsys):
    votes, found, target = (str(shelf / n) for n in ("votes.jsonl", "found.jsonl", "tagger"))
    assert main(["aggregate", votes, "-o", found, "-q"]) == 0
    words = ["train", found, "-o", target, "--set", "max_epochs=1", "-q"]
    assert main(words) == 0
    expected = files_below(shelf / "tagger")
    chance = random.Random(2)
    checkpoint = shelf / "tagger.checkpoint.npz"
    contents = [b"", b"PK\x03\x04" + chance.randbytes(200), chance.randbytes(4000)]
    for content in contents * EACH:
        checkpoint.write_bytes(content)
        assert main(words) == 0
        assert files_below(shelf / "tagger") == expected
        assert not checkpoint.exists()
        tally.add("damage: checkpoint", damaged=1, differences=0)
