import json

import pytest
import spacy

from silverspan.cli.main import main
from silverspan.corpus.docbin import write_docs
from silverspan.corpus.document import set_layer


def record(number, weak, **others):
    tokens = ["Anna", "Lind", "left", "Oslo", "."]
    return {"id": number, "tokens": tokens, "weak": weak, **others}


@pytest.fixture
def votes(tmp_path):
    person, place = [0, 2, "PERSON"], [3, 4, "GPE", 0.8]
    lines = [
        record(0, {"a": [person, place], "b": [person], "c": [place]}),
        record("x", {"a": [person], "b": [[0, 1, "ORG"], place]}, gold=[[0, 2, "PER"]]),
        record(7, {}, asked=["a"]),
    ]
    path = tmp_path / "votes.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def run(*arguments):
    return main(["aggregate", *map(str, arguments)])


def test_predictions_carry_ids_tokens_and_spans(votes, tmp_path, capsys):
    out = tmp_path / "pred.jsonl"
    assert run(votes, "-o", out, "--model", "mv", "--map", "GPE=LOC,PERSON=PER") == 0
    found = read(out)
    assert [line["id"] for line in found] == [0, "x", 7]
    assert found[0]["tokens"][3] == "Oslo"
    assert found[0]["pred"] == [[0, 2, "PER", 1.0], [3, 4, "LOC", 1.0]]
    assert found[2]["pred"] == []
    assert "probs" not in found[0]
    assert "spans in 3 documents" in capsys.readouterr().out


@pytest.mark.parametrize("scheme", ["io", "bio", "biluo"])
@pytest.mark.parametrize("model", ["mv", "wmv", "acc", "cv", "cm", "seq", "dcm", "hmm"])
def test_every_model_writes_distributions_by_label(votes, tmp_path, model, scheme):
    out = tmp_path / "pred.jsonl"
    assert run(votes, "-o", out, "--model", model, "--scheme", scheme, "--probs", "-q") == 0
    for line in read(out):
        assert len(line["probs"]) == len(line["tokens"])
        for token in line["probs"]:
            assert set(token) == {"O", "GPE", "ORG", "PERSON"}
            assert sum(token.values()) == pytest.approx(1, abs=1e-5)


def test_a_saved_model_gives_the_same_predictions(votes, tmp_path):
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    assert run(votes, "-o", first, "--model", "cm", "--save", tmp_path / "model", "--probs") == 0
    assert run(votes, "-o", again, "--load", tmp_path / "model", "--probs") == 0
    assert first.read_bytes() == again.read_bytes()


def test_a_model_fitted_on_other_votes_knows_who_was_silent(votes, tmp_path, capsys):
    new = tmp_path / "new.jsonl"
    new.write_text(json.dumps(record("n", {"a": [[0, 2, "PERSON"]]})) + "\n")
    out = tmp_path / "pred.jsonl"
    assert run("--fit-on", votes, new, "--model", "cm", "-o", out, "--json") == 0
    assert json.loads(capsys.readouterr().out)["functions"] == 3
    assert [line["id"] for line in read(out)] == ["n"]


