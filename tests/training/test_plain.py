import json

import pytest
import spacy
from spacy import displacy
from spacy.tokens import DocBin

import silverspan as sp
from silverspan.training import train
from tests.training.conftest import toy_documents, toy_posterior
from tests.training.test_component import spacy_command
from tests.training.test_soft_tagger import TEXT, files, found


@pytest.fixture(scope="module")
def plain(documents, posterior):
    return train(posterior, documents, trainer="plain", max_epochs=12, batch_words=100)


def test_a_plain_student_finds_what_it_was_taught(plain):
    assert found(plain(TEXT)) == [("Bo Smith", "PER"), ("Lima", "LOC")]


def test_a_plain_student_needs_spacy_alone(plain, tmp_path):
    plain.to_disk(tmp_path / "model")
    assert found(spacy.load(tmp_path / "model")(TEXT)) == found(plain(TEXT))
    for name in ("config.cfg", "meta.json"):
        assert "silver" not in (tmp_path / "model" / name).read_text().replace('"silver"', "")


def test_a_plain_student_is_the_same_every_time(documents, posterior, tmp_path):
    for name in ("a", "b"):
        train(posterior, documents, trainer="plain", max_epochs=2).to_disk(tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_plain_student_survives_bytes_and_processes(plain):
    assert [found(doc) for doc in plain.pipe([TEXT] * 2, n_process=2)] == [found(plain(TEXT))] * 2
    again = spacy.blank("en")
    again.add_pipe("ner")
    assert found(again.from_bytes(plain.to_bytes())(TEXT)) == found(plain(TEXT))


def test_spacys_evaluate_and_displacy_know_a_plain_student(plain, tmp_path):
    assert "Lima" in displacy.render(plain(TEXT), style="ent", page=False, jupyter=False)
    documents = toy_documents()
    DocBin(docs=sp.apply(toy_posterior(documents), documents)).to_disk(tmp_path / "gold.spacy")
    plain.to_disk(tmp_path / "model")
    spacy_command(
        "evaluate", tmp_path / "model", tmp_path / "gold.spacy", "-o", tmp_path / "scores.json"
    )
    assert json.loads((tmp_path / "scores.json").read_text())["ents_f"] > 0.9
