import numpy as np
import spacy
from spacy.strings import get_string_id

from silverspan.training import train
from silverspan.training.vectors import KeyedVectors, default_vectors
from tests.training.test_soft_tagger import SMALL


def test_words_of_a_table_in_lower_case_are_found_in_capitals_after_loading(tmp_path):
    nlp = spacy.blank("en")
    nlp.vocab.vectors = KeyedVectors(
        data=np.ones((1, 3), dtype=np.float32), keys=[get_string_id("oslo")], attr="LOWER"
    )
    assert nlp("Oslo")[0].vector.tolist() == [1, 1, 1]
    nlp.to_disk(tmp_path / "model")
    assert spacy.load(tmp_path / "model")("Oslo")[0].vector.tolist() == [1, 1, 1]
    assert spacy.blank("en").from_bytes(nlp.to_bytes())("Oslo")[0].vector.tolist() == [1, 1, 1]


def test_vectors_bring_no_word_of_the_corpus_into_the_model(documents, posterior, tmp_path):
    nlp = spacy.blank("en")
    nlp.vocab.vectors = KeyedVectors(
        data=np.ones((1, 3), dtype=np.float32), keys=[get_string_id("oslo")], attr="LOWER"
    )
    nlp.to_disk(tmp_path / "vectors")
    options = SMALL | {"vectors": str(tmp_path / "vectors")}
    student = train(posterior, documents, **options)
    assert student.vocab.vectors.shape == (1, 3)
    assert "Lima" not in student.vocab.strings


def test_only_english_has_vectors_by_itself():
    assert default_vectors("de") is None
    assert default_vectors("en") in (None, "glove")