def test_json_names_the_output_the_counts_and_what_was_learned(votes, tmp_path, capsys):
    out = tmp_path / "pred.jsonl"
    arguments = (votes, "-o", out, "--model", "mv", "--labels", "PERSON", "--json")
    assert run(*arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["output"] == str(out)
    assert found["spans"] == {"PERSON": 2}
    assert found["left_out"] == {"GPE": 3, "ORG": 1}
    assert found["model"]["settings"]["threshold"] == 1


@pytest.mark.parametrize("model", ["cm", "hmm"])
def test_verbose_tells_what_each_function_is_worth(votes, tmp_path, capsys, model):
    assert run(votes, "-o", tmp_path / "pred.jsonl", "--model", model, "-v") == 0
    out = capsys.readouterr().out
    assert "estimated without gold" in out
    assert "PERSON" in out


def test_the_hmm_is_the_model_if_none_is_named(votes, tmp_path, capsys):
    assert run(votes, "-o", tmp_path / "pred.jsonl", "--json") == 0
    assert json.loads(capsys.readouterr().out)["model"]["model"] == "hmm"


def test_functions_are_chosen_by_name_and_pattern(votes, tmp_path, capsys):
    out = tmp_path / "pred.jsonl"
    assert run(votes, "-o", out, "--model", "mv", "--functions", "b,c", "--json") == 0
    assert set(json.loads(capsys.readouterr().out)["model"]["weights"]) == {"b", "c"}
    assert run(votes, "-o", out, "--model", "mv", "--without", "[ab]", "--json") == 0
    assert set(json.loads(capsys.readouterr().out)["model"]["weights"]) == {"c"}


def test_settings_of_the_model_are_given_by_name(votes, tmp_path):
    out = tmp_path / "pred.jsonl"
    assert run(votes, "-o", out, "--model", "mv", "--set", "threshold=2", "-q") == 0
    assert [span[:3] for span in read(out)[0]["pred"]] == [[0, 2, "PERSON"], [3, 4, "GPE"]]
    assert read(out)[1]["pred"] == [[0, 1, "PERSON", 0.5]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "hmmm"), "hmmm"),
        (("--model", "mv", "--set", "threshold=many"), "should be a whole number"),
        (("--model", "mv", "--set", "speed=3"), "has no setting 'speed'"),
        (("--model", "mv", "--functions", "nobody"), "nobody"),
        (("--load", "nowhere"), "nowhere"),
        (("--model", "mv", "--fit-on", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--model", "mv", "--map", "GPE=LOC", "--labels", "PERSON"), "LOC"),
    ],
)
def test_a_users_mistake_is_one_message_and_leaves_no_file(
    votes, tmp_path, capsys, arguments, message
):
    out = tmp_path / "pred.jsonl"
    assert run(votes, "-o", out, *arguments) == 1
    said = capsys.readouterr().err
    assert message in said.replace("\n", " ")
    assert said.count("error:") == 1
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--load", "m", "--model", "cm"),
        ("--load", "m", "--set", "threshold=2"),
        ("--scheme", "iobes"),
        ("--set", "threshold"),
        ("--seed", "none"),
    ],
)
def test_wrong_usage_exits_2(votes, tmp_path, arguments):
    with pytest.raises(SystemExit) as stop:
        run(votes, "-o", tmp_path / "pred.jsonl", *arguments)
    assert stop.value.code == 2


def test_the_votes_are_never_replaced_by_the_predictions(votes, capsys):
    before = votes.read_bytes()
    assert run(votes, "-o", votes, "--model", "mv") == 1
    assert "would be replaced" in capsys.readouterr().err
    assert votes.read_bytes() == before


def test_a_loaded_model_keeps_its_labels_but_takes_new_names_for_them(votes, tmp_path, capsys):
    model, out = tmp_path / "model", tmp_path / "pred.jsonl"
    mapping = ("--map", "GPE=LOC")
    assert run(votes, "-o", out, "--model", "mv", "--save", model, *mapping, "-q") == 0
    new = tmp_path / "new.jsonl"
    new.write_text(json.dumps(record(1, {"a": [[3, 4, "CITY"]]})) + "\n")
    assert run(new, "-o", out, "--load", model, "--map", "CITY=LOC", "-q") == 0
    assert read(out)[0]["pred"] == [[3, 4, "LOC", 1.0]]
    assert run(new, "-o", out, "--load", model, "--labels", "CITY", "-q") == 1
    assert "keeps its labels" in capsys.readouterr().err


def test_annotators_of_a_tool_are_aggregated_as_functions(tmp_path, capsys):
    def annotation(who, *spans):
        values = [{"start": s, "end": e, "labels": [label]} for s, e, label in spans]
        return {"completed_by": who, "result": [{"value": value} for value in values]}

    said = [(0, 4, "LOC")], [(0, 4, "LOC")], [(0, 4, "ORG")]
    task = {
        "id": 7,
        "data": {"text": "Oslo, here."},
        "annotations": [annotation(who, *spans) for who, spans in enumerate(said)],
    }
    (tmp_path / "export.json").write_text(json.dumps([task]))
    pred = tmp_path / "pred.jsonl"
    for more in [], ["--format", "label-studio"]:
        command = ["aggregate", str(tmp_path / "export.json"), "-o", str(pred), "--model", "mv"]
        assert main([*command, *more]) == 0
        found = json.loads(pred.read_text())
        assert found["tokens"] == ["Oslo", ",", "here", "."]
        assert [span[:3] for span in found["pred"]] == [[0, 1, "LOC"]]


def test_layers_of_a_docbin_are_aggregated_as_functions(tmp_path):
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, ["Oslo", "!"])
    for name in ("a", "b"):
        set_layer(doc, name, [(0, 1, "LOC", 0.75)])
    set_layer(doc, "gold", [(1, 2, "PER", 1.0)])
    write_docs([doc], tmp_path / "votes.spacy")
    pred = tmp_path / "pred.jsonl"
    assert main(["aggregate", str(tmp_path / "votes.spacy"), "-o", str(pred), "--model", "mv"]) == 0
    assert [span[:3] for span in json.loads(pred.read_text())["pred"]] == [[0, 1, "LOC"]]
