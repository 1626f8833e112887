"""What annotation tools write is read: text, gold, suggestions, and who said what."""

import json

import pytest

from silverspan.corpus.reading import read_records
from silverspan.errors import InputError

TEXT = "😀 Anna in Oslo."
SPANS = [{"start": 2, "end": 6, "label": "PER"}, {"start": 10, "end": 14, "label": "LOC"}]
GOLD = ((2, 6, "PER"), (10, 14, "LOC"))


def region(start, end, label, **more):
    value = {"start": start, "end": end, "text": TEXT[start:end], "labels": [label]}
    return {"from_name": "label", "to_name": "text", "type": "labels", "value": value, **more}


def task(**more):
    return {"id": 5, "data": {"text": TEXT}, "annotations": [], **more}


@pytest.fixture
def read(tmp_path):
    def run(value, format, *, name="export.json"):
        path = tmp_path / name
        lines = isinstance(value, list) and name.endswith("l")
        path.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value))
        return list(read_records(path, format))

    return run


# Label Studio


def test_label_studio_has_people_and_models(read):
    tasks = [
        task(
            annotations=[
                {"completed_by": {"email": "anna@x.org", "id": 1}, "result": [region(2, 6, "PER")]},
                {"completed_by": 2, "result": [region(10, 14, "LOC")]},
                {"completed_by": 3, "result": [region(2, 6, "ORG")], "was_cancelled": True},
            ],
            predictions=[{"model_version": "m1", "result": [region(10, 14, "LOC", score=0.5)]}],
        )
    ]
    (record,) = read(tasks, "label-studio")
    assert (record.id, record.text, record.gold_unit) == ("5", TEXT, "characters")
    assert record.gold == ((10, 14, "LOC"),)
    assert record.found == ((10, 14, "LOC", 0.5),)
    assert record.layers == {
        "anna@x.org": ((2, 6, "PER", 1.0),),
        "2": ((10, 14, "LOC", 1.0),),
        "m1": ((10, 14, "LOC", 0.5),),
    }


def test_the_ground_truth_is_gold_and_our_own_id_is_kept(read):
    annotations = [
        {"completed_by": 1, "result": [region(2, 6, "PER")], "ground_truth": True},
        {"completed_by": 2, "result": []},
    ]
    (record,) = read([task(data={"text": TEXT, "id": "d7"}, annotations=annotations)], None)
    assert (record.id, record.gold) == ("d7", ((2, 6, "PER"),))
    assert record.layers["2"] == ()


def test_a_task_that_nobody_annotated_has_no_gold(read):
    assert read([task()], None)[0].gold is None
    assert read([task(annotations=[{"result": []}])], None)[0].gold == ()


def test_offsets_of_a_browser_count_an_emoji_twice(read):
    value = {"start": 3, "end": 7, "text": "Anna", "labels": ["PER"]}
    (record,) = read([task(annotations=[{"result": [{"value": value}]}])], None)
    assert record.gold == ((2, 6, "PER"),)
    assert TEXT[2:6] == "Anna"


def test_the_minimal_export_is_read_too(read):
    value = {"start": 10, "end": 14, "text": "Oslo", "labels": ["LOC"]}
    item = {"text": TEXT, "id": 5, "label": [value], "annotator": 1, "annotation_id": 7}
    (record,) = read([item], "label-studio")
    assert (record.gold, list(record.layers)) == (((10, 14, "LOC"),), ["1"])


def test_regions_that_are_no_spans_are_passed_over(read):
    result = [{"type": "choices", "value": {"choices": ["good"]}}, region(2, 6, "PER")]
    (record,) = read([task(annotations=[{"result": result}])], None)
    assert record.gold == ((2, 6, "PER"),)


# doccano


def test_doccano_has_lists_or_objects(read):
    listed = {"id": 1, "text": TEXT, "label": [[2, 6, "PER"], [10, 14, "LOC"]], "Comments": []}
    entities = [
        {"id": 9, "label": span["label"], "start_offset": span["start"], "end_offset": span["end"]}
        for span in SPANS
    ]
    related = {"id": 2, "text": TEXT, "entities": entities, "relations": []}
    for record in read([listed, related], "doccano", name="all.jsonl"):
        assert record.gold == GOLD
        assert record.layers[""] == ((2, 6, "PER", 1.0), (10, 14, "LOC", 1.0))


