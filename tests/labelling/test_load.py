import pytest

from silverspan.errors import InputError
from silverspan.labelling.load import load_file, load_module

GOOD = """
import silverspan as sp
from words import CITIES

@sp.labelling_function(labels=["LOC"])
def cities(doc):
    return []

more = [sp.LabellingFunction(name="second", labels=(), propose=cities.propose)]
"""


def test_functions_come_in_the_order_of_the_file_and_may_import_neighbours(tmp_path):
    (tmp_path / "words.py").write_text("CITIES = {'Oslo'}")
    (tmp_path / "functions.py").write_text(GOOD)
    assert [f.name for f in load_file(tmp_path / "functions.py")] == ["cities", "second"]


def test_every_file_imports_its_own_neighbours(tmp_path):
    for folder, city in (("a", "Oslo"), ("b", "Rome")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "places.py").write_text(f"CITY = {city!r}")
        (tmp_path / folder / "functions.py").write_text("from places import CITY")
        assert city == load_module(tmp_path / folder / "functions.py").CITY


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("import silverspan\n\ndef broken(:\n", r"functions\.py:3: this is no Python"),
        ("x = 1\n\nx / 0\n", r"functions\.py:3: ZeroDivisionError"),
        ("import nothing_of_that_name", r"functions\.py:1: ModuleNotFoundError"),
        ("x = '\0'", r"functions\.py.*"),
    ],
)
def test_a_file_that_fails_is_named_with_its_line(tmp_path, content, message):
    (tmp_path / "functions.py").write_text(content)
    with pytest.raises(InputError, match=message):
        load_file(tmp_path / "functions.py")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no such file of labelling functions"):
        load_file(tmp_path / "functions.py")
