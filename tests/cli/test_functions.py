import json

from silverspan.cli.main import main
from silverspan.labelling.presets import PAPER
from tests.pipeline.conftest import FUNCTIONS, write_project


def test_the_list_names_the_paper_s_functions_with_group_and_labels(capsys):
    assert main(["functions", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(PAPER) <= set(rows)
    assert {rows[name]["group"] for name in PAPER} == {
        "neural",
        "gazetteers",
        "heuristics",
        "document_level",
    }
    assert all(row["labels"] for row in rows.values() if row["available"])


def test_the_list_is_also_a_table(capsys):
    assert main(["functions", "list"]) == 0
    assert "money_detector" in capsys.readouterr().out


def test_show_marks_what_a_function_says(capsys):
    text = "It closed on 3 May 2019."
    arguments = ["functions", "show", "date_detector", "--text", text, "--pipeline", "blank:en"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "It closed on [3 May 2019](DATE).\n"
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["text"] == "3 May 2019"


def test_show_names_an_unknown_function(capsys):
    assert main(["functions", "show", "date_detecter", "--text", "x"]) == 1
    assert "did you mean 'date_detector'?" in capsys.readouterr().err


def test_check_tells_which_functions_keep_the_contract(tmp_path, capsys):
    bad = """
@sp.labelling_function(labels=["LOC"])
def undeclared(doc):
    return [(0, 1, "PER")]

calls = []

@sp.labelling_function(labels=["LOC"])
def changing(doc):
    calls.append(doc)
    return [(0, 1, "LOC")] if len(calls) % 2 else []
"""
    project = write_project(tmp_path / "p", documents=3, functions=FUNCTIONS + bad)
    assert main(["functions", "check", str(project.directory), "--json"]) == 1
    rows = {row["function"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["cities"]["contract"] == "kept"
    assert rows["cities"]["spans"] == 4
    assert "which it does not declare" in rows["undeclared"]["contract"]
    assert "the second time" in rows["changing"]["contract"]
    assert main(["functions", "check", str(project.directory), "cities"]) == 0
