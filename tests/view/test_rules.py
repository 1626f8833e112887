"""A rule is appended to the project file, or the file stays as it was."""

import re

import pytest

from silverspan.errors import InputError
from silverspan.pipeline import functions_of
from silverspan.project import Project
from silverspan.view.rules import KINDS, Rule, add, free_name
from tests.pipeline.conftest import SETTINGS, write_project


def a_rule(**changed):
    return Rule(
        **{"name": "fleets", "kind": "phrase", "text": "Color Line", "label": "LOC"} | changed
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_rule_is_appended_and_nothing_above_it_changes(tmp_path, kind, end):
    text = "# mine\n" + SETTINGS.strip() + "   # as it is"
    write_project(tmp_path / "p")
    path = tmp_path / "p" / "silverspan.toml"
    content = (text.replace("\n", end or "\n") + end).encode()
    path.write_bytes(content)
    project = Project(tmp_path / "p")
    add(project, a_rule(kind=kind), ())
    after = path.read_bytes()
    assert after.startswith(content)
    assert (b"\r\n" in after) == (end == "\r\n")
    assert not re.search(rb"[^\r]\n", after) or end != "\r\n"
    function = next(f for f in functions_of(Project(tmp_path / "p")) if f.name == "fleets")
    assert function.labels == ("LOC",)


@pytest.mark.parametrize(
    "text", ['"""', "\\", "a\nb", "]\n[labels]\noutput = []", "\x7f\x00", "é \u202e", "#", "'"]
)
def test_no_text_breaks_out_of_its_rule(tmp_path, text):
    project = write_project(tmp_path / "p")
    add(project, a_rule(text=text), ())
    after = Project(tmp_path / "p").settings
    assert after.functions.rules["fleets"]["entries"] == [text]
    assert after.labels == project.settings.labels


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "a.b"}, "name of a rule"),
        ({"name": "x]\n[labels"}, "name of a rule"),
        ({"name": ""}, "name of a rule"),
        ({"name": "cities"}, "already"),
        ({"kind": "call"}, "one of"),
        ({"text": " "}, "needs a text"),
        ({"text": "x" * 1001}, "needs a text"),
        ({"label": "GPE"}, "no label"),
        ({"kind": "regular expression", "text": "("}, "no regular expression"),
    ],
)
def test_what_is_no_rule_is_refused_and_nothing_is_written(tmp_path, changed, message):
    project = write_project(tmp_path / "p")
    before = project.file.read_bytes()
    with pytest.raises(InputError, match=message):
        add(project, a_rule(**changed), ("cities",))
    assert project.file.read_bytes() == before


@pytest.mark.parametrize(
    "settings",
    [
        SETTINGS.replace('files = ["functions.py"]', "rules = { }"),
        SETTINGS + "\n[functions.rules.fleets]\nkind = 'phrases'\nentries = ['x']\nlabel = 'LOC'\n",
    ],
)
def test_a_file_that_would_be_wrong_comes_back(tmp_path, settings):
    project = write_project(tmp_path / "p", settings=settings)
    before = project.file.read_bytes()
    with pytest.raises(InputError, match=r"silverspan\.toml"):
        add(project, a_rule(), ())
    assert project.file.read_bytes() == before


@pytest.mark.parametrize("text", ["Color Line", "42", "", "é", "a" * 99, "--x--"])
def test_a_free_name_is_a_name_and_free(text):
    first = free_name(text, ())
    second = free_name(text, {first})
    assert first != second
    for name in (first, second):
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", name)
