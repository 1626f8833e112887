import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from silverspan.labelling.models.truecase import truecase

NLP = spacy.blank("en")
NLP.add_pipe("sentencizer")


def cased(text):
    return " ".join(truecase(NLP(text)))


@pytest.mark.parametrize(
    ("headline", "wanted"),
    [
        ("SWEDISH KING VISITS ZAGREB", "Swedish king visits Zagreb"),
        ("STOCKS RISE IN PARIS ON MONDAY", "Stocks rise in Paris on Monday"),
        ("U.N. SENDS TROOPS TO BOSNIA", "U.N. sends troops to Bosnia"),
        ("NHL SCORES AND RESULTS", "NHL scores and results"),
    ],
)
def test_a_headline_is_written_as_a_sentence_would_be(headline, wanted):
    assert cased(headline) == wanted


def test_the_document_knows_best_how_its_words_are_written():
    text = "GREEN MEETS BUSH. Today Mr Green met Ms Bush, and Green left."
    assert cased(text).startswith("Green meets Bush .")


@pytest.mark.parametrize("text", ["Oslo and NATO met.", "NATO", "", "he said so."])
def test_what_is_not_in_capitals_stays(text):
    assert cased(text) == " ".join(token.text for token in NLP(text))


@given(st.text(alphabet="ABCÆØÅß .'-1aé\n", max_size=40))
def test_there_are_as_many_tokens_as_before(text):
    doc = NLP(text)
    answer = truecase(doc)
    assert [word.lower() for word in answer] == [token.text.lower() for token in doc]
