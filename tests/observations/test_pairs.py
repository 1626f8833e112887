import numpy as np
import pytest
from hypothesis import given, settings

from silverspan.errors import InputError
from silverspan.observations.analysis import VoteCounts, contradicted
from silverspan.observations.meetings import top_rows
from silverspan.observations.pairs import PairCounts, pairwise
from tests.observations.test_analysis import NAMES, SPACE, build, corpora, same, words_of


def touches(one, two):
    return one[0] < two[1] and two[0] < one[1]


@settings(deadline=None)
@given(corpora)
def test_common_spans_are_counted_as_comparing_every_two_spans_does(said):
    counts = PairCounts.of(build(said))
    for i, first in enumerate(NAMES):
        for j, second in enumerate(NAMES):
            met = [
                (one, two)
                for document in said
                for one in document[first]
                for two in document[second]
                if i != j and touches(one, two)
            ]
            assert counts.common[i, j] == len(met)
            assert counts.other_label[i, j] == sum(not same(a[2], b[2]) for a, b in met)
            assert counts.other_ends[i, j] == sum(a[:2] != b[:2] for a, b in met)


@settings(deadline=None)
@given(corpora)
def test_counts_by_label_are_what_counting_token_by_token_gives(said):
    counts = VoteCounts.of(build(said))
    words = {name: words_of(said, name) for name in NAMES}
    for i, name in enumerate(NAMES):
        for label_id, label in enumerate(SPACE.names):
            mine = [t for t, word in enumerate(words[name]) if word == label]
            others = [[words[o][t] for o in NAMES if o != name and words[o][t]] for t in mine]
            assert counts.tokens[i, label_id] == len(mine)
            assert counts.overlap[i, label_id] == sum(map(bool, others))
            assert counts.conflict[i, label_id] == sum(
                any(not same(label, word) for word in own) for own in others
            )
            assert counts.confirmed[i, label_id] == sum(
                any(same(label, word) for word in own) for own in others
            )
    for label_id, label in enumerate(SPACE.names):
        voices = np.sum([[word == label for word in words[name]] for name in NAMES], axis=0)
        assert counts.proposed[label_id] == (voices > 0).sum()
        assert counts.alone[label_id] == (voices == 1).sum()


@settings(deadline=None)
@given(corpora)
def test_counts_of_shards_add_up_to_those_of_the_whole(said):
    for kind in (VoteCounts, PairCounts):
        whole = kind.of(build(said))
        parts = [kind.of(build([document])) for document in said]
        summed = parts[0]
        for part in parts[1:]:
            summed = summed + part
        for name in kind.__slots__:
            assert np.array_equal(getattr(whole, name), getattr(summed, name)), name


def test_counts_of_other_functions_cannot_be_added():
    one = build([{name: [] for name in NAMES}])
    for kind in (VoteCounts, PairCounts):
        with pytest.raises(InputError, match="other functions"):
            _ = kind.of(one) + kind.of(one.select(["a"]))


def test_an_unknown_label_is_an_error():
    with pytest.raises(InputError, match="no label 'EVENT'"):
        pairwise(build([{name: [] for name in NAMES}]), "EVENT")


def test_the_most_probable_label_of_a_span_stands_for_it():
    votes = build([{"a": [(0, 1, "LOC", 0.3), (0, 1, "PER", 0.6), (2, 3, "LOC", 0.1)]}])
    names = [SPACE.names[votes.label[row]] for row in top_rows(votes)]
    assert names == ["PER", "LOC"]


def test_those_who_contradict_the_most_common_label_are_counted():
    fits = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1]], dtype=bool)  # LOC, PER, ENT
    said = np.array([[0, 0, 1], [0, 2, -1], [-1, -1, -1]], dtype=np.int16)
    assert contradicted(said, fits).tolist() == [1, 0, 0]
