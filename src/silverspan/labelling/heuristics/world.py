"""Peoples, languages, buildings, events and laws: ``misc_detector`` and ``legal_detector``.

``misc_detector`` says NORP (nationalities, religions, parties), LANGUAGE ("in French"), FAC
("Wembley Stadium", "Route 66") and EVENT ("Davis Cup", "Hurricane Fran"); ``legal_detector`` says
LAW ("Clean Air Act of 1990", "Article 50", "Treaty of Rome"). Patterns over the letters of names
(casing.py), in which the words of ``world.toml`` take letters of their own.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.labelling.heuristics.casing import names
from silverspan.labelling.heuristics.spelling import Alphabet, Page, page
from silverspan.labelling.heuristics.wordlists import sections, version_of
from silverspan.labelling.phrases import Phrases

#: Letters laid over those of names; a word of two lists takes the earlier letter.
_OVERLAYS = {
    "misc": {
        "W": "facilities",
        "E": "events",
        "Q": "event_heads",
        "v": "language_verbs",
        "I": "language_prepositions",
        "L": "language_nouns",
        "Z": "languages",
    },
    "numbered": {"M": "numbered_facilities"},
    "law": {"A": "laws", "R": "provisions"},
}

_NAME = r"[FGTOUxIPBHK]"
# A name begins where no name goes before: from inside, the search would only run in vain.
_START = r"(?<![NFGTOUxIPBHK])(?<![NFGTOUxIPBHK][-&'s])[NZFGTOUxIPBHK]"
_LAW_START = rf"(?<![NFGTOUxIPBHK][,o])(?<![NFGTOUxIPBHK]ot){_START}"
_LANGUAGE = re.compile(
    # A people's language needs a context, another language only no name after it.
    rf"(?<=v)N|(?<=vI)N|(?<=I)N(?=[.,;\nq]|$)|N(?=-?L)|Z(?!{_NAME}|N)"
)
_NORP = re.compile(rf"N(?:-N)*(?!{_NAME}|N|&)|N(?=F|G)")
# "British Airways", "French Open": as likely the beginning of another name.
_NORP_OR_NAME = re.compile(r"N(?=[TUxIPBN])")
_FACILITY = re.compile(
    # Wembley Stadium, Empire State Building, Fifth Avenue, No. 10 Downing Street
    rf"(?:d?{_START}(?:[-&']?(?:{_NAME}|N|i)|s(?={_NAME}))*|n)W+(?!{_NAME})"
)
_NUMBERED_FACILITY = re.compile(r"M[nd]")
_EVENT = re.compile(
    rf"{_START}(?:[-&'s]?(?:{_NAME}|N|i))*'?E+(?!{_NAME})"
    rf"|Q(?:oto?|ot?|n)?(?:{_NAME})+"
)
_LAW_NAME = re.compile(
    # Clean Air Act of 1990, U.S. Constitution, Fifth Amendment; not "Bill Clinton", "Denis Law"
    rf"(?![FG]{{1,2}}A)(?:{_LAW_START}(?:[-&'s,]?(?:{_NAME}|N|i)|ot?(?={_NAME})|a(?=[TO]))*|n)"
    rf"A(?:o[nd])?(?!{_NAME}|[nd])"
    # Treaty of Rome
    rf"|Aot?(?:{_NAME}|N)+(?:o[nd])?"
    # Article 50 of the Treaty of Rome, Section 301, Resolution 986
    rf"|R[ndIUi](?:ot?(?:{_NAME}|N)*A(?:ot?{_NAME}+)?)?"
)
# A chapter is one of a book, except these of the bankruptcy code.
_BANKRUPTCY = frozenset({"7", "9", "11", "12", "13", "15"})


@lru_cache(maxsize=32)
def _overlay(words: str | Path, kind: str) -> Alphabet:
    lists = sections(words, "world")
    letters: dict[str, str] = {}
    for letter, name in _OVERLAYS[kind].items():
        for word in lists.get(name, []):
            letters.setdefault(word, letter)
    return Alphabet(lambda text: letters.get(text, " "))


def _laid_over(opened: Page, words: str | Path, kind: str) -> str:
    """Return the letters of names, with those of a kind of words in their place."""
    below = names(opened, words)
    above = opened.spell(_overlay(words, kind))
    return "".join([b if a in " \n" else a for a, b in zip(above, below, strict=True)])


@lru_cache(maxsize=16)
def _named_events(words: str | Path) -> Phrases:
    return Phrases(sections(words, "world").get("named_events", []))


def misc_spans(opened: Page, words: str | Path) -> Iterator[Proposal]:
    """Yield events, buildings, languages and peoples; the first kind that fits a token wins."""
    spelling = _laid_over(opened, words, "misc")
    numbered = _laid_over(opened, words, "numbered")
    taken: set[int] = set()
    for label, probability, found in (
        ("EVENT", 1.0, _named_events(words).spans(opened)),
        ("EVENT", 1.0, opened.spans(_EVENT, spelling)),
        ("FAC", 1.0, opened.spans(_FACILITY, spelling)),
        ("FAC", 1.0, opened.spans(_NUMBERED_FACILITY, numbered)),
        ("LANGUAGE", 1.0, opened.spans(_LANGUAGE, spelling)),
        ("NORP", 1.0, opened.spans(_NORP, spelling)),
        ("NORP", 0.5, opened.spans(_NORP_OR_NAME, spelling)),
    ):
        for start, end in found:
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                yield start, end, label, probability


def law_spans(opened: Page, words: str | Path) -> Iterator[Proposal]:
    """Yield laws, treaties and numbered provisions."""
    for start, end in opened.spans(_LAW_NAME, _laid_over(opened, words, "law")):
        chapter = end - start == 2 and opened.text(start) == "Chapter"
        if not chapter or opened.text(start + 1) in _BANKRUPTCY:
            yield start, end, "LAW", 1.0


def misc_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels peoples, languages, buildings and events.

    >>> import spacy
    >>> doc = spacy.blank("en")("the French fans at Wembley Stadium")
    >>> list(misc_detector()(doc))
    [(4, 6, 'FAC', 1.0), (1, 2, 'NORP', 1.0)]
    """
    return LabellingFunction(
        name="misc_detector",
        labels=("NORP", "LANGUAGE", "FAC", "EVENT"),
        propose=lambda doc: misc_spans(page(doc), words),
        group="heuristics",
        options={"words": str(words)},
        version=version_of(words),
    )


def legal_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels laws, treaties and their provisions as LAW.

    >>> import spacy
    >>> list(legal_detector()(spacy.blank("en")("under the Clean Air Act of 1990")))
    [(2, 7, 'LAW', 1.0)]
    """
    return LabellingFunction(
        name="legal_detector",
        labels=("LAW",),
        propose=lambda doc: law_spans(page(doc), words),
        group="heuristics",
        options={"words": str(words)},
        version=version_of(words),
    )
