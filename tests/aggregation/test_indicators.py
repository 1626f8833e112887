import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.aggregation.indicators import Indicators, most_probable_symbols
from silverspan.labels import LabelSpace
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "PER"))
LENGTH = 5


@st.composite
def proposals_and_asked(draw):
    documents = draw(st.integers(1, 4))
    spans = st.lists(
        st.tuples(
            st.integers(0, LENGTH - 2),
            st.integers(1, 2),
            st.sampled_from(SPACE.names),
            st.sampled_from([0.3, 0.6, 1.0]),
        ),
        max_size=3,
    )
    asked = draw(st.lists(st.tuples(*[st.booleans()] * 3), min_size=documents, max_size=documents))
    proposals = [
        {
            name: [(s, s + n, label, p) for s, n, label, p in draw(spans)]
            for name, is_asked in zip("abc", seen, strict=True)
            if is_asked
        }
        for seen in asked
    ]
    return proposals, asked


def build(case):
    proposals, asked = case
    return TokenVotes.of(
        Votes.build(
            proposals,
            lengths=[LENGTH] * len(proposals),
            space=SPACE,
            functions=dict.fromkeys("abc", SPACE.names),
            asked=np.array(asked),
        )
    )


def dense_symbols(tokens, scheme):
    """Symbols of every function at every token of the corpus, voted or not; -1 where not asked."""
    votes = tokens.votes
    dense = np.where(votes.asked[np.repeat(np.arange(len(votes.lengths)), votes.lengths)], 0, -1)
    dense[tokens.position] = most_probable_symbols(tokens, scheme)
    return dense


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("scheme", ["io", "bio"])
@given(case=proposals_and_asked())
def test_columns_count_what_a_walk_over_every_token_counts(scheme, history, case):
    tokens = build(case)
    found = Indicators.of(tokens, scheme, history=history)
    symbol = dense_symbols(tokens, scheme)
    expected = {}
    for place in range(len(symbol)):
        for function in range(3):
            if symbol[place, function] < 0:
                continue
            before = 0
            if history and place % LENGTH:
                before = max(symbol[place - 1, function], 0)
            key = (function, before, symbol[place, function])
            expected[key] = expected.get(key, 0) + 1
    counted = found.holds.T @ found.count + found.silent
    keys = zip(found.function.tolist(), found.previous.tolist(), found.symbol.tolist(), strict=True)
    assert {k: c for k, c in zip(keys, counted.tolist(), strict=True) if c} == expected
    assert found.count.sum() + found.unvoted == len(symbol)


@given(case=proposals_and_asked(), seed=st.integers(0, 1000))
def test_the_likelihood_is_the_product_over_functions_that_were_asked(case, seed):
    tokens = build(case)
    found = Indicators.of(tokens, "io")
    symbol = most_probable_symbols(tokens, "io")
    table = np.log(np.random.default_rng(seed).dirichlet(np.ones(4), size=(3, 3)))
    columns = table[found.function, :, found.symbol]
    likelihood = found.log_likelihood(columns)[found.row]
    for token in range(len(symbol)):
        expected = sum((table[j, :, k] for j, k in enumerate(symbol[token]) if k >= 0), np.zeros(3))
        allowed = found.allowed[found.row[token]]
        assert likelihood[token][allowed] == pytest.approx(expected[allowed])
        assert allowed[0]


def test_a_state_is_allowed_where_somebody_voted_for_it_however_weakly():
    votes = Votes.build(
        [{"a": [(0, 1, "LOC", 0.2), (0, 1, "PER", 0.1), (1, 2, "ENT", 1.0)]}],
        lengths=[3],
        space=SPACE,
        functions={"a": SPACE.names},
    )
    tokens = TokenVotes.of(votes)
    found = Indicators.of(tokens, "io")
    assert found.allowed[found.row].tolist() == [[True, True, True], [True, False, False]]
    # Seven tenths were for "O"; the coarse label is a symbol of its own.
    assert most_probable_symbols(tokens, "io").tolist() == [[0], [3]]


def test_a_label_wins_a_tie_against_o_and_the_commoner_one_against_another():
    votes = Votes.build(
        [{"a": [(0, 1, "LOC", 0.5), (1, 2, "LOC", 0.4), (1, 2, "PER", 0.4), (2, 3, "PER", 0.9)]}],
        lengths=[3],
        space=SPACE,
        functions={"a": SPACE.names},
    )
    assert most_probable_symbols(TokenVotes.of(votes), "io").tolist() == [[1], [2], [2]]


def test_without_silence_no_column_is_silent():
    votes = Votes.build(
        [{"a": [(0, 1, "LOC", 1.0)]}], lengths=[3], space=SPACE, functions=dict.fromkeys("ab", ())
    )
    found = Indicators.of(TokenVotes.of(votes), "io", silence=False)
    assert (found.symbol > 0).all()
    assert found.silent.sum() == 0
