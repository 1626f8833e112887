import contextlib
import json
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.corpus.json_lines import JsonObject, read_objects
from silverspan.errors import InputError


def record(**fields):
    return JsonObject("a.jsonl", 3, fields)


def read(tmp_path, text):
    (tmp_path / "a.jsonl").write_text(text)
    return [each.fields for each in read_objects(tmp_path / "a.jsonl")]


def test_blank_lines_are_skipped_but_counted(tmp_path):
    (tmp_path / "a.jsonl").write_text('\n{"a": 1}\n  \n{"a": 2}\n')
    assert [each.line for each in read_objects(tmp_path / "a.jsonl")] == [2, 4]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON: Expecting property name"),
        ("[1]", r"a JSON object was expected, not \[1\]"),
        ('{"a": NaN}', "not JSON: NaN is no JSON number"),
        ('{"a": -Infinity}', "not JSON: -Infinity is no JSON number"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"a": 1, "b": 2, "a": 3}', 'not JSON: "a" stands twice'),
        (r'{"a": "\ud800"}', r"a character that does not exist \(half a"),
    ],
)
def test_a_line_that_is_no_json_object_is_named(tmp_path, line, reason):
    with pytest.raises(InputError, match=rf"a\.jsonl:2: {reason}"):
        read(tmp_path, '{"fine": 1}\n' + line)


def test_a_whole_surrogate_pair_is_one_character(tmp_path):
    assert read(tmp_path, r'{"a": "\ud83d\ude00"}') == [{"a": "😀"}]


WRONG = [True, 1.5, -3, 10**30, float("inf"), "text", "", [], [[]], {}, {"a": 1}, [1, 2], [None]]


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize(
    "read_field",
    [
        lambda r: r.identifier("x"),
        lambda r: r.value("x", str),
        lambda r: JsonObject("a", 3, {"tokens": r.fields["x"]}).tokens(),
        lambda r: JsonObject("a", 3, {"spaces": r.fields["x"]}).spaces(2),
        lambda r: JsonObject("a", 3, {"sentence_starts": r.fields["x"]}).sentence_starts(2),
        lambda r: r.spans("x", 2),
        lambda r: r.span([0, 1, "PER", r.fields["x"]], "here", 2),
        lambda r: r.span([r.fields["x"], 2, "PER"], "here", 2),
        lambda r: r.span([0, r.fields["x"], "PER"], "here", 2),
        lambda r: r.span([0, 2, r.fields["x"]], "here", 2),
    ],
)
def test_a_field_is_of_its_type_or_an_error_with_the_line(read_field, value):
    with contextlib.suppress(InputError):
        read_field(record(x=value))


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        ([0, 6, "PER"], "5 tokens"),
        ([-1, 2, "PER"], "5 tokens"),
        ([2, 2, "PER"], "not empty"),
        ([0.0, 2, "PER"], "half-open"),
        ([False, 2, "PER"], "half-open"),
        ([0, 2, "O"], "where a label should be"),
        ([0, 2, "PER", 1.1], "where a probability should be"),
        ([0, 2, "PER", float("nan")], "a number too large where a probability"),
        ([0, 2, "PER", True], "where a probability should be"),
        ([0, 2], r"should hold \[start, end, label, probability\]"),
    ],
)
def test_an_impossible_span_is_refused(span, reason):
    with pytest.raises(InputError, match=reason):
        record().span(span, '"weak"', 5)


def test_sentence_starts_are_numbers_of_tokens_or_flags():
    assert record(sentence_starts=[0, 2]).sentence_starts(3) == (0, 2)
    assert record(sentence_starts=[True, False, True]).sentence_starts(3) == (0, 2)
    with pytest.raises(InputError, match="should rise"):
        record(sentence_starts=[2, 0]).sentence_starts(3)


def test_messages_stay_short():
    with pytest.raises(InputError) as caught:
        record(tokens="x" * 10_000).tokens()
    assert len(str(caught.value)) < 150


@given(st.text())
def test_any_line_gives_an_object_or_an_input_error(text):
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(text.encode("utf-8", "surrogatepass"))
        file.flush()
        try:
            records = list(read_objects(file.name))
        except InputError:
            return
        assert all(json.dumps(each.fields) for each in records)
