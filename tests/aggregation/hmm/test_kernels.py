import numpy as np
import pytest
from reference import every_path

from silverspan.aggregation.hmm.kernels import best_paths, forward_backward
from silverspan.tagging import legal_moves


def random_problem(seed, scheme, labels=1, islands=4):
    """Islands of random lengths, packed, under random legal transitions."""
    rng = np.random.default_rng(seed)
    legal = legal_moves(labels, scheme)
    states = len(legal.start)
    move = rng.random((states, states)) * legal.move
    enter = rng.random((islands, states)) * legal.start
    leave = rng.random((islands, states)) * legal.end
    lengths = np.sort(rng.integers(1, 5, islands))[::-1]
    alive = [(lengths > t).sum() for t in range(lengths[0])]
    steps = np.concatenate([[0], np.cumsum(alive)])
    emit = rng.random((steps[-1], states))
    emit[:, 1:][rng.random((steps[-1], states - 1)) < 0.2] = 0  # the vote's constraint
    rows = [steps[np.arange(length)] + i for i, length in enumerate(lengths)]
    return enter, move, leave, emit, steps, rows


@pytest.mark.parametrize("scheme", ["io", "bio", "biluo"])
@pytest.mark.parametrize("seed", range(5))
def test_forward_and_backward_agree_with_adding_up_every_path(scheme, seed):
    enter, move, leave, emit, steps, rows = random_problem(seed, scheme)
    count = np.arange(1.0, len(enter) + 1)
    gamma, moves, likelihood = forward_backward(enter, move, leave, emit.copy(), steps, count)
    expected = np.zeros_like(moves)
    for i, own in enumerate(rows):
        slow_gamma, slow_moves, slow_total, _, _ = every_path(enter[i], move, leave[i], emit[own])
        np.testing.assert_allclose(gamma[own], slow_gamma, atol=1e-12)
        assert likelihood[i] == pytest.approx(slow_total, abs=1e-10)
        expected += count[i] * slow_moves
    np.testing.assert_allclose(moves, expected, atol=1e-12)


@pytest.mark.parametrize("scheme", ["io", "bio", "biluo"])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_path_is_the_best_of_all_paths(scheme, seed):
    enter, move, leave, emit, steps, rows = random_problem(seed, scheme)
    with np.errstate(divide="ignore"):
        states, total = best_paths(*map(np.log, (enter, move, leave, emit)), steps)
    for i, own in enumerate(rows):
        _, _, _, path, best = every_path(enter[i], move, leave[i], emit[own])
        assert tuple(states[own]) == path
        assert total[i] == pytest.approx(best, abs=1e-10)


def test_ten_thousand_extreme_tokens_stay_finite():
    rng = np.random.default_rng(0)
    emit = np.exp(-600 * rng.random((10_000, 3)))
    move = np.array([[0.9, 0.1, 0.0], [1e-9, 1e-9, 1.0], [0.5, 0.25, 0.25]])
    gamma, moves, likelihood = forward_backward(
        np.array([[0.5, 0.5, 0.0]]), move, np.ones((1, 3)), emit, np.arange(10_001), np.ones(1)
    )
    assert np.isfinite(likelihood).all()
    assert np.isfinite(moves).all()
    np.testing.assert_allclose(gamma.sum(axis=1), 1)
