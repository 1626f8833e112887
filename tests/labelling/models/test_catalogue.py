from dataclasses import replace

import pytest

from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.models.catalogue import catalogue
from silverspan.labelling.models.checking import check_model


def test_every_recogniser_is_usable_or_says_how_to_get_it():
    for entry in catalogue():
        assert entry.usable or entry.get or entry.problem


def test_one_english_model_at_most_serves_the_function_of_the_paper():
    serving = [entry for entry in catalogue() if entry.usable and "core_web_md" in entry.functions]
    assert len(serving) <= 1


def test_the_shipped_recognisers_are_usable_anywhere():
    usable = {entry.model for entry in catalogue() if entry.usable}
    assert {"BTC", "SEC", "conll2003"} <= usable


def test_a_function_that_finds_something_works():
    function = LabellingFunction(
        name="first", labels=("PERSON",), propose=lambda doc: [(0, 2, "PERSON")]
    )
    checked = check_model(function)
    assert not checked.problem
    assert checked.found == (("Angela Merkel", "PERSON"),)
    assert checked.tokens_per_second > 0


@pytest.mark.parametrize(
    ("says", "problem"),
    [(lambda doc: [], "no entity"), (lambda doc: [(0, 99, "PERSON")], "99")],
)
def test_what_is_wrong_with_a_function_is_told(says, problem):
    function = LabellingFunction(name="wrong", labels=("PERSON",), propose=says)
    assert problem in check_model(function).problem


def test_a_function_that_changes_its_mind_is_told_on():
    state = iter(range(1000))
    function = LabellingFunction(name="moody", labels=("PERSON",), propose=lambda doc: [])
    moody = replace(function, propose=lambda doc: [(0, 1 + next(state) % 2, "PERSON")])
    assert "different things" in check_model(moody).problem
