import numpy as np

from silverspan.observations.tokens import TokenVotes
from silverspan.testing import KnownModel


def test_functions_speak_as_often_as_the_model_says():
    model = KnownModel.random(np.random.default_rng(3), functions=3)
    votes, kinds = model.sample(np.random.default_rng(4), documents=2000, length=20)
    said = TokenVotes.of(votes)
    answer = np.zeros((kinds.size, 3), dtype=int)
    answer[said.position[said.token], said.function] = 1 + said.label
    for function in range(3):
        for kind in range(3):
            rows = answer[kinds.ravel() == kind, function]
            seen = np.bincount(rows, minlength=3) / len(rows)
            np.testing.assert_allclose(seen, model.said[function, kind], atol=0.03)


def test_states_follow_the_chain():
    model = KnownModel.random(np.random.default_rng(3))
    _, kinds = model.sample(np.random.default_rng(4), documents=2000, length=20)
    pairs = np.bincount(kinds[:, :-1].ravel() * 3 + kinds[:, 1:].ravel(), minlength=9)
    moves = pairs.reshape(3, 3) / pairs.reshape(3, 3).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(moves, model.move, atol=0.04)
