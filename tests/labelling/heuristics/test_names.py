import pytest
import spacy
from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, functions
from silverspan.labelling.heuristics.companies import company_type_detector
from silverspan.labelling.heuristics.names import (
    compound_detector,
    full_name_detector,
    infrequent_nnp_detector,
    infrequent_proper_detector,
    nnp_detector,
    proper2_detector,
    proper_detector,
)

NLP = spacy.blank("en")
NLP.add_pipe("sentencizer")


def said(function: LabellingFunction, text: str | Doc) -> list[str]:
    doc = NLP(text) if isinstance(text, str) else text
    return [doc[span[0] : span[1]].text for span in function(doc)]


def tagged(text: str, **options: list[str] | list[int]) -> Doc:
    """Return a document of "word/TAG" pairs."""
    pairs = [pair.rsplit("/", 1) for pair in text.split()]
    words, tags = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Doc(NLP.vocab, words=words, tags=tags, **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met Ingrid Berg.", ["Ingrid Berg"]),
        ("Will Smith will sing with will.", ["Will Smith"]),
        ("In May the Prime Minister rested.", []),
        ("It beat Marco van Basten and van Basten.", ["Marco van Basten", "van Basten"]),
        ("The bank and John F. Kennedy agreed.", ["John F. Kennedy"]),
        ("By Jean-Pierre Dupont and J.K. Rowling", ["Jean-Pierre Dupont", "J.K. Rowling"]),
        ("Then President Clinton met Mr. Bush.", ["Clinton", "Bush"]),
        ("Prime Minister John Major spoke.", ["John Major"]),
        ("Sammy Davis Jr. sang.", ["Sammy Davis Jr."]),
        ("It joined the Will Smith Foundation.", []),
        ("Shares of Charles Schwab Corp. and J.P. Morgan fell.", []),
        ("It flew to the John F. Kennedy Airport.", []),
        ("Vincent van der Meer said so.", ["Vincent van der Meer"]),
        ("He said \"Anna Berg 'the Great' won\".", ["Anna Berg"]),
    ],
)
def test_full_names_are_found(text: str, expected: list[str]) -> None:
    assert said(full_name_detector(), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fund bought AT&T Corp. today.", ["AT&T Corp."]),
        ("It sold J.P. Morgan & Co. to Apple, Inc.", ["J.P. Morgan & Co.", "Apple, Inc."]),
        ("Shares of Bank of Tokyo Ltd fell.", ["Bank of Tokyo Ltd"]),
        ("Then Siemens GmbH & Co. KG rose.", ["Siemens GmbH & Co. KG"]),
        ("It owns Novo Nordisk A/S in full.", ["Novo Nordisk A/S"]),
        ("Then Fiat S.p.A. and Equinor ASA rose.", ["Fiat S.p.A.", "Equinor ASA"]),
        ("It owns Proton Holdings Bhd and Creative Pte Ltd now.",
         ["Proton Holdings Bhd", "Creative Pte Ltd"]),
        ("The Company and the Corporation met.", []),
    ],
)  # fmt: skip
def test_companies_end_in_a_legal_form(text: str, expected: list[str]) -> None:
    assert said(company_type_detector(), text) == expected


def test_proper2_joins_across_small_words_and_proper_does_not() -> None:
    text = "He left the Bank of England and the Department of the Interior for Formula 1."
    narrow = ["Bank", "England", "Department", "Interior", "Formula"]
    assert said(proper_detector(), text) == narrow
    wide = ["Bank of England", "Department of the Interior", "Formula 1"]
    assert said(proper2_detector(), text) == wide


def test_proper_names_keep_their_particles_initials_and_hyphens() -> None:
    text = "We saw Marco van Basten, J.P. Morgan, AT&T, Jean-Luc Picard and an iPad."
    assert said(proper_detector(), text) == [
        "Marco van Basten", "J.P. Morgan", "AT&T", "Jean-Luc Picard", "iPad",
    ]  # fmt: skip


def test_a_heading_in_capitals_says_what_the_text_below_says() -> None:
    text = "SOCCER - JAPAN GET LUCKY WIN OVER CHINA. In the match Japan beat China in the end."
    assert said(proper_detector(), text) == ["JAPAN", "CHINA", "Japan", "China"]


def test_a_capital_at_the_start_of_a_sentence_needs_a_reason() -> None:
    assert said(proper_detector(), "The cat sat. Growth slowed. He saw growth.") == []
    assert said(proper_detector(), "Oslo slept. He saw Oslo.") == ["Oslo", "Oslo"]


def test_names_yield_to_dates_and_numbers() -> None:
    assert said(proper_detector(), "On Monday in August it paid EUR 5 to Oslo.") == ["Oslo"]


def test_names_stop_at_titles_and_quotes() -> None:
    text = "Then French President Jacques Chirac called 'Marks' Spencer"
    assert said(proper_detector(), text) == ["French", "Jacques Chirac", "Marks", "Spencer"]


def test_runs_of_proper_noun_tags_are_names() -> None:
    doc = tagged("the/DT New/NNP York/NNP team/NN beat/VBD Bergen/NNP on/IN Monday/NNP")
    assert said(nnp_detector(), doc) == ["New York", "Bergen"]


def test_compounds_of_proper_nouns_are_names() -> None:
    doc = tagged(
        "the/DT New/NNP York/NNP team/NN beat/VBD Bergen/NNP",
        deps=["det", "compound", "compound", "nsubj", "ROOT", "dobj"],
        heads=[3, 2, 3, 4, 4, 4],
    )
    assert said(compound_detector(), doc) == ["New York"]


def test_infrequent_forms_need_a_rare_word() -> None:
    text = "We like London and Kirkenes."
    assert said(infrequent_proper_detector(), text) == ["Kirkenes"]
    doc = tagged("We/PRP like/VBP London/NNP and/CC Kirkenes/NNP")
    assert said(infrequent_nnp_detector(), doc) == ["Kirkenes"]


def test_names_do_not_cross_lines() -> None:
    doc = Doc(NLP.vocab, words=["Anna", "Berg", "Oslo"], sent_starts=[True, False, True])
    assert said(full_name_detector(), doc) == ["Anna Berg"]


@pytest.mark.parametrize("name", ["compound", "nnp", "proper", "proper2"])
def test_the_infrequent_form_says_part_of_what_the_plain_form_says(name: str) -> None:
    doc = tagged("Kirkenes/NNP Airport/NNP and/CC New/NNP York/NNP met/VBD Anna/NNP Berg/NNP")
    plain = set(functions[f"{name}_detector"]()(doc))
    infrequent = functions[f"infrequent_{name}_detector"]()
    assert set(infrequent(doc)) <= plain
    assert infrequent.name == f"infrequent_{name}_detector"


def test_a_nationality_may_stand_before_a_full_name() -> None:
    text = "Then American Michael Chang beat the Anglo-Dutch Jean-Pierre Dupont."
    assert said(full_name_detector(), text) == ["Michael Chang", "Jean-Pierre Dupont"]
    assert said(full_name_detector(), "Then the British Virgin Islands met.") == []


def test_a_description_in_one_token_with_its_hyphen_is_no_part_of_a_name() -> None:
    text = "Then the U.S.-based Coca-Cola Co. met."
    assert said(company_type_detector(), text) == ["Coca-Cola Co."]
    doc = Doc(NLP.vocab, words=["Then", "London-based", "Reuters", "met", "Aix-en-Provence"])
    assert said(proper_detector(), doc) == ["Reuters", "Aix-en-Provence"]
