"""Sentences and islands: every word once, every span in its place, nothing over anything else."""

from itertools import pairwise
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from silverspan.report.pictures import Layer
from silverspan.view.layout import LONGEST, PART, parts, sentences

SIZE = 60
spans = st.tuples(
    st.integers(0, SIZE - 1), st.integers(1, 40), st.sampled_from(["LOC", "PER"])
).map(lambda drawn: (drawn[0], min(drawn[0] + drawn[1], SIZE), drawn[2], 1.0))
layers = st.lists(
    st.tuples(st.sampled_from(["gold", "silver", "function"]), st.lists(spans, max_size=5)),
    max_size=5,
)


@given(
    layers,
    st.sets(st.integers(1, SIZE - 1), max_size=5),
    st.sampled_from(["merged", "every", "none"]),
)
def test_every_word_stands_once_and_every_span_covers_its_words(drawn, breaks, stacking):
    page = SimpleNamespace(
        tokens=tuple(map(str, range(SIZE))),
        spaces=(True,) * SIZE,
        breaks=(0, *sorted(breaks)),
        layers=tuple(
            Layer(name=f"f{i}", kind=kind, spans=tuple(said))
            for i, (kind, said) in enumerate(drawn)
        ),
    )
    names = [layer.name for layer in page.layers]
    lines = sentences(page, names, stacking, (0, SIZE))
    pieces = [piece for line in lines for piece in line]
    assert [w.number for piece in pieces for w in piece.words] == list(range(SIZE))
    assert [line[0].words[0].number for line in lines] == list(page.breaks)
    covered = {}
    for piece in pieces:
        assert not piece.rows or len(piece.words) <= LONGEST
        first = piece.words[0].number
        for row in piece.rows:
            columns = [c for chip in row.chips for c in range(chip.first, chip.last)]
            assert len(columns) == len(set(columns))
            assert not columns or max(columns) <= len(piece.words)
            for chip in row.chips:
                words = set(range(first + chip.first - 1, first + chip.last - 1))
                for name in chip.names:
                    covered.setdefault((name, chip.start, chip.end, chip.label), set()).update(
                        words
                    )
    for layer in page.layers:
        if layer.kind == "function" and stacking == "none":
            continue
        for start, end, label, _ in layer.spans:
            assert covered[layer.name, start, end, label] == set(range(start, end))


@given(st.sets(st.integers(1, 20_000), max_size=30), st.integers(1, 20_000))
def test_parts_follow_one_another_and_none_is_long(breaks, tokens):
    found = parts([0, *sorted(b for b in breaks if b < tokens)], tokens)
    assert found[0][0] == 0
    assert found[-1][1] == tokens
    assert all(one[1] == other[0] for one, other in pairwise(found))
    assert all(0 < end - start <= PART for start, end in found)
