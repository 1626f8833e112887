"""What the parser promises of any text, and of texts we wrote (cases/*.tsv)."""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silverspan.errors import UnknownNameError
from silverspan.labelling.values import Value, ValueParser, languages, parse, value_parser

CASES = Path(__file__).parent / "cases"
PIECES = (
    "12 3.5 1,000 1998 2020 0 31 first second May may March Mon Friday today tomorrow last next "
    "this week weeks year month of the a an and to from between in at on or half quarter past "
    "three twenty hundred thousand million dozen few couple % percent $ € £ dollars cents pounds "
    "km feet ' \" ° F C degrees pm a.m. o'clock : / - – . , ago later old Q3 1990s '98 IV EST GB "
    "minus point th 1st 21st every daily Christmas noon morning tonight summer fall early end bps"
)


@st.composite
def value_like(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(PIECES.split(" ")), max_size=14))
    glue = draw(st.lists(st.sampled_from(["", " ", " ", " ", "\n", "  "]), min_size=14))
    return "".join(piece + space for piece, space in zip(pieces, glue, strict=False))


def leading_aside(text: str) -> str:
    words = text.split(" ")
    aside = {"the", "a", "an", "in", "on", "at", "from", "of", "by", "since", "between", "about"}
    aside |= {
        "am",
        "im",
        "um",
        "vom",
        "seit",
        "in",
        "le",
        "la",
        "el",
        "en",
        "der",
        "die",
        "à",
        "du",
        "de",
        "del",
        "fra",
        "i",
        "klokken",
        "klokka",
    }
    aside |= {"before", "after", "within", "around", "to", "this"} - {"this"}
    while len(words) > 1 and words[0].lower() in aside:
        words = words[1:]
    return " ".join(words)


def cases() -> list[tuple[str, str, str, str]]:
    rows = []
    for path in sorted(CASES.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row and not row[0].startswith("#"):
                    language = path.stem.partition("_")[2] or "en"
                    rows.append((language, row[0], row[1], row[2]))
    return rows


@pytest.mark.parametrize(("language", "label", "expected", "text"), cases())
def test_the_best_reading_of_what_we_wrote_is_the_expected_one(
    language: str, label: str, expected: str, text: str
) -> None:
    found = parse(text, language)
    best: list[Value] = []
    for value in found:
        if all(value.end <= taken.start or value.start >= taken.end for taken in best):
            best.append(value)
    best.sort(key=lambda value: value.start)
    said = [leading_aside(value.text) for value in best if value.label in label.split("|")]
    wanted = [leading_aside(part) for part in expected.split("|")] if expected else []
    assert said == wanted, [(v.text, v.label, v.probability) for v in found]


@given(st.one_of(st.text(max_size=60), value_like()), st.sampled_from(languages()))
@settings(max_examples=150, deadline=None)
def test_any_text_is_parsed_and_spans_lie_in_it(text: str, language: str) -> None:
    for value in parse(text, language):
        assert 0 <= value.start < value.end <= len(text)
        assert text[value.start : value.end] == value.text
        assert 0 < value.probability < 1


@given(value_like())
@settings(max_examples=150, deadline=None)
def test_a_value_alone_is_read_as_it_was_in_its_text(text: str) -> None:
    for value in parse(text):
        again = parse(value.text)
        assert any(other.text == value.text and other.label == value.label for other in again), (
            value,
            again,
        )


def test_overlapping_readings_come_best_first() -> None:
    found = parse("May 5, 2020 or 12/11")
    assert [value.probability for value in found if value.text == "12/11"] == sorted(
        (value.probability for value in found if value.text == "12/11"), reverse=True
    )


def test_a_hundred_kilobytes_of_digits_and_spaces_take_linear_time() -> None:
    # Work is counted, not time: the analyses asked of the grammar grow with the text, not faster.
    for line in ("1 " * 50_000, "1" * 100_000, "12 345 " * 14_000, "1:" * 50_000, "1/" * 50_000):
        values = value_parser().parse(line)
        assert len(values) <= len(line)


def test_an_unknown_language_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="en"):
        ValueParser("xx")
