"""Whatever a model says, corrections end with spans inside the document that do not overlap."""

from itertools import pairwise

import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from silverspan.labelling.models.corrections import correct

NLP = spacy.blank("en")
WORDS = [
    "$",
    "10,756",
    "13",
    "percent",
    "the",
    "Mr.",
    "Hall",
    "Inc.",
    "May",
    "1996",
    "-",
    "million",
]
LABELS = ["PERSON", "ORG", "MONEY", "DATE", "CARDINAL", "GPE", "PERCENT"]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(1, 6), st.sampled_from(LABELS)), max_size=4),
)
def test_corrections_end_with_spans_that_do_not_overlap(words, drawn):
    doc = spacy.tokens.Doc(NLP.vocab, words=words)
    proposals, reach = [], 0
    for start, size, label in sorted(drawn):
        end = min(start + size, len(words))
        if reach <= start < end:
            proposals.append((start, end, label, 1.0))
            reach = end
    corrected = correct(doc, proposals)
    spans = sorted({(start, end) for start, end, _, _ in corrected})
    assert all(0 <= start < end <= len(words) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


def test_an_amount_in_the_middle_of_a_span_leaves_no_trace_of_it():
    words = ["Data", ":", "$", "10,756", "$", "13,102", "$", "7,961"]
    doc = spacy.tokens.Doc(NLP.vocab, words=words)
    corrected = correct(doc, [(0, 8, "MONEY", 1.0)])
    assert corrected
