import logging

from silverspan.labels import LabelSpace
from silverspan.observations.align import align
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "PER"))
VOTES = Votes.build(
    [{"a": [(0, 1, "LOC", 1.0)], "b": [(0, 2, "PER", 0.5)]}],
    lengths=[2],
    space=SPACE,
    functions={"a": ["LOC"], "b": ["PER"]},
)


def test_votes_of_the_very_functions_are_left_as_they_are():
    assert align(VOTES, functions=("a", "b"), space=SPACE) is VOTES


def test_functions_take_the_places_the_model_gives_them_and_new_ones_are_named(caplog):
    with caplog.at_level(logging.INFO, "silverspan"):
        seen = align(VOTES, functions=("c", "b"), space=SPACE)
    assert seen.functions == ("c", "b")
    assert seen.function.tolist() == [1]
    assert seen.asked.tolist() == [[False, True]]
    assert seen.covers.tolist() == [[False, False, False], [False, True, False]]
    assert "without them: a" in caplog.text


def test_labels_are_counted_as_the_model_counts_them():
    seen = align(VOTES, functions=("a", "b"), space=LabelSpace(outputs=("PER", "LOC")))
    assert seen.space.outputs == ("PER", "LOC")
    assert sorted(seen.label.tolist()) == [0, 1]
