import spacy
from spacy.tokens import Doc

from silverspan.labelling.heuristics.spelling import page
from silverspan.labelling.phrases import Phrases, keys, occurrences

NLP = spacy.blank("en")


def found(phrases: Phrases, doc: Doc) -> list[str]:
    return [doc[start:end].text for start, end in phrases.spans(page(doc))]


def test_the_longest_phrase_counts() -> None:
    doc = NLP("He saw New York City and New York.")
    assert found(Phrases(["New York", "New York City"]), doc) == ["New York City", "New York"]


def test_phrases_are_found_in_any_tokens() -> None:
    phrases = Phrases(["don't-care bears"])
    whole = Doc(NLP.vocab, words=["the", "don't-care", "bears"])
    assert found(phrases, whole) == ["don't-care bears"]
    assert found(phrases, NLP("the don't-care bears")) == ["don't-care bears"]


def test_case_counts_only_if_asked() -> None:
    doc = NLP("NEW YORK and new york")
    assert found(Phrases(["New York"]), doc) == []
    assert found(Phrases(["New York"], cased=False), doc) == ["NEW YORK", "new york"]


def test_occurrences_may_overlap() -> None:
    doc = NLP("New York City")
    wanted = keys(["New York", "York City"])
    assert [span[:2] for span in occurrences(page(doc).words, wanted)] == [(0, 2), (1, 3)]
