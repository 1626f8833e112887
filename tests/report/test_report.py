import copy
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from silverspan import pipeline
from silverspan.report import findings_of, report, to_html, to_json, to_markdown
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, write_project

GOLD = [
    {"id": "d0", "text": "Ms Berg left Oslo for Rome .", "entities": [[3, 7, "PER"]]},
    {"id": "d1", "text": "Nothing here .", "entities": []},
]
ANOTHER = """
@sp.labelling_function(labels=["PER"])
def contrary(doc):
    for token in doc:
        if token.text == "Rome":
            yield token.i, token.i + 1, "PER", 0.4
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "project"
    settings = SETTINGS + '\n[evaluation]\ngold = "gold.jsonl"\n'
    project = write_project(folder, settings=settings, functions=FUNCTIONS + ANOTHER)
    (folder / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in GOLD))
    found = []
    outcomes = pipeline.run(project, further={"keep": lambda run: found.append(run) or report(run)})
    return found[0], outcomes


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def test_the_report_is_one_file_that_fetches_nothing(finished):
    page = Page()
    page.feed(to_html(findings_of(finished[0])))
    assert ("html", {"lang": "en"}) in page.tags
    fetched = {"src", "href", "data", "action"}
    links = [
        value for _, attributes in page.tags for key, value in attributes.items() if key in fetched
    ]
    assert all(link.startswith("#") for link in links)


def test_a_label_that_only_one_of_the_systems_says_is_shown_for_that_one(finished):
    findings = findings_of(finished[0])
    student = copy.deepcopy(findings.scores["silver"])
    said = student["entity"]["strict"]["labels"]
    del said["LOC"]
    page = to_html(replace(findings, scores={**findings.scores, "student": student}))
    row = re.search(r"<tr><th scope=.row.><span[^>]*>LOC</span>.*?</tr>", page, re.DOTALL)[0]
    assert row.count("<td>-</td>") == 3
    assert to_html(replace(findings, scores={"silver": student})).count(">LOC</span></th>") == 1


def test_the_report_shows_scores_functions_and_what_contradicts(finished):
    findings = findings_of(finished[0])
    assert set(findings.scores) == {"silver"}
    names = {row["function"] for row in findings.functions}
    assert names == {"cities", "people", "contrary", "cities_again"}
    example = findings.examples[0]
    assert [layer.kind for layer in example.layers][:2] == ["gold", "silver"]
    assert {"cities", "contrary"} <= {layer.name for layer in example.layers}


def test_a_function_is_measured_on_what_it_can_say(finished):
    rows = {row["function"]: row for row in findings_of(finished[0]).functions}
    assert (rows["people"]["precision"], rows["people"]["recall"]) == (1.0, 1.0)
    assert rows["cities"]["precision"] == 0.0


def test_equal_runs_give_equal_reports(finished):
    assert to_html(findings_of(finished[0])) == to_html(findings_of(finished[0]))


def test_markdown_and_json_say_the_same(finished):
    findings = findings_of(finished[0])
    assert json.loads(to_json(findings))["counts"]["documents"] == 10
    assert re.search(r"\| PER \| 1\.000 \| 1\.000 \| 1\.000 \|", to_markdown(findings))


def test_names_from_outside_are_text_and_never_markup(tmp_path):
    hostile = "<script>alert(1)</script>"
    functions = f"""
import silverspan as sp
bad = sp.LabellingFunction(
    name={hostile!r}, labels=("LOC",), propose=lambda doc: [(0, 1, "LOC")]
)
"""
    settings = SETTINGS + f"\n[project]\nname = '{hostile}'\n"
    project = write_project(tmp_path / "p", settings=settings, functions=functions)
    kept = []
    pipeline.run(project, further={"keep": lambda run: kept.append(run) or report(run)})
    assert hostile not in to_html(findings_of(kept[0]))
    assert "<script" not in to_markdown(findings_of(kept[0]))
