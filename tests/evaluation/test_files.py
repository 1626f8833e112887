import json

import numpy as np
import pytest
import spacy

from silverspan.corpus.docbin import write_docs
from silverspan.corpus.document import set_gold_spans, set_layer
from silverspan.errors import InputError, UnknownNameError
from silverspan.evaluation.files import evaluate_files

CONLL = """-DOCSTART- O

Anna B-PER
Berg I-PER
left O

Oslo B-LOC
. O

-DOCSTART- O

Rome B-LOC
"""
VOTES = [
    {
        "id": 7,
        "tokens": ["Anna", "Berg", "left", "Oslo", "."],
        "gold": [[0, 2, "PER"], [3, 4, "LOC"]],
        "weak": {},
    },
    {"id": 8, "tokens": ["Rome"], "gold": [[0, 1, "LOC"]], "weak": {}},
]
PREDICTIONS = [
    {
        "id": 7,
        "tokens": VOTES[0]["tokens"],
        "pred": [[0, 2, "PER", 0.9], [3, 4, "LOC", 0.8]],
    },
    {"id": 8, "tokens": ["Rome"], "pred": [[0, 1, "PER", 0.6]]},
]
SENTENCES = [
    {"id": 0, "tokens": ["Anna", "Berg", "left"], "pred": [[0, 2, "PER", 0.9]]},
    {"id": 1, "tokens": ["Oslo", "."], "pred": [[0, 1, "LOC", 0.8]]},
    {"id": 2, "tokens": ["Rome"], "pred": [[0, 1, "PER", 0.6]]},
]
TEXTS = [
    {"id": 7, "text": "Anna Berg left\nOslo.", "gold": [[0, 9, "PER"], [15, 19, "LOC"]]},
    {"id": 8, "text": " Rome ", "gold": [[1, 5, "LOC"]]},
]


@pytest.fixture
def lines(tmp_path):
    def write(objects, name):
        path = tmp_path / name
        path.write_text("".join(json.dumps(item) + "\n" for item in objects))
        return path

    return write


@pytest.fixture
def gold_files(tmp_path, lines):
    (tmp_path / "gold.conll").write_text(CONLL)
    nlp = spacy.blank("en")
    docs = []
    for record in VOTES:
        doc = spacy.tokens.Doc(nlp.vocab, record["tokens"])
        set_gold_spans(doc, [tuple(span) for span in record["gold"]])
        docs.append(doc)
    write_docs(docs, tmp_path / "gold.spacy")
    return {
        "conll": tmp_path / "gold.conll",
        "docbin": tmp_path / "gold.spacy",
        "votes": lines(VOTES, "votes.jsonl"),
        "texts": lines(TEXTS, "texts.jsonl"),
    }


FORWARDS, BACKWARDS = PREDICTIONS, PREDICTIONS[::-1]


@pytest.mark.parametrize(
    ("gold", "predictions"),
    [
        *((gold, FORWARDS) for gold in ("conll", "docbin", "votes", "texts")),
        *((gold, BACKWARDS) for gold in ("votes", "texts")),  # these have ids to pair by
    ],
)
def test_every_format_of_gold_gives_the_same_scores(gold_files, lines, gold, predictions):
    result = evaluate_files(gold_files[gold], lines(predictions, "p.jsonl"))
    assert result.entities["strict"].micro.correct == 2
    assert result.entities["strict"].labels["PER"].spurious == 1
    assert result.token_count == 6
    expected = -(2 * np.log(0.9) + np.log(0.8) + np.log(1e-6)) / 6
    assert result.cross_entropy == pytest.approx(expected)


def test_sentences_pair_with_documents(gold_files, lines):
    result = evaluate_files(gold_files["conll"], lines(SENTENCES, "p.jsonl"))
    assert result.documents == 2
    assert result.entities["strict"].micro.correct == 2


