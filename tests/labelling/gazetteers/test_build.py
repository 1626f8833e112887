import sys

import numpy as np
import pytest
import spacy

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers import (
    Cleaning,
    Entry,
    Gazetteer,
    Recipe,
    build,
    build_in_memory,
    look_up,
)
from silverspan.labelling.gazetteers import compile as compiling

NLP = spacy.blank("en")
BUILDING = sys.modules["silverspan.labelling.gazetteers.build"]


class Lines:
    """A reader of one name a line that can be told to die."""

    source, licence = "a test", "CC0"

    def __init__(self):
        self.label = "X"

    def entries(self, path, damage, *, skip=0):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line == "DIE":
                raise KeyboardInterrupt
            if number > skip:
                yield number, Entry(line, "A" if number % 2 else "B", 1.0, number % 3 == 0)
                yield number, Entry(f"The {line}", "A")

    def label_of(self, kind):
        return kind


def write(path, count=300, *, die_at=None):
    names = [f"Name{n % 7} {chr(97 + n % 26)}{n} of Place" for n in range(count)]
    if die_at is not None:
        names[die_at] = "DIE"
    path.write_text("\n".join(names))


def compiled(path, target, **recipe):
    recipe.setdefault("subsets", ("names", "marked"))
    return build(Lines(), [path], target, tokenizer=NLP, recipe=Recipe(**recipe))


def test_shards_and_ranges_of_keys_do_not_change_the_file(tmp_path, monkeypatch):
    write(tmp_path / "names.txt")
    compiled(tmp_path / "names.txt", tmp_path / "whole.gaz")
    monkeypatch.setattr(BUILDING, "_NAMES_PER_SHARD", 17)
    monkeypatch.setattr(compiling, "_ROWS_AT_ONCE", 50)
    compiled(tmp_path / "names.txt", tmp_path / "parts.gaz")
    assert (tmp_path / "whole.gaz").read_bytes() == (tmp_path / "parts.gaz").read_bytes()


def test_an_interrupted_build_goes_on_and_makes_the_same_file(tmp_path, monkeypatch):
    monkeypatch.setattr(BUILDING, "_NAMES_PER_SHARD", 17)
    # What has been read is known by the size and time of the file, so both stay.
    source, other = tmp_path / "names.txt", tmp_path / "other.txt"
    write(other)
    compiled(other, tmp_path / "expected.gaz")
    write(source, die_at=200)
    monkeypatch.setattr(BUILDING, "_signature", lambda *parts: "the same")
    with pytest.raises(KeyboardInterrupt):
        compiled(source, tmp_path / "names.gaz")
    assert not (tmp_path / "names.gaz").exists()
    work = tmp_path / "names.gaz.building"
    shards = len(list(work.glob("*-keys.npy")))
    assert shards > 10
    write(source)
    # The lines of finished shards are not read again: were they, this would be another file.
    lines = source.read_text().splitlines()
    source.write_text("\n".join(["Other Name"] * 100 + lines[100:]))
    compiled(source, tmp_path / "names.gaz")
    assert not work.exists()
    assert (tmp_path / "names.gaz").read_bytes() == (tmp_path / "expected.gaz").read_bytes()


def test_unfinished_work_on_another_source_is_thrown_away(tmp_path, monkeypatch):
    monkeypatch.setattr(BUILDING, "_NAMES_PER_SHARD", 17)
    source = tmp_path / "names.txt"
    write(source, die_at=200)
    with pytest.raises(KeyboardInterrupt):
        compiled(source, tmp_path / "names.gaz")
    write(source, 20)
    made = compiled(source, tmp_path / "names.gaz")
    assert made.header.names == 40


def test_the_header_counts_names_of_each_label_and_subset(tmp_path):
    write(tmp_path / "names.txt", 12)
    header = compiled(tmp_path / "names.txt", tmp_path / "n.gaz").header
    assert header.per_label == {"names": {"A": 18, "B": 6}, "marked": {"A": 2, "B": 2}}
    assert header.sources == ("a test",)
    assert header.licence == "CC0"


def test_kinds_can_be_mapped_and_left_out(tmp_path):
    write(tmp_path / "names.txt", 12)
    kinds = {"A": "ORG", "B": ""}
    header = compiled(tmp_path / "names.txt", tmp_path / "n.gaz", kinds=kinds).header
    assert header.labels == ("ORG",)


