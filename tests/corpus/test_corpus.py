import gzip
import logging
import tempfile

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.corpus import Corpus, document_id, gold_spans, load_pipeline, parsing
from silverspan.corpus.docbin import read_docs, to_bytes, write_docs
from silverspan.corpus.document import layer, original_id, set_gold_spans, set_layer
from silverspan.corpus.parsing import parse
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record
from silverspan.errors import InputError, ModelError

BLANK = load_pipeline("blank:en")


def read(tmp_path, name, content, **settings):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(Corpus.read(path, BLANK, **settings))


def test_a_corpus_can_be_gone_through_again():
    corpus = Corpus.from_texts((text for text in ["a", "b"]), BLANK)
    assert [doc.text for doc in corpus] == [doc.text for doc in corpus] == ["a", "b"]


def test_documents_of_memory_stay_the_same_documents():
    corpus = Corpus.from_texts(["a"], BLANK).in_memory()
    assert next(iter(corpus)) is next(iter(corpus))


def test_documents_have_the_ids_they_were_given_or_a_number():
    assert [document_id(doc) for doc in Corpus.from_texts(["a", "b"], BLANK)] == ["0", "1"]
    named = Corpus.from_texts(["a", "b"], BLANK, ids=["x", 7])
    assert [original_id(doc) for doc in named] == ["x", 7]
    assert [document_id(doc) for doc in named] == ["x", "7"]
    assert [document_id(doc) for doc in Corpus.from_docs([BLANK("a"), BLANK("b")])] == ["0", "1"]


@pytest.mark.parametrize("ids", [["x"], ["x", "x"], [1, "1"]])
def test_ids_that_do_not_fit_are_refused(ids):
    with pytest.raises(InputError):
        Corpus.from_texts(["a", "b"], BLANK, ids=ids)


@given(st.integers(0, 7), st.integers(1, 9))
def test_shards_hold_every_document_once(count, size):
    corpus = Corpus.from_docs([BLANK(str(i)) for i in range(count)])
    shards = list(corpus.shards(size))
    assert [doc.text for shard in shards for doc in shard] == [str(i) for i in range(count)]
    assert all(len(shard) == size for shard in shards[:-1])


def test_a_shard_of_nothing_is_refused():
    with pytest.raises(InputError, match="one document at least"):
        next(Corpus.from_docs([]).shards(0))


