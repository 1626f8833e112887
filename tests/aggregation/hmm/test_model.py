import json
from dataclasses import replace

import numpy as np
import pytest
from reference import dense_posterior

from silverspan.aggregation import aggregators, load, storage
from silverspan.aggregation.hmm import FittedHmm, Hmm
from silverspan.errors import AggregationError
from silverspan.labels import LabelSpace
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes

PLAIN = {"silence": 1.0, "redundancy": False, "features": {}, "tolerance": 0.0}


def with_tokens(votes, seed=0):
    rng = np.random.default_rng(seed)
    words = ["Ann", "Oslo", "the", "of", "IBM", "went", "1999", "Bergen", "a", "."]
    return replace(
        votes, features=token_features([rng.choice(words, n).tolist() for n in votes.lengths])
    )


@pytest.fixture
def votes(make_votes):
    return with_tokens(make_votes(seed=1, documents=60)[0])


@pytest.mark.parametrize("scheme", ["io", "bio", "biluo"])
@pytest.mark.parametrize("constraint", [True, False])
def test_islands_give_what_the_plain_chain_over_every_token_gives(make_votes, scheme, constraint):
    for seed in range(3):
        asked = np.random.default_rng(seed).random((30, 5)) < 0.7
        votes = with_tokens(make_votes(seed, asked=asked)[0], seed)
        votes = drop_unasked(votes)
        model = Hmm(scheme=scheme, constraint=constraint, rounds=3).fit(votes)
        posterior = model.posterior(votes)
        dense, _ = dense_posterior(model, votes)
        sure = np.zeros(dense.shape[1])
        sure[0] = 1
        inside = posterior.position
        # Posteriors are kept in single precision.
        np.testing.assert_allclose(posterior.probability, dense[inside], atol=2e-7)
        np.testing.assert_allclose(
            np.delete(dense, inside, axis=0),
            np.tile(sure, (len(dense) - len(inside), 1)),
            atol=1e-10,
        )


def drop_unasked(votes):
    keep = votes.asked[votes.document, votes.function]
    rows = ("document", "function", "start", "end", "label", "probability")
    return replace(votes, **{name: getattr(votes, name)[keep] for name in rows})


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize(
    "settings",
    [
        {"scheme": "io"},
        {"scheme": "bio", "anchor": 0.0},
        {"scheme": "biluo", "start": "uninformative"},
        {"emission": "dirichlet"},
    ],
)
def test_no_round_lowers_the_likelihood(make_votes, seed, settings):
    votes, _ = make_votes(seed, documents=15)
    found = Hmm(**{**PLAIN, "rounds": 12, **settings}).fit(votes).findings
    assert (np.diff(found.history) >= -1e-9 * np.abs(found.history[:-1])).all()


def test_the_likelihood_is_that_of_the_plain_chain(make_votes):
    votes, _ = make_votes(3)
    model = Hmm(**{**PLAIN, "rounds": 1}).fit(votes)
    one = Hmm(**{**PLAIN, "rounds": 2, "anchor": 0.0}).fit(votes)
    _, dense = dense_posterior(model, votes)
    assert np.isfinite(dense)
    assert len(one.findings.history) == 2


def test_the_order_of_documents_does_not_matter(votes):
    turned = Votes.concatenate([votes.slice(30, 60), votes.slice(0, 30)])
    one, other = Hmm().fit(votes), Hmm().fit(turned)
    assert one.findings.history == other.findings.history
    np.testing.assert_array_equal(one.parameters.emission, other.parameters.emission)


def test_the_order_of_functions_does_not_matter(votes):
    turned = votes.select(votes.functions[::-1])
    one, other = Hmm().fit(votes), Hmm().fit(turned)
    np.testing.assert_allclose(
        one.posterior(votes).probability, other.posterior(votes).probability, atol=1e-6
    )


