import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.aggregation.decoding import best_paths, by_label, decode_tokens, run_breaks
from silverspan.tagging import PREFIXES, legal_moves

schemes = pytest.mark.parametrize("scheme", PREFIXES)
seeds = given(seed=st.integers(0, 2**32 - 1))


def random_rows(seed, labels, scheme, most=5):
    generator = np.random.default_rng(seed)
    lengths = generator.integers(1, most + 1, size=generator.integers(1, 5))
    states = 1 + labels * len(PREFIXES[scheme])
    probability = generator.dirichlet(np.full(states, 0.5), size=lengths.sum())
    breaks = np.zeros(lengths.sum(), dtype=bool)
    breaks[np.cumsum(lengths) - lengths] = True
    return probability, breaks


def is_legal(path, moves):
    return (
        moves.start[path[0]]
        and moves.end[path[-1]]
        and all(moves.move[i, j] for i, j in itertools.pairwise(path))
    )


def runs(breaks):
    edges = [*np.flatnonzero(breaks), len(breaks)]
    return itertools.pairwise(edges)


@pytest.mark.parametrize(("labels", "scheme"), [(2, "io"), (2, "bio"), (1, "biluo")])
@seeds
def test_the_best_path_agrees_with_enumeration(labels, scheme, seed):
    probability, breaks = random_rows(seed, labels, scheme, most=4)
    moves = legal_moves(labels, scheme)
    score = np.log(probability)
    states, total = best_paths(score, breaks, moves)
    for run, (low, high) in enumerate(runs(breaks)):
        best = max(
            sum(score[low + i, s] for i, s in enumerate(path))
            for path in itertools.product(range(score.shape[1]), repeat=high - low)
            if is_legal(path, moves)
        )
        assert total[run] == pytest.approx(best)
        path = states[low:high]
        assert is_legal(path, moves)
        assert score[np.arange(low, high), path].sum() == pytest.approx(best)


@schemes
@seeds
def test_token_decoding_is_legal_and_keeps_the_most_probable_type(scheme, seed):
    probability, breaks = random_rows(seed, 3, scheme, most=6)
    states = decode_tokens(probability, breaks, scheme)
    moves = legal_moves(3, scheme)
    assert all(is_legal(states[low:high], moves) for low, high in runs(breaks))
    chosen = by_label(np.eye(probability.shape[1])[states], scheme).argmax(axis=1)
    assert (chosen == by_label(probability, scheme).argmax(axis=1)).all()


@schemes
def test_certain_spans_are_found_again(scheme):
    moves = legal_moves(2, scheme)
    legal = [p for p in itertools.product(range(len(moves.start)), repeat=3) if is_legal(p, moves)]
    probability = np.eye(len(moves.start))[np.concatenate(legal)]
    breaks = np.tile([True, False, False], len(legal))
    assert decode_tokens(probability, breaks, scheme).tolist() == np.concatenate(legal).tolist()
    paths, _ = best_paths(np.log(np.maximum(probability, 1e-30)), breaks, moves)
    assert paths.tolist() == np.concatenate(legal).tolist()


def test_begin_and_inside_do_not_split_the_votes_of_a_type():
    split = np.array([[0.4, 0.3, 0.3]])
    assert decode_tokens(split, np.array([True]), "bio").tolist() == [1]


def test_a_document_that_begins_next_to_a_voted_token_begins_a_run():
    position = np.array([3, 4, 5, 9])
    assert run_breaks(position, np.array([0, 2, 5, 5, 10])).tolist() == [True, False, True, True]


def test_ten_thousand_extreme_scores_in_one_run_stay_finite():
    generator = np.random.default_rng(1)
    score = generator.choice([-700.0, 0.0, -1e-9], size=(10_000, 9))
    breaks = np.arange(10_000) == 0
    states, total = best_paths(score, breaks, legal_moves(4, "bio"))
    assert np.isfinite(total).all()
    assert legal_moves(4, "bio").move[states[:-1], states[1:]].all()


def test_no_rows_have_no_states():
    nothing = np.zeros((0, 3))
    assert decode_tokens(nothing, np.zeros(0, dtype=bool), "bio").shape == (0,)
    states, total = best_paths(nothing, np.zeros(0, dtype=bool), legal_moves(1, "bio"))
    assert states.shape == total.shape == (0,)
