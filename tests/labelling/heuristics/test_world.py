import pytest
import spacy
from spacy.tokens import Doc

from silverspan.labelling.heuristics.world import legal_detector, misc_detector

NLP = spacy.blank("en")


def said(function: object, text: str) -> list[str]:
    doc = NLP(text)
    spans = sorted(function(doc))  # type: ignore[operator]
    return [f"{doc[start:end].text} {label}" for start, end, label, _ in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The French team met Muslims and Republicans.",
         ["French NORP", "Muslims NORP", "Republicans NORP"]),
        ("They speak French, wrote in Urdu and read Russian-language papers.",
         ["French LANGUAGE", "Urdu LANGUAGE", "Russian LANGUAGE"]),
        ("It flew from Heathrow Airport to Wembley Stadium.",
         ["Heathrow Airport FAC", "Wembley Stadium FAC"]),
        ("He lives at No. 10 Downing Street near Fifth Avenue.",
         ["10 Downing Street FAC", "Fifth Avenue FAC"]),
        ("They took Route 66 past the square.", ["Route 66 FAC"]),
        ("She won the Davis Cup, the U.S. Open and the Olympics.",
         ["Davis Cup EVENT", "U.S. Open EVENT", "Olympics EVENT"]),
        ("It survived Hurricane Fran and World War II.",
         ["Hurricane Fran EVENT", "World War II EVENT"]),
        ("It flew with British Airways.", []),
        ("We saw Act 2 of the play.", []),
        ("ENGLISH CLUB BEATS GERMAN SIDE", ["ENGLISH NORP", "GERMAN NORP"]),
    ],
)  # fmt: skip
def test_peoples_languages_buildings_and_events_are_found(text: str, expected: list[str]) -> None:
    assert said(misc_detector(), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It broke the Clean Air Act of 1990.", ["Clean Air Act of 1990 LAW"]),
        ("It broke the Sarbanes-Oxley Act and the Fifth Amendment.",
         ["Sarbanes-Oxley Act LAW", "Fifth Amendment LAW"]),
        ("Under Article 50 of the Treaty of Rome it left.",
         ["Article 50 of the Treaty of Rome LAW"]),
        ("It filed for Chapter 11.", ["Chapter 11 LAW"]),
        ("Read Chapter 3 first.", []),
        ("Then Bill Clinton and Denis Law saw Act 2 of Hamlet.", []),
        ("Put it to the Security Council in Resolution 986.", ["Resolution 986 LAW"]),
    ],
)  # fmt: skip
def test_laws_treaties_and_provisions_are_found(text: str, expected: list[str]) -> None:
    assert said(legal_detector(), text) == expected


def test_a_people_before_another_name_is_half_sure() -> None:
    doc = NLP("the Swiss Guard and the Swiss guard")
    assert list(misc_detector()(doc)) == [(5, 6, "NORP", 1.0), (1, 2, "NORP", 0.5)]


def test_peoples_are_read_in_text_that_is_split_at_blanks() -> None:
    doc = Doc(NLP.vocab, words=["The", "Belgian", "driver", "-", "a", "Belgian"])
    assert [span[:2] for span in misc_detector()(doc)] == [(1, 2), (5, 6)]
