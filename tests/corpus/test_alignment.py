from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from silverspan.corpus.alignment import Cut, moved, solid

TEXTS = st.text(alphabet="ab \n\u00e9\U0001f600", min_size=1, max_size=12)


def cuts(text, edges):
    bounds = sorted({0, len(text), *(min(edge, len(text)) for edge in edges)})
    return [text[a:b] for a, b in pairwise(bounds)]


@given(TEXTS, st.lists(st.integers(0, 12)), st.data())
def test_spans_of_tokens_survive_characters_and_back(text, edges, data):
    tokens = cuts(text, edges)
    first = data.draw(st.integers(0, len(tokens) - 1))
    last = data.draw(st.integers(first + 1, len(tokens)))
    span = (first, last, "X", 0.5)
    there = moved([span], Cut.of(tokens), Cut.of(text))
    back = moved(there.spans, Cut.of(text), Cut.of(tokens))
    if not solid(tokens[first:last]):
        assert (there.spans, there.misaligned) == ((), 1)
        return
    assert (there.misaligned, back.misaligned) == (0, 0)
    (start, end, _, _) = back.spans[0]
    # Tokens of blanks at the edges are lost, and nothing else.
    assert solid(tokens[start:end]) == solid(tokens[first:last])
    assert not solid(tokens[first:start])
    assert not solid(tokens[end:last])


@given(TEXTS, st.lists(st.integers(0, 12)), st.lists(st.integers(0, 12)), st.data())
def test_a_span_over_another_cut_holds_all_its_characters(text, one, two, data):
    source, target = cuts(text, one), cuts(text, two)
    first = data.draw(st.integers(0, len(source) - 1))
    found = moved([(first, first + 1, "X", 1.0)], Cut.of(source), Cut.of(target))
    if not solid(source[first]):
        assert found.spans == ()
        return
    start, end, _, _ = found.spans[0]
    own, theirs = Cut.of(source), Cut.of(target)
    assert theirs.starts[start] <= own.starts[first]
    assert theirs.ends[end - 1] >= own.ends[first]
    exact = solid(target[start:end]) == solid(source[first])
    same_place = theirs.starts[start] == own.starts[first]
    assert found.misaligned == (not (exact and same_place))
