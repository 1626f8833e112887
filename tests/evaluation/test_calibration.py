import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from silverspan.evaluation import calibration, evaluate_spans

SAID = st.lists(st.tuples(st.integers(0, 1000), st.booleans()), min_size=1, max_size=60)


@given(SAID)
def test_the_curve_is_that_of_sklearn(said):
    # Not on an edge: sklearn's bins are closed on the other side.
    probability = np.array([min(p + 0.5, 999.5) / 1000 for p, _ in said])
    is_right = np.array([right for _, right in said])
    curve = calibration(probability, is_right)
    filled = curve.counts > 0
    accuracy, confidence = calibration_curve(is_right, probability, n_bins=10)
    assert curve.accuracy[filled] == pytest.approx(accuracy)
    assert curve.confidence[filled] == pytest.approx(confidence)
    gaps = np.abs(accuracy - confidence) * curve.counts[filled]
    assert curve.error == pytest.approx(gaps.sum() / len(said))


def test_edges_belong_to_the_bin_below_them():
    curve = calibration(np.array([0.0, 0.1, 0.7, 1.0], dtype=np.float32), np.ones(4, dtype=bool))
    assert np.flatnonzero(curve.counts).tolist() == [0, 6, 9]
    assert curve.counts[0] == 2


def test_who_is_right_as_often_as_said_has_no_error():
    probability = np.repeat([0.25, 0.75], 8)
    is_right = np.tile([True, False, False, False, True, False, False, False], 2)
    is_right[8:] = ~is_right[8:]
    assert calibration(probability, is_right).error == 0.0
    assert calibration(np.zeros(0), np.zeros(0, dtype=bool)).error == 0.0


def test_spans_and_tokens_have_a_curve_in_the_result_the_table_and_the_json():
    gold = [[(0, 2, "PER"), (3, 4, "LOC")]]
    found = [[(0, 2, "PER", 0.75), (2, 4, "LOC", 0.75)]]
    result = evaluate_spans(gold, found, lengths=[5])
    assert result.span_calibration.error == pytest.approx(0.25)
    # Of five tokens four say .75, three rightly; one says "O" for certain, rightly.
    assert result.token_calibration.error == pytest.approx(0.0)
    assert "calibration of spans" in result.table()
    told = result.to_json()["calibration"]["span"]
    assert told["bins"] == [
        {"from": 0.7, "to": 0.8, "count": 2, "confidence": 0.75, "accuracy": 0.5}
    ]


def test_spans_without_probabilities_have_no_curve():
    for spans in ([(0, 1, "PER")], [(0, 1, "PER", 1.0)]):
        result = evaluate_spans([[(0, 1, "PER")]], [spans], lengths=[1])
        assert result.to_json()["calibration"] == {"token": None, "span": None}
        assert "calibration" not in result.table()