def test_labels_permuted_give_permuted_results(make_votes):
    votes, _ = make_votes(5)
    turned = votes.relabelled(LabelSpace(outputs=("PER", "LOC")))
    one, other = Hmm(scheme="io").fit(votes), Hmm(scheme="io").fit(turned)
    np.testing.assert_allclose(
        one.posterior(votes).probability[:, [0, 2, 1]],
        other.posterior(turned).probability,
        atol=1e-6,
    )


def test_a_function_that_never_speaks_changes_nothing(votes):
    names = (*votes.functions, "mute")
    wider = replace(
        votes,
        functions=names,
        covers=np.vstack([votes.covers, np.zeros((1, votes.covers.shape[1]), dtype=bool)]),
        asked=np.hstack([votes.asked, np.ones((len(votes.documents), 1), dtype=bool)]),
    )
    one, other = Hmm().fit(votes), Hmm().fit(wider)
    np.testing.assert_allclose(
        one.posterior(votes).probability, other.posterior(wider).probability, atol=1e-6
    )


def test_a_function_unseen_in_fit_is_ignored(votes):
    model = Hmm().fit(votes.select(votes.functions[:4]))
    np.testing.assert_array_equal(
        model.posterior(votes).probability,
        model.posterior(votes.select(votes.functions[:4])).probability,
    )


def test_a_missing_function_is_absent_not_silent(votes):
    model = Hmm().fit(votes)
    fewer = votes.select(votes.functions[:3])
    absent = replace(votes, asked=votes.asked & (np.arange(5) < 3))
    np.testing.assert_array_equal(
        model.posterior(fewer).probability, model.posterior(drop_unasked(absent)).probability
    )


def test_votes_without_features_silence_the_token_channel(votes):
    model = Hmm().fit(votes)
    posterior = model.posterior(replace(votes, features=None))
    np.testing.assert_allclose(posterior.probability.sum(axis=1), 1, atol=1e-6)


def test_other_token_features_are_refused(votes):
    model = Hmm().fit(votes)
    features = replace(votes.features, sizes=(9, 9, 9), ids=votes.features.ids % 9)
    with pytest.raises(AggregationError, match="other token features"):
        model.posterior(replace(votes, features=features))


def test_a_coarse_vote_allows_its_labels_only_when_asked():
    votes = Votes.build(
        [{"a": [(0, 1, "LOC", 1.0)], "b": [(0, 1, "ENT", 1.0), (2, 3, "ENT", 1.0)]}] * 20,
        lengths=[4] * 20,
        space=LabelSpace(outputs=("LOC", "PER")),
        functions={"a": ["LOC"], "b": ["ENT"]},
    )
    assert set(Hmm().fit(votes).posterior(votes).position % 4) == {0}
    assert set(Hmm(coarse=True).fit(votes).posterior(votes).position % 4) == {0, 2}


def test_no_votes_at_all_give_an_empty_posterior():
    space = LabelSpace(outputs=("LOC",))
    votes = Votes.build([{}, {}], lengths=[3, 0], space=space, functions={"a": ["LOC"]})
    posterior = Hmm().fit(votes).posterior(votes)
    assert len(posterior.position) == 0
    assert len(posterior.spans) == 0


def test_no_label_at_all_is_refused():
    votes = Votes.build([{}], lengths=[3], space=LabelSpace(outputs=()), functions={"a": []})
    with pytest.raises(AggregationError, match="nothing to fit"):
        Hmm().fit(votes)


@pytest.mark.parametrize("settings", [{}, {"emission": "dirichlet"}, {"scheme": "io"}])
def test_a_saved_model_gives_the_same_posterior(votes, tmp_path, settings):
    model = Hmm(**settings).fit(votes)
    model.save(tmp_path / "model")
    loaded = FittedHmm.load(tmp_path / "model")
    np.testing.assert_array_equal(
        model.posterior(votes).probability, loaded.posterior(votes).probability
    )
    assert loaded.describe() == model.describe()
    assert load(tmp_path / "model").settings == model.settings


