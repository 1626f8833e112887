"""What is exported and read again has the same spans, for every format and whatever the text."""

import json
import warnings
from types import SimpleNamespace
from unittest.mock import MagicMock
from uuid import UUID

import datasets
import numpy as np
import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.cli.main import main
from silverspan.corpus.alignment import over_tokens
from silverspan.corpus.document import layer, set_document_id, set_layer
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import source_of
from silverspan.errors import InputError
from silverspan.integrations.export import FORMATS, export
from silverspan.training.silver import apply
from tests.integrations.test_export import documents

VOCAB = spacy.blank("en").vocab
WORDS = [
    "Oslo",
    "a",
    ".",
    "é",
    "😀",
    "👩‍👩‍👧",
    "שלום",
    "\u200f",
    "\x00",
    "&lt;",
    '"',
    "-DOCSTART",
    "\u2028",
]
BLANKS = ["\n", "  ", "\t"]
# JSON lines and CoNLL lose nothing of this; what keeps no spans of its own is not in the list.
TOOLS = [name for name in FORMATS if name != "jsonl"]


@st.composite
def docs(draw):
    made = []
    for number in range(draw(st.integers(1, 3))):
        words = draw(st.lists(st.sampled_from(WORDS + BLANKS), min_size=1, max_size=8))
        spaces = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
        doc = Doc(VOCAB, words, spaces=spaces)
        set_document_id(doc, f"../{number}")
        spans, start = [], 0
        while start < len(words):
            end = draw(st.integers(start + 1, len(words)))
            edges = {words[start], words[end - 1]} & {*BLANKS, "\u2028"}
            if not edges and draw(st.booleans()):
                label = draw(st.sampled_from(["LOC", "PER-SON", "Ü/1"]))
                spans.append((start, end, label, draw(st.sampled_from([0.25, 0.5, 1.0]))))
            start = end
        set_layer(doc, "silver", spans)
        made.append(doc)
    return made


def again(path, format, originals):
    """Return the spans of a file over the tokens of the documents it was written from."""
    names = {"label-studio": None, "argilla": "argilla", "docbin": "docbin", "conll": "conll"}
    records = list(read_records(path, names.get(format, format)))
    found = []
    for record, doc in zip(records, originals, strict=True):
        spans = record.found
        if record.doc is not None:
            spans = layer(record.doc, "silver")
        if spans is None:
            spans = [(*span, 1.0) for span in record.gold]
        found.append(over_tokens(spans, source_of(record), [token.text for token in doc]))
    return records, found


