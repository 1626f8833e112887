import numpy as np
import pytest

from silverspan.aggregation.matching import correlations, match, renamed


def random_states(seed=0, rows=200, states=4):
    return np.random.default_rng(seed).dirichlet(np.full(states, 0.2), size=rows)


def test_correlations_are_those_of_numpy_over_all_tokens():
    states, reference = random_states(1), random_states(2)
    padding = np.zeros((50, 4))
    left, right = np.concatenate([states, padding]), np.concatenate([reference, padding])
    expected = np.corrcoef(left.T, right.T)[:4, 4:]
    assert correlations(states, reference, 250) == pytest.approx(expected)


def test_states_that_changed_places_are_given_their_labels_back():
    reference = random_states()
    order = [0, 3, 1, 2]
    meaning = match(reference[:, order], reference, 300)
    assert meaning.tolist() == order
    assert renamed(reference[:, order], meaning) == pytest.approx(reference)


def test_a_state_that_goes_with_no_label_means_o():
    states = random_states()
    noise = np.random.default_rng(9).permutation(states[:, 2])
    meaning = match(np.column_stack([states[:, 0], states[:, 1], noise, states[:, 3]]), states, 200)
    assert meaning.tolist() == [0, 1, 0, 3]


def test_no_tokens_leave_every_state_without_a_label():
    assert match(np.zeros((0, 3)), np.zeros((0, 3)), 0).tolist() == [0, 0, 0]
