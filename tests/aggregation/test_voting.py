import numpy as np
import pytest

from silverspan.aggregation import MajorityVote, WeightedVote, aggregators, load
from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "PER"))
BOTH = pytest.mark.parametrize("settings", [MajorityVote(), WeightedVote()], ids=["mv", "wmv"])


def build(said, length=4, space=SPACE):
    functions = {name: list(space.names) for name in "abcde"}
    return Votes.build([said], lengths=[length], space=space, functions=functions)


def vote(said, settings, **others):
    votes = build(said, **others)
    return settings.fit(votes).posterior(votes)


def spans(posterior):
    return [span[:3] for span in posterior.spans.of(0)]


def test_the_label_proposed_most_often_wins():
    said = {
        "a": [(0, 2, "LOC", 1.0)],
        "b": [(0, 2, "PER", 1.0)],
        "c": [(0, 2, "PER", 1.0)],
    }
    result = vote(said, MajorityVote())
    assert spans(result) == [(0, 2, "PER")]
    assert result.probabilities(0)[0] == pytest.approx([0, 1 / 3, 2 / 3], abs=1e-5)


def test_votes_count_by_their_probability():
    said = {"a": [(0, 1, "LOC", 0.9)], "b": [(0, 1, "PER", 0.3), (0, 1, "LOC", 0.1)]}
    assert vote(said, MajorityVote()).probabilities(0)[0, 1] == pytest.approx(1 / 1.3, abs=1e-5)


def test_silence_is_no_vote_for_o_but_too_few_voters_are():
    said = {"a": [(0, 1, "LOC", 1.0), (2, 3, "PER", 1.0)], "b": [(0, 1, "LOC", 1.0)]}
    assert spans(vote(said, MajorityVote())) == [(0, 1, "LOC"), (2, 3, "PER")]
    assert spans(vote(said, MajorityVote(threshold=2))) == [(0, 1, "LOC")]
    assert spans(vote(said, MajorityVote(threshold=3))) == []


def test_begin_and_inside_split_the_votes_only_if_tags_compete():
    said = {
        "a": [(0, 2, "LOC", 1.0)],
        "b": [(1, 2, "LOC", 1.0)],
        "c": [(1, 2, "PER", 1.0)],
        "d": [(1, 2, "PER", 0.5)],
    }
    assert (1, 2, "LOC") not in spans(vote(said, MajorityVote()))
    assert spans(vote(said, MajorityVote())) == [(0, 2, "LOC")]
    assert spans(vote(said, MajorityVote(boundaries="joint"))) == [(0, 1, "LOC"), (1, 2, "PER")]


def test_boundaries_between_touching_names_are_voted_on_too():
    apart = [(0, 2, "LOC", 1.0), (2, 3, "LOC", 1.0)]
    said = {"a": apart, "b": apart, "c": [(0, 3, "LOC", 1.0)]}
    for scheme in ("bio", "biluo"):
        expected = [(0, 2, "LOC"), (2, 3, "LOC")]
        assert spans(vote(said, MajorityVote(scheme=scheme))) == expected
    assert spans(vote(said, MajorityVote(scheme="io"))) == [(0, 3, "LOC")]


def test_a_coarse_vote_supports_a_label_but_does_not_choose_one():
    said = {
        "a": [(0, 1, "LOC", 1.0), (2, 3, "ENT", 1.0)],
        "b": [(0, 1, "ENT", 1.0)],
    }
    result = vote(said, MajorityVote())
    assert spans(result) == [(0, 1, "LOC")]
    assert result.probabilities(0)[2].tolist() == [1, 0, 0]
    # It counts as a voter: with it, two functions hold that the first token is in a name.
    assert spans(vote(said, MajorityVote(threshold=2))) == [(0, 1, "LOC")]


def test_a_coarse_label_that_stands_for_one_label_is_that_label():
    space = LabelSpace(outputs=("LOC", "PER"), coarse={"PLACE": ("LOC",)})
    said = {"a": [(0, 1, "PLACE", 1.0)]}
    assert spans(vote(said, MajorityVote(), space=space)) == [(0, 1, "LOC")]


def test_of_overlapping_spans_of_one_function_the_best_votes():
    said = {"a": [(0, 2, "LOC", 0.6), (1, 3, "PER", 0.9)]}
    assert spans(vote(said, MajorityVote())) == [(1, 3, "PER")]


