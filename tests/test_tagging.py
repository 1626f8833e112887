import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.errors import LabelError
from silverspan.tagging import (
    PREFIXES,
    decode,
    encode,
    labels_of,
    legal_moves,
    prefixes,
    read_tags,
    tags,
    write_tags,
)

LABELS = ("PER", "LOC", "creative-work")
schemes = pytest.mark.parametrize("scheme", PREFIXES)


@st.composite
def span_lists(draw):
    """Spans of one document that do not overlap and may touch."""
    sizes = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4)), max_size=6))
    spans, place = [], 0
    for gap, size in sizes:
        place += gap
        spans.append((place, place + size, draw(st.sampled_from(LABELS))))
        place += size
    return spans, place + draw(st.integers(0, 2))


def arrays(spans):
    columns = [[s[0] for s in spans], [s[1] for s in spans], [LABELS.index(s[2]) for s in spans]]
    return [np.array(column, dtype=np.int64) for column in columns]


def merged(spans):
    """What IO can tell: touching spans of one label are one."""
    joined = []
    for start, end, label in spans:
        if joined and joined[-1][1:] == (start, label):
            joined[-1] = (joined[-1][0], end, label)
        else:
            joined.append((start, end, label))
    return joined


@schemes
@given(case=span_lists())
def test_spans_survive_tags_and_back_but_io_joins_touching_ones(scheme, case):
    spans, tokens = case
    expected = merged(spans) if scheme == "io" else spans
    states = encode(*arrays(spans), tokens=tokens, scheme=scheme)
    start, end, label = decode(states, scheme=scheme)
    assert [(s, e, LABELS[k]) for s, e, k in zip(start, end, label, strict=True)] == expected
    strings = write_tags(spans, tokens, scheme)
    assert strings == [tags(LABELS, scheme)[state] for state in states]
    assert read_tags(strings) == read_tags(strings, scheme=scheme) == expected


@schemes
@given(case=span_lists())
def test_encoded_spans_use_legal_moves_only(scheme, case):
    spans, tokens = case
    states = encode(*arrays(spans), tokens=tokens, scheme=scheme)
    moves = legal_moves(len(LABELS), scheme)
    assert moves.move[states[:-1], states[1:]].all()
    if tokens:
        assert moves.start[states[0]]
        assert moves.end[states[-1]]


@schemes
def test_the_tables_allow_exactly_the_sequences_that_spans_make(scheme):
    # All sequences of three states over two labels: legal ones come back from their own spans.
    moves = legal_moves(2, scheme)
    for states in itertools.product(range(len(moves.start)), repeat=3):
        legal = (
            moves.start[states[0]]
            and moves.end[states[-1]]
            and all(moves.move[i, j] for i, j in itertools.pairwise(states))
        )
        again = encode(*decode(np.array(states), scheme=scheme), tokens=3, scheme=scheme)
        assert legal == (again.tolist() == list(states))


def test_the_states_of_a_label_follow_one_another_in_the_order_of_prefixes():
    assert tags(["A", "B"], "biluo")[1:5] == ("B-A", "I-A", "L-A", "U-A")
    assert tags(["A", "B"], "io") == ("O", "I-A", "I-B")
    assert labels_of(np.arange(9), "biluo").tolist() == [-1, 0, 0, 0, 0, 1, 1, 1, 1]
    assert prefixes("io") == "I"


def test_a_break_ends_a_span():
    breaks = np.array([True, False, True, False])
    start, end, _ = decode(np.array([1, 1, 1, 1]), scheme="io", breaks=breaks)
    assert (start.tolist(), end.tolist()) == ([0, 2], [2, 4])


def test_no_tokens_have_no_spans():
    start, end, label = decode(np.zeros(0, dtype=np.int16), scheme="bio")
    assert len(start) == len(end) == len(label) == 0
    assert read_tags([]) == read_tags([], scheme="biluo") == []


def test_iob1_begins_a_span_with_b_only_next_to_another_of_its_label():
    sequence = ["I-LOC", "B-LOC", "I-PER", "O"]
    expected = [(0, 1, "LOC"), (1, 2, "LOC"), (2, 3, "PER")]
    assert read_tags(sequence) == read_tags(sequence, scheme="iob1") == expected


def test_bioes_is_read_as_biluo():
    assert read_tags(["S-A", "B-A", "E-A"], scheme="biluo") == [(0, 1, "A"), (1, 3, "A")]


@pytest.mark.parametrize(
    ("sequence", "scheme"),
    [
        (["O", "I-PER"], "bio"),
        (["B-PER", "I-LOC"], "bio"),
        (["B-PER", "O"], "biluo"),
        (["B-PER"], "biluo"),
        (["U-PER"], "bio"),
        (["O", "B-PER"], "iob1"),
        (["U-PER"], "iob1"),
        (["B-PER"], "io"),
    ],
)
def test_a_strict_reading_refuses_what_its_scheme_forbids(sequence, scheme):
    assert read_tags(sequence)
    with pytest.raises(LabelError, match=scheme):
        read_tags(sequence, scheme=scheme)


@pytest.mark.parametrize("tag", ["B", "B-", "X-PER", "PER", "", "BI-PER"])
def test_a_string_that_is_no_tag_is_refused_with_its_place(tag):
    with pytest.raises(LabelError, match="at token 1 is no tag"):
        read_tags(["O", tag])


def test_an_unknown_scheme_lists_the_known_ones():
    with pytest.raises(LabelError, match="io, bio, biluo"):
        tags(["PER"], "bmes")
