import pytest
import spacy

from silverspan.errors import ModelError, UnknownNameError
from silverspan.labelling.function import functions

try:
    raw, corrected = functions["core_web_md"](), functions["core_web_md+c"]()
except (ModelError, UnknownNameError) as error:
    pytest.skip(f"no English model is installed: {error}", allow_module_level=True)


def test_raw_and_corrected_run_the_model_once():
    assert raw.family is corrected.family


def test_the_function_says_which_model_it_is():
    assert "en_core_web" in raw.version


def test_it_finds_the_entities_of_ontonotes():
    doc = spacy.blank("en")("Angela Merkel flew from Berlin to London on Monday .")
    said = {(doc[start:end].text, label) for start, end, label, _ in raw(doc)}
    assert {("Angela Merkel", "PERSON"), ("Berlin", "GPE"), ("London", "GPE")} <= said
    assert len(raw.labels) == 18


def test_in_true_case_it_finds_the_names_of_a_headline():
    function = functions["core_web_md"](truecase=True)
    doc = spacy.blank("en")("MERKEL FLIES FROM BERLIN TO LONDON")
    assert {doc[start:end].text for start, end, _, _ in function(doc)} >= {"BERLIN", "LONDON"}
    assert function.family is not raw.family