def test_a_tie_goes_to_the_label_that_is_voted_for_more_often():
    said = {
        "a": [(0, 1, "LOC", 1.0), (2, 3, "PER", 1.0)],
        "b": [(0, 1, "PER", 1.0)],
    }
    assert spans(vote(said, MajorityVote())) == [(0, 1, "PER"), (2, 3, "PER")]


def test_weights_follow_agreement_and_do_not_count_loners():
    right = [(0, 1, "LOC", 1.0), (2, 3, "PER", 1.0)]
    wrong = [(0, 1, "PER", 1.0), (2, 3, "LOC", 1.0)]
    votes = build({"a": right, "b": right, "c": right, "d": wrong})
    weights = WeightedVote(prior=0.1).fit(votes).weights
    assert weights[0] == weights[1] > 0.9
    assert weights[3] < 0.1
    assert 0.5 < weights[4] <= 1  # never spoke: the average


def test_weighted_votes_beat_plain_ones_where_functions_differ(make_votes, score):
    votes, gold = make_votes(3, documents=200, functions=4)
    plain = score(MajorityVote().fit(votes).posterior(votes), gold)
    weighted = score(WeightedVote().fit(votes).posterior(votes), gold)
    assert weighted > plain


@BOTH
def test_the_order_of_functions_and_documents_does_not_matter(settings, make_votes):
    votes, _ = make_votes(1)
    expected = settings.fit(votes).posterior(votes)
    shuffled = votes.select(reversed(votes.functions))
    result = settings.fit(shuffled).posterior(shuffled)
    assert result.probability == pytest.approx(expected.probability, abs=1e-6)
    turned = Votes.concatenate([votes.slice(i, i + 1) for i in reversed(range(30))])
    result = settings.fit(turned).posterior(turned)
    for document in range(30):
        assert result.spans.of(document) == expected.spans.of(29 - document)


@BOTH
def test_labels_permuted_give_permuted_results(settings, make_votes):
    votes, _ = make_votes(2, labels=("LOC", "ORG", "PER"))
    expected = settings.fit(votes).posterior(votes)
    turned = votes.relabelled(LabelSpace(outputs=("PER", "LOC", "ORG")))
    result = settings.fit(turned).posterior(turned)
    for document in range(30):
        there = {(s, e, label, round(p, 4)) for s, e, label, p in result.spans.of(document)}
        here = {(s, e, label, round(p, 4)) for s, e, label, p in expected.spans.of(document)}
        assert there == here


@BOTH
def test_a_function_that_always_abstains_changes_nothing(settings, make_votes):
    votes, _ = make_votes(4)
    silent = Votes.concatenate([votes, build({}).relabelled(votes.space)]).slice(0, 30)
    result = settings.fit(silent).posterior(silent)
    assert (result.probability == settings.fit(votes).posterior(votes).probability).all()


@BOTH
def test_a_saved_vote_is_the_same_vote(settings, make_votes, tmp_path):
    votes, _ = make_votes(5)
    fitted = settings.fit(votes)
    fitted.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.describe() == fitted.describe()
    assert (again.posterior(votes).probability == fitted.posterior(votes).probability).all()


@BOTH
def test_functions_unseen_in_fit_are_ignored(settings, make_votes):
    votes, _ = make_votes(6)
    known = votes.select(["f0", "f1", "f2"])
    fitted = settings.fit(known)
    assert (fitted.posterior(votes).probability == fitted.posterior(known).probability).all()


@BOTH
def test_a_part_of_the_documents_gets_what_the_whole_gets(settings, make_votes):
    votes, _ = make_votes(7)
    fitted = settings.fit(votes)
    whole = fitted.posterior(votes)
    parts = [fitted.posterior(votes.slice(i, i + 7)) for i in range(0, 30, 7)]
    assert (np.concatenate([part.probability for part in parts]) == whole.probability).all()


def test_votes_are_registered_by_their_names():
    assert aggregators["mv"] is MajorityVote
    assert aggregators["wmv"] is WeightedVote


def test_no_votes_give_an_empty_posterior():
    result = vote({}, WeightedVote())
    assert len(result.position) == 0
    assert (result.probabilities(0)[:, 0] == np.ones(4)).all()
