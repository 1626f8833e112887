import pytest
import spacy
from spacy.tokens import Doc

from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.heuristics.names import proper_detector
from silverspan.labelling.kit import (
    constrain,
    exclude,
    extend,
    negate,
    phrases,
    relabel,
    trim,
    vicinity,
)

NLP = spacy.blank("en")
NAMES = phrases("names", ["the Oslo Bank", "Bergen", "IBM"], "ORG")


def said(function: LabellingFunction, text: str) -> list[str]:
    doc = NLP(text)
    return [f"{doc[span[0] : span[1]].text} {span[2]}" for span in function(doc)]


def test_vicinity_labels_what_stands_beside_a_phrase() -> None:
    owned = vicinity("owned", proper_detector(), "ORG", after=["shares of"], before=["Group"])
    text = "He sold Shares of Komatsu in Oslo to Hydro group."
    assert said(owned, text) == ["Komatsu ORG", "Hydro ORG"]
    near = vicinity("near", proper_detector(), "ORG", after=["shares of"], within=1)
    assert said(near, "He sold shares of big Komatsu in Oslo.") == ["Komatsu ORG"]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"min_tokens": 2}, ["the Oslo Bank ORG"]),
        ({"max_tokens": 1}, ["Bergen ORG", "IBM ORG"]),
        ({"casing": "upper"}, ["IBM ORG"]),
        ({"casing": "title"}, ["Bergen ORG"]),
        ({"matching": ".*e.*"}, ["the Oslo Bank ORG", "Bergen ORG"]),
        ({"labels": ["GPE"]}, []),
    ],
)
def test_constraints_keep_what_meets_them(
    conditions: dict[str, object], expected: list[str]
) -> None:
    kept = constrain("kept", NAMES, **conditions)  # type: ignore[arg-type]
    assert said(kept, "At the Oslo Bank in Bergen with IBM") == expected


def test_constraints_on_tags_need_tags() -> None:
    nouns = constrain("nouns", NAMES, tags=["NNP"])
    assert nouns.needs == ("tag",)
    doc = Doc(NLP.vocab, words=["Bergen", "IBM"], tags=["NNP", "NN"])
    assert [span[:2] for span in nouns(doc)] == [(0, 1)]


def test_edges_are_cut_and_widened() -> None:
    text = "at the Oslo Bank group"
    assert said(trim("cut", NAMES, leading=["The"]), text) == ["Oslo Bank ORG"]
    assert said(extend("wide", NAMES, trailing=["Group"]), text) == ["the Oslo Bank group ORG"]
    assert said(trim("gone", NAMES, leading=["bergen"]), "in Bergen") == []


def test_labels_are_renamed_and_others_dropped() -> None:
    mixed = exclude("mixed", [NAMES, phrases("places", ["Oslo"], "GPE")], phrases("x", ["x"], "X"))
    renamed = relabel("renamed", mixed, {"ORG": "COMPANY"})
    assert renamed.labels == ("COMPANY",)
    assert said(renamed, "IBM in Oslo") == ["IBM COMPANY"]
    kept = relabel("kept", mixed, {"ORG": "COMPANY"}, others=True)
    assert said(kept, "IBM in Oslo") == ["IBM COMPANY", "Oslo GPE"]


def test_spans_that_overlap_what_is_excluded_are_dropped() -> None:
    kept = exclude("kept", NAMES, phrases("banks", ["Bank"], "X"))
    assert said(kept, "the Oslo Bank in Bergen") == ["Bergen ORG"]


def test_negation_says_that_there_is_no_entity() -> None:
    never = negate("never", phrases("greetings", ["Hello"], "X"))
    assert never.labels == ("O",)
    assert said(never, "Hello Oslo") == ["Hello O"]


def test_votes_of_a_function_that_runs_are_read_by_its_name() -> None:
    longer = constrain("longer", "names", min_tokens=2)
    assert longer.reads == ("names",)
    ordered = in_order([longer, NAMES])
    assert [function.name for function in ordered] == ["names", "longer"]
    assert ordered[1].labels == ("ORG",)
    doc = NLP("the Oslo Bank in Bergen")
    labelled = label_documents([doc], ordered, document_ids=["x"])[0]
    assert labelled.proposals["longer"] == [(0, 3, "ORG", 1.0)]


def test_blocks_fit_into_one_another() -> None:
    inner = trim("inner", constrain("multi", "names", min_tokens=2), leading=["the"])
    assert inner.reads == ("names",)
    doc = NLP("the Oslo Bank in Bergen")
    labelled = label_documents([doc], in_order([inner, NAMES]), document_ids=["x"])[0]
    assert labelled.proposals["inner"] == [(1, 3, "ORG", 1.0)]