@pytest.mark.parametrize("gold", ["conll", "docbin", "votes", "texts"])
def test_gold_against_itself_is_perfect(gold_files, gold):
    assert evaluate_files(gold_files[gold], gold_files[gold]).f1 == 1.0


def test_distributions_of_sentences_are_cut_as_the_documents_are(gold_files, lines):
    probs = [
        {**item, "probs": [{"O": 0.5, "LOC": 0.25, "PER": 0.25} for _ in item["tokens"]]}
        for item in SENTENCES
    ]
    result = evaluate_files(gold_files["conll"], lines(probs, "p.jsonl"))
    expected = -(2 * np.log(0.5) + 4 * np.log(0.25)) / 6
    assert result.cross_entropy == pytest.approx(expected, rel=1e-5)


def test_the_silver_layer_of_a_docbin_is_what_was_found(gold_files, tmp_path):
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, ["Rome"])
    set_gold_spans(doc, [(0, 1, "LOC")])
    set_layer(doc, "silver", [(0, 1, "PER", 0.5)])
    write_docs([doc], tmp_path / "a.spacy")
    assert evaluate_files(tmp_path / "a.spacy", tmp_path / "a.spacy").f1 == 0.0


def test_documents_that_nobody_annotated_are_left_out(lines):
    gold = [VOTES[0], {"id": 8, "tokens": ["Rome"], "weak": {}}]
    assert evaluate_files(lines(gold, "g.jsonl"), lines(PREDICTIONS, "p.jsonl")).documents == 1
    with pytest.raises(InputError, match="has no gold"):
        evaluate_files(lines(gold[1:], "g.jsonl"), lines(PREDICTIONS[1:], "p.jsonl"))


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (PREDICTIONS[:1], "has 1 documents where .* has 2, other tokens, and none with the id '8'"),
        (
            [PREDICTIONS[1], {**PREDICTIONS[0], "tokens": ["Anna", "B.", "left", "Oslo", "."]}],
            "document '7' has other tokens than in .*: token 1 is 'Berg' there and 'B.' here",
        ),
    ],
)
def test_documents_that_do_not_pair_are_named(lines, predictions, message):
    with pytest.raises(InputError, match=message):
        evaluate_files(lines(VOTES, "g.jsonl"), lines(predictions, "p.jsonl"))


def test_sentences_of_one_document_count_as_one_for_the_interval(lines):
    gold = [
        {"id": i, "doc": doc, "tokens": ["a"], "gold": [[0, 1, "X"]]}
        if doc is not None
        else {"id": i, "tokens": ["a"], "gold": []}
        for i, doc in enumerate(["d", 7, "d", None, None, 7])
    ]
    path = lines(gold, "g.jsonl")
    result = evaluate_files(path, path)
    assert result.documents == 6
    assert result.by_document.tolist() == [[2, 2, 2], [2, 2, 2], [0, 0, 0], [0, 0, 0]]


def test_tokens_that_are_cut_differently_pair_by_their_characters(lines, caplog):
    gold = [
        {"id": 1, "tokens": ["AT&T", "rose", "3.5%", "."], "gold": [[0, 1, "ORG"], [2, 3, "X"]]}
    ]
    pred = [
        {
            "id": 1,
            "tokens": ["AT", "&", "T", "rose", "3.5", "%."],
            "pred": [[0, 3, "ORG", 0.75], [4, 5, "X", 0.5]],
            "probs": [{"O": 0.25, "ORG": 0.75}] * 3 + [{"O": 1.0}] * 2 + [{"O": 0.5, "X": 0.5}],
        }
    ]
    result = evaluate_files(lines(gold, "g.jsonl"), lines(pred, "p.jsonl"))
    assert result.f1 == 1.0
    assert result.token_count == 4
    expected = -(np.log(0.75) + np.log(1e-6) + np.log(0.5)) / 4
    assert result.cross_entropy == pytest.approx(expected, rel=1e-5)
    assert "p.jsonl: 1 spans do not begin and end where the tokens do" in caplog.text


