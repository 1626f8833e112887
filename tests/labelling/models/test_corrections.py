import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.labelling.models.corrections import correct

NLP = spacy.blank("en")


def corrected(text, *spans):
    """Correct spans given as (text of the span, label); answers in the same form."""
    doc = NLP(text)
    proposals = []
    for part, label in spans:
        span = doc.char_span(text.index(part), text.index(part) + len(part), label=label)
        assert span is not None, f"{part!r} does not end at token ends"
        proposals.append((span.start, span.end, label, 1.0))
    return [(doc[start:end].text, label) for start, end, label, _ in correct(doc, proposals)]


@pytest.mark.parametrize(
    ("text", "said", "wanted"),
    [
        ("It paid $3 million.", [("3 million", "CARDINAL")], [("$3 million", "MONEY")]),
        ("It paid US$ 3m today", [], [("US$ 3m", "MONEY")]),
        ("worth 20 million euros", [("20 million", "QUANTITY")], [("20 million euros", "MONEY")]),
        ("more than $ 3 million", [("more than $ 3 million", "MONEY")], None),
        ("up 5 percent", [("5", "CARDINAL")], [("5 percent", "PERCENT")]),
        ("up 5 % now", [("5", "CARDINAL")], [("5 %", "PERCENT")]),
        ("up 25 pct now", [], [("25 pct", "PERCENT")]),
        ("up five per cent now", [], [("five per cent", "PERCENT")]),
        ("on August 22 he", [("August", "PERSON")], [("August 22", "DATE")]),
        ("in 1996, he", [("1996", "CARDINAL")], [("1996", "DATE")]),
        ("in 2000 homes", [("2000", "CARDINAL")], None),
        ("1996-08-31 LONDON", [("1996-08-31", "ORG")], [("1996-08-31", "DATE")]),
        ("In May we may go.", [("May", "DATE")], None),
        ("Theresa May spoke.", [("Theresa May", "PERSON")], None),
        ("on May 5 she", [], [("May 5", "DATE")]),
        ("he came 5th again", [("5th", "CARDINAL")], [("5th", "ORDINAL")]),
        ("he came third again", [("third", "CARDINAL")], [("third", "ORDINAL")]),
        ("a third of it", [], None),
        ("the 9th Congress met", [("9th Congress", "EVENT")], None),
        ("on the 5th he", [("the 5th", "DATE")], None),
        ("on Monday night he", [("Monday night", "TIME")], None),
        (
            "between 2 and 4 pct",
            [("between 2 and 4", "CARDINAL")],
            [("between 2 and 4 pct", "PERCENT")],
        ),
        (
            "Liberals 28 percent",
            [("Liberals 28 percent", "ORG")],
            [("Liberals", "ORG"), ("28 percent", "PERCENT")],
        ),
        ("polls: May 22 % now", [("22 %", "PERCENT")], None),
        ("a 737 landed", [("737", "PRODUCT")], None),
    ],
)
def test_the_neighbours_of_a_number_settle_what_it_means(text, said, wanted):
    assert corrected(text, *said) == (said if wanted is None else wanted)


@pytest.mark.parametrize(
    ("text", "said", "wanted"),
    [
        ("near the Thames now", [("the Thames", "LOC")], [("Thames", "LOC")]),
        ("He read The Times today", [("The Times", "ORG")], None),
        ("The Bank fell", [("The Bank", "ORG")], [("Bank", "ORG")]),
        ("In The Hague today", [("The Hague", "GPE")], None),
        ("Norway's king", [("Norway's", "GPE")], [("Norway", "GPE")]),
        ('"Acme" said', [('"Acme"', "ORG")], [("Acme", "ORG")]),
        ("Bank (Oslo) said", [("Bank (Oslo)", "ORG")], None),
        ("said Mr. Berg", [("Mr. Berg", "PERSON")], [("Berg", "PERSON")]),
        ("said Mr. Berg", [("Berg", "GPE")], [("Berg", "PERSON")]),
        ("said Mrs Anne Berg today", [], [("Anne Berg", "PERSON")]),
        ("BIG DEAL\nReuters said", [("DEAL\nReuters", "ORG")], [("Reuters", "ORG")]),
        ("at NATO\n\nUN talks", [("NATO\n\nUN", "ORG")], [("NATO", "ORG")]),
    ],
)
def test_what_is_no_part_of_a_name_goes(text, said, wanted):
    assert corrected(text, *said) == (said if wanted is None else wanted)


