import json
import logging
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from silverspan.corpus.docbin import write_docs
from silverspan.corpus.document import set_document_id, set_gold_spans, set_layer
from silverspan.errors import InputError, UnknownNameError
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.kit import annotations, from_settings

NLP = spacy.blank("en")
TEXT = "Anna can't leave Oslo."


def document(text: str, identifier: str) -> Doc:
    doc = NLP(text)
    set_document_id(doc, identifier)
    return doc


def by_name(functions: list[LabellingFunction]) -> dict[str, LabellingFunction]:
    return {function.name: function for function in functions}


def asked(function: LabellingFunction, doc: Doc) -> bool:
    assert function.asked is not None
    return function.asked(doc)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    def annotation(who: object, *spans: tuple[int, int, str]) -> dict[str, object]:
        values = [{"start": s, "end": e, "labels": [label]} for s, e, label in spans]
        return {"completed_by": who, "result": [{"value": value} for value in values]}

    path = tmp_path / "tasks.json"
    tasks = [
        {
            "id": 901,
            "data": {"text": TEXT},
            "annotations": [
                annotation({"email": "anna@x.org"}, (0, 4, "PER"), (17, 21, "LOC")),
                annotation("bo, jr", (17, 20, "LOC")),
            ],
        },
        {
            "id": 902,
            "data": {"text": "Rome."},
            "annotations": [annotation({"email": "anna@x.org"})],
        },
    ]
    path.write_text(json.dumps(tasks))
    return path


def test_each_annotator_of_a_tool_is_a_function_by_one_line(tasks: Path) -> None:
    rule = {"kind": "annotations", "path": tasks.name, "format": "label-studio"}
    found = by_name(from_settings("people", rule, directory=tasks.parent))
    assert list(found) == ["people_anna@x.org", "people_bo-jr"]
    assert found["people_bo-jr"].labels == ("LOC", "PER")
    # Our own id is not the tool's: the text tells which document it is.
    doc = document(TEXT, "d1")
    assert list(found["people_anna@x.org"](doc)) == [(0, 1, "PER", 1.0), (4, 5, "LOC", 1.0)]


def test_who_did_not_annotate_a_document_is_absent(tasks: Path) -> None:
    found = by_name(annotations("people", tasks))
    anna, bo = found.values()
    assert asked(anna, document("Rome.", "x"))
    assert list(anna(document("Rome.", "x"))) == []
    assert not asked(bo, document("Rome.", "x"))
    assert not asked(anna, document("Bergen.", "901"))
    assert list(anna(document("Bergen.", "901"))) == []


def test_ends_inside_tokens_are_widened_and_told_once(
    tasks: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bo = by_name(annotations("people", tasks))["people_bo-jr"]
    with caplog.at_level(logging.WARNING, "silverspan"):
        assert list(bo(document(TEXT, "d1"))) == [(4, 5, "LOC", 1.0)]
        list(bo(document(TEXT, "d2")))
    assert len(caplog.records) == 1
    assert "document 'd1': 1 annotations in" in caplog.text


def test_doccano_writes_a_file_for_each_annotator(tmp_path: Path) -> None:
    for who, spans in (("ann", [[0, 4, "PER"]]), ("bo", [])):
        line = {"id": 1, "text": TEXT, "label": spans}
        (tmp_path / f"{who}.jsonl").write_text(json.dumps(line))
    rule = {"kind": "annotations", "path": ["ann.jsonl", "bo.jsonl"], "format": "doccano"}
    found = by_name(from_settings("people", rule, directory=tmp_path))
    assert list(found) == ["people_ann", "people_bo"]
    doc = document(TEXT, "1")
    assert [len(list(function(doc))) for function in found.values()] == [1, 0]
    assert all(asked(function, doc) for function in found.values())
    assert list(by_name(annotations("all", tmp_path / "ann.jsonl", "doccano"))) == ["all"]


def test_layers_of_a_docbin_are_functions_and_gold_is_none(tmp_path: Path) -> None:
    doc = document(TEXT, "d1")
    set_layer(doc, "geo", [(4, 5, "LOC", 0.5)])
    set_layer(doc, "silver", [(4, 5, "LOC", 0.9)])
    set_gold_spans(doc, [(0, 1, "PER")])
    write_docs([doc, document("Rome.", "d2")], tmp_path / "a.spacy")
    found = by_name(annotations("layer", tmp_path / "a.spacy"))
    assert list(found) == ["layer_geo"]
    assert list(found["layer_geo"](document(TEXT, "d1"))) == [(4, 5, "LOC", 0.5)]


def test_a_file_with_gold_only_is_one_function(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("Anna B-PER\nleft O\n\nOslo B-LOC\n")
    (function,) = annotations("others", tmp_path / "a.conll")
    assert function.name == "others"
    assert list(function(document("Anna left", "0"))) == [(0, 1, "PER", 1.0)]


def test_of_documents_with_one_text_the_id_decides(tmp_path: Path) -> None:
    lines = [
        {"text": "Oslo", "meta": {"id": name}, "answer": "accept", "spans": spans}
        for name, spans in (("a", []), ("b", [{"start": 0, "end": 4, "label": "LOC"}]))
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (function,) = annotations("prodigy", tmp_path / "a.jsonl", "prodigy")
    assert [len(list(function(document("Oslo", name)))) for name in "ab"] == [0, 1]


def test_what_is_not_there_is_named(tasks: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has nothing of .cy.; it has: anna@x\.org, bo, jr"):
        annotations("people", tasks, annotators=["cy"])
    with pytest.raises(UnknownNameError, match="did you mean 'label-studio'"):
        annotations("people", tasks, "label_studio")
    (tmp_path / "empty.json").write_text("[]")
    with pytest.raises(InputError, match="holds no annotations"):
        annotations("people", tmp_path / "empty.json")
    (tmp_path / "two.json").write_text(
        json.dumps(
            [
                {
                    "data": {"text": "a"},
                    "annotations": [{"completed_by": w, "result": []} for w in ("a b", "a  b")],
                }
            ]
        )
    )
    with pytest.raises(InputError, match="two annotators would be called 'people_a-b'"):
        annotations("people", tmp_path / "two.json")