@pytest.mark.parametrize("format", TOOLS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(originals=docs())
def test_spans_survive_every_format_and_back(tmp_path, format, originals):
    path = tmp_path / ("out.json" if format == "label-studio" else "out")
    has_marks = any(token.text == "\u2028" for doc in originals for token in doc)
    if format == "conll" and has_marks:
        return  # a blank to Python, and no blank to CoNLL
    export(originals, format, path)
    records, found = again(path, format, originals)
    for record, moved, doc in zip(records, found, originals, strict=True):
        assert moved is not None
        expected = layer(doc, "silver")
        if format in ("conll", "doccano"):  # which keep no probabilities
            expected = [(*span[:3], 1.0) for span in expected]
        assert sorted(moved.spans) == expected
        assert moved.misaligned == 0
        if format != "conll":
            assert record.id.startswith("../")


def test_what_tools_get_is_scored_as_predictions(tmp_path, capsys):
    export(documents(), "jsonl", tmp_path / "gold.jsonl")
    for format in ("label-studio", "prodigy", "argilla", "doccano", "parquet", "docbin"):
        path = tmp_path / f"out-{format}"
        export(documents(), format, path)
        command = ["evaluate", str(tmp_path / "gold.jsonl"), str(path), "--format", format]
        assert main([*command, "--json"]) == 0
        strict = json.loads(capsys.readouterr().out)["entity"]["strict"]["micro"]
        assert (strict["correct"], strict["missed"], strict["spurious"]) == (3, 0, 0)


# Hugging Face datasets


def silver_documents():
    """Documents as a label model leaves them."""
    plain = [Doc(VOCAB, ["In", "New", "York"]), Doc(VOCAB, ["Anna"])]
    probability = np.array(
        [[0.25, 0.75, 0.0, 0.0, 0.0], [0.375, 0.0, 0.625, 0.0, 0.0], [0.125, 0.0, 0.0, 0.875, 0.0]]
    )
    posterior = Posterior.build(
        labels=("LOC", "PER"),
        scheme="bio",
        documents=("0", "1"),
        lengths=np.array([3, 1]),
        position=np.array([1, 2, 3]),
        probability=probability,
    )
    return apply(posterior, plain)


def test_datasets_loads_soft_labels_beside_class_labels(tmp_path):
    export(iter(silver_documents()), "parquet", tmp_path / "out.parquet")
    path = str(tmp_path / "out.parquet")
    loaded = datasets.load_dataset(
        "parquet", data_files=path, split="train", cache_dir=str(tmp_path / "cache")
    )
    names = loaded.features["ner_tags"].feature.names
    assert names == ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
    first = loaded[0]
    assert [names[tag] for tag in first["ner_tags"]] == ["O", "B-LOC", "I-LOC"]
    assert first["soft_labels"] == [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [0.25, 0.75, 0.0, 0.0, 0.0],
        [0.375, 0.0, 0.625, 0.0, 0.0],
    ]
    # What the library writes is read again.
    loaded.to_parquet(str(tmp_path / "again.parquet"))
    before, after = (
        [(r.id, r.tokens, r.gold, r.found) for r in read_records(tmp_path / name)]
        for name in ("out.parquet", "again.parquet")
    )
    assert before == after


def test_tags_of_a_dataset_are_read_as_names_too(tmp_path):
    rows = {"tokens": [["Oslo", "!"]], "ner_tags": [["B-LOC", "O"]]}
    datasets.Dataset.from_dict(rows).to_parquet(str(tmp_path / "a.parquet"))
    (record,) = read_records(tmp_path / "a.parquet")
    assert record.gold == ((0, 1, "LOC"),)
    rows = {"text": ["In Oslo"], "entities": [[{"start": 3, "end": 7, "label": "LOC"}]]}
    datasets.Dataset.from_dict(rows).to_parquet(str(tmp_path / "b.parquet"))
    (record,) = read_records(tmp_path / "b.parquet")
    assert (record.gold, record.gold_unit) == (((3, 7, "LOC"),), "characters")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"tokens": [["a"]], "ner_tags": [[7]]}, "the number 7, and no class label has it"),
        ({"tokens": [["a"]], "ner_tags": [["O", "O"]]}, "2 tags for 1 tokens"),
        ({"tokens": [["a"]], "ner_tags": [["?"]]}, "which are no tags"),
        ({"words": [["a"]]}, "neither a column text nor a column tokens"),
        ({"text": [None]}, 'neither "text" nor "tokens"'),
    ],
)
def test_a_dataset_of_another_form_is_refused(tmp_path, rows, message):
    datasets.Dataset.from_dict(rows).to_parquet(str(tmp_path / "a.parquet"))
    with pytest.raises(InputError, match=message):
        list(read_records(tmp_path / "a.parquet"))


def test_labels_that_a_label_model_did_not_announce_are_refused(tmp_path):
    first = silver_documents()[0]
    other = Doc(VOCAB, ["x"])
    set_layer(other, "silver", [(0, 1, "ORG", 1.0)])
    with pytest.raises(InputError, match="the label 'ORG', which is none of those of the first"):
        export([first, other], "parquet", tmp_path / "out.parquet")
    assert not list(tmp_path.iterdir())


# Argilla


@pytest.fixture(scope="module")
def argilla():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pydantic, about how argilla configures it
        return pytest.importorskip("argilla")


def test_argilla_takes_our_rows_as_its_guide_says_and_we_read_its_records(tmp_path, argilla):
    export(documents(), "argilla", tmp_path / "rows.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    server = MagicMock()  # which is asked for nothing
    question = argilla.SpanQuestion(
        name="spans", field="text", labels=["LOC", "PER"], client=server
    )
    schema = argilla.Settings(
        fields=[argilla.TextField(name="text", client=server)], questions=[question]
    )
    dataset = SimpleNamespace(schema=schema.schema, settings=schema, questions={"spans": question})
    mapper = argilla.records._mapping.IngestedRecordMapper(
        dataset=dataset,
        user_id=UUID(int=1),
        mapping={"score": "spans.suggestion.score", "agent": "spans.suggestion.agent"},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of keys that it takes all the same
        records = [mapper(row) for row in rows]
    for record in records[:1]:
        value = [{"start": 3, "end": 11, "label": "LOC"}]
        record.responses.add(argilla.Response("spans", value, user_id=UUID(int=2)))
    argilla.records._io.JsonIO.to_json(records, tmp_path / "export.json")
    first, second = read_records(tmp_path / "export.json")
    assert (first.id, first.gold) == ("7", ((3, 11, "LOC"),))
    assert first.found == ((3, 11, "LOC", 0.75), (13, 17, "PER", 1.0))
    assert list(first.layers) == [str(UUID(int=2)), "silverspan"]
    assert (second.gold, second.found) == (None, ((0, 4, "LOC", 1.0),))
