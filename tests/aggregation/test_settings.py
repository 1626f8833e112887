import pytest

from silverspan.aggregation import MajorityVote
from silverspan.aggregation.mixtures import ConfusionMatrix
from silverspan.aggregation.settings import configured
from silverspan.errors import AggregationError, UnknownNameError


def test_settings_reach_the_aggregator_and_a_seed_only_one_that_has_it():
    assert configured("mv", {"scheme": "io"}, seed=3) == MajorityVote(scheme="io")
    options = {"tolerance": 1, "reliable": None, "matching": "hmm"}
    assert configured("cm", options) == ConfusionMatrix(tolerance=1.0, matching="hmm")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nothing": 1}, "it has: scheme, boundaries"),
        ({"rounds": 2.5}, "should be a whole number"),
        ({"rounds": True}, "should be a whole number"),
        ({"smoothing": "much"}, "should be a number"),
        ({"matching": "gold"}, "one of 'none', 'reliable', 'majority', 'hmm'"),
        ({"reliable": 3}, "should be text or nothing"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(options, message):
    with pytest.raises(AggregationError, match=message):
        configured("cm", options)


def test_an_unknown_model_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="mv"):
        configured("mvv")
