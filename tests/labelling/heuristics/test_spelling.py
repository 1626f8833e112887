import re

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.labelling.heuristics import spelling
from silverspan.labelling.heuristics.spelling import BREAK, Alphabet, page

NLP = spacy.blank("en")
CASES = Alphabet(lambda text: "A" if text[0].isupper() else "a")


@given(st.lists(st.tuples(st.sampled_from(["Oslo", "is", "\n"]), st.booleans()), max_size=12))
def test_every_letter_leads_back_to_its_token(pairs: list[tuple[str, bool]]) -> None:
    words = [word for word, _ in pairs]
    starts = [start or i == 0 for i, (_, start) in enumerate(pairs)]
    doc = Doc(NLP.vocab, words=words, sent_starts=starts)
    opened = page(doc)
    letters = opened.spell(CASES)
    for place, letter in enumerate(letters):
        if letter != BREAK:
            assert (letter == "A") == (words[opened.token_at[place]] == "Oslo")
    names = [span for span in opened.spans(re.compile("A"), letters)]
    assert names == [(i, i + 1) for i, word in enumerate(words) if word == "Oslo"]


def test_a_pattern_never_crosses_a_sentence() -> None:
    doc = Doc(NLP.vocab, words=["Oslo", "Bergen"], sent_starts=[True, True])
    assert list(page(doc).spans(re.compile("A+"), page(doc).spell(CASES))) == [(0, 1), (1, 2)]


def test_detectors_share_a_page_while_the_document_keeps_its_tokens() -> None:
    doc = NLP("New York is big")
    opened = page(doc)
    assert page(doc) is opened
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert page(doc).spell(CASES) == "Aaa"


def test_pages_do_not_keep_documents_alive() -> None:
    opened = page(NLP("gone"))
    with pytest.raises(ReferenceError):
        _ = opened.doc


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelling, "_KEPT_TOKENS", 3)
    monkeypatch.setattr(spelling, "_REMEMBERED", 2)
    small = Alphabet(lambda text: text[0])
    docs = [NLP("a b"), NLP("c d"), NLP("e f g h")]
    assert [page(doc).spell(small) for doc in docs] == ["ab", "cd", "efgh"]
    assert len(spelling._pages) == 1
    assert len(small._letters) <= 4