@pytest.mark.parametrize(
    ("text", "said", "wanted"),
    [
        ("from Acme Corp. today", [("Acme", "PERSON")], [("Acme Corp.", "ORG")]),
        ("from Acme, Inc. today", [("Acme", "ORG")], [("Acme, Inc.", "ORG")]),
        ("at Berg & Co. today", [("Berg", "PERSON")], [("Berg & Co.", "ORG")]),
        ("ACME INC rises", [("ACME", "ORG")], [("ACME INC", "ORG")]),
        ("Acme as such", [("Acme", "ORG")], None),
        ("Paris, AS was", [("Paris", "GPE")], [("Paris, AS", "ORG")]),
    ],
)
def test_a_legal_form_belongs_to_its_company(text, said, wanted):
    assert corrected(text, *said) == (said if wanted is None else wanted)


def test_a_name_split_at_its_hyphen_is_one_person():
    words = ["said", "Anne", "-", "Marie", "Berg"]
    doc = Doc(NLP.vocab, words=words, spaces=[True, False, False, True, False])
    said = [(1, 2, "PERSON", 1.0), (3, 5, "PERSON", 1.0)]
    assert correct(doc, said) == [(1, 5, "PERSON", 1.0)]


def test_a_dash_between_two_people_joins_nothing():
    doc = Doc(NLP.vocab, words=["Berg", "-", "Hansen"], spaces=[True, True, False])
    said = [(0, 1, "PERSON", 1.0), (2, 3, "PERSON", 1.0)]
    assert correct(doc, said) == said


def test_a_name_without_letters_is_a_number_and_one_without_capitals_nothing():
    assert corrected("Oslo lost 3-1 again", ("3-1", "PERSON")) == [("3-1", "CARDINAL")]
    assert corrected("Oslo wins again", ("wins", "ORG")) == []


def test_names_without_capitals_stay_where_nobody_wrote_any():
    assert corrected("i met anna", ("anna", "PERSON")) == [("anna", "PERSON")]


def test_corrections_take_time_in_proportion_to_the_document():
    text = "Mr. Berg paid $ 3 million to Acme Inc. on Monday night. " * 2000
    doc = NLP(text)
    said = [(token.i, token.i + 1, "ORG", 1.0) for token in doc if token.is_title]
    assert len(correct(doc, said)) == 8000


def test_several_labels_of_one_span_stay_a_distribution():
    doc = NLP("He saw the Jordan")
    said = [(2, 4, "GPE", 0.6), (2, 4, "PERSON", 0.4)]
    assert correct(doc, said) == [(3, 4, "GPE", 0.6), (3, 4, "PERSON", 0.4)]


WORDS = "The|the|Mr.|Berg|Acme|Inc|.|,|-|$|5|5th|million|%|May|August|1996|'s|'| |\n|Oslo|in|&|Co"
words = st.sampled_from(WORDS.split("|"))


@given(st.lists(words, min_size=1, max_size=20), st.data())
def test_corrected_spans_lie_in_the_document_and_never_overlap(tokens, data):
    doc = Doc(NLP.vocab, words=tokens, spaces=data.draw(st.lists(
        st.booleans(), min_size=len(tokens), max_size=len(tokens))))  # fmt: skip
    starts = st.integers(0, len(tokens) - 1)
    labels = st.sampled_from(["PERSON", "ORG", "GPE", "DATE", "CARDINAL", "MONEY"])
    said = [
        (start, data.draw(st.integers(start + 1, len(tokens))), label, 1.0)
        for start, label in data.draw(st.lists(st.tuples(starts, labels), max_size=5))
    ]
    answer = correct(doc, said)
    assert all(0 <= start < end <= len(doc) for start, end, _, _ in answer)
    covered = [i for start, end in {(p[0], p[1]) for p in answer} for i in range(start, end)]
    assert len(covered) == len(set(covered))
