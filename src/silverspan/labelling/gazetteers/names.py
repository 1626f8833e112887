"""Names as they are compared: Unicode normalised, cleaned of what is not part of a name.

``normalise`` is applied on both sides, to names when a gazetteer is built and to tokens when it is
searched. ``Cleaning`` is applied to names only.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹘﹣", "-"),  # noqa: RUF001 (the dashes are the point)
        **dict.fromkeys("‘’‚‛ʼʹ´`′ʻ", "'"),  # noqa: RUF001
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NO-BREAK SPACE}"),
    }
)
_BRACKETS = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]")
_NUMERIC = re.compile(r"[\W\d_]*")
#: What follows a comma and still belongs to the name: "Apple, Inc.", "Sammy Davis, Jr.".
_FORM = (
    r"inc|incorporated|corp|corporation|ltd|limited|llc|llp|lp|plc|co|company|s\.?a|s\.?p\.?a|"
    r"gmbh|ag|n\.?v|b\.?v|a\.?s|ab|oy|oyj|asa|a/s|aps|kgaa|pty|pte|bhd|s\.?a\.?s|s\.?r\.?l|"
    r"s\.?a\.?r\.?l|aktiengesellschaft|aktiebolag|aktieselskab|aksjeselskap|allmennaksjeselskap|"
    r"osakeyhtiö"
)
_KEPT_AFTER_COMMA = re.compile(rf"({_FORM}|jr|sr|ii|iii|iv)\b\.?", re.IGNORECASE)
_LEGAL_FORM = re.compile(rf"({_FORM})\.?", re.IGNORECASE)
_SMALL_WORDS = frozenset(("and", "de", "for", "in", "of", "on", "the", "und", "y"))
#: Parts of a surname that stand before it: "Ludwig van Beethoven", "Charles de Gaulle".
_PARTICLES = frozenset(
    (
        *("al", "ben", "bin", "da", "dal", "de", "del", "della", "den", "der", "des", "di", "do"),
        *("dos", "du", "el", "ibn", "la", "le", "van", "von", "zu"),
    )
)
_GENERATIONS = frozenset(("jr", "sr", "jr.", "sr.", "ii", "iii", "iv", "v"))


#: Kinds that mean a person or a company: labels, Wikidata's and DBpedia's classes, roles.
_PEOPLE = frozenset(
    (
        *("PERSON", "PER", "person", "Q5", "Q95074"),
        *("Person", "Athlete", "Artist", "Politician", "Scientist", "Writer", "SoccerPlayer"),
        *("MusicalArtist", "Actor", "OfficeHolder", "Royalty"),
    )
)
_COMPANIES = frozenset(
    (
        *("COMPANY", "ORG", "company", "organization", "Q783794", "Q4830453", "Q6881511"),
        *("Company", "Bank", "Airline", "RecordLabel", "Publisher", "Organisation"),
    )
)


def normalise(text: str) -> str:
    """Return ``text`` in NFKC with plain dashes, apostrophes and quotation marks.

    >>> normalise("O\N{RIGHT SINGLE QUOTATION MARK}Brien\N{EN DASH}Smith")
    "O'Brien-Smith"
    """
    if text.isascii():
        return text.replace("`", "'") if "`" in text else text
    return unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)


def fold(text: str) -> str:
    """Return normalised text without its case, normalised again.

    >>> fold("STRASSE") == fold("Straße")
    True
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text.casefold())


@dataclass(frozen=True, kw_only=True, slots=True)
class Cleaning:
    """What becomes of a name before it is filed.

    ``parentheses`` and ``appositions`` cut "(disambiguation)" and what follows a comma; a legal
    form after a comma stays. ``first_last`` files people also without middle names, ``surnames``
    also by surname alone; both act on ``people``, the kinds that mean a person. ``short_forms``
    files ``companies`` also without their legal form, and registers' capitals in ordinary case.

    >>> list(Cleaning().forms("Springfield (Illinois)", "GPE"))
    ['Springfield']
    >>> list(Cleaning(first_last=True, surnames=True).forms("Ludwig  A. van Beethoven", "PERSON"))
    ['Ludwig A. van Beethoven', 'Ludwig van Beethoven', 'van Beethoven', 'Beethoven']
    >>> list(Cleaning(short_forms=True).forms("MICROSOFT CORP", "COMPANY"))
    ['MICROSOFT CORP', 'MICROSOFT', 'Microsoft Corp', 'Microsoft']
    """

    parentheses: bool = True
    appositions: bool = True
    shortest: int = 2
    longest: int = 100
    stop: frozenset[str] = frozenset()
    first_last: bool = False
    surnames: bool = False
    short_forms: bool = False
    people: frozenset[str] = _PEOPLE
    companies: frozenset[str] = _COMPANIES

    def forms(self, name: str, kind: str = "") -> Iterator[str]:
        """Yield the forms under which a name is filed; none if it is no usable name."""
        name = normalise(name)
        if self.parentheses and ("(" in name or "[" in name):
            name = _BRACKETS.sub("", name)
        if self.appositions and "," in name:
            name = _before_comma(name)
        name = " ".join(name.split()).strip("\"'*")
        if not self.shortest <= len(name) <= self.longest or not name:
            return
        if not name.isalpha() and _NUMERIC.fullmatch(name):
            return
        if self.stop and fold(name) in self.stop:
            return
        yield name
        if not (self.first_last or self.surnames or self.short_forms):
            return
        # Of an item of several classes, one is enough.
        kinds = kind.split()
        if (self.first_last or self.surnames) and not self.people.isdisjoint(kinds):
            yield from self._of_person(name)
        if self.short_forms and not self.companies.isdisjoint(kinds):
            yield from self._of_company(name)

    def _of_company(self, name: str) -> Iterator[str]:
        full = [name]
        if name.isupper() and len(name) > 4:
            full.append(" ".join(map(_ordinary, name.split())))
        for form in full:
            if form != name:
                yield form
            words = form.split()
            while len(words) > 1 and _LEGAL_FORM.fullmatch(words[-1].strip(",")):
                words.pop()
            short = " ".join(words).strip(",& ")
            if short != form and len(short) >= max(self.shortest, 3):
                yield short

    def _of_person(self, name: str) -> Iterator[str]:
        words = name.split()
        while len(words) > 1 and words[-1].lower().strip(",") in _GENERATIONS:
            words.pop()
        if len(words) < 2:
            return
        start = len(words) - 1
        while start > 1 and words[start - 1].lower() in _PARTICLES:
            start -= 1
        surname = words[start:]
        if self.first_last and len(words) > 1 + len(surname):
            yield " ".join([words[0], *surname])
        if self.surnames:
            if len(surname) > 1:
                yield " ".join(surname)
            if len(surname[-1]) >= max(self.shortest, 3):
                yield surname[-1]


def _ordinary(word: str) -> str:
    """Return a word of capitals as it is written in a text."""
    if word.lower() in _SMALL_WORDS:
        return word.lower()
    return word if len(word) <= 3 and not _LEGAL_FORM.fullmatch(word) else word.capitalize()


def _before_comma(name: str) -> str:
    head, *rest = name.split(",")
    kept = [head]
    for part in rest:
        if not _KEPT_AFTER_COMMA.fullmatch(part.strip()):
            break
        kept.append(part)
    return ",".join(kept)
