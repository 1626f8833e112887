import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.aggregation.chains import Runs, forward_backward


def random_chain(seed, states=3, most=4):
    generator = np.random.default_rng(seed)
    lengths = generator.integers(1, most + 1, size=generator.integers(1, 5))
    breaks = np.zeros(lengths.sum(), dtype=bool)
    breaks[np.cumsum(lengths) - lengths] = True
    opens = generator.random(len(breaks)) < 0.5
    closes = generator.random(len(breaks)) < 0.5
    emit = generator.random((len(breaks), states)) + 1e-3
    start = generator.dirichlet(np.ones(states))
    move = generator.dirichlet(np.ones(states), size=states)
    return breaks, opens, closes, emit, start, move


def enumerate_run(emit, start, move, opens, closes):
    """Every path through one run, by the book: what forward_backward must agree with."""
    length, states = emit.shape
    state, moves, first = np.zeros_like(emit), np.zeros_like(move), np.zeros(states)
    total = 0.0
    for path in itertools.product(range(states), repeat=length):
        weight = start[path[0]] if opens else move[0, path[0]]
        for place, here in enumerate(path):
            weight *= emit[place, here]
            if place:
                weight *= move[path[place - 1], here]
        if not closes:
            weight *= move[path[-1], 0]
        total += weight
        for place, here in enumerate(path):
            state[place, here] += weight
        for before, after in itertools.pairwise(path):
            moves[before, after] += weight
        if opens:
            first[path[0]] += weight
        else:
            moves[0, path[0]] += weight
        if not closes:
            moves[path[-1], 0] += weight
    return state / total, moves / total, first / total, np.log(total)


@given(seed=st.integers(0, 2**32 - 1))
def test_forward_backward_agrees_with_enumeration(seed):
    breaks, opens, closes, emit, start, move = random_chain(seed)
    result = forward_backward(Runs.of(breaks, opens, closes), emit, start, move)
    edges = [*np.flatnonzero(breaks), len(breaks)]
    parts = [
        enumerate_run(emit[low:high], start, move, opens[low], closes[high - 1])
        for low, high in itertools.pairwise(edges)
    ]
    assert result.state == pytest.approx(np.concatenate([part[0] for part in parts]))
    assert result.move == pytest.approx(sum(part[1] for part in parts))
    assert result.start == pytest.approx(sum(part[2] for part in parts))
    assert result.log_likelihood == pytest.approx(sum(part[3] for part in parts))


def test_a_run_of_ten_thousand_extreme_tokens_stays_finite():
    generator = np.random.default_rng(0)
    emit = generator.choice([1e-200, 1e-9, 1.0], size=(10_000, 3))
    breaks = np.arange(10_000) == 0
    edge = np.ones(10_000, dtype=bool)
    _, _, _, _, start, move = random_chain(1)
    result = forward_backward(Runs.of(breaks, edge, edge), emit, start, move)
    assert np.isfinite(result.state).all()
    assert result.state.sum(axis=1) == pytest.approx(np.ones(10_000))
    assert np.isfinite(result.log_likelihood)


def test_no_tokens_have_no_expectation():
    nothing = np.zeros(0, dtype=bool)
    runs = Runs.of(nothing, nothing, nothing)
    result = forward_backward(runs, np.zeros((0, 2)), np.full(2, 0.5), np.full((2, 2), 0.5))
    assert result.log_likelihood == 0
