import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silverspan.labels import LabelSpace
from silverspan.observations.analysis import summarise
from silverspan.observations.pairs import pairwise
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "PER"))
NAMES = ("a", "b", "c")
LENGTH = 6


def without_overlaps(spans):
    kept = []
    for span in sorted(spans):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


spans = st.lists(
    st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 3), st.sampled_from(SPACE.names)).map(
        lambda s: (s[0], min(s[0] + s[1], LENGTH), s[2], 1.0)
    ),
    max_size=3,
).map(without_overlaps)
corpora = st.lists(st.fixed_dictionaries({name: spans for name in NAMES}), min_size=1, max_size=3)


def build(said):
    return Votes.build(
        said,
        lengths=[LENGTH] * len(said),
        space=SPACE,
        functions={name: SPACE.names for name in NAMES},
    )


def same(one, two):
    return one == two or "ENT" in (one, two)


def words_of(said, name):
    """Say what a function says of every token, the obvious way."""
    return [
        next((label for s, e, label, _ in document[name] if s <= token < e), None)
        for document in said
        for token in range(LENGTH)
    ]


@settings(deadline=None)
@given(corpora)
def test_summaries_are_what_counting_token_by_token_gives(said):
    for row in summarise(build(said)):
        own = words_of(said, row.function)
        others = [words_of(said, name) for name in NAMES if name != row.function]
        spoken = [i for i, label in enumerate(own) if label]
        assert row.tokens == len(spoken)
        assert row.coverage == pytest.approx(len(spoken) / len(own))
        overlap = [any(other[i] for other in others) for i in spoken]
        conflict = [
            any(other[i] and not same(own[i], other[i]) for other in others) for i in spoken
        ]
        assert row.overlap == pytest.approx(np.mean(overlap) if overlap else 0)
        assert row.conflict == pytest.approx(np.mean(conflict) if conflict else 0)


@settings(deadline=None)
@given(corpora)
def test_span_summaries_are_what_comparing_every_pair_gives(said):
    for row in summarise(build(said)):
        touched, clashed, total = 0, 0, 0
        for document in said:
            for start, end, label, _ in document[row.function]:
                total += 1
                near = [
                    other
                    for name in NAMES
                    if name != row.function
                    for other in document[name]
                    if other[0] < end and start < other[1]
                ]
                touched += bool(near)
                clashed += any(o[:2] != (start, end) or not same(o[2], label) for o in near)
        assert row.spans == total
        assert row.span_overlap == pytest.approx(touched / max(total, 1))
        assert row.span_conflict == pytest.approx(clashed / max(total, 1))


@settings(deadline=None)
@given(corpora, st.sampled_from([None, "LOC"]))
def test_pairs_agree_and_disagree_as_counted_token_by_token(said, label):
    agree, differ = pairwise(build(said), label)
    for i, first in enumerate(NAMES):
        for j, second in enumerate(NAMES):
            pairs = [
                (one, two)
                for one, two in zip(words_of(said, first), words_of(said, second), strict=True)
                if (one or two) and label in (None, one, two)
            ]
            both = [(one, two) for one, two in pairs if one and two]
            total = max(len(pairs), 1)
            assert agree[i, j] == pytest.approx(sum(same(*pair) for pair in both) / total)
            assert differ[i, j] == pytest.approx(sum(not same(*pair) for pair in both) / total)


def test_a_function_covers_only_the_documents_it_saw():
    votes = Votes.build(
        [{"a": [(0, 3, "LOC", 1.0)]}, {}],
        lengths=[6, 6],
        space=SPACE,
        functions={"a": ["LOC"]},
        asked=np.array([[True], [False]]),
    )
    assert summarise(votes)[0].coverage == 0.5
