import json
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from silverspan.corpus.document import set_document_id
from silverspan.errors import InputError, LabellingError
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.kit import crowd

NLP = spacy.blank("en")


def document(text: str, identifier: str) -> Doc:
    doc = NLP(text)
    set_document_id(doc, identifier)
    return doc


@pytest.fixture
def path(tmp_path: Path) -> Path:
    lines = [
        {"id": 1, "tokens": ["Oslo", "can't", "wait"], "weak": {"ann": [[0, 1, "LOC"]]},
         "asked": ["ann", "bo"]},
        {"id": "b", "tokens": ["IBM"], "weak": {"bo": [[0, 1, "ORG", 0.5]]}, "asked": ["bo"]},
    ]  # fmt: skip
    file = tmp_path / "crowd.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


def by_name(functions: list[LabellingFunction]) -> dict[str, LabellingFunction]:
    return {function.name: function for function in functions}


def test_each_annotator_is_a_function(path: Path) -> None:
    found = by_name(crowd(path))
    assert list(found) == ["ann", "bo"]
    assert found["ann"].labels == ("LOC", "ORG")
    assert list(found["ann"](document("Oslo can't wait", "1"))) == [(0, 1, "LOC", 1.0)]
    assert list(found["bo"](document("IBM", "b"))) == [(0, 1, "ORG", 0.5)]
    assert list(by_name(crowd(path, annotators=["bo"]))) == ["bo"]


def test_who_did_not_see_a_document_is_absent(path: Path) -> None:
    found = by_name(crowd(path))
    seen = found["bo"].asked
    assert seen is not None
    assert seen(document("Oslo can't wait", "1"))
    assert not seen(document("something else", "c"))
    assert found["ann"].asked is not None
    assert not found["ann"].asked(document("IBM", "b"))


def test_annotations_of_other_tokens_are_aligned(path: Path) -> None:
    rows = [{"id": "x", "tokens": ["Oslo", "can't", "wait"], "weak": {"ann": [[1, 2, "X"]]}}]
    path.write_text("\n".join(map(json.dumps, rows)))
    doc = document("Oslo can't wait", "x")
    assert [token.text for token in doc] == ["Oslo", "ca", "n't", "wait"]
    assert list(crowd(path)[0](doc)) == [(1, 3, "X", 1.0)]
    with pytest.raises(LabellingError, match="another text"):
        list(crowd(path)[0](document("Bergen can't wait", "x")))


@pytest.mark.parametrize(
    "line", [{"tokens": ["a"]}, {"id": 1, "tokens": ["a"], "weak": {"x": [[0, 2, "X"]]}}]
)
def test_a_line_of_another_form_is_refused(path: Path, line: dict[str, object]) -> None:
    path.write_text(json.dumps(line))
    with pytest.raises(InputError):
        crowd(path)