def test_a_missing_file_is_told_at_once(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        Corpus.read(tmp_path / "no.txt", BLANK)


def test_reading_is_a_stream(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n' * 1000 + "broken")
    assert next(iter(Corpus.read(path, BLANK))).text == "a"


# What a document can be


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_the_text_of_a_document_never_changes(some):
    corpus = Corpus.from_texts(some, BLANK)
    try:
        assert [doc.text for doc in corpus] == some
    except InputError:
        assert any("\ud800" <= c <= "\udfff" for text in some for c in text)


@settings(max_examples=25)
@given(st.text(st.sampled_from("ab. \n😀é"), max_size=200), st.integers(1, 40))
def test_a_document_cut_in_pieces_is_whole_again(text, size):
    nlp = load_pipeline("blank:en")
    nlp.max_length = size
    (doc,) = Corpus.from_texts([text], nlp)
    assert doc.text == text


def test_batches_end_early_when_they_hold_many_tokens(monkeypatch):
    monkeypatch.setattr(parsing, "_TOKENS_IN_PIECE", 10)
    docs = [Doc(BLANK.vocab, ["a"] * size) for size in (4, 4, 4, 1, 12, 1, 1, 1)]
    sizes = [[len(doc) for doc in batch] for batch in parsing._batches(docs, 3)]
    assert sizes == [[4, 4, 4], [1, 12], [1, 1, 1]]


def test_pieces_end_where_paragraphs_end():
    text = "One two.\n\nThree four. Five six seven"
    assert [text[a:b] for a, b in parsing._cuts(text, 18)] == [
        "One two.\n\n",
        "Three four. ",
        "Five six seven",
    ]


def test_a_document_of_two_megabytes_is_parsed_in_pieces():
    text = "Anna Berg met Ola in Oslo. They spoke.\n\n" * 50_000
    (doc,) = Corpus.from_texts([text], BLANK)
    assert len(text) == 2_000_000
    assert doc.text == text
    assert len(list(doc.sents)) >= 100_000


def test_a_line_of_a_million_tokens_is_one_document(tmp_path):
    (doc,) = read(tmp_path, "a.txt", "token " * 1_000_000, format="lines")
    assert len(doc) >= 1_000_000


def test_many_given_tokens_are_parsed_in_pieces_that_keep_them(monkeypatch):
    monkeypatch.setattr(parsing, "_TOKENS_IN_PIECE", 2)
    tokens = tuple(f"t{i}" for i in range(50))
    for starts in (None, (0, 7, 21, 44)):
        record = Record(id="a", tokens=tokens, sentence_starts=starts, gold=((6, 8, "X"),))
        (doc,) = parse([record], spacy.blank("en"))
        assert tuple(token.text for token in doc) == tokens
        assert gold_spans(doc) == [(6, 8, "X")]
        if starts:
            assert [sentence.start for sentence in doc.sents] == list(starts)


def test_empty_documents_stay_in_their_place():
    assert [len(doc) for doc in Corpus.from_texts(["", "a", " ", ""], BLANK)] == [0, 1, 1, 0]
    assert [len(doc) for doc in parse([Record(id="a", tokens=())], BLANK)] == [0]


def test_half_a_surrogate_pair_names_the_document():
    with pytest.raises(InputError, match="document 'x' holds a character that does not exist"):
        list(Corpus.from_texts(["a\ud800"], BLANK, ids=["x"]))


def test_given_tokens_and_sentences_are_kept_by_a_pipeline(tmp_path):
    line = '{"tokens": ["New York", ".", "b"], "spaces": "011", "sentence_starts": [0, 2]}'
    (doc,) = read(tmp_path, "a.jsonl", line)
    assert [token.text for token in doc] == ["New York", ".", "b"]
    assert doc.text == "New York. b "
    assert [sentence.start for sentence in doc.sents] == [0, 2]


# Gold


def test_gold_in_characters_becomes_tokens_and_widening_is_told(tmp_path, caplog):
    line = '{"text": "In Oslo, 2001.", "gold": [[3, 7, "LOC"], [9, 11, "DATE"], [2, 3, "X"]]}'
    with caplog.at_level(logging.WARNING):
        (doc,) = read(tmp_path, "a.jsonl", line)
    assert (1, 2, "LOC") in gold_spans(doc)
    assert (3, 4, "DATE") in gold_spans(doc)
    assert "gold spans do not begin and end with tokens" in caplog.text


def test_no_gold_is_none_and_empty_gold_is_empty(tmp_path):
    docs = read(tmp_path, "a.jsonl", '{"text": "a"}\n{"text": "b", "gold": []}')
    assert [gold_spans(doc) for doc in docs] == [None, []]


def test_a_layer_keeps_its_probabilities():
    doc = BLANK("a b c")
    set_layer(doc, "f", [(0, 1, "X", 0.25), (0, 1, "Y", 0.5), (1, 3, "X", 1.0)])
    (again,) = read_back([doc])
    assert layer(again, "f") == [(0, 1, "X", 0.25), (0, 1, "Y", 0.5), (1, 3, "X", 1.0)]
    with pytest.raises(InputError, match="lies outside document"):
        set_layer(doc, "f", [(2, 4, "X", 1.0)])


# DocBin


def read_back(docs):
    with tempfile.NamedTemporaryFile(suffix=".spacy") as file:
        write_docs(docs, file.name)
        return list(read_docs(file.name, BLANK.vocab))


def annotated():
    doc = Doc(BLANK.vocab, ["In", "Oslo"], tags=["IN", "NNP"], sent_starts=[True, False])
    set_gold_spans(doc, [(1, 2, "LOC")])
    doc.user_data["silverspan.id"] = 5
    return doc


def test_a_docbin_keeps_ids_gold_and_annotation(tmp_path):
    write_docs([annotated(), BLANK("x")], tmp_path / "a.spacy.gz")
    first, second = Corpus.read(tmp_path / "a.spacy.gz", BLANK)
    assert (original_id(first), document_id(second)) == (5, "1")
    assert first[1].tag_ == "NNP"
    assert (gold_spans(first), gold_spans(second)) == ([(1, 2, "LOC")], None)


def test_equal_documents_give_equal_docbins():
    assert to_bytes([annotated()]) == to_bytes([annotated()])


def test_an_annotated_docbin_is_not_parsed_again_and_a_bare_one_is(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"overwrite": True})
    bare = Doc(BLANK.vocab, ["a", ".", "b"])
    tagged = Doc(BLANK.vocab, ["a", ".", "b"], tags=["X", "X", "X"])
    write_docs([tagged, bare, tagged], tmp_path / "a.spacy")
    has = [doc.has_annotation("SENT_START") for doc in Corpus.read(tmp_path / "a.spacy", nlp)]
    assert has == [False, True, False]


def test_the_digest_of_a_docbin_record_depends_on_its_annotation(tmp_path):
    write_docs([annotated()], tmp_path / "a.spacy")
    (one,), (two,) = (list(read_records(tmp_path / "a.spacy")) for _ in range(2))
    assert one.digest() == two.digest()


@pytest.mark.parametrize("content", [b"", b"junk", b"x\x9c", gzip.compress(b"junk")])
def test_a_file_that_is_no_docbin_is_an_error(tmp_path, content):
    with pytest.raises(InputError, match="is no spaCy DocBin"):
        read(tmp_path, "a.spacy", content)


@pytest.mark.parametrize("marks", ['"' * 700, "(" * 500 + "Oslo" + "\u00bb" * 500, "[\u2019" * 400])
def test_long_runs_of_marks_are_cut_so_that_the_tokenizer_ends(marks):
    text = f"In Oslo {marks}Rome {marks} ."
    doc = next(iter(Corpus.from_texts([text], BLANK)))
    assert doc.text == text
    assert [token.text for token in doc[:2]] == ["In", "Oslo"]
    assert "Rome" in {token.text for token in doc}


# Pipelines


def test_a_missing_pipeline_is_told_with_the_command_that_mends_it():
    with pytest.raises(ModelError, match=r"run: pip install 'silverspan\[en\]'"):
        load_pipeline("en_core_web_xxl")
    with pytest.raises(ModelError, match="install its package"):
        load_pipeline("../no/such/folder")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_pipeline("blank:nolanguage")


def test_a_folder_that_spacy_wrote_is_a_pipeline(tmp_path):
    BLANK.to_disk(tmp_path / "model")
    assert load_pipeline(str(tmp_path / "model")).pipe_names == ["sentencizer"]
    (tmp_path / "model" / "config.cfg").write_text("broken")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_pipeline(str(tmp_path / "model"))


@pytest.mark.parametrize(
    ("name", "content"),
    [("tokenizer", b""), ("tokenizer", b"\x05"), ("vocab/key2row", b"\x01"), ("meta.json", b"[]")],
)
def test_a_damaged_folder_is_told_in_one_message(tmp_path, name, content):
    BLANK.to_disk(tmp_path / "model")
    (tmp_path / "model" / name).write_bytes(content)
    with pytest.raises(ModelError, match=r"cannot be loaded \(.*\); make or install it anew"):
        load_pipeline(str(tmp_path / "model"))
