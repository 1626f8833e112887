"""What pages may change: only our own, only by POST; and what follows from it."""

import json
import re

import pytest

from silverspan.project import Project
from silverspan.view.earlier import Earlier, count, differences
from silverspan.view.finding import Filter
from tests.view.conftest import HMM, client_of, opened, post

CHANGING = ("/document/0/judge", "/document/0/rule", "/undo")


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """A library and its client that no test may change."""
    library = opened(tmp_path_factory.mktemp("untouched") / "project")
    return library, client_of(library)


def kept(library):
    return [json.loads(line) for line in library.gold.path.read_text().splitlines()]


def test_accepting_leads_to_the_next_open_span_and_finishing_makes_gold(library, client):
    answer = post(client, "/document/0/judge", do="accept", at="1-2", label="PER")
    assert answer.status_code == 303
    assert "at=3-4" in answer.headers["location"]
    answer = post(client, "/document/0/judge", do="reject", at="3-4", label="LOC")
    assert "at=5-6" in answer.headers["location"]
    post(client, "/document/0/judge", do="finish")
    (line,) = kept(library)
    assert line["gold"] == [[1, 2, "PER"], [5, 6, "LOC"]]
    assert [a["do"] for a in line["review"]["actions"]] == ["accept", "reject", "finish"]
    assert all(a["by"] == "ann" and a["at"] for a in line["review"]["actions"])


def test_another_label_or_other_ends_are_a_correction(library, client):
    post(client, "/document/0/judge", do="accept", at="0-2", label="PER", instead="1-2 PER")
    judged = library.review_of(0).judgement()
    assert judged.gold == ((0, 2, "PER"),)
    assert (1, 2, "PER") in judged.rejected
    page = client.get("/secret/document/0").text
    assert "rejected" in page


def test_undo_takes_the_last_decision_back(library, client):
    post(client, "/document/0/judge", do="accept", at="1-2", label="PER")
    answer = post(client, "/undo")
    assert answer.headers["location"].startswith("/secret/document/0?")
    assert kept(library) == []
    assert "said=nothing" in post(client, "/undo").headers["location"]


def test_scores_follow_what_is_judged(library, client):
    assert "Nothing is judged yet" in client.get("/secret/review").text
    post(client, "/document/0/judge", do="finish")
    assert "F1 <b>1.00</b>" in client.get("/secret/document/0").text
    post(client, "/document/1/judge", do="finish")
    post(client, "/document/2/judge", do="reject", at="0-1", label="LOC")
    post(client, "/document/2/judge", do="finish")
    page = client.get("/secret/document/0").text
    assert "On 3 judged documents" in page
    assert "F1 <b>1.00</b>" not in page
    assert "ann" in client.get("/secret/review").text


def test_next_is_the_unfinished_document_most_worth_a_look(library, client):
    first = client.get("/secret/next", follow_redirects=False).headers["location"]
    number = int(re.search(r"/document/(\d+)", first)[1])
    best = library.find(Filter(order="value"))[0]
    assert number == best
    post(client, f"/document/{number}/judge", do="finish")
    second = client.get("/secret/next", follow_redirects=False).headers["location"]
    assert f"/document/{number}?" not in second


def test_the_next_run_scores_against_what_was_judged(tmp_path):
    settings = HMM + '\n[evaluation]\ngold = "gold.jsonl"\n'
    folder = tmp_path / "project"
    library = opened(folder, settings=settings, gold=[])
    post(client_of(library), "/document/0/judge", do="finish")
    opened(folder, run_again=True)
    assert json.loads((folder / "output" / "scores.json").read_text())["silver"]["documents"] == 1


def test_a_selection_becomes_a_rule_that_the_next_run_uses(tmp_path):
    folder = tmp_path / "project"
    client = client_of(opened(folder))
    answer = post(
        client,
        "/document/0/rule",
        kind="phrase",
        text="left Oslo",
        label="LOC",
        name="leaving",
        at="2-4",
    )
    assert answer.status_code == 303
    assert "at=2-4" in answer.headers["location"]
    assert Project(folder).settings.functions.rules["leaving"]["entries"] == ["left Oslo"]
    again = opened(folder, run_again=True)
    assert "leaving" in again.functions


def test_a_wrong_rule_is_told_on_the_page_and_not_written(tmp_path):
    folder = tmp_path / "project"
    client = client_of(opened(folder))
    before = (folder / "silverspan.toml").read_bytes()
    answer = post(
        client, "/document/0/rule", kind="regular expression", text="(<b>", label="LOC", name="x"
    )
    assert answer.status_code == 422
    assert "no regular expression" in answer.text
    assert "(<b>" not in answer.text
    assert (folder / "silverspan.toml").read_bytes() == before


