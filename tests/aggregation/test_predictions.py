import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.predictions import (
    Prediction,
    read_predictions,
    save_predictions,
    write_predictions,
)
from silverspan.errors import InputError

TOKENS = [["In", "New", "York", "."], ["Anna"], []]


@pytest.fixture
def posterior():
    return Posterior.build(
        labels=("LOC", "PER"),
        scheme="bio",
        documents=("1", "x", "2"),
        lengths=np.array([4, 1, 0]),
        position=np.array([1, 2, 4]),
        probability=np.array([[0.1, 0.9, 0, 0, 0], [0.2, 0, 0.8, 0, 0], [0.25, 0, 0, 0.5, 0.25]]),
    )


def test_a_prediction_is_written_to_the_letter(posterior, tmp_path):
    write_predictions(posterior, TOKENS, tmp_path / "p.jsonl", ids=[1, "x", 2], probs=True)
    lines = (tmp_path / "p.jsonl").read_text().splitlines()
    assert lines[1] == (
        '{"id":"x","tokens":["Anna"],"pred":[[0,1,"PER",0.75]],'
        '"probs":[{"O":0.25,"LOC":0.0,"PER":0.75}]}'
    )
    first = json.loads(lines[0])
    assert first["pred"] == [[1, 3, "LOC", 0.85]]
    assert first["probs"][0] == {"O": 1.0, "LOC": 0.0, "PER": 0.0}
    assert lines[2] == '{"id":2,"tokens":[],"pred":[],"probs":[]}'


@pytest.mark.parametrize("probs", [False, True])
def test_what_is_written_is_read_again(posterior, tmp_path, probs):
    write_predictions(posterior, TOKENS, tmp_path / "p.jsonl", probs=probs)
    file = read_predictions(tmp_path / "p.jsonl")
    assert file.ids == ("1", "x", "2")
    assert file.tokens == tuple(map(tuple, TOKENS))
    again = file.posterior()
    assert again.labels == posterior.labels
    assert [again.spans.of(i) for i in range(3)] == [
        [(s, e, label, pytest.approx(p, abs=1e-6)) for s, e, label, p in posterior.spans.of(i)]
        for i in range(3)
    ]
    tolerance = 1e-6 if probs else 0.06  # a span's probability is the mean of its tokens'
    for number in range(3):
        assert np.allclose(
            again.probabilities(number), posterior.probabilities(number), atol=tolerance
        )


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=2))
def test_writing_twice_gives_the_same_bytes(tmp_path_factory, probabilities):
    folder = tmp_path_factory.mktemp("predictions")
    spans = [(i, i + 1, "LOC", p) for i, p in enumerate(probabilities)]
    probs = [{"O": 1 - p, "LOC": p} for p in probabilities]
    prediction = Prediction(id=1, tokens=["a", "b"], spans=spans, probs=probs)
    save_predictions([prediction], folder / "1.jsonl")
    file = read_predictions(folder / "1.jsonl")
    write_predictions(file.posterior(), file.tokens, folder / "2.jsonl", ids=file.ids, probs=True)
    assert (folder / "1.jsonl").read_bytes() == (folder / "2.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"tokens":["a"]', 'no "pred"'),
        ('"pred":[]', 'no "tokens"'),
        ('"tokens":["a"],"pred":{}', '"pred" should be a list'),
        ('"tokens":["a"],"pred":[[0,1]]', "should hold"),
        ('"tokens":["a"],"pred":[[0,2,"X",1]]', "the document has 1 tokens"),
        ('"tokens":["a"],"pred":[],"probs":[]', "should have 1 objects"),
        ('"tokens":["a"],"pred":[],"probs":[[]]', "should be an object"),
        ('"tokens":["a"],"pred":[],"probs":[{"O":0.5}]', "adds up to 0.5, not to 1"),
        ('"tokens":["a"],"pred":[],"probs":[{"O":"1"}]', "a probability should be"),
        ('"tokens":["a"],"pred":[],"probs":[{"O":1e400}]', "a probability should be"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(tmp_path, fields, message):
    path = tmp_path / "p.jsonl"
    path.write_text(f'\n{{"id":1,{fields}}}')
    with pytest.raises(InputError, match=rf"p\.jsonl:2: .*{message}"):
        read_predictions(path)


# Other formats


def test_what_people_and_tools_annotated_is_read_as_predictions(tmp_path, caplog):
    (tmp_path / "a.conll").write_text("-DOCSTART- O\n\nAnna B-PER\nleft O\n")
    file = read_predictions(tmp_path / "a.conll")
    assert (file.ids, file.tokens, file.spans) == (
        ("0",),
        (("Anna", "left"),),
        (((0, 1, "PER", 1.0),),),
    )

    def region(start, end, label, score):
        return {"score": score, "value": {"start": start, "end": end, "labels": [label]}}

    regions = [region(0, 4, "PER", 0.5), region(0, 9, "PER", 0.75), region(15, 19, "LOC", 0.5)]
    tasks = [
        {"id": 7, "data": {"text": "Anna Berg left Oslo."}, "predictions": [{"result": regions}]},
        {"id": 8, "data": {"text": "Rome"}},
    ]
    (tmp_path / "export").write_text(json.dumps(tasks))
    file = read_predictions(tmp_path / "export", "label-studio")
    assert file.tokens == (("Anna", "Berg", "left", "Oslo", "."),)
    # Of spans that overlap the more probable stays.
    assert file.spans == (((0, 2, "PER", 0.75), (3, 4, "LOC", 0.5)),)
    assert file.posterior().labels == ("LOC", "PER")
    assert "1 documents that nobody annotated are left out" in caplog.text
    (tmp_path / "b.json").write_text(json.dumps(tasks[1:]))
    with pytest.raises(InputError, match="nobody annotated a document"):
        read_predictions(tmp_path / "b.json")
