import numpy as np
import pytest

from silverspan.errors import InputError
from silverspan.evaluation import (
    compare,
    confidence_interval,
    confidence_intervals,
    difference_interval,
    evaluate_spans,
    paired_significance,
)


def f1(rows):
    correct, predicted, gold = rows.sum(axis=0)
    return 2 * correct / (predicted + gold)


def systems(size):
    """Two systems on the same documents, the second a little better."""
    random = np.random.default_rng(1)
    gold = random.integers(1, 4, size)
    first, second = random.binomial(gold, 0.6), random.binomial(gold, 0.7)
    return np.stack([first, gold, gold], axis=1), np.stack([second, gold, gold], axis=1)


def test_an_interval_holds_the_score_and_narrows_with_more_documents():
    random = np.random.default_rng(1)
    gold = random.integers(1, 6, 400)
    rows = np.stack([random.binomial(gold, 0.7), gold, gold], axis=1)
    few, many = confidence_interval(rows[:40]), confidence_interval(rows)
    score = rows[:, 0].sum() / rows[:, 2].sum()
    assert many[0] < score < many[1]
    assert many[1] - many[0] < few[1] - few[0]
    assert confidence_interval(rows) == many


def test_a_clear_difference_is_significant_and_none_is_not():
    gold = np.full(60, 5)
    good = np.stack([np.full(60, 4), gold, gold], axis=1)
    bad = np.stack([np.full(60, 1), gold, gold], axis=1)
    assert paired_significance(good, bad) < 0.01
    assert paired_significance(good, good) == 1.0


def test_the_interval_is_that_of_drawing_documents_one_by_one():
    rows, _ = systems(50)
    random = np.random.default_rng(2)
    drawn = [f1(rows[random.integers(0, 50, 50)]) for _ in range(4000)]
    expected = np.quantile(drawn, [0.025, 0.975])
    found = confidence_interval(rows, samples=20_000)
    # The noise of the quantiles themselves.
    assert found == pytest.approx(tuple(expected), abs=0.01)


def test_significance_is_that_of_swapping_documents_one_by_one():
    first, second = systems(40)
    random = np.random.default_rng(3)
    observed = abs(f1(first) - f1(second))
    as_large = 0
    for _ in range(4000):
        swap = (random.random(40) < 0.5)[:, None]
        one, two = np.where(swap, second, first), np.where(swap, first, second)
        as_large += abs(f1(one) - f1(two)) >= observed - 1e-12
    assert paired_significance(first, second) == pytest.approx(as_large / 4000, abs=0.03)


def test_the_interval_of_a_difference_is_narrower_than_those_of_its_sides():
    rows, _ = systems(200)
    better = rows + np.array([0, 0, 0])
    better[:20, 0] = rows[:20, 2]
    low, high = difference_interval(better, rows)
    one, two = confidence_interval(rows), confidence_interval(better)
    assert 0 < low <= f1(better) - f1(rows) <= high
    assert high - low < (one[1] - one[0]) + (two[1] - two[0])


def test_no_documents_have_an_interval_too():
    none = np.zeros((0, 3), dtype=np.int64)
    assert confidence_intervals(none)["recall"] == (0.0, 0.0)
    assert difference_interval(none, none) == (0.0, 0.0)
    assert paired_significance(none, none) == 1.0


def test_intervals_of_precision_and_recall_are_apart():
    rows = np.array([[1, 2, 1]] * 9)
    found = confidence_intervals(rows)
    assert (found["precision"], found["recall"]) == ((0.5, 0.5), (1.0, 1.0))


# Comparisons

GOLD = [[(0, 1, "PER"), (2, 3, "LOC")]] * 30


def test_a_comparison_has_a_row_for_each_label():
    one = evaluate_spans(GOLD, GOLD, lengths=[3] * 30)
    two = evaluate_spans(GOLD, [[(0, 1, "PER"), (2, 3, "ORG")]] * 30, lengths=[3] * 30)
    found = compare(one, two)
    assert {name: each.difference for name, each in found.labels.items()} == {
        "LOC": 1.0,
        "ORG": 0.0,
        "PER": 0.0,
    }
    assert found.micro.p_value < 0.01
    assert max(map(len, found.table().splitlines())) <= 80
    assert found.to_json()["micro"]["first"] == 1.0


@pytest.mark.parametrize(
    "other", [{"gold": [*GOLD[:29], []], "labels": None}, {"gold": GOLD, "labels": ["PER"]}]
)
def test_only_what_was_scored_on_the_same_terms_is_compared(other):
    one = evaluate_spans(GOLD, GOLD, lengths=[3] * 30)
    two = evaluate_spans(other["gold"], GOLD, lengths=[3] * 30, labels=other["labels"])
    with pytest.raises(InputError, match="same gold on the same terms"):
        compare(one, two)