# Prodigy


def answered(answer="accept", spans=SPANS, **more):
    return {"text": TEXT, "spans": spans, "answer": answer, "meta": {"id": 3}, **more}


def test_prodigys_answers_of_several_people_are_one_document(read):
    lines = [
        answered(_annotator_id="news-anna"),
        answered(_annotator_id="news-bo", spans=SPANS[:1]),
        answered("reject", _annotator_id="news-cy"),
        {"text": "Rome", "answer": "ignore", "meta": {"id": 4}},
        {"text": "No", "answer": "accept", "meta": {"id": 5}},
    ]
    first, second, third = read(lines, "prodigy", name="news.jsonl")
    assert first.gold == GOLD[:1]
    assert list(first.layers) == ["news-anna", "news-bo"]
    assert (second.gold, dict(second.layers)) == (None, {})
    assert (third.gold, third.number) == ((), 5)


# Argilla


def test_argilla_has_responses_and_suggestions(read):
    item = {
        "id": "d1",
        "fields": {"text": TEXT},
        "metadata": {},
        "suggestions": {
            "spans": {"value": SPANS, "score": [0.75, 0.5], "agent": "silverspan"},
            "genre": {"value": "news", "score": None, "agent": "x"},
        },
        "responses": {"spans": [{"value": SPANS[:1], "user_id": "u1"}]},
        "status": "completed",
    }
    (record,) = read([item], None)
    assert record.gold == GOLD[:1]
    assert record.found == ((2, 6, "PER", 0.75), (10, 14, "LOC", 0.5))
    assert list(record.layers) == ["u1", "silverspan"]


# All of them


@pytest.mark.parametrize(
    ("format", "value", "message"),
    [
        (
            "label-studio",
            [{"data": {"a": "x", "b": "y"}}],
            "a text called .text.; its texts are: a, b",
        ),
        ("label-studio", [task(annotations=[{"result": [region(0, 99, "X")]}])], r"\[0, 99\]"),
        ("label-studio", [task(annotations=[{"result": None}])], '"result" should be a list'),
        ("label-studio", [task(annotations=["x"])], '"annotations" should hold objects'),
        ("label-studio", {"a": 1}, "should have a text"),
        ("argilla", [{"fields": {"text": "a"}, "responses": {"s": 1}}], "should hold lists"),
        ("argilla", [{"text": "ab", "spans": [], "score": [1]}], "has 1 numbers for 0 spans"),
        ("prodigy", {"text": 1}, '"text" should be text'),
        ("prodigy", {"text": "a", "spans": 7}, '"spans" should be a list of spans'),
        ("json", [1], "a JSON object was expected, not 1"),
    ],
)
def test_what_is_wrong_is_named(read, format, value, message):
    with pytest.raises(InputError, match=message):
        read(value, format)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"text": "a"},\n{"text": "b"', "export.json:2: not JSON"),
        ('[{"text": "a"}', "the list has no end"),
        ('[{"text": "a"} {"text": "b"}]', "a comma between"),
        ('[{"text": "a"}] x', "something after the list"),
    ],
)
def test_a_list_that_is_cut_off_is_refused(tmp_path, text, message):
    (tmp_path / "export.json").write_text(text)
    with pytest.raises(InputError, match=message):
        list(read_records(tmp_path / "export.json"))


def test_a_list_and_lines_are_both_read(tmp_path):
    for text in (
        '[\n{"text": "a"},\n {"text": "b"}\n]\n',
        '{"text": "a"}\n{"text": "b"}\n',
        " [ ] ",
    ):
        (tmp_path / "a.json").write_text(text)
        found = [record.text for record in read_records(tmp_path / "a.json")]
        assert found == ([] if "a" not in text else ["a", "b"])


def test_bad_objects_are_skipped_on_request(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([task(data={}), task()]))
    found = list(read_records(tmp_path / "a.json", on_error="skip"))
    assert [record.text for record in found] == [TEXT]
