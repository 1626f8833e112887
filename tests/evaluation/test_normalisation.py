import pytest

from silverspan.errors import InputError, UnknownNameError
from silverspan.evaluation import NORMALISATIONS, evaluate_spans, normalise

TOKENS = ["(", "The", "the", "Hague", "\u2019s", "Times", "'s", ")"]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([], (1, 7)),
        (["leading_determiners"], (3, 7)),
        (["trailing_possessives"], (1, 6)),
        (["leading_determiners", "trailing_possessives"], (3, 6)),
        (["leading_determiners:ORG"], (1, 7)),
        (["leading_determiners:ORG+LOC"], (3, 7)),
    ],
)
def test_edges_are_overlooked(kinds, expected):
    assert normalise([(1, 7, "LOC", 0.5)], TOKENS, kinds) == [(*expected, "LOC", 0.5)]


def test_marks_at_the_edges_are_overlooked_but_not_signs_of_money():
    assert normalise([(0, 8, "X")], TOKENS, ["edge_punctuation"]) == [(1, 7, "X")]
    assert normalise([(0, 2, "X")], ["$", "3"], ["edge_punctuation"]) == [(0, 2, "X")]


@pytest.mark.parametrize("kind", NORMALISATIONS)
def test_normalising_twice_changes_nothing_and_leaves_a_token(kind):
    for start in range(8):
        for end in range(start + 1, 9):
            once = normalise([(start, end, "X")], TOKENS, [kind])
            assert once[0][0] < once[0][1]
            assert normalise(once, TOKENS, [kind]) == once


def test_labels_are_renamed_before():
    result = evaluate_spans(
        [[(1, 2, "D")]],
        [[(0, 2, "DATE")]],
        lengths=[2],
        mapping={"DATE": "D"},
        tokens=[["the", "May"]],
        normalisations=["leading_determiners:D"],
    )
    assert result.f1 == 1.0


def test_what_is_missing_or_unknown_is_named():
    with pytest.raises(UnknownNameError, match="no normalisation is called 'determiners'"):
        normalise([], [], ["determiners:X"])
    with pytest.raises(InputError, match="without tokens nothing can be normalised"):
        evaluate_spans([], [], lengths=[], normalisations=["leading_determiners"])
