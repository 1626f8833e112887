"""The parts of an explanation add up to what the model says."""

import numpy as np
import pytest

from silverspan.aggregation.hmm import Hmm
from silverspan.aggregation.hmm.explain import explain
from silverspan.labels import LabelSpace
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "PER"), coarse={"ENT": ("LOC", "PER")})


def some_votes(documents=40, seed=3):
    """Documents of eight tokens in which four functions often, but not always, agree."""
    random = np.random.default_rng(seed)
    words = np.array(["Oslo", "Ann", "said", "the", "Berg", "42"])
    texts, said = [], []
    for _ in range(documents):
        texts.append(words[random.integers(0, len(words), 8)].tolist())
        start = int(random.integers(0, 6))
        label = SPACE.outputs[int(random.integers(0, 2))]
        spans = {"a": [(start, start + 2, label, 1.0)]}
        if random.random() < 0.8:
            spans["b"] = [(start, start + 2, label, 0.7)]
        if random.random() < 0.6:
            other = SPACE.outputs[int(random.integers(0, 2))]
            spans["c"] = [(start + 1, start + 2, other, 0.9)]
        if random.random() < 0.5:
            spans["coarse"] = [(start, start + 1, "ENT", 1.0)]
        said.append(spans)
    return Votes.build(
        said,
        lengths=[8] * documents,
        space=SPACE,
        functions={"a": SPACE.outputs, "b": SPACE.outputs, "c": SPACE.outputs, "coarse": ["ENT"]},
        features=token_features(texts),
    )


@pytest.mark.parametrize("emission", ["categorical", "dirichlet"])
@pytest.mark.parametrize("scheme", ["io", "bio", "biluo"])
def test_parts_add_up_to_the_log_odds_of_the_posterior(emission, scheme):
    votes = some_votes()
    model = Hmm(scheme=scheme, emission=emission, fallback=False).fit(votes)
    posterior = model.posterior(votes)
    found = explain(model, votes)
    assert found.position.tolist() == posterior.position.tolist()
    np.testing.assert_allclose(found.probability, posterior.by_label(), atol=1e-5)
    total = found.said.sum(axis=1) + found.looks.sum(axis=1) + found.neighbours
    for row, known in zip(total, found.probability, strict=True):
        possible = np.flatnonzero(np.isfinite(row))
        np.testing.assert_allclose(
            row[possible] - row[0], np.log(known[possible] / known[0]), atol=1e-8
        )


def test_odds_of_several_tokens_are_the_mean_and_turn_their_sign_with_the_kinds():
    votes = some_votes()
    found = explain(Hmm(fallback=False).fit(votes), votes.slice(0, 1))
    label = int(found.probability[:, 1:].sum(axis=0).argmax()) + 1
    first, last = int(found.position[0]), int(found.position[-1]) + 1
    whole = found.odds(first, last, label, 0)
    each = [found.odds(token, token + 1, label, 0) for token in range(first, last)]
    known = [odds.total for odds in each if odds is not None]
    assert whole.total == pytest.approx(np.mean(known))
    assert found.odds(first, last, 0, label).total == pytest.approx(-whole.total)


def test_an_absent_function_adds_nothing_and_a_silent_one_may():
    votes = some_votes()
    model = Hmm(fallback=False, silence=1.0).fit(votes)
    asked = votes.asked.copy()
    asked[:, votes.functions.index("c")] = False
    without = Votes.build(
        [{"a": [(0, 1, "LOC", 1.0)]}],
        lengths=[2],
        space=SPACE,
        functions=dict.fromkeys(votes.functions, SPACE.outputs),
        asked=asked[:1],
    )
    odds = explain(model, without).odds(0, 1, 1, 0)
    assert odds.functions[votes.functions.index("c")] == 0
    assert odds.functions[votes.functions.index("b")] < 0


def test_where_nobody_votes_there_is_nothing_to_explain():
    votes = some_votes()
    model = Hmm(fallback=False).fit(votes)
    silent = Votes.build(
        [{}], lengths=[3], space=SPACE, functions=dict.fromkeys(votes.functions, SPACE.outputs)
    )
    found = explain(model, silent)
    assert len(found.position) == 0
    assert found.odds(0, 3, 1, 0) is None
