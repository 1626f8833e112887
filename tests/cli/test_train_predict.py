import json

import pytest
import spacy

from silverspan.aggregation.predictions import write_predictions
from silverspan.cli.main import main
from tests.training.conftest import toy_documents, toy_posterior

SMALL = ["width=16", "depth=1", "batch_words=100", "vectors=none", "second_opinions=0"]
FAST = [*(word for option in SMALL for word in ("--set", option)), "-q"]


@pytest.fixture(scope="module")
def predictions(tmp_path_factory):
    path = tmp_path_factory.mktemp("pred") / "pred.jsonl"
    documents = toy_documents()
    words = [[token.text for token in doc] for doc in documents]
    write_predictions(toy_posterior(documents), words, path, probs=True)
    return path


@pytest.fixture(scope="module")
def model(predictions, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "student"
    assert main(["train", str(predictions), "-o", str(path), "--set", "max_epochs=12", *FAST]) == 0
    return path


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "new.jsonl"
    rows = [{"id": i, "text": "Mr Bo Smith lives in Lima today ."} for i in range(3)]
    path.write_text("\n".join(map(json.dumps, [*rows, {"id": 3, "text": ""}])))
    return path


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_trained_model_loads_in_spacy_and_leaves_nothing_beside_it(model):
    doc = spacy.load(model)("Mr Bo Smith lives in Lima today .")
    assert [span.label_ for span in doc.ents] == ["PER", "LOC"]
    assert [path.name for path in model.parent.iterdir()] == ["student"]


def test_a_trained_model_carries_a_card(model):
    card = (model / "README.md").read_text()
    for fact in ("# student", "LOC, PER", "pred.jsonl: 30 documents", "`soft_tagger`", "seed 0"):
        assert fact in card


def test_predict_writes_spans_and_distributions_in_order(model, text, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert main(["predict", str(model), str(text), "-o", str(out), "--probs"]) == 0
    assert "4 documents, 3 LOC, 3 PER" in capsys.readouterr().out
    rows = lines(out)
    assert [row["id"] for row in rows] == [0, 1, 2, 3]
    assert [span[:3] for span in rows[0]["pred"]] == [[1, 3, "PER"], [5, 6, "LOC"]]
    assert all(abs(sum(p.values()) - 1) < 1e-4 for row in rows for p in row["probs"])
    chances = rows[0]["probs"][5]
    assert max(chances, key=chances.get) == "LOC"


def test_two_processes_write_what_one_writes(model, text, tmp_path):
    for name, processes in (("a", "1"), ("b", "2")):
        target = str(tmp_path / name)
        assert main(["predict", str(model), str(text), "-o", target, "--n-process", processes]) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_predictions_of_a_student_can_be_trained_on(model, text, tmp_path):
    out = tmp_path / "out.jsonl"
    assert main(["predict", str(model), str(text), "-o", str(out)]) == 0
    again = tmp_path / "again"
    assert main(["train", str(out), "-o", str(again), "--set", "max_epochs=1", *FAST]) == 0


def test_a_plain_model_is_trained_from_hard_spans(predictions, text, tmp_path, capsys):
    model, out = tmp_path / "plain", tmp_path / "out.jsonl"
    options = ["--set", "max_epochs=8", "--set", "batch_words=100", "--json"]
    assert main(["train", str(predictions), "-o", str(model), "--plain", *options]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == ["LOC", "PER"]
    assert main(["predict", str(model), str(text), "-o", str(out), "--probs", "--json"]) == 0
    assert lines(out)[0]["probs"][5] == {"O": 0.0, "LOC": 1.0, "PER": 0.0}


def test_an_older_model_is_replaced(predictions, tmp_path):
    target = tmp_path / "model"
    for _ in range(2):
        args = ["train", str(predictions), "-o", str(target), "--set", "max_epochs=1", *FAST]
        assert main(args) == 0
    assert spacy.load(target).pipe_names == ["silver_tagger"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "dropuot=1"], "did you mean 'dropout'"),
        (["--set", "dropout"], "OPTION=VALUE"),
        (["--set", "max_epochs=many"], "max_epochs"),
        (["--trainer", "softtagger"], "soft_tagger"),
        (["--plain", "--trainer", "soft_tagger"], "leave out"),
        (["--seed", "-1"], "--seed"),
        (["--pipeline", "blank:zz"], "zz"),
    ],
)
def test_a_wrong_option_is_one_message(predictions, tmp_path, capsys, arguments, message):
    target = tmp_path / "model"
    assert main(["train", str(predictions), "-o", str(target), *arguments]) == 1
    assert message in capsys.readouterr().err
    assert not target.exists()


def test_a_folder_that_is_no_model_is_left_alone(predictions, tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("mine")
    assert main(["train", str(predictions), "-o", str(tmp_path)]) == 1
    assert "is no spaCy model" in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_predict_names_a_missing_model_and_a_missing_file(model, tmp_path, capsys):
    target = str(tmp_path / "out")
    assert main(["predict", str(tmp_path / "no"), "x.txt", "-o", target]) == 1
    assert main(["predict", str(model), str(tmp_path / "no.txt"), "-o", target]) == 1
    assert "no such file" in capsys.readouterr().err
