from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.errors import InputError, UnknownNameError
from silverspan.labels import LabelSpace
from silverspan.observations.votes import TokenFeatures, Votes

SPACE = LabelSpace(outputs=("LOC", "PER"), finer={"GPE": "LOC"})
FUNCTIONS = ("a", "b", "c")
LABELS = ("LOC", "PER", "GPE", "ENT", "DATE")


@st.composite
def spans(draw, length):
    start = draw(st.integers(0, length - 1))
    end = draw(st.integers(start + 1, length))
    probability = draw(st.sampled_from([0.25, 0.5, 1.0]))
    return start, end, draw(st.sampled_from(LABELS)), probability


@st.composite
def corpora(draw):
    lengths = draw(st.lists(st.integers(1, 6), max_size=5))
    said = [
        {
            name: draw(st.lists(spans(length), max_size=4))
            for name in draw(st.sets(st.sampled_from(FUNCTIONS)))
        }
        for length in lengths
    ]
    return said, lengths


def build(said, lengths, **settings):
    declared = {name: LABELS for name in FUNCTIONS}
    return Votes.build(said, lengths=lengths, space=SPACE, functions=declared, **settings)


def with_features(votes):
    ids = np.arange(2 * votes.tokens, dtype=np.int32).reshape(-1, 2)
    return replace(votes, features=TokenFeatures(names=("x", "y"), sizes=(9, 9), ids=ids))


def rows(votes):
    return [
        (
            votes.documents[votes.document[i]],
            votes.functions[votes.function[i]],
            int(votes.start[i]),
            int(votes.end[i]),
            votes.space.names[votes.label[i]],
            float(votes.probability[i]),
        )
        for i in range(len(votes))
    ]


def equal(one, two):
    """Whether two tables hold the same, features and all."""
    assert rows(one) == rows(two)
    assert (one.functions, one.documents, one.space) == (two.functions, two.documents, two.space)
    for name in ("covers", "asked", "lengths"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    if one.features is not None:
        assert np.array_equal(one.features.ids, two.features.ids)
    return True


@given(corpora())
def test_a_table_holds_what_was_said_sorted_and_added_up(corpus):
    said, lengths = corpus
    expected = {}
    for document, layers in enumerate(said):
        for name, proposals in layers.items():
            for start, end, label, probability in proposals:
                label = SPACE.finer.get(label, label)
                if label != "DATE":
                    number = SPACE.names.index(label)
                    key = (document, start, end, FUNCTIONS.index(name), number)
                    expected[key] = min(expected.get(key, 0.0) + probability, 1.0)
    votes = build(said, lengths)
    columns = (votes.document, votes.start, votes.end, votes.function, votes.label)
    got = list(zip(*(column.tolist() for column in columns), strict=True))
    assert got == sorted(expected)
    assert votes.probability.tolist() == [expected[key] for key in got]


@given(corpora(), st.data())
def test_slices_put_together_are_the_whole(corpus, data):
    votes = with_features(build(*corpus))
    cut = data.draw(st.integers(0, len(votes.documents)))
    parts = [votes.slice(0, cut), votes.slice(cut, len(votes.documents))]
    assert equal(Votes.concatenate(parts), votes)


@given(corpora(), st.sampled_from(FUNCTIONS))
def test_selecting_all_but_one_is_leaving_it_out(corpus, name):
    votes = build(*corpus)
    left = [other for other in FUNCTIONS if other != name]
    assert equal(votes.select(left), votes.without([name]))
    assert [row for row in rows(votes) if row[1] != name] == rows(votes.without([name]))


@given(corpora(), st.permutations(FUNCTIONS))
def test_selecting_in_another_order_keeps_every_row(corpus, order):
    votes = build(*corpus)
    assert sorted(rows(votes.select(order))) == sorted(rows(votes))
    assert equal(votes.select(order).select(FUNCTIONS), votes)


@given(corpora())
def test_relabelling_adds_up_what_becomes_one_label(corpus):
    everything = LabelSpace(outputs=("LOC", "PER", "GPE", "DATE"))
    fine = Votes.build(
        corpus[0],
        lengths=corpus[1],
        space=everything,
        functions={name: LABELS for name in FUNCTIONS},
    )
    assert equal(fine.relabelled(SPACE), build(*corpus))


def test_a_function_that_one_part_does_not_know_is_absent_there():
    one = build([{"a": [(0, 1, "PER", 1.0)]}], [1]).select(["a"])
    two = build([{"b": [(0, 1, "PER", 1.0)]}], [1]).select(["b"])
    both = Votes.concatenate([one, two])
    assert both.functions == ("a", "b")
    assert both.asked.tolist() == [[True, False], [False, True]]


def test_a_span_outside_its_document_names_function_and_document():
    with pytest.raises(InputError, match=r"'b' proposed span \(1, 3\) in document 1, which has 2"):
        build([{"a": [(1, 3, "PER", 1.0)]}, {"b": [(1, 3, "PER", 1.0)]}], [3, 2])


def test_an_unknown_function_is_named_with_the_known_ones():
    votes = build([], [])
    for choose in (votes.select, votes.without):
        with pytest.raises(UnknownNameError, match="Known: a, b, c"):
            choose(["nobody"])
    with pytest.raises(InputError, match="not announced: 'd'"):
        build([{"d": []}], [1])


def test_votes_of_different_label_spaces_do_not_mix():
    other = build([], []).relabelled(LabelSpace(outputs=("PER",)))
    with pytest.raises(InputError, match="different label spaces"):
        Votes.concatenate([build([], []), other])
    with pytest.raises(InputError, match="no votes"):
        Votes.concatenate([])


def test_who_says_only_o_takes_votes_from_others() -> None:
    votes = Votes.build(
        [
            {"a": [(0, 2, "LOC", 1.0), (3, 4, "LOC", 1.0)], "never": [(1, 2, "O", 1.0)]},
            {"a": [(0, 2, "LOC", 0.8)], "never": [(0, 1, "O", 0.5), (1, 2, "O", 0.25)]},
        ],
        lengths=[4, 2],
        space=SPACE,
        functions={"a": ["LOC"], "never": ["O"]},
    )
    rows = zip(votes.document, votes.start, votes.end, votes.probability, strict=True)
    assert [(int(d), int(s), int(e), round(float(p), 3)) for d, s, e, p in rows] == [
        (0, 3, 4, 1.0),
        (1, 0, 2, 0.4),
    ]
    assert votes.functions == ("a", "never")
    assert not votes.covers[1].any()


def test_the_rest_of_a_distribution_denies_nothing() -> None:
    said = {"a": [(0, 1, "LOC", 0.6), (0, 1, "O", 0.4)], "b": [(0, 1, "LOC", 1.0)]}
    votes = Votes.build(
        [said], lengths=[1], space=SPACE, functions={"a": ["LOC", "O"], "b": ["LOC"]}
    )
    assert votes.probability.tolist() == pytest.approx([0.6, 1.0])
