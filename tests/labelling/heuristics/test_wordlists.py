import re
import tomllib
from pathlib import Path

import pytest

from silverspan.labelling.heuristics import wordlists
from silverspan.labelling.heuristics.wordlists import entries, folder_of, read_entries, version_of

WORDS = Path(wordlists.__file__).parent / "words"
FILES = sorted(WORDS.rglob("*.*"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_list_says_its_source_and_licence(path: Path) -> None:
    head = path.read_text(encoding="utf-8")[:800]
    assert head.startswith("#")
    said = " ".join(line[1:].strip() for line in head.splitlines() if line.startswith("#"))
    assert re.search("licence|public domain|CC BY|[Ww]ritten for this package|facts", said), said


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.suffix == ".txt"],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_entry_stands_twice(path: Path) -> None:
    listed = list(read_entries(path))
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.suffix == ".toml"],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_every_table_is_of_words(path: Path) -> None:
    for name, listed in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert name.isidentifier()
        assert all(isinstance(word, str) and word for word in listed)
        assert len(listed) == len(set(listed)), name


def test_ambiguous_first_names_are_first_names() -> None:
    assert entries("en", "ambiguous_first_names") <= entries("en", "first_names")


def test_the_version_follows_the_lists(tmp_path: Path) -> None:
    (tmp_path / "first_names.txt").write_text("Aino\n")
    before = version_of(str(tmp_path))
    other = tmp_path / "other"
    other.mkdir()
    (other / "first_names.txt").write_text("Aino\nEero\n")
    assert before != version_of(str(other))
    assert folder_of("nb").name == "nb"
