import numpy as np
import pytest

from silverspan.aggregation.confusions import (
    UPDATES,
    accuracy,
    confusion_matrix,
    confusion_vector,
    right_symbols,
    sequential,
)


def random_counts(seed, functions=2, states=3, history=1, symbols=4):
    return np.random.default_rng(seed).random((functions, states, history, symbols)) * 20


RIGHT = right_symbols(
    np.array([[True, True, True], [True, False, False]]),
    np.array([[True, False], [False, True], [True, True]]),
    1,
)


def test_a_function_should_be_silent_where_it_does_not_know_the_label():
    # The first knows LOC, PER and a coarse label for both; the second LOC only.
    assert RIGHT[0].tolist() == [
        [True, False, False, False],
        [False, True, False, True],
        [False, False, True, True],
    ]
    assert RIGHT[1].tolist() == [
        [True, False, False, False],
        [False, True, False, False],
        [True, False, False, False],
    ]


@pytest.mark.parametrize("name", UPDATES)
def test_what_a_function_says_is_a_distribution(name):
    counts = random_counts(0, history=4 if name == "seq" else 1)
    table = UPDATES[name](counts, RIGHT, np.full((2, 4), 0.1))
    assert table.sum(axis=3) == pytest.approx(np.ones(table.shape[:3]))
    assert (table > 0).all()


@pytest.mark.parametrize("update", [accuracy, confusion_vector, confusion_matrix])
def test_no_table_of_the_same_kind_is_more_likely(update):
    counts = random_counts(1)
    nothing = np.full((2, 4), 1e-12)
    best = (counts * np.log(update(counts, RIGHT, nothing))).sum()
    for seed in range(2, 40):
        nearby = counts * np.exp(0.3 * np.random.default_rng(seed).normal(size=counts.shape))
        assert (counts * np.log(update(nearby, RIGHT, nothing))).sum() <= best + 1e-9


def test_acc_counts_how_often_a_function_is_right():
    counts = np.zeros((1, 3, 1, 4))
    counts[0, 1, 0] = [1, 8, 1, 0]
    table = accuracy(counts, RIGHT[1:], np.full((1, 4), 1e-12))
    assert table[0, 1, 0] == pytest.approx([0.2 / 3, 0.8, 0.2 / 3, 0.2 / 3])


def test_the_sequential_update_is_where_a_numerical_search_ends():
    optimize = pytest.importorskip("scipy.optimize")
    counts = random_counts(5, functions=1, states=2, history=3, symbols=3)
    counts[0, :, [0, 1, 2], [0, 1, 2]] *= 4
    table = sequential(counts, RIGHT[:1, :2, :3], np.full((1, 3), 1e-9))[0]

    def negative(parameters):
        effect, unchanged = parameters[:6].reshape(2, 3), parameters[6:]
        scores = effect[:, None, :] + np.diag(unchanged)[None]
        log_p = scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))
        return -(counts[0] * log_p).sum()

    best = optimize.minimize(negative, np.zeros(9), method="L-BFGS-B", tol=1e-12)
    assert -(counts[0] * np.log(table)).sum() == pytest.approx(best.fun, abs=0.05)


def test_a_symbol_that_tends_to_stay_is_learned_as_such():
    counts = np.ones((1, 2, 3, 3))
    counts[:, :, 1, 1] = 50
    table = sequential(counts, RIGHT[:1, :2, :3], np.full((1, 3), 0.01))[0]
    assert (table[:, 1, 1] > 0.9).all()
    assert (table[:, 0, 0] < 0.6).all()
