from pathlib import Path

import pytest
import spacy

from silverspan.errors import InputError, SilverspanError
from silverspan.labelling.kit import call, from_settings
from silverspan.labelling.kit.rules import KINDS

NLP = spacy.blank("en")

RULES = {
    "call": {"function": "silverspan.labelling.function:proposals", "labels": ["X"]},
    "constrain": {"of": "proper_detector", "min_tokens": 2},
    "exclude": {"of": "proper_detector", "without": ["date_detector"]},
    "extend": {"of": "proper_detector", "trailing": ["group"]},
    "negate": {"of": "greetings"},
    "patterns": {"patterns": [[{"LOWER": "oslo"}]], "label": "GPE"},
    "phrases": {"entries": ["Color Line"], "label": "ORG"},
    "regex": {"pattern": "[A-Z]+", "label": "ORG"},
    "relabel": {"of": "proper_detector", "mapping": {"ENT": "ORG"}},
    "trim": {"of": "proper_detector", "leading": ["the"]},
    "vicinity": {"of": "proper_detector", "label": "ORG", "after": ["shares of"]},
}


@pytest.mark.parametrize("kind", RULES)
def test_every_kind_is_one_table(kind: str) -> None:
    (function,) = from_settings("mine", {"kind": kind, **RULES[kind]})
    assert function.name == "mine"
    assert function.labels


def test_a_crowd_is_one_table_too(tmp_path: Path) -> None:
    (tmp_path / "crowd.jsonl").write_text('{"id": 1, "tokens": ["a"], "weak": {"ann": []}}')
    rule = {"kind": "crowd", "path": "crowd.jsonl"}
    made = from_settings("annotators", rule, directory=tmp_path)
    assert [function.name for function in made] == ["ann"]
    assert {*RULES, "annotations", "crowd"} == set(KINDS)


def test_files_are_looked_for_beside_the_project(tmp_path: Path) -> None:
    (tmp_path / "fleets.txt").write_text("Color Line\n")
    rule = {"kind": "phrases", "entries": "fleets.txt", "label": "ORG"}
    (function,) = from_settings("fleets", rule, directory=tmp_path)
    assert [span[:2] for span in function(NLP("Color Line"))] == [(0, 2)]


def test_a_callable_may_stand_in_a_python_file_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def first(doc):\n    yield 0, 1, 'ORG'\n")
    rule = {"kind": "call", "function": "mine:first", "labels": ["ORG"]}
    (function,) = from_settings("first", rule, directory=tmp_path)
    assert list(function(NLP("Oslo fell"))) == [(0, 1, "ORG")]
    with pytest.raises(InputError, match=r"mine.py has no 'second' to call"):
        from_settings("x", {**rule, "function": "mine:second"}, directory=tmp_path)
    (tmp_path / "mine.py").write_text("def first(doc:\n")
    with pytest.raises(InputError, match="this is no Python"):
        from_settings("x", rule, directory=tmp_path)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"kind": "regexp", "pattern": "x"}, "did you mean 'regex'"),
        ({"pattern": "x"}, "no kind of rule"),
        ({"kind": "regex", "patern": "x"}, "no key 'patern'"),
        ({"kind": "regex", "label": "X"}, "needs 'pattern'"),
        ({"kind": "regex", "pattern": 5, "label": "X"}, "mine"),
        ({"kind": "call", "function": "nowhere:f", "labels": ["X"]}, "nothing to call"),
    ],
)
def test_a_wrong_rule_is_told_what_is_wrong(rule: dict[str, object], message: str) -> None:
    with pytest.raises(SilverspanError, match=message):
        from_settings("mine", rule)


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be called"):
        call("mine", "silverspan:__version__", ["X"])
