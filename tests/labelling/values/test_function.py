import subprocess
import sys
from itertools import pairwise

import spacy
from spacy.tokens import Doc

from silverspan.labelling.function import functions
from silverspan.labelling.values.function import LABELS, snips

NLP = spacy.blank("en")


def said(text):
    doc = NLP(text)
    return [(doc[start:end].text, label) for start, end, label, _ in snips()(doc)]


def test_snips_is_registered_and_says_spans_of_tokens():
    function = functions["snips"]()
    assert function.name == "snips"
    assert function.group == "heuristics"
    assert set(function.labels) == set(LABELS)
    assert said("They paid $20 million on 5 May 2020.") == [
        ("$20 million", "MONEY"),
        ("5 May 2020", "DATE"),
    ]


def test_spans_have_the_words_that_bound_them_and_no_preposition_before():
    assert said("It took more than $5 million, in about two weeks.") == [
        ("more than $5 million", "MONEY"),
        ("about two weeks", "DATE"),
    ]
    assert said("They left within three days.") == [("three days", "DATE")]


def test_several_labels_of_one_span_are_a_distribution():
    doc = NLP("It was 12/11 then.")
    proposals = list(snips()(doc))
    assert {label for *_, label, _ in proposals} == {"CARDINAL", "DATE"}
    assert len({(start, end) for start, end, *_ in proposals}) == 1
    assert sum(probability for *_, probability in proposals) <= 1


def test_spans_of_one_document_do_not_overlap_but_where_they_are_the_same():
    doc = NLP("Tomorrow at 3 pm or on the 21st, from 3 to 5 May 2020, he owes 20 pounds.")
    spans = sorted({(start, end) for start, end, *_ in snips()(doc)})
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


def test_spaced_tokens_of_an_old_corpus_are_read_too():
    text = "Profit rose 5.5 % to $ 1.2 million on Oct. 31 , 1996 ."
    doc = Doc(NLP.vocab, words=text.split(" "))
    found = [(doc[s:e].text, label) for s, e, label, _ in snips()(doc)]
    assert found == [
        ("5.5 %", "PERCENT"),
        ("$ 1.2 million", "MONEY"),
        ("Oct. 31 , 1996", "DATE"),
    ]


def test_a_value_inside_a_token_is_left_out():
    doc = Doc(NLP.vocab, words=["pay", "x$5", "now"])
    assert all(doc[s:e].text != "x$5" for s, e, *_ in snips(minimum=0.0)(doc))


def test_an_empty_document_is_silent():
    assert list(snips()(NLP(""))) == []
    assert list(snips()(NLP("no value here"))) == []


def test_the_parser_needs_no_spacy():
    code = (
        "import sys; from silverspan.labelling.values import parse; parse('5 May'); "
        "assert not {'spacy', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
