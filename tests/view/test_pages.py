"""The pages that only show, and who may see them."""

import re

import pytest

from tests.view.conftest import HMM, client_of, opened

GOLD = {"id": "d0", "text": "Ms Berg left Oslo for Rome .", "entities": [[3, 7, "PER"]]}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    settings = HMM + '\n[evaluation]\ngold = "gold.jsonl"\n'
    folder = tmp_path_factory.mktemp("pages") / "project"
    return client_of(opened(folder, settings=settings, gold=[GOLD]))


def listed(page):
    return re.findall(r'/document/\d+">(d\d+)</a>', page)


def test_the_list_shows_every_document(client):
    assert listed(client.get("/secret/").text) == [f"d{i}" for i in range(10)]


def test_the_list_is_searched_filtered_and_ordered(client):
    def found(**asked):
        return listed(client.get("/secret/", params=asked).text)

    assert found(text="nothing HERE") == ["d1", "d4", "d7"]
    assert found(text="d4") == ["d4"]
    assert found(label="PER", order="conflict")[0] in {"d2", "d5", "d8"}
    assert found(function="people") == ["d0", "d2", "d3", "d5", "d6", "d8", "d9"]
    assert found(disputed="1") == found(function="contrary")
    assert found(state="finished") == ["d0"]
    assert "d0" not in found(state="open")
    assert found(order="value")[-1] in {"d1", "d4", "d7"}


def test_what_was_searched_is_marked_in_the_text(client):
    assert "<mark>Hall</mark>" in client.get("/secret/", params={"text": "hall"}).text


def test_a_document_shows_gold_silver_and_what_functions_say(client):
    page = client.get("/secret/document/0").text
    assert re.search(r'class="row gold">.*?</span>PER', page)
    assert re.search(r'class="row silver">.*?</span>PER', page)
    assert "\u00d72" in page  # cities and cities_again say the same
    page = client.get("/secret/document/0", params={"layers": "every"}).text
    for function in ("cities", "contrary", "people"):
        assert f'<span class="name" aria-hidden="true">{function}</span>' in page
    page = client.get("/secret/document/0", params={"layers": "none"}).text
    assert "contrary" not in page.split('id="why"')[0]


def test_why_names_the_functions_and_adds_up(client):
    page = client.get("/secret/document/0/why", params={"at": "5-6"}).text
    assert "“Rome”" in page
    for voice in ("cities", "cities_again", "contrary", "its neighbours", "its shape"):
        assert f">{voice}" in page
    amounts = [float(x.replace("−", "-")) for x in re.findall(r'number">([+−][\d.]+)<svg', page)]
    total = float(re.search(r"<b>([+−][\d.]+)</b>", page)[1].replace("−", "-"))
    assert sum(amounts) == pytest.approx(total, abs=0.05)


def test_why_nobody_speaks_is_said_plainly(client):
    page = client.get("/secret/document/1/why", params={"at": "0-1"}).text
    assert "No function says anything here" in page


def test_a_vote_is_explained_as_a_vote(tmp_path):
    client = client_of(opened(tmp_path / "project"))
    page = client.get("/secret/document/0/why", params={"at": "5-6"}).text
    assert "A vote" in page
    assert "+1.00" in page
    assert "−1.00" in page


def test_other_models_say_that_they_cannot_be_taken_apart(tmp_path):
    client = client_of(opened(tmp_path / "p", settings=HMM.replace('"hmm"', '"dcm"')))
    page = client.get("/secret/document/0/why", params={"at": "5-6"}).text
    assert "does not divide" in page
    assert "cities" in page


