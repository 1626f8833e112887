import sys

import numpy as np
import pytest

from silverspan.aggregation import aggregators, load
from silverspan.aggregation.candidates import Candidates
from silverspan.aggregation.snorkel import Snorkel
from silverspan.errors import AggregationError, MissingDependencyError
from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes
from silverspan.testing import check_aggregator

SPACE = LabelSpace(outputs=("LOC", "PER"))


def build(*documents, length=8):
    names = ["nnp_detector", "a", "b", "c"]
    return Votes.build(
        documents,
        lengths=[length] * len(documents),
        space=SPACE,
        functions=dict.fromkeys(names, SPACE.names),
    )


def test_snorkel_is_registered_and_found_without_the_package():
    assert aggregators["snorkel"] is Snorkel


def test_a_function_speaks_of_the_candidate_that_its_span_fits():
    votes = build(
        {
            "nnp_detector": [(0, 3, "ENT", 1.0), (5, 6, "ENT", 1.0)],
            "a": [(0, 2, "PER", 1.0)],  # two of three tokens
            "b": [(2, 5, "LOC", 1.0)],  # one of five
            "c": [(5, 6, "PER", 0.4), (5, 6, "LOC", 0.6)],
        }
    )
    found = Candidates.of(votes, detectors=("nnp_detector",))
    assert list(zip(found.start.tolist(), found.end.tolist(), strict=True)) == [(0, 3), (5, 6)]
    assert found.said.tolist() == [[-1, 1, -1, -1], [-1, -1, -1, 0]]
    assert found.support.tolist() == [1, 2]


def test_voted_candidates_are_the_spans_of_all_functions_as_they_are():
    votes = build({"a": [(0, 2, "PER", 1.0)], "b": [(0, 3, "PER", 1.0)], "c": [(0, 2, "LOC", 1.0)]})
    found = Candidates.of(votes)
    assert list(zip(found.start.tolist(), found.end.tolist(), strict=True)) == [(0, 2), (0, 3)]
    assert found.said.tolist() == [[-1, 1, -1, 0], [-1, -1, 1, -1]]


def test_candidates_chosen_do_not_overlap_and_have_a_label():
    votes = build(
        {
            "nnp_detector": [(6, 7, "ENT", 1.0)],
            "a": [(0, 2, "PER", 1.0)],
            "b": [(0, 2, "PER", 1.0)],
            "c": [(1, 4, "LOC", 1.0)],
        },
        {"a": [(0, 1, "LOC", 1.0)]},
    )
    found = Candidates.of(votes)
    chosen = found.choose(np.ones(len(found.start)))
    kept = [(int(found.document[i]), int(found.start[i]), int(found.end[i])) for i in chosen]
    assert kept == [(0, 0, 2), (1, 0, 1)]


def test_no_votes_are_no_candidates():
    assert len(Candidates.of(build({})).start) == 0


def test_without_the_package_fitting_says_what_to_install(monkeypatch, make_votes):
    monkeypatch.setitem(sys.modules, "snorkel", None)
    monkeypatch.setitem(sys.modules, "snorkel.labeling.model", None)
    votes, _ = make_votes(1)
    with pytest.raises(MissingDependencyError, match=r"pip install 'silverspan\[snorkel\]'"):
        Snorkel().fit(votes)


def test_detectors_that_say_nothing_are_named():
    votes = build({"a": [(0, 2, "PER", 1.0)]})
    with pytest.raises(AggregationError, match="nnp_detector, proper_detector, compound_detector"):
        Snorkel(candidates="detectors").fit(votes)


def test_too_few_functions_are_refused():
    votes = build({"a": [(0, 2, "PER", 1.0)], "b": [(0, 2, "LOC", 1.0)]})
    with pytest.raises(AggregationError, match="needs 3 functions"):
        Snorkel().fit(votes)


@pytest.mark.parametrize("scheme", ["io", "bio", "biluo"])
def test_one_label_needs_no_package_and_takes_the_best_supported_spans(scheme, tmp_path):
    votes = Votes.build(
        [{"a": [(0, 2, "TERM", 1.0)], "b": [(0, 2, "TERM", 1.0)], "c": [(1, 3, "TERM", 1.0)]}],
        lengths=[4],
        space=LabelSpace(outputs=("TERM",)),
        functions=dict.fromkeys("abc", ("TERM",)),
    )
    fitted = Snorkel(scheme=scheme).fit(votes)
    posterior = fitted.posterior(votes)
    assert [span[:3] for span in posterior.spans.of(0)] == [(0, 2, "TERM")]
    assert posterior.probabilities(0)[2].tolist() == [1, 0]
    fitted.save(tmp_path)
    again = load(tmp_path)
    assert (again.posterior(votes).probability == posterior.probability).all()
    assert again.describe() == fitted.describe()


@pytest.mark.slow
def test_the_matrix_completion_learns_whom_to_trust(make_votes, score, tmp_path):
    pytest.importorskip("snorkel.labeling.model", exc_type=ImportError)
    check_aggregator(Snorkel())
    votes, gold = make_votes(11, documents=200, functions=6)
    fitted = Snorkel().fit(votes)
    posterior = fitted.posterior(votes)
    assert score(posterior, gold) > 0.9
    assert (Snorkel().fit(votes).table == fitted.table).all()
    fitted.save(tmp_path)
    assert (load(tmp_path).posterior(votes).probability == posterior.probability).all()
