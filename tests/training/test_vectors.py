import numpy as np
import spacy
from spacy.strings import get_string_id

from silverspan.training.vectors import KeyedVectors


def test_words_of_a_table_in_lower_case_are_found_in_capitals_after_loading(tmp_path):
    nlp = spacy.blank("en")
    nlp.vocab.vectors = KeyedVectors(
        data=np.ones((1, 3), dtype=np.float32), keys=[get_string_id("oslo")], attr="LOWER"
    )
    assert nlp("Oslo")[0].vector.tolist() == [1, 1, 1]
    nlp.to_disk(tmp_path / "model")
    assert spacy.load(tmp_path / "model")("Oslo")[0].vector.tolist() == [1, 1, 1]
    assert spacy.blank("en").from_bytes(nlp.to_bytes())("Oslo")[0].vector.tolist() == [1, 1, 1]
