import logging

import pytest

from silverspan.errors import (
    LabellingError,
    MissingDependencyError,
    SilverspanError,
    UnknownNameError,
)
from silverspan.labelling import presets
from silverspan.labelling.function import LabellingFunction, functions


def test_the_paper_has_52_functions_in_four_groups() -> None:
    assert len(presets.PAPER) == len(set(presets.PAPER)) == 52
    sizes = (presets.NEURAL, presets.GAZETTEERS, presets.HEURISTICS, presets.DOCUMENT_LEVEL)
    assert tuple(map(len, sizes)) == (8, 24, 17, 3)


def test_fast_has_no_model_and_conll2003_none_trained_on_its_target() -> None:
    assert not set(presets.PRESETS["fast"]) & set(presets.NEURAL)
    assert set(presets.PAPER) - set(presets.PRESETS["conll2003"]) == {"conll2003", "conll2003+c"}
    assert presets.none() == []


def test_every_heuristic_and_document_level_function_is_registered() -> None:
    for name in (*presets.HEURISTICS, *presets.DOCUMENT_LEVEL):
        if name == "snips" and name not in functions:
            continue
        assert functions[name]().name == name


def test_what_cannot_be_made_is_left_out_with_its_reason() -> None:
    def make() -> LabellingFunction:
        raise MissingDependencyError("dask", extra="dask")

    functions.register("test_needs_dask")(make)
    selection = presets.select(["date_detector", "test_needs_dask", "test_unheard_of"])
    assert [function.name for function in selection.functions] == ["date_detector"]
    assert "pip install" in selection.left_out["test_needs_dask"]
    assert "registers" in selection.left_out["test_unheard_of"]


def test_options_reach_the_function_they_name() -> None:
    selection = presets.select(["doc_history"], {"doc_history": {"reads": ["date_detector"]}})
    assert selection.functions[0].reads == ("date_detector",)


def test_a_preset_logs_what_it_leaves_out(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"english": ("date_detector", "test_unheard_of")}
    monkeypatch.setattr(presets, "PRESETS", names)
    with caplog.at_level(logging.WARNING):
        assert [function.name for function in presets.english()] == ["date_detector"]
    assert "test_unheard_of" in caplog.text


def test_an_unknown_preset_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="english"):
        presets.select("englsh")


def test_options_that_a_function_does_not_take_name_the_function() -> None:
    with pytest.raises(LabellingError, match=r"'date_detector' cannot be made .* colour"):
        presets.select(["date_detector"], {"date_detector": {"colour": "red"}})


def test_what_was_asked_for_by_an_option_is_not_left_out_in_silence():
    with pytest.raises(SilverspanError, match="nowhere"):
        presets.select(["wiki_cased"], {"wiki_cased": {"file": "nowhere.gaz"}})


def test_a_shipped_recogniser_may_call_places_by_a_coarse_label():
    [function] = presets.select(["BTC"], {"BTC": {"labels": {"LOC": "PLACE"}}}).functions
    assert set(function.labels) == {"PLACE", "ORG", "PERSON"}
