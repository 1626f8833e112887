import numpy as np
import pytest
import spacy

from silverspan.labelling.models.sources.cleaning import Sentence
from silverspan.labelling.models.sources.scoring import Score, score
from silverspan.labelling.models.sources.training import as_document, train
from silverspan.labelling.models.sources.vectors import pruned

NAMES = ["Anna", "Bo", "Carl", "Dina", "Emil"]
PLACES = ["Oslo", "Bergen", "Paris", "Rome", "Madrid"]
SENTENCES = [
    Sentence((name, "left", place, "today", "."), ((0, 1, "PERSON"), (2, 3, "LOC")), str(i))
    for i, (name, place) in enumerate((name, place) for name in NAMES for place in PLACES)
]
WORDS = [word.lower() for word in [*NAMES, *PLACES, "left", "today", "."]]


def vectors():
    numbers = np.random.default_rng(0)
    return pruned(WORDS, numbers.normal(size=(len(WORDS), 4)).astype("float32"), len(WORDS))


@pytest.fixture(scope="module")
def trained():
    return train(SENTENCES, vectors(), epochs=30)


def test_it_learns_what_it_is_shown(trained):
    assert score(trained, SENTENCES)[""].f1 > 0.9


def test_it_keeps_no_word_of_what_it_read():
    nlp = train(SENTENCES[:5], vectors(), epochs=1)
    assert "Anna" not in nlp.vocab.strings


def test_the_same_sentences_and_seed_give_the_same_weights():
    first, second, other = (
        train(SENTENCES[:5], vectors(), epochs=2, seed=seed).get_pipe("ner").to_bytes()
        for seed in (1, 1, 2)
    )
    assert first == second != other


def test_scores_count_spans_of_the_same_ends_and_label(trained):
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "LOC", "pattern": "Oslo"}])
    gold = [Sentence(("Oslo", "Anna"), ((0, 1, "LOC"), (1, 2, "PERSON")))]
    scores = score(nlp, gold)
    assert scores["LOC"] == Score(1, 1, 1)
    assert scores["PERSON"] == Score(0, 0, 1)
    assert (scores[""].precision, scores[""].recall) == (1.0, 0.5)


def test_sentences_become_one_document_with_their_entities():
    doc = as_document(spacy.blank("en"), SENTENCES[:2])
    assert [(span.text, span.label_) for span in doc.ents] == [
        ("Anna", "PERSON"),
        ("Oslo", "LOC"),
        ("Anna", "PERSON"),
        ("Bergen", "LOC"),
    ]
    assert [sentence.start for sentence in doc.sents] == [0, 5]