@pytest.mark.parametrize("path", CHANGING)
@pytest.mark.parametrize(
    ("headers", "fields", "status"),
    [
        ({"origin": "http://evil.example"}, {}, 403),
        ({"origin": "http://127.0.0.1:9999"}, {}, 403),
        ({"origin": "null"}, {}, 403),
        ({"sec-fetch-site": "cross-site"}, {}, 403),
        ({"content-type": "text/plain"}, {}, 415),
        ({"content-type": "application/json"}, {}, 415),
        ({}, {"padding": "x" * 70_000}, 413),
    ],
)
def test_only_a_form_of_our_own_page_changes_anything(
    library, client, path, headers, fields, status
):
    before = library.project.file.read_bytes()
    answer = post(client, path, headers=headers, do="finish", **fields)
    assert answer.status_code == status
    assert not library.gold.path.exists()
    assert library.project.file.read_bytes() == before


@pytest.mark.parametrize("path", CHANGING)
def test_a_form_without_the_secret_changes_nothing(untouched, path):
    library, client = untouched
    own = {"origin": "http://127.0.0.1:8377"}
    for fields in ({"do": "finish"}, {"do": "finish", "secret": "guess"}):
        answer = client.post(f"/secret{path}", data=fields, headers=own)
        assert answer.status_code == 403
    assert not library.gold.path.exists()


@pytest.mark.parametrize("path", CHANGING)
def test_get_changes_nothing(untouched, path):
    library, client = untouched
    assert client.get(f"/secret{path}").status_code == 405
    for page in ("/", "/next", "/review", "/functions", "/compare", "/document/0"):
        client.get(f"/secret{page}", params={"do": "finish"})
    assert not library.gold.path.exists()


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (0, {"do": "drop"}),
        (0, {"do": "accept"}),
        (0, {"do": "accept", "at": "0-99", "label": "PER"}),
        (0, {"do": "accept", "at": "0-1", "label": "<b>"}),
        (0, {"do": "accept", "at": "0-1", "label": "PER", "instead": "9"}),
        (0, {"do": "finish", "layers": "x"}),
    ],
)
def test_a_form_that_makes_no_sense_changes_nothing(untouched, number, fields):
    library, client = untouched
    assert post(client, f"/document/{number}/judge", **fields).status_code == 400
    assert not library.gold.path.exists()


def test_the_run_viewed_before_is_compared_with(tmp_path):
    folder = tmp_path / "project"
    assert "no other run" in client_of(opened(folder)).get("/secret/compare").text
    functions = (folder / "functions.py").read_text()
    (folder / "functions.py").write_text(functions.replace('{"Oslo", "Rome"}', '{"Oslo"}'))
    client = client_of(opened(folder, run_again=True))
    page = client.get("/secret/compare").text
    assert "the run before" in page
    assert "documents differ" in page
    assert "<mark>Rome</mark>" in page
    assert client.get("/secret/compare", params={"label": "PER"}).status_code == 200
    assert 'class="row earlier"' in client.get("/secret/document/0").text
    # Looking again at the same run keeps the comparison.
    again = client_of(opened(folder, run_again=True))
    assert "the run before" in again.get("/secret/compare").text


def test_another_project_can_be_compared_with(tmp_path):
    opened(tmp_path / "one")
    earlier = Earlier.of(tmp_path / "one")
    assert earlier.found == Earlier.of(tmp_path / "one" / "output" / "predictions.jsonl").found
    assert earlier.spans("d0", 7)
    assert earlier.spans("d0", 2) is None
    assert earlier.spans("unknown", 7) is None


def test_differences_are_symmetric_and_equal_runs_have_none():
    one = [(0, 2, "ORG", 1.0), (4, 6, "PER", 0.5), (8, 9, "LOC", 1.0)]
    two = [(0, 2, "LOC", 1.0), (4, 5, "PER", 0.5), (10, 11, "LOC", 1.0)]
    assert differences(one, one) == []
    kinds = [kind for kind, _, _ in differences(one, two)]
    assert kinds == ["label", "boundary", "only here", "only there"]
    back = [kind for kind, _, _ in differences(two, one)]
    assert sorted(back) == sorted(kinds)
    assert sum(count(differences(one, two)).values()) == 4
