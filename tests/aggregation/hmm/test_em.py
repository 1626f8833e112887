from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from silverspan.aggregation.hmm import Hmm, em
from silverspan.aggregation.hmm.channel import Looks
from silverspan.aggregation.hmm.frame import Evidence
from silverspan.aggregation.hmm.gathered import Gathered
from silverspan.aggregation.hmm.model import make_frame
from silverspan.engines import Local
from silverspan.observations import distinct as distinct_module
from silverspan.observations import islands as islands_module
from silverspan.observations.islands import Islands
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes
from silverspan.testing import KnownModel
from silverspan.testing.engines import Shuffling

PLAIN = {"silence": 1.0, "redundancy": False, "features": {}}


def gather(votes, settings):
    frame = make_frame(settings, votes.space, votes.functions, Looks.of(votes.features))
    gathered = Gathered.of(votes, frame)
    return frame, gathered.sums, em.between_counts(gathered.between, frame)


@pytest.mark.parametrize("emission", ["categorical", "dirichlet"])
def test_results_are_the_same_to_the_last_bit_however_the_work_is_spread(
    make_votes, monkeypatch, emission
):
    monkeypatch.setattr(distinct_module, "TOKENS_OF_A_PART", 300)
    votes, _ = make_votes(0, documents=200)
    settings = Hmm(rounds=4, tolerance=0.0, emission=emission)
    alone = settings.fit(votes)
    spread = settings.fit(votes, engine=Shuffling(3))
    assert spread.findings.history == alone.findings.history
    np.testing.assert_array_equal(spread.parameters.emission, alone.parameters.emission)


def test_the_work_may_be_spread_over_processes(make_votes, monkeypatch):
    monkeypatch.setattr(distinct_module, "TOKENS_OF_A_PART", 300)
    votes, _ = make_votes(0)
    engine = Local(2)
    try:
        spread = Hmm(rounds=2).fit(votes, engine=engine)
    finally:
        engine.close()
    assert spread.findings.history == Hmm(rounds=2).fit(votes).findings.history


@pytest.mark.parametrize("shards", [1, 2, 7])
def test_any_number_of_shards_gives_the_same_islands_and_the_same_model(make_votes, shards):
    votes, _ = make_votes(0, documents=42)
    bounds = np.linspace(0, 42, shards + 1).astype(int).tolist()
    again = Votes.concatenate([votes.slice(a, b) for a, b in pairwise(bounds)])
    one, other = Hmm().fit(votes), Hmm().fit(again)
    assert one.findings.history == other.findings.history
    np.testing.assert_array_equal(
        one.posterior(votes).probability, other.posterior(again).probability
    )


@pytest.mark.parametrize("settings", [{}, {"scheme": "io", "emission": "dirichlet"}])
def test_blocks_of_any_size_give_the_same_model(make_votes, monkeypatch, settings):
    votes, _ = make_votes(0, documents=60)
    one = Hmm(**settings).fit(votes)
    monkeypatch.setattr(islands_module, "BLOCK", 37)
    other = Hmm(**settings).fit(votes)
    np.testing.assert_allclose(
        one.posterior(votes).probability, other.posterior(votes).probability, atol=1e-6
    )


def test_a_known_model_is_recovered_from_twenty_thousand_tokens():
    truth = KnownModel.random(np.random.default_rng(5), functions=6, recall=(0.5, 0.9))
    votes, kinds = truth.sample(np.random.default_rng(6), documents=1000, length=20)
    model = Hmm(scheme="io", constraint=False, anchor=0.0, rounds=60, tolerance=0.0, **PLAIN).fit(
        votes
    )
    # A coarse label has a column, too, and is never said.
    said = model.findings.confusion[:, :, :3]
    assert np.abs(said - truth.said).max() < 0.05
    assert np.abs(model.parameters.transitions.move - truth.move).max() < 0.05
    right = model.posterior(votes).probability.argmax(axis=1) == kinds.ravel()
    assert right.mean() > 0.97


def test_it_is_hmmlearns_categorical_hmm_where_the_models_coincide():
    hmmlearn = pytest.importorskip("hmmlearn.hmm")
    truth = KnownModel.random(np.random.default_rng(1), functions=1, false_alarm=0.1)
    votes, _ = truth.sample(np.random.default_rng(2), documents=50, length=20)
    settings = Hmm(scheme="io", constraint=False, anchor=0.0, rounds=1, **PLAIN)
    model = settings.fit(votes)
    frame, evidence, between = gather(votes, settings)
    said = TokenVotes.of(votes)
    answers = np.zeros(votes.tokens, dtype=int)
    answers[said.position[said.token]] = 1 + said.label
    theirs = hmmlearn.CategoricalHMM(
        3, n_features=frame.columns, n_iter=1, init_params="", params="ste",
        startprob_prior=1.0, transmat_prior=1.0, emissionprob_prior=1.0,
    )  # fmt: skip
    theirs.startprob_ = model.parameters.transitions.start
    theirs.transmat_ = model.parameters.transitions.move
    theirs.emissionprob_ = np.exp(model.parameters.emission.T)
    observed, lengths = answers[:, None], votes.lengths.tolist()
    counts = between + evidence.total(partial(em.expected_counts, model.parameters))
    assert counts.likelihood == pytest.approx(theirs.score(observed, lengths), rel=1e-10)
    np.testing.assert_allclose(
        model.posterior(votes).probability, theirs.predict_proba(observed, lengths), atol=1e-6
    )
    theirs.fit(observed, lengths)
    ours = em.maximise(counts, frame, model.weighing)
    np.testing.assert_allclose(ours.transitions.move, theirs.transmat_, atol=1e-9)
    np.testing.assert_allclose(ours.transitions.start, theirs.startprob_, atol=1e-9)
    np.testing.assert_allclose(np.exp(ours.emission.T), theirs.emissionprob_, atol=1e-9)


def test_the_history_is_the_penalised_likelihood_of_the_plain_chain(make_votes):
    reference = pytest.importorskip("reference")
    votes, _ = make_votes(3)
    settings = Hmm(anchor=0.0, rounds=1, scheme="bio", **PLAIN)
    model = settings.fit(votes)
    _, evidence, between = gather(votes, settings)
    counts = between + evidence.total(partial(em.expected_counts, model.parameters))
    islands = counts.likelihood + em.log_density(between, model.parameters)
    _, dense = reference.dense_posterior(model, votes)
    assert islands == pytest.approx(dense, abs=1e-8)


def test_islands_agree_with_the_plain_chain_in_double_precision(make_votes):
    reference = pytest.importorskip("reference")
    for seed in range(4):
        votes, _ = make_votes(seed)
        settings = Hmm(scheme="bio", rounds=3)
        model = settings.fit(votes)
        frame, _, _ = gather(votes, settings)
        islands = Islands.of(votes, "bio")
        parts = [Evidence(frame=frame, block=block) for block in islands.blocks]
        rows = np.concatenate([em.posterior(model.parameters, part)[0] for part in parts])
        dense, _ = reference.dense_posterior(model, votes)
        np.testing.assert_allclose(rows[islands.row], dense[islands.position], atol=1e-10)
