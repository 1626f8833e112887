"""What people do wrong on the first day: one message that says what, where, and what next."""

import shlex

import pytest

from silverspan.cli.main import main
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, write_project

VOTES = "".join(
    f'{{"id": {i}, "tokens": ["In", "Oslo", "Ms", "Berg"], '
    f'"weak": {{"a": [[1, 2, "LOC"]], "b": [[{i % 3}, {i % 3 + 1}, "LOC"]], '
    '"c": [[3, 4, "PER"]]}}\n'
    for i in range(30)
)
UNDECORATED = "def cities(doc):\n    return []\n"
RAISES = 'import silverspan as sp\n@sp.labelling_function(labels=["LOC"])\ndef f(doc):\n    1 / 0\n'
#: Projects by name: what is put in the place of what, and the functions.
PROJECTS = {
    "news": ({}, FUNCTIONS),
    "no_functions": ({'files = ["functions.py"]': "files = []"}, FUNCTIONS),
    "undecorated": ({}, UNDECORATED),
    "raises": ({}, RAISES),
    "syntax": ({}, "def f(doc:\n"),
    "misspelt": ({"[functions]": "[functons]"}, FUNCTIONS),
    "no_pipeline": ({"blank:en": "en_core_web_lg"}, FUNCTIONS),
    "pattern": ({"documents.jsonl": "docs/*.jsonl"}, FUNCTIONS),
    "only": ({'preset = "none"': 'preset = "none"\nonly = ["city"]'}, FUNCTIONS),
    "aggregator": ({'"mv"': '"hm"'}, FUNCTIONS),
    "threshold": ({'"mv"': '"mv"\noptions = {threshold = "many"}'}, FUNCTIONS),
    "setting": ({'"mv"': '"mv"\noptions = {treshold = 2}'}, FUNCTIONS),
    "trainer": ({"trainer = false": 'trainer = "soft_taggr"'}, FUNCTIONS),
    "epochs": (
        {"trainer = false": 'trainer = "soft_tagger"\noptions = {max_epochs = "three"}'},
        FUNCTIONS,
    ),
    "gold": ({"trainer = false": 'trainer = false\n[evaluation]\ngold = "g.jsonl"'}, FUNCTIONS),
    "options": ({"[model]": "[functions.options.cities]\nfoo = 1\n[model]"}, FUNCTIONS),
    "output": ({"[model]": '[output]\ndirectory = "functions.py"\n[model]'}, FUNCTIONS),
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with projects and files of all sorts."""
    folder = tmp_path_factory.mktemp("desk")
    for name, (changes, functions) in PROJECTS.items():
        write_project(folder / name, documents=4, functions=functions)
        settings = SETTINGS
        for old, new in changes.items():
            assert old in settings
            settings = settings.replace(old, new)
        (folder / name / "silverspan.toml").write_text(settings)
    (folder / "votes.jsonl").write_text(VOTES)
    (folder / "gold.conll").write_text("In O\nOslo B-LOC\n\n")
    (folder / "text.txt").write_text("Oslo is a city.\n")
    (folder / "names.txt").write_text("Oslo\nRome\n")
    (folder / "empty.jsonl").write_text("")
    (folder / "picture.jsonl").write_bytes(bytes(range(256)))
    (folder / "folder").mkdir()
    return folder


# The words, and what the message says.
USES = {
    "run nowhere": "silverspan init nowhere",
    "run folder": "silverspan init folder",
    "run text.txt": "text.txt: is no project; name a folder that has a silverspan.toml",
    "run no_functions": "name a preset or a file with functions",
    "run undecorated": "functions.py: no labelling function is defined at the top",
    "run raises": "'f' failed on document 'd0': ZeroDivisionError",
    "run syntax": "functions.py:1: this is no Python: '(' was never closed",
    "run misspelt": "silverspan.toml:10: unknown key 'functons'; did you mean 'functions'?",
    "run no_pipeline": "no_pipeline/silverspan.toml: no spaCy pipeline 'en_core_web_lg'",
    "run pattern": "docs/*.jsonl: no file fits this pattern",
    "run only": "is called 'city'; did you mean 'cities'?",
    "run aggregator": "no aggregator is called 'hm'; did you mean 'hmm'?",
    "run threshold": "'threshold' of the label model 'mv' cannot be 'many'; it should be a whole",
    "run setting": "the label model 'mv' has no setting 'treshold'; it has: threshold",
    "run trainer": "trainer/silverspan.toml: no trainer is called 'soft_taggr'; did you mean",
    "run epochs": "the trainer 'soft_tagger' cannot use max_epochs = 'three'",
    "run gold": "gold/g.jsonl: there is no such file",
    "run options": "no function of the preset 'none' is called 'cities'",
    "run output": "output.directory = 'functions.py' is a file there",
    "run news --n-process x": "'x' is no whole number above zero",
    "status nowhere": "silverspan init nowhere",
    "report news -o news.pdf": "say --format html, md or json",
    "report news -o news/functions.py --format md": "is read, and would be replaced",
    "report news": "say where to: -o FILE",
    "export news --to xml -o a": "invalid choice: 'xml'",
    "export news --to conll -o folder": "folder: cannot be written: it is a folder",
    "export news --to jsonl -o news/documents.jsonl": "is read, and would be replaced",
    "view news --port 99999": "from 1 to 65535",
    "aggregate votes.jsonl": "-o/--output",
    "aggregate votes.jsonl -o votes.jsonl": "is read, and would be replaced",
    "aggregate nofile.jsonl -o p.jsonl": "nofile.jsonl: there is no such file",
    "aggregate folder -o p.jsonl": "folder: is a folder; name its files",
    "aggregate empty.jsonl -o p.jsonl": "nothing to learn from",
    "aggregate picture.jsonl -o p.jsonl": "picture.jsonl:1: not JSON",
    "aggregate gold.conll -o p.jsonl": "gold.conll:1: not JSON",
    "aggregate votes.jsonl -o folder": "it is a folder",
    "aggregate votes.jsonl -o p.jsonl --model hm": "did you mean 'hmm'?",
    "aggregate votes.jsonl -o p.jsonl --map PER": "'PER' should read OLD=NEW",
    "aggregate votes.jsonl -o p.jsonl --labels ,": "names nothing; say one or more",
    "aggregate votes.jsonl -o p.jsonl --functions x": "is called 'x'. Known: a, b, c",
    "aggregate votes.jsonl -o p.jsonl --set foo=1": "has no setting 'foo'; it has: scheme",
    "aggregate votes.jsonl -o p.jsonl --seed -1": "no whole number from 0 to",
    "aggregate votes.jsonl -o p.jsonl --load folder": "folder/model.json: there is no such file",
    "aggregate votes.jsonl -o p.jsonl --load m --model mv": "--model does not go with --load",
    "train votes.jsonl -o model": 'votes.jsonl:1: there is no "pred"',
    "train empty.jsonl -o model": "nothing to learn from",
    "train p.jsonl -o text.txt": "is there already and is no spaCy model",
    "train p.jsonl -o model --trainer nope": "Known: plain, soft_tagger, transformer",
    "train p.jsonl -o model --set max_epochs=0": "greater than or equal to 1",
    "train p.jsonl -o model --set max_epochs": "OPTION=VALUE, such as dropout=0.3",
    "predict model text.txt -o q.jsonl": "name a folder that spaCy has written",
    "predict folder text.txt -o q.jsonl": "name a folder that spaCy has written",
    "predict blank:en nofile.txt -o q.jsonl": "nofile.txt: there is no such file",
    "predict blank:en nofile -o q.jsonl": "nofile: there is no such file",
    "predict blank:en folder -o q.jsonl": "is a folder; name its files",
    "predict blank:en text.txt -o text.txt": "is read, and would be replaced",
    "predict blank:en text.txt -o q.jsonl --format foo": "no corpus format is called 'foo'. Known:",
    "predict blank:en text.txt -o q.jsonl --n-process 0": "no whole number above zero",
    "evaluate gold.conll": "PRED",
    "evaluate gold.conll nofile": "nofile: there is no such file",
    "evaluate gold.conll text.txt": "text.txt",
    "evaluate gold.conll gold.conll --views exakt": "'exakt' is none of: strict, exact",
    "evaluate gold.conll gold.conll --labels ,": "names nothing; say one or more",
    "evaluate empty.jsonl empty.jsonl": "has no gold",
    "functions show nope --text x": "is called 'nope'",
    "functions check news nope": "is called 'nope'. Known: cities",
    "gazetteer build nope names.txt -o g.gaz": "no gazetteer format is called 'nope'. Known:",
    "gazetteer build text names.txt -o g.gaz": "needs the option 'label': --option label=...",
    "gazetteer build text names.txt -o names.txt --option label=X": "is read, and would be",
    "gazetteer build text empty.jsonl -o g.gaz --option label=X": "no usable name was found",
    "gazetteer build wikidata names.txt -o g.gaz": "no usable name was found (damaged: 2; first:",
    "gazetteer info text.txt": "not a compiled gazetteer",
    "models check nope": "install its package, or name a folder",
    "models train-source X --data nofile -o ms": "nofile: there is no such file",
    "models train-source X --data gold.conll -o ms --share 2": "below 1",
    'values "3 May" --reference tomorrow': "'tomorrow' is not a date such as 2020-01-31",
    'values "3 May" --language xx': "xx",
    "init news": "news",
    "init text.txt": "text.txt",
}


@pytest.mark.parametrize("use", USES)
def test_a_wrong_use_is_told_in_one_message(desk, monkeypatch, capsys, use):
    monkeypatch.chdir(desk)
    before = {path: path.read_bytes() for path in desk.glob("*") if path.is_file()}
    try:
        code = main(shlex.split(use))
    except SystemExit as end:  # of argparse: wrong usage
        code = end.code
        assert code == 2
    else:
        assert code == 1
    told = capsys.readouterr()
    assert USES[use] in told.err
    assert told.err.count("error: ") == 1
    assert "Traceback" not in told.err
    assert len(told.err) < 2500
    assert {path: path.read_bytes() for path in desk.glob("*") if path.is_file()} == before


def test_a_function_whose_labels_nobody_names_is_told(desk, tmp_path, capsys):
    settings = SETTINGS.replace('["LOC", "PER"]', '["LOC", "PERS"]')
    project = write_project(tmp_path / "p", documents=4, settings=settings)
    assert main(["annotate", str(project.directory), "-q"]) == 0
    assert main(["annotate", str(project.directory)]) == 0
    assert "'people' can only say PER" in " ".join(capsys.readouterr().err.split())
