import pytest
import spacy
from spacy.tokens import Doc

from silverspan.labelling.gazetteers import (
    Entry,
    Recipe,
    Sieve,
    build_in_memory,
    gazetteer_functions,
)

NLP = spacy.blank("en")
NAMES = ["Target", "Oslo", "Apple", "York", "The", "Reading", "US", "Siemens", "Oslo Reading"]
GAZETTEER = build_in_memory(
    [Entry(name, "ORG") for name in NAMES], tokenizer=NLP, recipe=Recipe(subsets=("names",))
)


def said(doc, *, cased=True, **rules):
    sieve = Sieve(**{**Sieve.off().options(), **rules})
    function = gazetteer_functions("g", GAZETTEER, sieve=sieve)[0 if cased else 1]
    return [doc[start:end].text for start, end, _, _ in function(doc)]


def test_one_token_must_look_proper():
    doc = NLP("we saw oslo and Oslo")
    assert said(doc, cased=False) == ["oslo", "Oslo"]
    assert said(doc, cased=False, proper=True) == ["Oslo"]


def test_a_capital_at_the_start_of_a_sentence_is_no_sign_of_a_common_word_being_a_name():
    doc = NLP("Reading is fun. We shop at Target.")
    assert said(doc) == ["Reading", "Target"]
    assert said(doc, common=5000) == ["Target"]


def test_a_tagger_is_believed():
    doc = Doc(NLP.vocab, words=["Reading", "won", "."], tags=["NNP", "VBD", "."])
    assert said(doc, proper=True, common=5000) == ["Reading"]


def test_capitals_of_a_headline_say_nothing():
    doc = NLP("THE TARGET WAS REACHED IN OSLO")
    assert said(doc, cased=False, proper=True, common=5000) == ["OSLO"]


def test_a_stop_word_is_a_name_only_in_capitals():
    assert said(NLP("But The told us of the US ."), cased=False, common=5000) == ["US"]


def test_a_day_or_a_month_is_no_name():
    gazetteer = build_in_memory(
        [Entry("May", "PERSON"), Entry("Theresa May", "PERSON")], tokenizer=NLP
    )
    function = gazetteer_functions("g", gazetteer)[0]
    doc = NLP("in May they met Theresa May")
    assert [doc[start:end].text for start, end, _, _ in function(doc)] == ["Theresa May"]


def test_no_name_starts_inside_a_compound():
    words = ["She", "met", "New", "York", "Oslo"]
    doc = Doc(
        NLP.vocab,
        words=words,
        tags=["PRP", "VBD", "NNP", "NNP", "NNP"],
        heads=[1, 1, 4, 4, 1],
        deps=["nsubj", "ROOT", "compound", "compound", "dobj"],
    )
    assert said(doc) == ["York", "Oslo"]
    assert said(doc, compound=True) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at Siemens AG today", "Siemens AG"),
        ("at Apple, Inc. today", "Apple, Inc."),
        ("at Siemens as a guest", "Siemens"),
        ("at Siemens, said", "Siemens"),
        ("of Siemens", "Siemens"),
    ],
)
def test_a_legal_form_is_taken_in(text, expected):
    assert said(NLP(text), legal=True) == [expected]


def test_a_token_after_a_name_is_passed_over():
    doc = NLP("Siemens Apple Oslo")
    assert said(doc) == ["Siemens", "Apple", "Oslo"]
    assert said(doc, gap=True) == ["Siemens", "Oslo"]


def test_the_gap_does_not_reach_into_the_next_document():
    function = gazetteer_functions("g", GAZETTEER)[0]
    said_of = function.family.propose([NLP("at Siemens"), NLP("Siemens")])
    assert [len(said["g_cased"]) for said in said_of] == [1, 1]
