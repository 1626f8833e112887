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


def test_intervals_are_of_every_label(files, capsys):
    assert main(["evaluate", *files, "--interval", "--json"]) == 0
    intervals = json.loads(capsys.readouterr().out)["intervals"]
    assert list(intervals["labels"]) == ["GPE", "LOC", "PER"]
    assert list(intervals["micro"]) == ["precision", "recall", "f1"]


def test_two_predictions_are_compared(files, tmp_path, capsys):
    second = tmp_path / "second.jsonl"
    second.write_text(json.dumps({"id": 0, "tokens": ["Oslo", "says", "Anna"], "pred": []}))
    command = ["evaluate", *files, "--map", "GPE=LOC", "--against", str(second)]
    assert main([*command, "--json"]) == 0
    against = json.loads(capsys.readouterr().out)["against"]
    assert against["entity"]["strict"]["micro"]["f1"] == 0.0
    assert against["comparison"]["micro"]["difference"] == 0.5
    assert against["comparison"]["labels"]["LOC"]["first"] == 1.0
    assert main(command) == 0
    assert "second.jsonl\nstrict F1" in capsys.readouterr().out


def test_what_is_overlooked_is_said_with_the_scores(tmp_path, capsys):
    for name, tag in (("gold", "O"), ("pred", "B-DATE")):
        after = "I-DATE" if tag != "O" else "B-DATE"
        (tmp_path / f"{name}.conll").write_text(f"the {tag}\nspring {after}\n")
    files = [str(tmp_path / "gold.conll"), str(tmp_path / "pred.conll")]
    command = ["evaluate", *files, "--normalise", "leading_determiners:DATE"]
    assert main([*command, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["entity"]["strict"]["micro"]["f1"] == 1.0
    assert scores["normalise"] == ["leading_determiners:DATE"]
    assert main([*command, "--map", "DATE=DATE"]) == 0
    out = capsys.readouterr().out
    assert "labels renamed: DATE=DATE" in out
    assert "overlooked: leading determiners:DATE" in out


@pytest.mark.parametrize(
    "wrong",
    [["--views", "loose"], ["--map", "GPE"], ["--views", ","], ["--normalise", "case"]],
)
def test_wrong_options_are_wrong_usage(files, wrong):
    with pytest.raises(SystemExit) as caught:
        main(["evaluate", *files, *wrong])
    assert caught.value.code == 2


def test_several_mappings_are_one():
    assert joined([mapping("A=B"), mapping("C=D, E=F")]) == {"A": "B", "C": "D", "E": "F"}


def test_exports_of_tools_are_gold_and_predictions(files, tmp_path, capsys):
    def regions(*spans):
        return [{"value": {"start": s, "end": e, "labels": [label]}} for s, e, label in spans]

    task = {
        "data": {"text": "Oslo says Anna"},
        "annotations": [{"result": regions((0, 4, "LOC"), (10, 14, "PER"))}],
        "predictions": [{"result": regions((0, 4, "LOC"))}],
    }
    export = tmp_path / "export.json"
    export.write_text(json.dumps([task]))
    assert main(["evaluate", str(export), str(export), "--json"]) == 0
    own = json.loads(capsys.readouterr().out)["entity"]["strict"]["micro"]
    assert (own["correct"], own["missed"]) == (1, 1)
    command = ["evaluate", str(export), files[1], "--gold-format", "label-studio", "--json"]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["entity"]["strict"]["micro"]["correct"] == 1
