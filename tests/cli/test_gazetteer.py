import json

import pytest

from silverspan.cli.main import main


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SILVERSPAN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def cities(tmp_path):
    path = tmp_path / "cities.txt"
    path.write_bytes(b"Oslo\nNew York\n\xff\xfe\nParis (Texas)\n")
    return path


def built(cities, *options):
    target = cities.with_suffix(".gaz")
    words = ["gazetteer", "build", "text", str(cities), "-o", str(target), "--option", "label=GPE"]
    assert main([*words, *options]) == 0
    return target


def test_a_list_is_built_described_and_searched(cities, capsys):
    target = built(cities)
    said = capsys.readouterr().out
    assert "cities.txt:3: not UTF-8" in said
    assert main(["gazetteer", "info", str(target), "--verify", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["gazetteers"] == {"cities": {"GPE": 3}}
    assert info["verified"] is True
    assert main(["gazetteer", "lookup", "from new york to Oslo", str(target), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["text"], one["cased"], one["uncased"]) for one in found] == [
        ("new york", {}, {"GPE": 1.0}),
        ("Oslo", {"GPE": 1.0}, {"GPE": 1.0}),
    ]


def test_a_gazetteer_for_another_tokenizer_is_refused_with_its_command(cities, capsys):
    target = built(cities, "--tokenizer", "blank:de", "-q")
    assert main(["gazetteer", "lookup", "Oslo", str(target)]) == 1
    message = capsys.readouterr().err.replace("\n", " ")
    assert "--option label=GPE --tokenizer blank:en" in message


def test_a_missing_option_and_an_unknown_format_are_a_users_mistakes(cities, capsys):
    target = str(cities.with_suffix(".gaz"))
    assert main(["gazetteer", "build", "text", str(cities), "-o", target]) == 1
    assert "needs the option 'label'" in capsys.readouterr().err
    assert main(["gazetteer", "build", "texts", str(cities), "-o", target]) == 1
    assert "did you mean 'text'" in capsys.readouterr().err


def test_shipped_gazetteers_are_known_by_name(tmp_path, capsys):
    assert main(["gazetteer", "info", "product"]) == 0
    assert "source: " in capsys.readouterr().out
    assert main(["gazetteer", "lookup", "an iPhone", "product"]) == 0
    assert "iPhone" in capsys.readouterr().out
    target = tmp_path / "german.gaz"
    words = ["gazetteer", "build", "shipped", "product", "-o", str(target)]
    assert main([*words, "--tokenizer", "blank:de", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tokenizer"].startswith("de:")


def test_stop_words_and_mappings_are_heeded(cities, capsys):
    stop = cities.with_name("stop.txt")
    stop.write_text("OSLO\n")
    built(cities, "--stop", str(stop), "--map", "GPE=LOC", "--json")
    assert json.loads(capsys.readouterr().out)["gazetteers"] == {"cities": {"LOC": 2}}