def test_functions_are_listed_sorted_and_have_a_page_each(client):
    page = client.get("/secret/functions", params={"sort": "name"}).text
    names = re.findall(r'/function/\d+">(\w+)</a>', page)
    assert names == ["cities", "cities_again", "contrary", "people"]
    number = re.search(r'/function/(\d+)">contrary<', page)[1]
    page = client.get(f"/secret/function/{number}").text
    assert "did not follow it" in page
    assert "<mark>Rome</mark>" in page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 404),
        ("/wrong/", 404),
        ("/secret/document/10", 404),
        ("/secret/document/-1", 404),
        ("/secret/document/../../x", 404),
        ("/secret/function/99", 404),
        ("/secret/?order=name", 400),
        ("/secret/?label=<script>", 400),
        ("/secret/?function=none", 400),
        ("/secret/?page=9999999999", 400),
        ("/secret/?page=x", 400),
        ("/secret/next?after=-1", 400),
        ("/secret/compare?label=X", 400),
        ("/secret/document/0?at=3-2", 400),
        ("/secret/document/0?at=0-99", 400),
        ("/secret/document/0?at=٣-٤", 400),
        ("/secret/document/0?at=0-1&label=X", 400),
        ("/secret/document/0?layers=all", 400),
    ],
)
def test_what_is_not_there_is_refused(client, path, status):
    assert client.get(path).status_code == status


def test_another_host_and_another_origin_are_refused(client):
    assert client.get("/secret/", headers={"host": "evil.example:8377"}).status_code == 421
    assert client.get("/secret/", headers={"host": "127.0.0.1.evil:8377"}).status_code == 421
    assert client.get("/secret/", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.post("/secret/").status_code == 403
    assert client.delete("/secret/").status_code == 405


def test_scripts_and_styles_run_only_with_the_nonce_of_the_page(client):
    response = client.get("/secret/document/0")
    policy = response.headers["content-security-policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)[1]
    opened = re.findall(r'<(?:script|link rel="stylesheet")([^>]*)>', response.text)
    assert len(opened) == 2
    assert all(f'nonce="{nonce}"' in attributes for attributes in opened)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert " style=" not in response.text
    assert not re.search(r" on\w+=", response.text)
    assert client.get("/secret/document/0").headers["content-security-policy"] != policy


def test_the_text_of_a_search_is_never_markup(client):
    page = client.get("/secret/", params={"text": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page


def test_hostile_names_texts_and_ids_are_harmless(tmp_path):
    hostile = {
        "<img src=x onerror=alert(1)>": "<script>alert(1)</script> left Oslo .",
        "../../etc/passwd": "Rome \x1b[31m red \u202e txt .",
        "x" * 10_000: "Oslo " + "y" * 10_000,
        "\x1b]0;title\x07": "'; alert(1); ' Rome",
        "empty": "",
        "blank": " \n\t ",
    }
    client = client_of(opened(tmp_path / "project", settings=HMM, texts=hostile))
    pages = [client.get("/secret/").text]
    for number in range(len(hostile)):
        for layers in ("merged", "every", "none"):
            address = f"/secret/document/{number}"
            place = {} if number == 4 else {"at": "0-1"}
            answer = client.get(address, params={"layers": layers} | place)
            assert answer.status_code == 200
            pages.append(answer.text)
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "\x1b" not in page
        assert "\u202e" not in page
        assert len(page) < 60_000


def test_a_document_as_long_as_a_book_is_shown_in_parts(tmp_path):
    texts = {"book": "Ms Berg left Oslo for Rome . " * 2000, "note": "Rome ."}
    client = client_of(opened(tmp_path / "project", settings=HMM, texts=texts))
    page = client.get("/secret/document/0").text
    assert "part 1 of 6" in page
    assert len(page) < 3_000_000
    seen = set()
    for part in range(1, 7):
        page = client.get("/secret/document/0", params={"part": part, "layers": "none"}).text
        seen |= set(map(int, re.findall(r'data-t="(\d+)"', page)))
    assert seen == set(range(14_000))
    page = client.get("/secret/document/0", params={"at": "13000-13001"}).text
    assert "part 6 of 6" in page
    assert "part 1 of" not in client.get("/secret/document/1").text
