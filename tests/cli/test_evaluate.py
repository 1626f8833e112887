import json

import pytest

from silverspan.cli.arguments import joined, mapping
from silverspan.cli.main import main


@pytest.fixture
def files(tmp_path):
    (tmp_path / "gold.conll").write_text("Oslo B-GPE\nsays O\nAnna B-PER\n")
    record = {
        "id": 0,
        "tokens": ["Oslo", "says", "Anna"],
        "pred": [[0, 1, "LOC", 0.5], [1, 3, "PER", 1.0]],
    }
    (tmp_path / "pred.jsonl").write_text(json.dumps(record))
    return [str(tmp_path / "gold.conll"), str(tmp_path / "pred.jsonl")]


def test_scores_are_printed_as_a_table(files, capsys):
    assert main(["evaluate", *files, "--map", "GPE=LOC", "--views", "strict,type"]) == 0
    out = capsys.readouterr().out
    assert "entities, strict" in out
    assert "entities, type" in out
    assert "micro" in out


def test_scores_are_printed_as_json(files, capsys):
    assert main(["evaluate", *files, "--map", "GPE=LOC", "--labels", "LOC", "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["entity"]["strict"]["micro"]["f1"] == 1.0
    assert list(scores["entity"]) == ["strict"]


def test_an_interval_is_added_on_request(files, capsys):
    assert main(["evaluate", *files, "--interval", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["strict_f1_interval"]) == 2
    assert main(["evaluate", *files, "--interval"]) == 0
    assert "95 % interval" in capsys.readouterr().out


def test_a_missing_file_is_one_message_and_exit_1(files, capsys):
    assert main(["evaluate", "nowhere.conll", files[1]]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "nowhere.conll: there is no such file" in captured.err


@pytest.mark.parametrize("wrong", [["--views", "loose"], ["--map", "GPE"], ["--views", ","]])
def test_wrong_options_are_wrong_usage(files, wrong):
    with pytest.raises(SystemExit) as caught:
        main(["evaluate", *files, *wrong])
    assert caught.value.code == 2


def test_several_mappings_are_one():
    assert joined([mapping("A=B"), mapping("C=D, E=F")]) == {"A": "B", "C": "D", "E": "F"}
