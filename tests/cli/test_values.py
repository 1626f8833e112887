import io
import json
import sys

import pytest

from silverspan.cli.main import main


def lines(monkeypatch, capsys, text, *arguments):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["values", "--json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_one_list_is_printed_for_each_line_in_order(monkeypatch, capsys):
    found = lines(monkeypatch, capsys, "nothing here\n\nétude: 5 % on 3 May\r\nand $2")
    assert [len(values) for values in found] == [0, 0, 2, 1]
    assert found[2][0] == {
        "start": 7,
        "end": 10,
        "text": "5 %",
        "label": "PERCENT",
        "value": "5%",
        "probability": found[2][0]["probability"],
    }
    assert found[3][0]["text"] == "$2"


def test_a_reference_resolves_relative_dates(monkeypatch, capsys):
    [[value]] = lines(monkeypatch, capsys, "yesterday\n", "--reference", "2020-01-01")
    assert value["value"] == "2019-12-31"


def test_other_languages(monkeypatch, capsys):
    [[value]] = lines(monkeypatch, capsys, "um halb acht\n", "--language", "de")
    assert value["value"] == "T07:30"


def test_a_line_that_is_no_utf_8_is_named(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"5 km\nat \xff\xfe 5\n")))
    assert main(["values", "--json"]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)[0]["text"] == "5 km"
    assert "standard input:2: byte 0xff" in printed.err


def test_offsets_count_characters_not_bytes_or_surrogates(monkeypatch, capsys):
    text = "\U0001f600\U0001f600 5 km, na\u00efve e\u0301 $2"
    [values] = lines(monkeypatch, capsys, text + "\n")
    assert [text[value["start"] : value["end"]] for value in values] == ["5 km", "$2"]


def test_a_text_gives_a_table(capsys):
    assert main(["values", "It cost $5 in May 2020."]) == 0
    printed = capsys.readouterr().out
    assert "MONEY" in printed
    assert "2020-05" in printed
    assert main(["values", "Nothing."]) == 0
    assert "No values" in capsys.readouterr().out


def test_a_wrong_language_or_reference_is_told(capsys):
    assert main(["values", "--language", "xx", "5 km"]) == 1
    assert "en" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["values", "--reference", "tomorrow", "5 km"])
