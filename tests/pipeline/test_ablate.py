import json

import pytest

from silverspan.cli.main import main
from silverspan.errors import UnknownNameError
from silverspan.pipeline.ablate import ablate
from silverspan.pipeline.run import run
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, TEXTS, write_project

GROUPED = FUNCTIONS.replace(
    '@sp.labelling_function(labels=["LOC"])',
    '@sp.labelling_function(labels=["LOC"], group="places")',
)


@pytest.fixture
def grouped(tmp_path):
    return write_project(tmp_path / "grouped", functions=GROUPED)


def with_gold(project):
    gold = [{"id": f"d{i}", "text": TEXTS[i % 3], "gold": []} for i in range(10)]
    for each in gold:
        for word, label in (("Berg", "PER"), ("Hall", "PER"), ("Oslo", "LOC")):
            if (start := each["text"].find(word)) >= 0:
                each["gold"].append([start, start + len(word), label])
    lines = "".join(json.dumps(each) + "\n" for each in gold)
    (project.directory / "gold.jsonl").write_text(lines)
    settings = SETTINGS + '\n[evaluation]\ngold = "gold.jsonl"\n'
    (project.directory / "silverspan.toml").write_text(settings)
    return type(project)(project.directory)


def test_each_group_stands_alone_and_is_left_out(grouped):
    rows = {row.name: row for row in ablate(grouped)}
    assert list(rows) == [
        "all functions",
        "only custom",
        "only places",
        "without custom",
        "without places",
    ]
    assert rows["only places"].functions == rows["without custom"].functions == ("cities",)
    assert rows["all functions"].changed == 0.0
    assert rows["only places"].changed > 0
    assert rows["all functions"].f1 is None


def test_each_function_is_left_out(grouped):
    rows = ablate(grouped, by="function")
    assert [row.name for row in rows[1:]] == [
        "without cities",
        "without people",
        "without cities_again",
    ]
    # What one of two equal functions says the other says too.
    assert rows[3].changed == 0.0


def test_gold_gives_scores_and_what_chance_could_have_done(grouped):
    rows = {row.name: row for row in ablate(with_gold(grouped), only=["people", "cities,people"])}
    assert rows["only people"].precision == 1.0
    assert rows["only people"].f1 > rows["all functions"].f1
    assert rows["only people"].gain == pytest.approx(
        rows["only people"].f1 - rows["all functions"].f1
    )
    assert 0 < rows["only people"].p_value <= 1
    assert rows["only cities,people"].gain == 0.0


def test_all_functions_score_as_a_run_does(grouped):
    project = with_gold(grouped)
    outcome = {each.stage: each for each in run(project)}["evaluate"]
    expected = outcome.details["silver"]["entity"]["strict"]["micro"]["f1"]
    assert ablate(project, only=["people"])[0].f1 == expected


def test_a_choice_that_no_model_can_be_fitted_on_says_why(tmp_path):
    settings = SETTINGS.replace('name = "mv"', 'name = "hmm"')
    project = write_project(tmp_path / "hmm", settings=settings, functions=GROUPED)
    rows = ablate(project, without=["*", "people"])
    assert (rows[1].functions, rows[1].problem) == ((), "no function is left")
    assert rows[2].log_likelihood is not None


def test_an_unknown_group_is_named(grouped):
    with pytest.raises(UnknownNameError, match="did you mean 'places'"):
        ablate(grouped, only=["place"])


def test_the_command_prints_a_table_or_json(grouped, capsys):
    assert main(["ablate", str(grouped.directory)]) == 0
    out = capsys.readouterr().out
    assert "without places" in out
    assert "ln L" in out
    with_gold(grouped)
    command = ["ablate", str(grouped.directory), "--without", "cities*"]
    assert main(command) == 0
    assert "gain" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["normalise"] == []
    assert told["rows"][1]["functions"] == ["people"]
