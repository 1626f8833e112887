"""DBpedia dumps: labels and types as N-Triples, or as Turtle with one triple to a line.

Give the files of types before the file of labels: a label is taken if its subject has a known
type. Options: ``language``, and ``classes`` (names of ontology classes to take, parted by commas;
empty takes all that have a label).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import read_lines, take_options

#: Classes of the DBpedia ontology and their labels.
LABELS = {
    **dict.fromkeys(("Person", "Athlete", "Artist", "Politician", "Scientist", "Writer"), "PERSON"),
    **dict.fromkeys(
        ("SoccerPlayer", "MusicalArtist", "Actor", "OfficeHolder", "Royalty"), "PERSON"
    ),
    **dict.fromkeys(("Company", "Bank", "Airline", "RecordLabel", "Publisher"), "COMPANY"),
    **dict.fromkeys(("Organisation", "University", "SportsTeam", "SoccerClub", "School"), "ORG"),
    **dict.fromkeys(("PoliticalParty", "GovernmentAgency", "MilitaryUnit", "Band"), "ORG"),
    **dict.fromkeys(("PopulatedPlace", "Settlement", "City", "Town", "Village", "Country"), "GPE"),
    **dict.fromkeys(("Region", "AdministrativeRegion", "State"), "GPE"),
    **dict.fromkeys(("Place", "NaturalPlace", "Mountain", "River", "Lake", "Island"), "LOC"),
    **dict.fromkeys(("ArchitecturalStructure", "Building", "Airport", "Station", "Road"), "FAC"),
    **dict.fromkeys(("Device", "Software", "VideoGame", "Automobile", "Ship", "Weapon"), "PRODUCT"),
    **dict.fromkeys(("Aircraft", "Engine", "Food", "Beverage", "Drug", "Locomotive"), "PRODUCT"),
    **dict.fromkeys(
        ("InformationAppliance", "Camera", "Instrument", "Rocket", "Cheese"), "PRODUCT"
    ),
    **dict.fromkeys(("Work", "Film", "Book", "Album", "Song", "TelevisionShow"), "WORK_OF_ART"),
    **dict.fromkeys(("Event", "MilitaryConflict", "SportsEvent"), "EVENT"),
    **dict.fromkeys(("Language",), "LANGUAGE"),
    **dict.fromkeys(("EthnicGroup",), "NORP"),
}

_ONTOLOGY = "http://dbpedia.org/ontology/"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_NAMES = ("http://www.w3.org/2000/01/rdf-schema#label", "http://xmlns.com/foaf/0.1/name")
_TERM = r"(<[^<>\s]*>|[\w-]*:[^\s\"<>]*|a)"
_TRIPLE = re.compile(
    rf'{_TERM}\s+{_TERM}\s+(?:{_TERM}|"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^\S+)?)\s*\.\s*(?:#.*)?'
)
_PREFIX = re.compile(r"@?prefix\s+([\w-]*):\s*<([^>]*)>\s*\.?", re.IGNORECASE)
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([tnrbf"\'\\]))')
_PLAIN = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


class DbpediaReader:
    """Format ``dbpedia``; kinds are names of ontology classes."""

    source = "DBpedia, https://www.dbpedia.org/"
    licence = "CC BY-SA 3.0, https://creativecommons.org/licenses/by-sa/3.0/"

    def __init__(self, options: Mapping[str, str]) -> None:
        taken = take_options(options, {"language": "en", "classes": ""}, "dbpedia")
        self.language = taken["language"]
        self.classes = frozenset(name.strip() for name in taken["classes"].split(",") if name)
        # Subjects by hash: their names are long, and only equality is asked for.
        self._types: dict[int, str] = {}

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the labels of subjects whose type is known."""
        prefixes: dict[str, str] = {}
        labels = taken = 0
        for number, line in read_lines(path, damage):
            if not line.strip() or line.startswith("#"):
                continue
            prefix = _PREFIX.fullmatch(line.strip())
            if prefix:
                prefixes[prefix.group(1)] = prefix.group(2)
                continue
            triple = _TRIPLE.fullmatch(line.strip())
            if triple is None:
                damage.add(path, number, "not one triple to a line")
                continue
            subject, predicate, thing, text, language = triple.groups()
            subject, predicate = _full(subject, prefixes), _full(predicate, prefixes)
            if predicate == _TYPE and thing:
                self._note_type(subject, _full(thing, prefixes))
            elif predicate in _NAMES and text and language in {self.language, None}:
                labels += 1
                kind = self._types.get(hash(subject))
                if kind is not None:
                    taken += 1
                    if number > skip:
                        yield number, Entry(_unescaped(text), kind)
        if labels and not self._types:
            raise GazetteerError(
                f"{path}: labels, but no types are known yet; give the file of types "
                "(instance-types) before the file of labels"
            )

    def _note_type(self, subject: str, thing: str) -> None:
        name = thing.removeprefix(_ONTOLOGY)
        wanted = name in self.classes if self.classes else name in LABELS
        if thing.startswith(_ONTOLOGY) and wanted:
            # The most specific type comes first in DBpedia's files.
            self._types.setdefault(hash(subject), name)

    def label_of(self, kind: str) -> str | None:
        """Return the label of an ontology class; of one asked for by name, PRODUCT if unknown."""
        return LABELS.get(kind, "PRODUCT" if kind in self.classes else None)


def _full(term: str, prefixes: Mapping[str, str]) -> str:
    if term.startswith("<"):
        return term[1:-1]
    if term == "a":
        return _TYPE
    prefix, _, name = term.partition(":")
    return prefixes.get(prefix, prefix + ":") + name


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match.group(1) or match.group(2)
        if code:
            return chr(int(code, 16)) if int(code, 16) < 0x110000 else ""
        return _PLAIN.get(match.group(3), match.group(3))

    return _ESCAPE.sub(plain, text)
