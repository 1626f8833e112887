"""The documentation names everything that a user can name, and its code is code."""

import inspect
import re
import tomllib
from pathlib import Path

import pytest

import silverspan
from silverspan import errors
from silverspan.cli.main import COMMANDS
from silverspan.labelling.presets import PRESETS
from silverspan.project import Settings

ROOT = Path(__file__).parents[1]
PAGES = {path.name: path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))}
TEXT = "\n".join(PAGES.values())
# As declared, not as registered: what another package adds is not ours to document.
PARTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]


def is_named(name):
    """Whether a page has the name as code: alone, or as the start of something longer."""
    return re.search(rf"`[^`\n]*(?<![\w+]){re.escape(name)}(?![\w+])[^`\n]*`", TEXT)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command):
    assert f"`silverspan {command} " in TEXT


@pytest.mark.parametrize(
    ("group", "name"),
    [
        (group, name)
        for group in ("functions", "aggregators", "trainers", "gazetteer_readers", "baselines")
        for name in PARTS[f"silverspan.{group}"]
        # The four variants of each gazetteer are documented by their pattern.
        if not name.endswith(("_cased", "_uncased"))
    ],
)
def test_every_registered_part_is_documented(group, name):
    assert is_named(name)


@pytest.mark.parametrize("name", [*PRESETS, *silverspan.__all__])
def test_every_preset_and_public_name_is_documented(name):
    assert is_named(name) or re.search(rf"^::: silverspan[\w.]*\.{name}$", TEXT, flags=re.M)


@pytest.mark.parametrize(
    "error",
    [
        name
        for name, value in vars(errors).items()
        if name.endswith("Error") and inspect.isclass(value)
    ],
)
def test_every_error_is_documented(error):
    assert f"`{error}`" in PAGES["python.md"]


@pytest.mark.parametrize(
    ("table", "key"),
    [
        (table, key)
        for table, field in Settings.model_fields.items()
        for key in field.annotation.model_fields
    ],
)
def test_every_key_of_the_project_file_is_documented(table, key):
    page = PAGES["project.md"]
    assert f"[{table}]" in page
    assert re.search(rf"^{key} = |\[{table}\.{key}[.\]]|`[\w.]*{key}[^`]*`", page, flags=re.M)


@pytest.mark.parametrize(
    ("page", "code"),
    [
        (page, code)
        for page, text in PAGES.items()
        for code in re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)
    ],
)
def test_every_python_block_compiles(page, code):
    compile(code, page, "exec")


def test_every_page_stands_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2]
    assert sorted(re.findall(r"[\w-]+\.md", navigation)) == sorted(PAGES)
