import json
import re

import pytest

from silverspan import pipeline
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, write_project

starlette = pytest.importorskip("starlette", reason="the extra `view` is not installed")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

ANOTHER = """
@sp.labelling_function(labels=["PER"])
def contrary(doc):
    for token in doc:
        if token.text == "Rome":
            yield token.i, token.i + 1, "PER", 0.4
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    from starlette.testclient import TestClient  # noqa: PLC0415

    from silverspan.view import Library, make_app  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("view") / "project"
    settings = SETTINGS + '\n[evaluation]\ngold = "gold.jsonl"\n'
    project = write_project(folder, settings=settings, functions=FUNCTIONS + ANOTHER)
    gold = {"id": "d0", "text": "Ms Berg left Oslo for Rome .", "entities": [[3, 7, "PER"]]}
    (folder / "gold.jsonl").write_text(json.dumps(gold) + "\n")
    kept = []
    pipeline.run(
        project,
        further={
            "keep": lambda run: (
                kept.append(run) or pipeline.Outcome(stage="keep", was_fresh=True, summary="")
            )
        },
    )
    app = make_app(Library(kept[0]), token="secret")
    return TestClient(app, base_url="http://127.0.0.1:8377")


def test_the_list_shows_every_document(client):
    page = client.get("/secret/").text
    assert all(f">d{i}</a>" in page for i in range(10))


def test_the_list_is_filtered_and_ordered(client):
    page = client.get("/secret/", params={"text": "nothing", "order": "conflict"}).text
    assert re.findall(r">(d\d+)</a>", page) == ["d1", "d4", "d7"]
    page = client.get("/secret/", params={"label": "PER", "order": "conflict"}).text
    assert re.findall(r">(d\d+)</a>", page)[0] in {"d2", "d5", "d8"}


def test_a_document_shows_gold_silver_and_every_function_that_speaks(client):
    page = client.get("/secret/document/0").text
    for layer in ("gold", "silver", "cities", "contrary", "people"):
        assert re.search(rf'data-kind="\w+">{layer}</span>', page), layer


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 404),
        ("/wrong/", 404),
        ("/secret/document/10", 404),
        ("/secret/document/-1", 404),
        ("/secret/document/../../x", 404),
        ("/secret/?order=name", 400),
        ("/secret/?label=<script>", 400),
        ("/secret/?page=9999999999", 400),
        ("/secret/?page=x", 400),
    ],
)
def test_what_is_not_there_is_refused(client, path, status):
    assert client.get(path).status_code == status


def test_another_host_another_origin_and_another_method_are_refused(client):
    assert client.get("/secret/", headers={"host": "evil.example:8377"}).status_code == 421
    assert client.get("/secret/", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.post("/secret/").status_code == 405


def test_scripts_and_styles_run_only_with_the_nonce_of_the_page(client):
    response = client.get("/secret/document/0")
    nonce = re.search(r"'nonce-([^']+)'", response.headers["content-security-policy"])[1]
    opened = re.findall(r"<(?:script|style)([^>]*)>", response.text)
    assert opened
    assert all(f'nonce="{nonce}"' in attributes for attributes in opened)
    assert "style=" not in response.text


def test_the_text_of_a_search_is_never_markup(client):
    page = client.get("/secret/", params={"text": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page
