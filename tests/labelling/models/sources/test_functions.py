import json

import pytest
import spacy

from silverspan.labelling.function import functions
from silverspan.labelling.models.sources.functions import SHIPPED, weights_of

TEXT = "Angela Merkel flew from Berlin to London on Monday ."


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_recogniser_is_under_five_megabytes_with_its_card(name):
    folder = weights_of(name)
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 5_000_000
    card = (folder / "README.md").read_text()
    assert "Licence:" in card
    assert f"silverspan models train-source {name} " in card


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_recogniser_holds_no_word_of_its_data(name):
    strings = json.loads((weights_of(name) / "vocab" / "strings.json").read_text())
    assert set(strings) <= set(spacy.blank("en").vocab.strings) | {
        "LOC",
        "MISC",
        "ORG",
        "PERSON",
        "ROOT",
    }


@pytest.mark.parametrize("name", SHIPPED)
def test_raw_and_corrected_run_the_recogniser_once(name):
    assert functions[name]().family is functions[f"{name}+c"]().family


@pytest.mark.parametrize("name", SHIPPED)
def test_it_finds_the_person_in_a_plain_sentence(name):
    said = {label: (start, end) for start, end, label, _ in functions[name]()(_doc())}
    assert said["PERSON"] == (0, 2)


def _doc():
    return spacy.blank("en")(TEXT)
