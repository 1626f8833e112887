import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from silverspan.observations.features import NAMES, SIZE, shape, token_features

TOKENS = st.lists(st.lists(st.text(max_size=8), max_size=6), max_size=4)


@given(TOKENS)
def test_every_token_has_one_row_of_ids_below_their_sizes(documents):
    features = token_features(documents)
    assert features.ids.shape == (sum(map(len, documents)), len(NAMES))
    assert features.sizes == (SIZE,) * len(NAMES)
    assert ((features.ids >= 0) & (features.ids < SIZE)).all()


@given(TOKENS)
def test_the_same_token_has_the_same_ids_in_any_document(documents):
    apart = [token_features([document]).ids for document in documents]
    together = token_features(documents).ids
    assert np.array_equal(together, np.concatenate([np.empty((0, 3), np.int32), *apart]))


def test_ids_never_change_between_releases():
    assert token_features([["Berlin", "1,200"]]).ids.tolist() == EXPECTED


def test_the_shape_keeps_punctuation_and_shortens_runs():
    assert shape("McDonald's") == "XxXxx'x"
    assert shape("..........") == ".."


EXPECTED = [[2267, 1377, 1219], [128, 1502, 3479]]