def test_nothing_left_is_an_error_that_says_what_to_check(tmp_path):
    (tmp_path / "names.txt").write_text("1999\n?\n")
    with pytest.raises(GazetteerError, match="check the format"):
        build(
            Lines(),
            [tmp_path / "names.txt"],
            tmp_path / "n.gaz",
            tokenizer=NLP,
            recipe=Recipe(subsets=("n",), kinds={"A": "", "B": ""}),
        )


def test_a_missing_source_is_named(tmp_path):
    with pytest.raises(GazetteerError, match="there is no such source"):
        compiled(tmp_path / "nothing.txt", tmp_path / "n.gaz")


def test_the_order_of_entries_does_not_matter():
    entries = [Entry(f"Name {n % 40}", "AB"[n % 2], 1.0 + n % 5) for n in range(100)]
    forwards = build_in_memory(entries, tokenizer=NLP)
    backwards = build_in_memory(entries[::-1], tokenizer=NLP)
    for name in ("keys", "variants", "filters", "meaning_probabilities"):
        np.testing.assert_array_equal(getattr(forwards, name), getattr(backwards, name))


def test_other_tokenizers_than_spacys_see_whole_names():
    class Tokenizer:
        vocab = NLP.vocab

        def __call__(self, text):
            return spacy.tokens.Doc(NLP.vocab, words=text.split("-"))

    gazetteer = build_in_memory([Entry("New York-City", "X")], tokenizer=Tokenizer())
    doc = spacy.tokens.Doc(NLP.vocab, words=["New York", "City"])
    assert [found.end for found in look_up(doc, {"g": gazetteer})] == [2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Springfield (Illinois)", ["Springfield"]),
        ("Portland, Oregon", ["Portland"]),
        ("Apple, Inc.", ["Apple, Inc."]),
        ("Sammy Davis, Jr.", ["Sammy Davis, Jr."]),
        ("X", []),
        ("1984", []),
        ("...", []),
        ("  two   blanks ", ["two blanks"]),
        ("x" * 101, []),
        ("(all in brackets)", []),
    ],
)
def test_names_are_cleaned(name, expected):
    assert list(Cleaning().forms(name)) == expected


def test_people_are_filed_by_surname_only_where_asked():
    name = "Martin Luther King Jr."
    assert list(Cleaning().forms(name, "PERSON")) == [name]
    forms = list(Cleaning(first_last=True, surnames=True).forms(name, "PERSON"))
    assert forms == [name, "Martin King", "King"]
    assert list(Cleaning(surnames=True).forms(name, "ORG")) == [name]


@pytest.mark.parametrize("kind", ["PER", "Q5 Q95074", "Politician", "person"])
def test_every_format_has_people(kind):
    assert list(Cleaning(surnames=True).forms("Ada Lovelace", kind)) == ["Ada Lovelace", "Lovelace"]


def test_kinds_that_are_mapped_to_people_are_people():
    entries = [Entry("Ada Lovelace", "navn")]
    recipe = Recipe(subsets=("n",), kinds={"navn": "PERSON"}, cleaning=Cleaning(surnames=True))
    assert build_in_memory(entries, tokenizer=NLP, recipe=recipe).header.names == 2


@pytest.mark.parametrize("name", ["Siemens Aktiengesellschaft", "Siemens A/S", "Siemens S.A.S."])
def test_companies_lose_legal_forms_where_asked(name):
    assert list(Cleaning(short_forms=True).forms(name, "Q4830453")) == [name, "Siemens"]


def test_more_meanings_than_numbers_are_told_apart_more_coarsely(monkeypatch):
    monkeypatch.setattr(compiling, "_MOST_MEANINGS", 6)
    entries = []
    for n in range(40):
        entries += [Entry(f"Name {n}", "A", 1.0 + n), Entry(f"Name {n}", "B", 40.0)]
    gazetteer = build_in_memory(entries, tokenizer=NLP)
    assert len(gazetteer.meaning_bounds) <= 6
    (found, *_) = look_up(NLP("Name 39"), {"g": gazetteer})
    assert sum(probability for _, probability in found.cased) == pytest.approx(1)


def test_an_opened_file_is_the_built_one(tmp_path):
    write(tmp_path / "names.txt", 12)
    made = compiled(tmp_path / "names.txt", tmp_path / "n.gaz")
    opened = Gazetteer.open(made.path)
    opened.verify()
    assert len(opened) == made.header.names
