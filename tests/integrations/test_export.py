import json

import pyarrow.parquet as pq
import pytest
import spacy
from spacy.tokens import Doc, Span

from silverspan.aggregation.predictions import read_predictions
from silverspan.corpus.docbin import read_docs
from silverspan.corpus.document import layer, set_document_id, set_layer
from silverspan.corpus.reading import read_records
from silverspan.errors import InputError, UnknownNameError
from silverspan.integrations.export import FORMATS, export

VOCAB = spacy.blank("en").vocab


def documents():
    first = Doc(
        VOCAB,
        ["In", "New", "York", "\n", "😀", "Anna"],
        spaces=[True, True, False, False, False, False],
        sent_starts=[True, False, False, False, True, False],
    )
    set_document_id(first, 7)
    set_layer(first, "silver", [(1, 3, "LOC", 0.75), (5, 6, "PER", 1.0)])
    second = Doc(VOCAB, ["Rome", "!"], spaces=[False, False])
    set_document_id(second, "x")
    second.set_ents([Span(second, 0, 1, "LOC")])
    return [first, second]


@pytest.fixture
def exported(tmp_path):
    def run(name):
        path = tmp_path / f"out-{name}"
        export(iter(documents()), name, path)
        return path

    return run


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", FORMATS)
def test_equal_documents_give_equal_files(tmp_path, name):
    for target in ("1", "2"):
        export(documents(), name, tmp_path / target)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_hold_nothing(tmp_path, name):
    export([], name, tmp_path / "out")
    assert (tmp_path / "out").exists()


def test_docbin_keeps_everything(exported):
    first, second = read_docs(exported("docbin"), VOCAB)
    assert layer(first, "silver") == [(1, 3, "LOC", 0.75), (5, 6, "PER", 1.0)]
    assert [entity.text for entity in second.ents] == ["Rome"]


def test_conll_leaves_out_tokens_of_blanks(exported):
    first, second = read_records(exported("conll"), "conll")
    assert first.tokens == ("In", "New", "York", "😀", "Anna")
    assert first.gold == ((1, 3, "LOC"), (4, 5, "PER"))
    assert first.sentence_starts == (0, 3)
    assert second.gold == ((0, 1, "LOC"),)


def test_jsonl_is_a_predictions_file(exported):
    file = read_predictions(exported("jsonl"))
    assert file.ids == (7, "x")
    assert file.spans[0] == ((1, 3, "LOC", 0.75), (5, 6, "PER", 1.0))


def test_parquet_has_class_labels_for_hugging_face(exported):
    table = pq.read_table(exported("parquet"))
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    names = features["ner_tags"]["feature"]["names"]
    assert names == ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
    first = table.to_pylist()[0]
    assert [names[tag] for tag in first["ner_tags"]] == ["O", "B-LOC", "I-LOC", "O", "O", "B-PER"]
    assert list(features) == table.schema.names
    assert first["spans"][0] == {"start": 1, "end": 3, "label": "LOC", "probability": 0.75}


@pytest.mark.parametrize("name", ["label-studio", "doccano", "prodigy", "argilla"])
def test_characters_are_those_of_the_text(exported, name):
    path = exported(name)
    texts, spans = {
        "label-studio": lambda: (
            [task["data"]["text"] for task in json.loads(path.read_text())],
            [
                [
                    (r["value"]["start"], r["value"]["end"], r["value"]["labels"][0])
                    for r in task["predictions"][0]["result"]
                ]
                for task in json.loads(path.read_text())
            ],
        ),
        "doccano": lambda: (
            [row["text"] for row in rows(path)],
            [[tuple(span) for span in row["label"]] for row in rows(path)],
        ),
        "prodigy": lambda: (
            [row["text"] for row in rows(path)],
            [[(s["start"], s["end"], s["label"]) for s in row["spans"]] for row in rows(path)],
        ),
        "argilla": lambda: (
            [row["text"] for row in rows(path)],
            [[(s["start"], s["end"], s["label"]) for s in row["spans"]] for row in rows(path)],
        ),
    }[name]()
    found = [
        [(text[start:end], label) for start, end, label in own]
        for text, own in zip(texts, spans, strict=True)
    ]
    assert found == [[("New York", "LOC"), ("Anna", "PER")], [("Rome", "LOC")]]


def test_prodigy_counts_the_last_token_in(exported):
    first = rows(exported("prodigy"))[0]
    span = first["spans"][0]
    tokens = first["tokens"][span["token_start"] : span["token_end"] + 1]
    assert [token["text"] for token in tokens] == ["New", "York"]
    assert (tokens[0]["start"], tokens[1]["end"]) == (span["start"], span["end"])


def test_label_studio_sorts_tasks_by_their_weakest_span(exported):
    scores = [
        task["predictions"][0]["score"] for task in json.loads(exported("label-studio").read_text())
    ]
    assert scores == [0.75, 1.0]


def test_what_a_tool_gets_we_read_again(exported):
    for name in ("doccano", "prodigy"):
        first, second = read_records(exported(name), "jsonl")
        assert first.gold_unit == "characters"
        assert [first.text[start:end] for start, end, _ in first.gold] == ["New York", "Anna"]
        assert second.gold == ((0, 4, "LOC"),)


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean 'conll'"):
        export([], "conl", tmp_path / "out")


def test_a_document_that_a_format_cannot_hold_leaves_no_file(tmp_path):
    doc = Doc(VOCAB, ["New York"])
    with pytest.raises(InputError, match="cannot be written as CoNLL"):
        export([doc], "conll", tmp_path / "out")
    assert not list(tmp_path.iterdir())
