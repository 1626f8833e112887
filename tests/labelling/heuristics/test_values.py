import pytest
import spacy
from spacy.tokens import Doc

from silverspan.labelling.heuristics.grammar import value_spans
from silverspan.labelling.heuristics.numeric import KINDS, alphabet
from silverspan.labelling.heuristics.spelling import page
from silverspan.labelling.heuristics.values import (
    date_detector,
    money_detector,
    number_detector,
    time_detector,
)

NLP = spacy.blank("en")

# Text, and what it says in order. Written for these tests.
TEXTS = [
    ("He left on Friday, 31 August 1996.", ["Friday, 31 August 1996 DATE"]),
    ("It opened on August 31, 1996 in Oslo.", ["August 31, 1996 DATE"]),
    ("Signed 1996-08-31 in Bonn.", ["1996-08-31 DATE"]),
    ("Signed 31/08/1996 in Bonn.", ["31/08/1996 DATE"]),
    ("Sales rose in Q3.", ["Q3 DATE"]),
    ("It grew in the third quarter of 1996.", ["the third quarter of 1996 DATE"]),
    ("It was popular in the 1990s.", ["the 1990s DATE"]),
    ("Talks begin in May.", ["May DATE"]),
    ("They met on May 5.", ["May 5 DATE"]),
    ("May I go? He may go. Theresa May went.", []),
    ("Will Smith will march.", []),
    ("March on, he said. It ended in March.", ["March DATE"]),
    ("The 1996-97 season began last week.", ["1996-97 DATE", "last week DATE"]),
    ("He came two years ago and stayed ten days.", ["two years ago DATE", "ten days DATE"]),
    ("A 20-year-old won a three-year deal.", ["20-year-old DATE", "three-year DATE"]),
    ("2,000 people came in 2000.", ["2,000 CARDINAL", "2000 DATE"]),
    ("About 2000 people came.", ["2000 CARDINAL"]),
    ("At 10:30 a.m. on Monday morning it rang.", ["10:30 a.m. TIME", "Monday morning TIME"]),
    ("The vote is at 1400 GMT tonight.", ["1400 GMT TIME", "tonight TIME"]),
    ("It took two hours and 30 minutes.", ["two hours and 30 minutes TIME"]),
    ("Arsenal won 3-1.", ["3-1 CARDINAL"]),
    ("She won 6-4 6-3 today.", ["6-4 CARDINAL", "6-3 CARDINAL", "today DATE"]),
    ("It paid $1.2bn for it.", ["$1.2bn MONEY"]),
    ("It paid US$ 3m for it.", ["US$ 3m MONEY"]),
    ("It paid US$3m for it.", ["US$3m MONEY"]),
    ("It paid £3-£5m for it.", ["£3-£5m MONEY"]),
    ("It cost 1.200,50 euros or DM 30 million.", ["1.200,50 euros MONEY", "DM 30 million MONEY"]),
    ("It cost 10 Swiss francs or 50p.", ["10 Swiss francs MONEY", "50p MONEY"]),
    ("It cost 5 billion won.", ["5 billion won MONEY"]),
    ("He won 5 times.", ["5 CARDINAL"]),
    ("It cost 1 000 kroner.", ["1 000 kroner MONEY"]),
    ("It cost ₹500 and HK$20.", ["₹500 MONEY", "HK$20 MONEY"]),
    ("It fell 25 pct.", ["25 pct PERCENT"]),
    ("It fell 5.5 per cent to 10%.", ["5.5 per cent PERCENT", "10% PERCENT"]),
    ("It rose five to ten percent.", ["five to ten percent PERCENT"]),
    ("They ran 10 km with 5 kg.", ["10 km QUANTITY", "5 kg QUANTITY"]),
    ("He took first place, then 22nd.", ["first ORDINAL", "22nd ORDINAL"]),
    ("TUESDAY, AUGUST 27TH SCHEDULE", ["TUESDAY, AUGUST 27TH DATE"]),
    ("At No. 10 Downing Street he read Act 2.", []),
    ("A Boeing 747 runs Windows 95.", []),
    ("Hundreds came, twenty-five left, one of them sad.",
     ["Hundreds CARDINAL", "twenty-five CARDINAL", "one CARDINAL"]),
]  # fmt: skip


def values(doc: Doc) -> list[str]:
    return [f"{doc[start:end].text} {label}" for start, end, label in value_spans(page(doc))]


@pytest.mark.parametrize(("text", "expected"), TEXTS, ids=[text for text, _ in TEXTS])
def test_values_are_read_from_running_text(text: str, expected: list[str]) -> None:
    assert values(NLP(text)) == expected


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("LONDON 1996-08-31", ["1996-08-31 DATE"]),
        ("1. Anna Berg ( Norway ) 70 68", ["1. CARDINAL", "70 CARDINAL", "68 CARDINAL"]),
        ("Oslo 3 1 2 0 5 7 5", [f"{n} CARDINAL" for n in "3120575"]),
        ("Bergen 3-1 Lyn ( halftime 1-0 )", ["3-1 CARDINAL", "1-0 CARDINAL"]),
        ("net profit $1.2bn vs $ 900 million", ["$1.2bn MONEY", "$ 900 million MONEY"]),
        ("the 1996/97 year ended Aug. 31 , 1997", ["1996/97 DATE", "Aug. 31 , 1997 DATE"]),
        ("a 7-1/2 percent bond", ["7-1/2 percent PERCENT"]),
        ("won in 1:58.92", ["1:58.92 TIME"]),
    ],
)
def test_values_are_read_from_text_that_is_split_at_blanks(
    tokens: str, expected: list[str]
) -> None:
    assert values(Doc(NLP.vocab, words=tokens.split(" "))) == expected


def test_detectors_share_the_values_and_never_a_token() -> None:
    doc = NLP("On Friday 5 May at 10:30 it paid $3 million for 20 percent of 100 shops.")
    said = [
        span
        for make in (date_detector, time_detector, money_detector, number_detector)
        for span in make()(doc)
    ]
    tokens = [i for span in said for i in range(span[0], span[1])]
    assert len(tokens) == len(set(tokens))
    assert sorted({span[2] for span in said}) == ["CARDINAL", "DATE", "MONEY", "PERCENT", "TIME"]


def test_a_value_never_crosses_a_sentence() -> None:
    doc = Doc(NLP.vocab, words=["In", "May", "1996", "he"], sent_starts=[True, False, True, False])
    assert values(doc) == ["May DATE", "1996 DATE"]


def test_every_letter_of_the_alphabet_is_explained() -> None:
    texts = [word for text, _ in TEXTS for word in text.split()]
    doc = Doc(NLP.vocab, words=texts)
    letters = set(page(doc).spell(alphabet()))
    assert letters - {"\n"} <= set(KINDS)


def test_an_empty_document_has_no_values() -> None:
    assert values(NLP("")) == []
