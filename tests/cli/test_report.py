import json

import pytest

from silverspan.cli.main import main
from tests.pipeline.conftest import write_project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "project"
    write_project(folder)
    return folder


def test_the_ending_tells_the_format_and_pictures_come_beside(project, tmp_path, capsys):
    page, pictures = tmp_path / "news.html", tmp_path / "pictures"
    command = ["report", str(project), "-o", str(page), "--figures", str(pictures), "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "html"
    assert page.read_text().startswith("<!doctype html>")
    assert sorted(told["figures"]) == sorted(str(file) for file in pictures.iterdir())


def test_without_a_file_the_report_goes_to_standard_output(project, capsys):
    assert main(["report", str(project), "--format", "json", "--no-refit"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["counts"]["documents"] == 10
    assert {"functions", "pairs", "suggestions"} <= set(found["analysis"])


def test_equal_runs_write_equal_bytes(project, tmp_path):
    files = [tmp_path / "one.html", tmp_path / "two.html"]
    for file in files:
        assert main(["report", str(project), "-o", str(file), "-q"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("more", "problem"), [([], "say where to"), (["-o", "news.pdf"], "--format html, md or json")]
)
def test_a_report_without_place_or_format_is_an_error_that_helps(project, capsys, more, problem):
    assert main(["report", str(project), *more]) == 1
    assert problem in capsys.readouterr().err