def test_the_same_model_is_saved_as_the_same_bytes(votes, tmp_path):
    for name in ("a", "b"):
        Hmm().fit(votes).save(tmp_path / name)
    for file in ("model.json", "arrays.npz"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_another_label_model_is_no_hmm(votes, tmp_path):
    aggregators["mv"]().fit(votes).save(tmp_path / "vote")
    with pytest.raises(AggregationError, match="not an HMM"):
        FittedHmm.load(tmp_path / "vote")


def test_a_model_without_an_array_is_refused(votes, tmp_path):
    Hmm().fit(votes).save(tmp_path)
    header = json.loads((tmp_path / "model.json").read_text())
    del header["checksum"]
    header["functions"].append("more")
    packed = (tmp_path / "arrays.npz").read_bytes()
    header["checksum"] = storage.checksum(header, packed)
    (tmp_path / "model.json").write_text(json.dumps(header))
    with pytest.raises(AggregationError, match="shape"):
        FittedHmm.load(tmp_path)


def test_the_description_is_json_and_says_that_it_is_estimated(votes):
    about = json.loads(json.dumps(Hmm().fit(votes).describe()))
    assert about["note"] == "estimated, without gold"
    assert about["used"] == "hmm"
    one = about["functions"]["f0"]["labels"]["LOC"]
    assert set(one) == {"precision", "recall", "coverage"}
    assert all(0 <= value <= 1 for value in one.values())
    assert all(
        sum(row.values()) == pytest.approx(1, abs=1e-4) for row in about["transitions"].values()
    )


def test_reliabilities_start_the_model_where_the_user_says(make_votes):
    votes, _ = make_votes(2, documents=80)
    known = {name: {"LOC": (0.9, 0.8), "PER": (0.9, 0.8)} for name in votes.functions}
    model = Hmm(start="table", reliabilities=known, reliable="auto").fit(votes)
    assert model.used == "hmm"
    with pytest.raises(AggregationError, match="no function"):
        Hmm(reliable="nobody").fit(votes)


@pytest.mark.parametrize("wrong", [{"silence": 2.0}, {"rounds": 0}])
def test_settings_that_cannot_be_are_refused(wrong):
    with pytest.raises(AggregationError):
        Hmm(**wrong)


def test_one_document_of_a_hundred_thousand_tokens_stays_finite():
    # Two functions that never agree on the boundaries, over one long island.
    tokens = 100_000
    long = [(i, i + 1, "LOC", 1.0) for i in range(tokens)]
    votes = Votes.build(
        [{"a": long, "b": [(0, tokens, "PER", 1.0)]}],
        lengths=[tokens],
        space=LabelSpace(outputs=("LOC", "PER")),
        functions={"a": ["LOC"], "b": ["PER"]},
    )
    posterior = Hmm(rounds=2).fit(votes).posterior(votes)
    assert np.isfinite(posterior.probability).all()


def test_it_beats_the_vote_where_functions_differ_in_quality(make_votes, score):
    votes, gold = make_votes(11, documents=400, functions=7)
    vote = aggregators["mv"]().fit(votes)
    assert score(Hmm().fit(votes).posterior(votes), gold) >= score(vote.posterior(votes), gold)


def test_the_vote_beside_the_model_is_the_majority_vote(votes):
    model = Hmm().fit(votes)
    vote = aggregators["mv"]().fit(votes).posterior(votes)
    np.testing.assert_allclose(model.vote.posterior(votes).probability, vote.probability, atol=1e-6)


def test_a_model_that_drops_confirmed_names_has_collapsed_and_the_vote_is_used(votes):
    model = Hmm().fit(votes)
    findings = replace(model.findings, dropped=0.5)
    collapsed = replace(model, findings=findings)
    assert collapsed.used == "mv"
    assert "collapsed" in collapsed.reason
    np.testing.assert_array_equal(
        collapsed.posterior(votes).probability, model.vote.posterior(votes).probability
    )
    stubborn = replace(collapsed, settings=replace(model.settings, fallback=False))
    assert stubborn.used == "hmm"
