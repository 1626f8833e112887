"""The report in a real browser: headless Chromium, light, dark, narrow, and without scripts."""

import json
import os
import shutil
from contextlib import contextmanager

import pytest

from silverspan import pipeline
from silverspan.report import findings_of, report, to_html
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, write_project
from tests.report.test_report import ANOTHER, GOLD

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
_OPEN_ALL = """document.querySelectorAll("details").forEach(each => {
    each.removeAttribute("name");
    each.open = true;
})"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser") / "project"
    settings = SETTINGS.replace('"mv"', '"hmm"') + '\n[evaluation]\ngold = "gold.jsonl"\n'
    project = write_project(folder, settings=settings, functions=FUNCTIONS + ANOTHER)
    (folder / "gold.jsonl").write_text("".join(f"{line}\n" for line in map(json.dumps, GOLD)))
    kept = []
    pipeline.run(project, further={"keep": lambda run: kept.append(run) or report(run)})
    file = folder / "report.html"
    file.write_text(to_html(findings_of(kept[0])), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(browser, address, **options):
    """Open the report; whatever it fetches or complains of is an error."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(60_000)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url))
    page.goto(address)
    yield page
    assert troubles == [address]
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_the_report_is_accessible_fits_and_fetches_nothing(browser, address, scheme, width):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    size = {"width": width, "height": 800}
    with opened(browser, address, viewport=size, color_scheme=scheme) as page:
        page.evaluate(_OPEN_ALL)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = axe.Axe().run(page).response["violations"]
        assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def test_functions_are_sorted_and_filtered_with_keys_alone(browser, address):
    with opened(browser, address) as page:
        table = page.locator("table[data-filter]").first
        head = table.locator("thead button", has_text="spans")
        head.focus()
        page.keyboard.press("Enter")
        assert table.locator("th[aria-sort=descending]").count() == 1
        spans = table.locator("tbody tr td:nth-child(4)").all_inner_texts()
        assert [int(text) for text in spans] == sorted(map(int, spans), reverse=True)
        page.keyboard.press("Enter")
        spans = table.locator("tbody tr td:nth-child(4)").all_inner_texts()
        assert [int(text) for text in spans] == sorted(map(int, spans))
        page.get_by_label("Filter by name, group or label").fill("cities")
        assert table.locator("tbody tr:visible").count() == 2
        assert page.locator("output").first.inner_text() == "2 of 4 rows"


def test_without_scripts_everything_is_there_and_nothing_is_dead(browser, address):
    with opened(browser, address, java_script_enabled=False) as page:
        assert page.locator("table[data-filter] >> nth=0 >> tbody tr").count() == 4
        assert page.locator("button, input").count() == 0
        summary = page.locator("summary", has_text="In words").first
        summary.focus()
        page.keyboard.press("Enter")
        assert page.locator(".example dl").first.is_visible()
