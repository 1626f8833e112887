import copy
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from silverspan import pipeline
from silverspan.analysis import Suggestion
from silverspan.report import (
    figures,
    findings_of,
    report,
    to_html,
    to_json,
    to_markdown,
    write_figures,
)
from silverspan.report.html import words
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
    assert row.count("–</td>") == 3


def test_the_report_shows_scores_functions_and_what_contradicts(finished):
    findings = findings_of(finished[0])
    assert set(findings.scores) == {"silver"}
    names = {row.function for row in findings.analysis.functions}
    assert names == {"cities", "people", "contrary", "cities_again"}
    example = findings.examples[0]
    assert [layer.kind for layer in example.layers][:2] == ["gold", "silver"]
    assert {"cities", "contrary"} <= {layer.name for layer in example.layers}


def test_a_function_is_measured_on_what_it_can_say(finished):
    rows = {row.function: row for row in findings_of(finished[0]).analysis.functions}
    assert (rows["people"].measured_precision, rows["people"].measured_recall) == (1.0, 1.0)
    assert rows["cities"].measured_precision == 0.0


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


@pytest.fixture(scope="module")
def page(finished):
    text = to_html(findings_of(finished[0]))
    found = Page()
    found.feed(text)
    return found.tags, text


def test_headings_go_down_one_step_at_a_time(page):
    levels = [int(tag[1]) for tag, _ in page[0] if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_tables_name_their_rows_and_columns_and_pictures_themselves(page):
    heads = [attributes for tag, attributes in page[0] if tag == "th"]
    assert heads
    assert all(attributes.get("scope") in ("col", "row") for attributes in heads)
    pictures = [attributes for tag, attributes in page[0] if tag == "svg"]
    assert pictures
    assert all(one["role"] == "img" and one["aria-label"] for one in pictures)
    scrolled = [attributes for _, attributes in page[0] if attributes.get("class") == "scroll"]
    assert all(one["tabindex"] == "0" and one["aria-label"] for one in scrolled)


def test_every_link_within_the_page_leads_somewhere(page):
    ids = [attributes["id"] for _, attributes in page[0] if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"][1:] for tag, attributes in page[0] if tag == "a"]
    assert set(links) <= set(ids)


def test_controls_come_with_the_script_that_serves_them(page):
    assert not [tag for tag, _ in page[0] if tag in ("input", "button", "select")]


def test_pictures_of_examples_are_told_in_words(page, finished):
    example = findings_of(finished[0]).examples[0]
    assert "Rome is PER (0.40)" in page[1]
    assert example.why == "contradicted"


def test_pictures_are_written_as_files_of_their_own(finished, tmp_path):
    findings = findings_of(finished[0])
    files = write_figures(findings, tmp_path / "pictures")
    assert {file.stem for file in files} == set(figures(findings))
    assert {"scores", "confusion", "agreement", "disagreement", "example-1"} <= {
        file.stem for file in files
    }
    for file in files:
        assert ElementTree.parse(file).getroot().tag.endswith("svg")


def test_labels_that_make_one_file_name_make_two_files(finished):
    findings = findings_of(finished[0])
    one = findings.analysis.matrices[0]
    twice = [replace(one, label="A/B"), replace(one, label="A B"), replace(one, label="../..")]
    names = figures(replace(findings, analysis=replace(findings.analysis, matrices=tuple(twice))))
    assert {"agreement-A-B", "agreement-A-B-again", "agreement"} <= set(names)


def test_what_is_costly_can_be_left_out(finished):
    findings = findings_of(finished[0], refit=False)
    assert findings.analysis.sample.refits == 0
    assert "gain</button>" not in to_html(findings)
    assert all(row.gain is None for row in findings.analysis.extras)


def test_a_page_without_gold_or_conflict_stands(tmp_path):
    settings = SETTINGS.replace(
        'files = ["functions.py"]', 'files = ["functions.py"]\nonly = ["people"]'
    )
    kept = []
    pipeline.run(
        write_project(tmp_path / "p", settings=settings),
        further={"keep": lambda run: kept.append(run) or report(run)},
    )
    page = to_html(findings_of(kept[0]))
    assert "There is no gold to score against" in page
    assert "never" in to_markdown(findings_of(kept[0])) or "one witness" in page


def test_equal_projects_in_other_shards_give_equal_analyses(finished, tmp_path):
    settings = SETTINGS.replace("shard_size = 4", "shard_size = 3")
    settings += '\n[evaluation]\ngold = "gold.jsonl"\n'
    project = write_project(tmp_path / "p", settings=settings, functions=FUNCTIONS + ANOTHER)
    (tmp_path / "p" / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in GOLD))
    kept = []
    pipeline.run(project, further={"keep": lambda run: kept.append(run) or report(run)})
    one, two = findings_of(finished[0]), findings_of(kept[0])
    assert one.analysis.to_json() == two.analysis.to_json()
    assert one.examples == two.examples


def test_invisible_characters_of_names_are_spelled_out():
    turned = "evil\u202etxt"
    findings = Suggestion(topic="function", text=f"`{turned}` <b>hurts</b>")
    assert words(findings.text) == "<code>evil⟨U+202E⟩txt</code> &lt;b&gt;hurts&lt;/b&gt;"


def test_a_page_of_very_many_functions_stays_small_enough_for_a_mail(finished):
    findings = findings_of(finished[0])
    names = tuple(f"function_{i}" for i in range(400))
    table = tuple((0.5,) * 400 for _ in names)
    whole = findings.analysis.matrices[0]
    matrices = (replace(whole, functions=names, agreement=table, disagreement=table),)
    row, extra = findings.analysis.functions[0], findings.analysis.extras[0]
    by_label = tuple(replace(row, function=name, label="LOC") for name in names for _ in range(20))
    analysis = replace(
        findings.analysis,
        functions=tuple(replace(row, function=name, tokens=i) for i, name in enumerate(names)),
        extras=tuple(replace(extra, function=name) for name in names),
        by_label=by_label,
        matrices=matrices,
    )
    page = to_html(replace(findings, analysis=analysis))
    assert len(page.encode()) < 5_000_000
    assert "Shown are the 60 functions with most tokens." in page
    assert "function_399 / function_340" in page
    assert "function_399 / function_339" not in page
    assert "1500 rows of 8000" in page
