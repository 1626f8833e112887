import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from silverspan.analysis.gold import GoldTally, pair_up
from silverspan.evaluation import match

spans = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 3), st.sampled_from("AB")).map(
        lambda s: (s[0], s[0] + s[1], s[2])
    ),
    max_size=6,
)


def without_overlaps(spans):
    kept = []
    for span in sorted(spans):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


@given(spans.map(without_overlaps), spans.map(without_overlaps))
def test_every_span_is_accounted_for_once_and_what_is_correct_is_so(gold, found):
    pairs = pair_up(gold, found)
    assert sorted(one for _, one, _ in pairs if one) == sorted(gold)
    assert sorted(two for *_, two in pairs if two) == sorted(found)
    correct = [one for kind, one, _ in pairs if kind == "correct"]
    assert sorted(correct) == sorted(set(gold) & set(found))
    assert len(correct) == match(gold, found).correct
    for kind, one, two in pairs:
        if kind == "type":
            assert one[:2] == two[:2]
            assert one[2] != two[2]
        if kind == "boundary":
            assert one[2] == two[2]
        assert (kind == "missed") == (two is None)
        assert (kind == "spurious") == (one is None)


def test_what_shares_most_is_paired_first():
    pairs = pair_up([(0, 4, "A")], [(0, 1, "A"), (1, 4, "A")])
    assert pairs == [
        ("spurious", None, (0, 1, "A")),
        ("boundary", (0, 4, "A"), (1, 4, "A")),
    ]


def tally():
    kept = GoldTally(("LOC", "PER"))
    probability = np.array([[0.02, 0.97, 0.01], [0.9, 0.05, 0.05], [0.4, 0.6, 0.0], [1, 0, 0]])
    kept.add(
        "d",
        ["Paris", "met", "May", "."],
        gold=[(0, 1, "PER"), (1, 2, "LOC")],
        found=[(0, 1, "LOC"), (2, 3, "LOC")],
        probability=probability,
        said={"a": [(0, 1, "LOC")], "b": [(0, 1, "LOC")], "c": [(0, 1, "PER")]},
    )
    return kept.findings()


def test_errors_are_counted_by_kind_and_label():
    kinds = tally().kinds
    assert kinds["type"] == {"PER": 1}
    assert kinds["missed"] == kinds["spurious"] == {"LOC": 1}
    assert not kinds["correct"]


def test_the_most_confident_contradiction_of_gold_comes_first():
    found = tally()
    first = found.mistakes[0]
    assert (first.text, first.kind, first.gold[2], first.found[2]) == (
        "Paris",
        "type",
        "PER",
        "LOC",
    )
    assert (first.with_gold, first.with_found) == (1, 2)
    assert [one.confidence for one in found.mistakes] == [0.97, 0.9, 0.6]
    assert found.suspicious == 1


def test_confusion_counts_every_token():
    assert tally().confusion == ((0, 0, 1), (1, 0, 0), (1, 0, 1))
