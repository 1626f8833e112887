import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.labels import LabelSpace
from silverspan.observations.overlaps import resolve_overlaps
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "PER"))
FUNCTIONS = {"a": ["LOC"], "b": ["LOC", "PER", "ENT"]}
LENGTH = 6


@st.composite
def proposals(draw):
    spans = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 3)).map(
        lambda pair: (pair[0], min(pair[0] + pair[1], LENGTH))
    )
    weights = st.sampled_from([0.25, 0.5, 1.0])

    def said(labels):
        rows = draw(st.lists(st.tuples(spans, st.sampled_from(labels), weights), max_size=5))
        return [(start, end, label, weight) for (start, end), label, weight in rows]

    return [
        {name: said(labels) for name, labels in FUNCTIONS.items()}
        for _ in range(draw(st.integers(1, 3)))
    ]


def build(documents):
    return Votes.build(
        documents, lengths=[LENGTH] * len(documents), space=SPACE, functions=FUNCTIONS
    )


def slow_overlaps(documents):
    """What counts, by the book: {(document, function): [(start, end, {label: probability})]}."""
    kept, lost = {}, 0
    for number, said in enumerate(documents):
        for name, rows in said.items():
            spans = {}
            for start, end, label, probability in rows:
                labels = spans.setdefault((start, end), {})
                labels[label] = min(labels.get(label, 0.0) + probability, 1.0)
            chosen = []
            for (start, end), labels in sorted(
                spans.items(), key=lambda s: (-sum(s[1].values()), s[0][0] - s[0][1], s[0][0])
            ):
                if all(end <= s or e <= start for s, e, _ in chosen):
                    chosen.append((start, end, labels))
                else:
                    lost += 1
            kept[number, name] = chosen
    return kept, lost


@given(documents=proposals())
def test_overlaps_are_resolved_as_by_the_book(documents):
    votes = build(documents)
    keep, dropped = resolve_overlaps(votes)
    kept, lost = slow_overlaps(documents)
    expected = sorted(
        (number, start, end, name, label, probability)
        for (number, name), spans in kept.items()
        for start, end, labels in spans
        for label, probability in labels.items()
    )
    rows = sorted(
        (
            int(votes.document[i]),
            int(votes.start[i]),
            int(votes.end[i]),
            votes.functions[votes.function[i]],
            SPACE.names[votes.label[i]],
            float(votes.probability[i]),
        )
        for i in np.flatnonzero(keep)
    )
    assert rows == expected
    assert dropped == lost


@given(documents=proposals())
def test_token_votes_say_what_the_spans_say(documents):
    view = TokenVotes.of(build(documents))
    kept, lost = slow_overlaps(documents)
    expected = {}
    for (number, name), spans in kept.items():
        for start, end, labels in spans:
            scale = max(sum(labels.values()), 1.0)
            for token in range(start, end):
                letter = "U" if end - start == 1 else "B" if token == start else "I"
                letter = "L" if letter == "I" and token == end - 1 else letter
                for label, probability in labels.items():
                    key = (number * LENGTH + token, name, label, letter)
                    expected[key] = pytest.approx(probability / scale)
    found = {
        (
            int(view.position[view.token[i]]),
            view.votes.functions[view.function[i]],
            SPACE.names[view.label[i]],
            "BILU"[view.place[i]],
        ): float(view.probability[i])
        for i in range(len(view.token))
    }
    assert found == expected
    assert view.overlapping == lost
    assert (view.document == view.position // LENGTH).all()


def test_states_follow_the_scheme_and_coarse_labels_have_none():
    view = TokenVotes.of(build([{"b": [(0, 3, "PER", 1.0), (4, 5, "ENT", 1.0)]}]))
    assert view.states("io").tolist() == [2, 2, 2, -1]
    assert view.states("bio").tolist() == [3, 4, 4, -1]
    assert view.states("biluo").tolist() == [5, 6, 7, -1]
    assert view.is_coarse.tolist() == [False, False, False, True]


def test_who_spoke_and_who_was_asked_is_known_at_every_voted_token():
    votes = Votes.build(
        [{"a": [(0, 1, "LOC", 1.0)]}, {"b": [(1, 2, "PER", 1.0)]}],
        lengths=[2, 2],
        space=SPACE,
        functions=FUNCTIONS,
        asked=np.array([[True, False], [True, True]]),
    )
    view = TokenVotes.of(votes)
    assert view.position.tolist() == [0, 3]
    assert view.asked().tolist() == [[True, False], [True, True]]
    assert view.speaks().tolist() == [[True, False], [False, True]]


def test_no_votes_are_no_tokens():
    view = TokenVotes.of(build([{}]))
    assert len(view.position) == len(view.token) == view.overlapping == 0
