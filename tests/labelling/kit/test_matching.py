import json
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.errors import InputError
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.kit import patterns, phrases, regex

NLP = spacy.blank("en")


def said(function: LabellingFunction, text: str | Doc) -> list[str]:
    doc = NLP(text) if isinstance(text, str) else text
    return [f"{doc[span[0] : span[1]].text} {span[2]}" for span in function(doc)]


def test_a_regex_matches_text_and_speaks_in_tokens() -> None:
    shares = regex("shares", r"shares of (\w+)", "ORG", group=1)
    assert said(shares, "He sold shares of Komatsu.") == ["Komatsu ORG"]


def test_named_groups_are_labels() -> None:
    flights = regex("flights", r"from (?P<FROM>\w+) to (?P<TO>\w+)")
    assert flights.labels == ("FROM", "TO")
    assert said(flights, "from Oslo to Bergen") == ["Oslo FROM", "Bergen TO"]


@pytest.mark.parametrize(
    ("alignment", "expected"),
    [("expand", ["Oslo-based X"]), ("contract", []), ("strict", [])],
)
def test_alignment_decides_about_matches_inside_tokens(alignment: str, expected: list[str]) -> None:
    doc = Doc(NLP.vocab, words=["an", "Oslo-based", "firm"])
    inside = regex("inside", "Oslo", "X", alignment=alignment)  # type: ignore[arg-type]
    assert said(inside, doc) == expected


@given(st.lists(st.text("ab ", min_size=1, max_size=4), min_size=1, max_size=8), st.booleans())
def test_every_match_lies_inside_the_tokens_it_is_given(words: list[str], spaced: bool) -> None:
    doc = Doc(NLP.vocab, words=words, spaces=[spaced] * len(words))
    for start, end, _, _ in regex("runs", "a[ab ]*b", "X")(doc):
        assert 0 <= start < end <= len(doc)
        assert "a" in doc[start:end].text


def test_matcher_patterns_are_taken_as_they_are() -> None:
    titled = patterns("titled", [[{"LOWER": "minister"}, {"IS_TITLE": True, "OP": "+"}]], "PERSON")
    assert said(titled, "Minister Ingrid Berg") == ["Minister Ingrid Berg PERSON"]
    assert patterns("nouns", [[{"TAG": "NNP"}, {"DEP": "nsubj"}]], "X").needs == ("dep", "tag")


def test_span_ruler_patterns_are_read_from_a_file(tmp_path: Path) -> None:
    rules = [
        {"label": "ORG", "pattern": "Color Line"},
        {"label": "GPE", "pattern": [{"LOWER": "oslo"}]},
    ]
    path = tmp_path / "patterns.jsonl"
    path.write_text("\n".join(map(json.dumps, rules)))
    ruler = patterns("ruler", path)
    assert ruler.labels == ("ORG", "GPE")
    assert sorted(said(ruler, "Color Line left OSLO")) == ["Color Line ORG", "OSLO GPE"]


def test_patterns_serve_documents_of_different_vocabularies() -> None:
    ruler = patterns("ruler", [[{"LOWER": "oslo"}]], "GPE")
    for doc in (NLP("Oslo"), spacy.blank("nb")("Oslo"), NLP("in Oslo")):
        assert said(ruler, doc) == ["Oslo GPE"]


def test_phrases_come_from_lists_and_files(tmp_path: Path) -> None:
    path = tmp_path / "fleets.txt"
    path.write_text("# fleets\nColor Line\nHurtigruten  # the coast\n")
    text = "Color Line and HURTIGRUTEN"
    assert said(phrases("fleets", path, "ORG"), text) == ["Color Line ORG"]
    assert said(phrases("any", path, "ORG", cased=False), text) == [
        "Color Line ORG",
        "HURTIGRUTEN ORG",
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda: regex("bad", "(", "X"),
        lambda: regex("bad", "x"),
        lambda: patterns("bad", [[{"LOWER": "x"}]]),
        lambda: patterns("bad", [[{"LOUDER": "x"}]], "X"),
        lambda: patterns("bad", "no such file.jsonl"),
        lambda: phrases("bad", "no such file.txt", "X"),
        lambda: phrases("bad", [], "X"),
    ],
)
def test_what_cannot_match_is_refused(make: object) -> None:
    with pytest.raises(InputError):
        make()  # type: ignore[operator]
