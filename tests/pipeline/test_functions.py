import json

import pytest
import spacy

from silverspan.errors import ProjectError
from silverspan.labelling.gazetteers import Entry, build_in_memory
from silverspan.pipeline.functions import functions_of
from silverspan.project import Project

SETTINGS = """
[corpus]
path = "documents.jsonl"

[labels]
output = ["ORG"]

[functions]
preset = "none"

[functions.rules]
tickers = { kind = "regex", pattern = '[A-Z]+\\.OL', label = "ORG" }
fleets = { kind = "phrases", entries = "fleets.txt", label = "ORG" }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "silverspan.toml").write_text(SETTINGS)
    (tmp_path / "fleets.txt").write_text("Color Line\n")
    (tmp_path / "documents.jsonl").write_text(json.dumps({"id": 1, "text": "Oslo"}))
    return tmp_path


def test_rules_of_the_project_file_are_functions(folder):
    assert [f.name for f in functions_of(Project(folder))] == ["tickers", "fleets"]


def test_a_wrong_rule_is_named_by_its_key(folder):
    (folder / "silverspan.toml").write_text(SETTINGS.replace("regex", "regexp"))
    with pytest.raises(ProjectError, match="did you mean 'regex'") as caught:
        functions_of(Project(folder))
    assert caught.value.key == "functions.rules.tickers"


def test_a_preset_takes_the_options_of_its_functions(folder):
    text = SETTINGS.replace('"none"', '"fast"\nonly = ["doc_history", "date_detector"]')
    text += '\n[functions.options]\ndoc_history = { reads = ["date_detector"] }\n'
    (folder / "silverspan.toml").write_text(text)
    chosen = functions_of(Project(folder))
    assert [f.reads for f in chosen] == [(), ("date_detector",)]


def test_a_gazetteer_of_any_name_makes_functions(folder):
    ships = build_in_memory([Entry("Color Line", "ORG")], tokenizer=spacy.blank("en"))
    (folder / "ships.gaz").write_bytes(ships.to_bytes())
    text = SETTINGS + '\n[functions.gazetteers]\nships = "ships.gaz"\n'
    (folder / "silverspan.toml").write_text(text + "[functions.options]\nships_cased.gap = false\n")
    cased, *others = functions_of(Project(folder))[:4]
    assert [function.name for function in (cased, *others)] == [
        *("ships_cased", "ships_uncased", "multitoken_ships_cased", "multitoken_ships_uncased")
    ]
    assert cased.options["sieve"]["gap"] is False
    assert others[0].options["sieve"]["gap"] is True
    (folder / "silverspan.toml").write_text(text.replace('"ships.gaz"', '"no.gaz"'))
    with pytest.raises(ProjectError, match=r"no\.gaz") as caught:
        functions_of(Project(folder))
    assert caught.value.key == "functions.gazetteers.ships"