@pytest.mark.parametrize("reverse", [False, True])
def test_sentences_that_name_their_document_pair_with_documents_in_any_order(lines, reverse):
    documents = [
        {**VOTES[0], "id": "a"},
        {**VOTES[1], "id": "b"},
        {"id": "c", "tokens": ["No", "gold"], "weak": {}},
    ]
    sentences = [
        {"id": 0, "doc": "b", "tokens": ["Rome"], "gold": [[0, 1, "LOC"]]},
        {"id": 1, "doc": "a", "tokens": ["Anna", "Berg", "left"], "gold": [[0, 2, "PER"]]},
        {"id": 2, "doc": "a", "tokens": ["Oslo", "."], "gold": [[0, 1, "LOC"]]},
    ]
    files = lines(sentences, "s.jsonl"), lines(documents, "d.jsonl")
    if reverse:
        sentences.append({"id": 3, "doc": "c", "tokens": ["No", "gold"], "gold": []})
        files = lines(documents, "d.jsonl"), lines(sentences, "s.jsonl")
    assert evaluate_files(*files).f1 == 1.0


def test_an_id_that_stands_twice_is_named_with_its_line(lines):
    pred = [PREDICTIONS[1], PREDICTIONS[0], PREDICTIONS[0]]
    with pytest.raises(InputError, match=r"p.jsonl:3: the id '7' stands twice"):
        evaluate_files(lines(VOTES, "g.jsonl"), lines(pred, "p.jsonl"))


def test_differences_are_overlooked_on_request_in_every_score(lines):
    gold = [{"id": 1, "tokens": ["the", "May", "fair"], "gold": [[1, 2, "DATE"]]}]
    pred = [
        {
            "id": 1,
            "tokens": gold[0]["tokens"],
            "pred": [[0, 2, "DATE", 0.75]],
            "probs": [{"O": 0.25, "DATE": 0.75}] * 2 + [{"O": 1.0, "DATE": 0.0}],
        }
    ]
    files = lines(gold, "g.jsonl"), lines(pred, "p.jsonl")
    assert evaluate_files(*files).f1 == 0.0
    result = evaluate_files(*files, normalisations=["leading_determiners:DATE"])
    assert (result.f1, result.tokens.micro.f1) == (1.0, 1.0)
    assert result.cross_entropy == pytest.approx(-np.log(0.75) / 3)
    assert "overlooked: leading determiners:DATE" in result.table()
    assert result.to_json()["normalise"] == ["leading_determiners:DATE"]


def test_one_function_or_annotator_is_scored_or_is_gold(lines, tmp_path):
    votes = [
        {**VOTES[0], "weak": {"a": [[3, 4, "LOC", 0.5]], "b": [[0, 2, "PER"]]}},
        {**VOTES[1], "weak": {"b": [[0, 1, "PER"]]}, "asked": ["b"]},
    ]
    path = lines(votes, "v.jsonl")
    result = evaluate_files(path, path, layer="a").entities["strict"].micro
    # Who was not asked about a document did not annotate it, nor missed anything there.
    assert (result.correct, result.missed, result.spurious) == (1, 1, 0)
    assert evaluate_files(path, path, gold_layer="a", layer="b").documents == 1
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, ["Rome"])
    set_layer(doc, "geo", [(0, 1, "LOC", 0.5)])
    set_gold_spans(doc, [(0, 1, "LOC")])
    write_docs([doc], tmp_path / "a.spacy")
    assert evaluate_files(tmp_path / "a.spacy", tmp_path / "a.spacy", layer="geo").f1 == 1.0
    with pytest.raises(
        UnknownNameError, match=r"no layer of .* is called 'geos'; did you mean 'geo'"
    ):
        evaluate_files(tmp_path / "a.spacy", tmp_path / "a.spacy", layer="geos")
