"""The view in a real browser: headless Chromium over a real server, with axe-core on every page."""

import json
import os
import re
import shutil
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from tests.view.conftest import HMM, opened

uvicorn = pytest.importorskip("uvicorn", reason="the extra `view` is not installed")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium here (apt install chromium)"
)
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 320, "height": 700}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def served(library):
    """Serve a library on a free port; give its address."""
    from silverspan.view import make_app  # noqa: PLC0415

    server = uvicorn.Server(uvicorn.Config(make_app(library, token="secret"), log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        for _ in range(6000):
            if server.started:
                break
            time.sleep(0.01)
        assert server.started
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/secret"
        server.should_exit = True
        thread.join(30)


@contextmanager
def opened_page(browser, *, viewport=WIDE, scheme="light", **options):
    """Open an empty page that fails on any error of a script, and on anything refused."""
    context = browser.new_context(viewport=viewport, color_scheme=scheme, **options)
    context.set_default_timeout(90_000)  # machines that run tests are busy
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console", lambda message: message.type == "error" and problems.append(str(message.text))
    )
    yield page
    context.close()
    assert not problems


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The address of a project that no test changes."""
    folder = tmp_path_factory.mktemp("shown") / "project"
    opened(folder, settings=HMM)
    functions = (folder / "functions.py").read_text()
    (folder / "functions.py").write_text(functions.replace("0.4", "0.3"))
    text = '{"id": "d9", "text": "Ms Berg left Oslo for Rome .", "entities": [[3, 7, "PER"]]}\n'
    (folder / "gold.jsonl").write_text(text)
    library = opened(folder, run_again=True)
    with served(library) as address:
        yield address


@pytest.fixture
def judged(tmp_path):
    """A library to be changed, and its address."""
    library = opened(tmp_path / "project", settings=HMM)
    with served(library) as address:
        yield library, address


def told(page, text):
    """Wait until the page says something, and its script has run."""
    page.get_by_text(text).wait_for()
    page.wait_for_load_state("domcontentloaded")


def kept(library):
    if not library.gold.path.exists():
        return []
    return [json.loads(line) for line in library.gold.path.read_text().splitlines()]


def test_open_search_filter_and_read_a_document(browser, shown):
    with opened_page(browser) as page:
        page.goto(f"{shown}/")
        assert page.locator(".list > li").count() == 10
        page.get_by_label("Text", exact=True).fill("nothing")
        page.get_by_role("button", name="Show").click()
        assert page.locator(".list > li").count() == 3
        page.get_by_role("link", name="clear").click()
        page.get_by_label("Function speaks").select_option("contrary")
        page.get_by_label("Order").select_option("value")
        page.get_by_role("button", name="Show").click()
        assert page.locator(".list h2 a").first.inner_text() != "d1"
        page.locator(".list h2 a").first.click()
        assert "Berg" in page.locator("#text").inner_text() or "Hall" in page.content()


def test_layers_are_toggled_and_stay_so(browser, shown):
    with opened_page(browser) as page:
        page.goto(f"{shown}/document/0")
        assert page.locator(".row.silver").first.is_visible()
        page.get_by_label("silver").uncheck()
        assert not page.locator(".row.silver").first.is_visible()
        page.reload()
        assert not page.locator(".row.silver").first.is_visible()
        page.get_by_label("silver").check()
        page.get_by_role("link", name="every function").click()
        page.get_by_text("functions", exact=False).first.wait_for()
        page.locator(".which summary").click()
        number = page.get_by_label("contrary").get_attribute("id").removeprefix("show-f")
        assert page.locator(f".row.f{number}").first.is_visible()
        page.get_by_label("contrary").uncheck()
        assert not page.locator(f".row.f{number}").first.is_visible()
        page.get_by_role("link", name="none").click()
        assert page.locator(".row.function").count() == 0


def test_a_click_explains_a_span_in_place(browser, shown):
    with opened_page(browser) as page:
        page.goto(f"{shown}/document/0")
        page.locator(".row.silver a").last.click()
        panel = page.locator("#why .panel[data-at]")
        panel.wait_for()
        assert "Rome" in panel.inner_text()
        assert "contrary" in panel.inner_text()
        assert "log odds" in panel.inner_text()
        assert "at=5-6" in page.url
        page.reload()
        assert "contrary" in page.locator("#why").inner_text()
        panel.get_by_text("silence of").click()
        assert page.locator(".silent").is_visible()


def test_words_selected_with_the_mouse_can_be_made_a_span(browser, judged):
    library, address = judged
    with opened_page(browser) as page:
        page.goto(f"{address}/document/1")
        first, last = page.locator(".w").nth(0).bounding_box(), page.locator(".w").nth(1)
        last = last.bounding_box()
        page.mouse.move(first["x"] + 2, first["y"] + first["height"] / 2)
        page.mouse.down()
        page.mouse.move(last["x"] + last["width"] - 2, last["y"] + last["height"] / 2, steps=5)
        page.mouse.up()
        page.locator('.panel[data-at="0-2"]').wait_for()
        page.locator(".labels button", has_text="LOC").click()
        told(page, "Accepted.")
        assert page.locator(".row.gold a").count() == 1
    assert library.review_of(1).judgement().gold == ((0, 2, "LOC"),)


def test_correct_finish_reload_and_undo(browser, judged):
    library, address = judged
    with opened_page(browser) as page:
        page.goto(f"{address}/document/0")
        page.locator(".row.silver a").first.click()
        page.locator('.panel[data-at="1-2"]').wait_for()
        page.get_by_role("link", name="start one word earlier").click()
        page.locator('.panel[data-at="0-2"]').wait_for()
        page.locator(".labels button", has_text="PER").click()
        told(page, "Accepted.")
        page.get_by_role("button", name=re.compile("^Finish")).click()
        told(page, "the document is gold now")
        assert "F1" in page.locator("#scores").inner_text()
        assert kept(library)[0]["gold"][0] == [0, 2, "PER"]
        page.goto(f"{address}/document/0")
        assert page.locator("h1 .badge").inner_text() == "gold"
        page.get_by_role("button", name=re.compile("^Undo")).click()
        told(page, "Undone.")
        assert page.get_by_role("button", name=re.compile("^Finish")).is_visible()
        page.get_by_role("button", name=re.compile("^Undo")).click()
        told(page, "Undone.")
    assert kept(library) == []


def test_the_keyboard_alone_is_enough(browser, judged):
    library, address = judged
    with opened_page(browser) as page:
        page.goto(f"{address}/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.goto(f"{address}/document/0")
        page.keyboard.press("j")
        page.locator('.panel[data-at="1-2"]').wait_for()
        page.keyboard.press("a")
        told(page, "Accepted.")
        page.locator('.panel[data-at="3-4"]').wait_for()
        page.keyboard.press("x")
        told(page, "Rejected.")
        page.locator('.panel[data-at="5-6"]').wait_for()
        page.keyboard.press("2")
        told(page, "Corrected.")
        assert library.review_of(0).judgement().gold == ((1, 2, "PER"), (5, 6, "PER"))
        page.keyboard.press("z")
        told(page, "Undone.")
        # Any words, without a mouse: s, arrows with Shift, Enter.
        page.keyboard.press("s")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        page.locator('.panel[data-at="2-4"]').wait_for()
        page.keyboard.press("1")
        told(page, "Accepted.")
        page.keyboard.press("f")
        told(page, "the document is gold now")
        page.keyboard.press("n")
        page.wait_for_url(re.compile(r"/document/[1-9]"))
        page.keyboard.press("?")
        assert page.locator("dialog").is_visible()
        page.get_by_label("Single keys work").press("Space")
        page.keyboard.press("Escape")
        before = page.url
        page.keyboard.press("n")
        page.keyboard.press("a")
        assert page.url == before
    assert kept(library)[0]["gold"] == [[1, 2, "PER"], [2, 4, "LOC"], [5, 6, "LOC"]]


def test_a_selection_becomes_a_rule(browser, judged):
    library, address = judged
    with opened_page(browser) as page:
        page.goto(f"{address}/document/0?at=3-4")
        page.get_by_text("Make a rule of it").click()
        page.locator(".rule input[name=text]").fill("left Oslo")
        page.locator(".rule input[name=name]").fill("leaving")
        page.get_by_role("button", name="Write it into the project").click()
        told(page, "stands in the project file")
    assert "[functions.rules.leaving]" in library.project.file.read_text()


def test_compare_functions_and_review_are_reached_by_links(browser, shown):
    with opened_page(browser) as page:
        page.goto(f"{shown}/")
        pages = page.get_by_role("navigation", name="pages of this project")
        pages.get_by_role("link", name="Compare").click()
        assert page.get_by_role("heading", name="Compare").is_visible()
        pages.get_by_role("link", name="Functions").click()
        page.get_by_role("link", name="spans", exact=True).click()
        assert page.locator("th[aria-sort=descending]").inner_text().startswith("spans")
        page.get_by_role("link", name="contrary").click()
        assert page.get_by_text("did not follow it").is_visible()
        pages.get_by_role("link", name="Review").click()
        assert "1 of 10" in page.content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_every_page_is_accessible_and_fits(browser, shown, scheme, viewport):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    paths = (
        "/",
        "/?text=rome&order=value",
        "/document/0?at=5-6",
        "/document/9?layers=every&at=0-1",
        "/functions",
        "/function/0",
        "/compare",
        "/review",
    )
    with opened_page(browser, viewport=viewport, scheme=scheme) as page:
        for path in paths:
            page.goto(shown + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], path
            found = axe.Axe().run(page).response["violations"]
            named = [(path, one["id"], [n["html"] for n in one["nodes"]]) for one in found]
            assert not named


def test_everything_but_keys_works_without_scripts(browser, judged):
    library, address = judged
    with opened_page(browser, java_script_enabled=False) as page:
        page.goto(f"{address}/document/0")
        page.locator(".row.silver a").first.click()
        page.locator(".labels button[data-key=a]").click()
        told(page, "Accepted.")
        page.get_by_role("button", name=re.compile("^Finish")).click()
        told(page, "the document is gold now")
    assert kept(library)[0]["gold"]


def test_hostile_text_runs_nothing(browser, tmp_path):
    texts = {
        '"><img src=x onerror="document.title=1">': "<script>document.title=1</script> Oslo .",
        "x" * 10_000: "Rome " + "y" * 10_000,
        "\x1b[31m../../etc": "{{ 7 * 7 }} Rome ';document.title=1;' \u202e .",
    }
    library = opened(tmp_path / "project", settings=HMM, texts=texts)
    with served(library) as address, opened_page(browser, viewport=NARROW) as page:
        page.goto(f"{address}/")
        for number in range(len(texts)):
            page.goto(f"{address}/document/{number}?layers=every&at=0-1")
            assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
            assert page.title() != "1"
            assert page.locator("main img, main script").count() == 0
