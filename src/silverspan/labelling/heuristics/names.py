"""Proper names of any kind (label ENT) by casing, tags and dependencies, and full names of people.

``proper_detector`` takes runs of words with a capital, joined by initials, hyphens, "&" and the
particles of people's names. ``proper2_detector`` goes further: it also joins across "of", "of the",
"for" and "and" after a word that says what kind of thing is named ("Bank of England"), and takes in
a number that ends the name ("Formula 1"). ``nnp_detector`` takes runs of proper-noun tags,
``compound_detector`` proper nouns joined by compound dependencies. The ``infrequent_`` forms keep
the spans that have at least one word outside the 15,000 most frequent. All yield to dates and
numbers.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, LooseProposal
from silverspan.labelling.heuristics.casing import NAME, is_infrequent, names, proper_tags
from silverspan.labelling.heuristics.spelling import Page, page
from silverspan.labelling.heuristics.wordlists import sections, version_of
from silverspan.labels import ENTITY

_WORD = rf"[{NAME}]"
# A legal form begins no name, and a lone initial is none.
_START = r"(?:[FGTOUxINPBH]|i(?=[FGTOUxINPBHipb-]))"
_PARTICLES = r"[pb]{1,4}(?=[FTUGx])"
_PROPER = re.compile(rf"{_START}(?:(?:-|&|')?(?:{_WORD}|i)|{_PARTICLES})*j?")
_PROPER2 = re.compile(
    rf"{_START}(?:(?:-|&|'|/)?(?:{_WORD}|i)|{_PARTICLES}"
    # Bank of England, Department of the Interior, Center for Peace, Marks and Spencer Plc
    rf"|(?<=[OH])ot?(?={_WORD})|(?<=O)rt?(?=[TOUx])|a(?=[TO]{{1,2}}K))*(?:j|d)?"
)
_NNP = re.compile(r"[FGTOUxINPBH](?:(?:-|&|')?[FGTOUxINPBHKi])*")
_FIRST = r"(?:[FG](?:-[FGT])*)"
_SURNAME = r"(?:(?:[pb]{1,4}|[PB]{1,2}|')?[TFGUxPBH](?:-[TFGx])*)"
_PERSON = re.compile(
    # Ingrid van Basten, John F. Kennedy, Will Smith Jr.; not Paul Weiss & Co.
    # A nationality may stand before: American Michael Chang.
    rf"(?<![TUxIOFGB&-])(?:{_FIRST}(?:i|I|F|G|U(?=[TF]))*(?:{_SURNAME}){{1,2}}j?"
    # J. K. Rowling
    rf"|(?:[iI]){{1,3}}-?{_SURNAME}j?"
    # van Basten
    r"|(?<![FTGpb])[bB][pb]{0,2}[TFx](?:-T)?"
    # Mr. Smith, President Clinton
    rf"|(?<=h)(?:{_FIRST}|i|I|T)?(?:i|I)*{_SURNAME}j?)"
    # ... and no part of a longer name: Charles Schwab Corp., Will Smith Foundation
    r"(?![TUxFGOKIPB&]|-[TUFG]|ao?K)"
)


def proper_spans(opened: Page, words: str | Path, *, wide: bool) -> list[tuple[int, int]]:
    """Return the runs of words with a capital; ``wide`` joins them across connectors."""
    pattern = _PROPER2 if wide else _PROPER
    return opened.remember(
        ("proper", wide, str(words)), lambda: list(opened.spans(pattern, names(opened, words)))
    )


def nnp_spans(opened: Page, words: str | Path) -> list[tuple[int, int]]:
    """Return the runs of tokens tagged as proper nouns that are no value, title or small word."""

    def find() -> list[tuple[int, int]]:
        return list(opened.spans(_NNP, tagged_names(opened, words)))

    return opened.remember(("nnp", str(words)), find)


def tagged_names(opened: Page, words: str | Path) -> str:
    """Return the names spelling in which whatever is not tagged a proper noun is a blank."""

    def find() -> str:
        tags = proper_tags(opened.doc)
        spelling = list(names(opened, words))
        if tags is None:
            return " " * len(spelling)
        for position, token in enumerate(opened.token_at[: len(spelling)]):
            if spelling[position] not in "\n&-'" and not tags[token]:
                spelling[position] = " "
        return "".join(spelling)

    return opened.remember(("tagged", str(words)), find)


def compound_spans(opened: Page, words: str | Path) -> list[tuple[int, int]]:
    """Return proper nouns with the compound modifiers that hang on them, of two tokens or more."""

    def find() -> list[tuple[int, int]]:
        doc = opened.doc
        tags = proper_tags(doc)
        if tags is None or not doc.has_annotation("DEP"):
            return []
        compound = doc.vocab.strings["compound"]
        dependencies = doc.to_array("DEP").tolist()
        heads = doc.to_array("HEAD").astype("int64").tolist()
        allowed = {i for start, end in nnp_spans(opened, words) for i in range(start, end)}
        found: list[tuple[int, int]] = []
        for i in sorted(allowed):
            if dependencies[i] != compound:
                continue
            start, end = sorted((i, i + heads[i]))
            if not all(token in allowed for token in range(start, end + 1)):
                continue
            if found and start < found[-1][1]:
                start, end = min(start, found[-1][0]), max(end + 1, found[-1][1]) - 1
                found.pop()
            found.append((start, end + 1))
        return found

    return opened.remember(("compound", str(words)), find)


def person_spans(opened: Page, words: str | Path) -> list[tuple[int, int]]:
    """Return the full names of people: first name or initials or title, then surname."""

    def find() -> list[tuple[int, int]]:
        companies = frozenset(sections(words, "names").get("not_people", ()))
        found = opened.spans(_PERSON, names(opened, words))
        return [
            (start, end)
            for start, end in found
            if " ".join(map(opened.text, range(start, min(end, start + 2)))) not in companies
        ]

    return opened.remember(("people", str(words)), find)


def _detector(
    name: str,
    label: str,
    spans: Callable[[Page, str | Path], list[tuple[int, int]]],
    words: str | Path,
    *,
    infrequent: bool = False,
    needs: tuple[str, ...] = (),
) -> LabellingFunction:
    def propose(doc: Doc) -> Iterator[LooseProposal]:
        opened = page(doc)
        for start, end in spans(opened, words):
            if not infrequent or is_infrequent(opened, start, end, words):
                yield start, end, label

    return LabellingFunction(
        name=f"infrequent_{name}" if infrequent else name,
        labels=(label,),
        propose=propose,
        needs=needs,
        group="heuristics",
        options={"words": str(words)},
        version=version_of(words),
    )


def proper_detector(words: str | Path = "en", *, infrequent: bool = False) -> LabellingFunction:
    """Return the function that takes runs of words with a capital, joined tightly."""
    spans = partial(proper_spans, wide=False)
    return _detector("proper_detector", ENTITY, spans, words, infrequent=infrequent)


def proper2_detector(words: str | Path = "en", *, infrequent: bool = False) -> LabellingFunction:
    """Return the function that takes runs of words with a capital, joined across small words."""
    spans = partial(proper_spans, wide=True)
    return _detector("proper2_detector", ENTITY, spans, words, infrequent=infrequent)


def nnp_detector(words: str | Path = "en", *, infrequent: bool = False) -> LabellingFunction:
    """Return the function that takes runs of proper-noun tags."""
    return _detector(
        "nnp_detector", ENTITY, nnp_spans, words, infrequent=infrequent, needs=("tag",)
    )


def compound_detector(words: str | Path = "en", *, infrequent: bool = False) -> LabellingFunction:
    """Return the function that takes proper nouns joined by compound dependencies."""
    needs = ("tag", "dep")
    return _detector(
        "compound_detector", ENTITY, compound_spans, words, infrequent=infrequent, needs=needs
    )


infrequent_proper_detector = partial(proper_detector, infrequent=True)
infrequent_proper2_detector = partial(proper2_detector, infrequent=True)
infrequent_nnp_detector = partial(nnp_detector, infrequent=True)
infrequent_compound_detector = partial(compound_detector, infrequent=True)


def full_name_detector(words: str | Path = "en") -> LabellingFunction:
    """Return the function that labels full names of people as PERSON.

    >>> import spacy
    >>> list(full_name_detector()(spacy.blank("en")("It beat Ingrid van Basten.")))
    [(2, 5, 'PERSON')]
    """
    return _detector("full_name_detector", "PERSON", person_spans, words)
