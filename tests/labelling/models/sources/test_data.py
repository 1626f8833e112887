import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.errors import InputError
from silverspan.labelling.models.sources.cleaning import Sentence
from silverspan.labelling.models.sources.data import by_document, read_sentences, split

FILE = """-DOCSTART- O

Anna B-PER
left O
Oslo B-LOC

He O
slept O

-DOCSTART- O

Acme B-ORG
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "two.conll"
    path.write_text(FILE)
    return path


def test_sentences_know_their_document_and_count_their_own_tokens(path):
    sentences = read_sentences([path])
    assert [one.tokens for one in sentences] == [
        ("Anna", "left", "Oslo"),
        ("He", "slept"),
        ("Acme",),
    ]
    assert sentences[0].spans == ((0, 1, "PERSON"), (2, 3, "LOC"))
    assert [len(group) for group in by_document(sentences)] == [2, 1]


def test_a_file_without_entities_is_refused(tmp_path):
    (tmp_path / "bare.conll").write_text("He O\nslept O\n")
    with pytest.raises(InputError, match="no labelled entity"):
        read_sentences([tmp_path / "bare.conll"])


def test_text_without_gold_is_refused(tmp_path):
    (tmp_path / "bare.txt").write_text("He slept.")
    with pytest.raises(InputError, match="no tokens with gold"):
        read_sentences([tmp_path / "bare.txt"])


@given(st.integers(1, 60), st.integers(0, 5), st.floats(0, 0.9))
def test_a_split_loses_nothing_and_cuts_no_document(documents, seed, share):
    sentences = [
        Sentence((f"w{i}",), (), str(number)) for number in range(documents) for i in range(2)
    ]
    kept, held = split(sentences, share, seed)
    assert sorted((one.document, one.tokens) for one in [*kept, *held]) == sorted(
        (one.document, one.tokens) for one in sentences
    )
    if documents >= 20:
        assert not {one.document for one in kept} & {one.document for one in held}
    assert split(sentences, share, seed) == (kept, held)
