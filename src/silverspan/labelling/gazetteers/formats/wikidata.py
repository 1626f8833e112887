"""Wikidata JSON dumps: labels and aliases in one language, classes to labels by their ancestors.

A dump is read once. The kinds of an item are its classes (``P31``); the tree of classes (``P279``)
is collected on the way, and ``label_of`` climbs it when everything has been read. Items with a
description are marked, so that ``wiki`` and ``wiki_small`` come from one build. An item weighs as
many as the sites that link to it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import read_bytes_of_lines, take_options

#: Classes at which a climb ends, and their labels; of equally near ones the first counts.
LABELS = {
    "Q5": "PERSON",
    "Q95074": "PERSON",  # fictional character
    "Q6256": "GPE",  # country
    "Q486972": "GPE",  # human settlement
    "Q56061": "GPE",  # administrative territorial entity
    "Q7275": "GPE",  # state
    "Q783794": "COMPANY",
    "Q4830453": "COMPANY",  # business
    "Q6881511": "COMPANY",  # enterprise
    "Q43229": "ORG",  # organisation
    "Q811979": "FAC",  # architectural structure
    "Q35127": "ORG",  # website
    "Q1656682": "EVENT",
    "Q17537576": "WORK_OF_ART",  # creative work
    "Q7397": "PRODUCT",  # software
    "Q2424752": "PRODUCT",
    "Q34770": "LANGUAGE",
    "Q41710": "NORP",  # ethnic group
    "Q9174": "NORP",  # religion
    "Q231002": "NORP",  # nationality
    "Q2221906": "LOC",  # geographic location
    "Q618123": "LOC",  # geographical feature
}


class WikidataReader:
    """Format ``wikidata``; options ``language`` and ``aliases`` (``no`` takes labels only)."""

    source = "Wikidata, https://www.wikidata.org/"
    licence = "CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/"

    def __init__(self, options: Mapping[str, str]) -> None:
        taken = take_options(options, {"language": "en", "aliases": "yes"}, "wikidata")
        self.language = taken["language"]
        self.aliases = taken["aliases"].lower() in {"yes", "true", "1"}
        self._parents: dict[int, tuple[int, ...]] = {}
        self._nearest: dict[int, tuple[int, int] | None] = {}

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the label and aliases of each item that has a class."""
        for number, line in read_bytes_of_lines(path, damage):
            # The dump is one array, an item to a line.
            line = line.strip().rstrip(b",")
            if line in {b"", b"[", b"]"} or (number <= skip and b'"P279"' not in line):
                continue
            if not line.endswith(b"}"):
                damage.add(path, number, "not a Wikidata item")
                continue
            if b'"P31"' not in line and b'"P279"' not in line:
                continue
            try:
                item = json.loads(line)
                claims = item["claims"]
                parents = _values(claims.get("P279"))
                if parents:
                    self._parents[int(item["id"][1:])] = parents
                if number > skip:
                    yield from self._of_item(number, item, claims)
            except UnicodeDecodeError:
                damage.add(path, number, "not UTF-8")
            except (ValueError, KeyError, TypeError, AttributeError):
                damage.add(path, number, "not a Wikidata item")

    def _of_item(
        self, number: int, item: Mapping[str, Any], claims: Mapping[str, Any]
    ) -> Iterator[tuple[int, Entry]]:
        classes = _values(claims.get("P31"))
        if not classes:
            return
        kind = " ".join(f"Q{number}" for number in sorted(set(classes)))
        names = []
        if self.language in item.get("labels", {}):
            names.append(item["labels"][self.language]["value"])
        if self.aliases:
            # Without any alias, the dump has an empty list in place of the object.
            aliases = item.get("aliases") or {}
            names += [alias["value"] for alias in aliases.get(self.language, ())]
        marked = self.language in (item.get("descriptions") or {})
        weight = 1.0 + len(item.get("sitelinks") or ())
        for name in dict.fromkeys(names):
            yield number, Entry(name, kind, weight, marked)

    def label_of(self, kind: str) -> str | None:
        """Return the label of the nearest class in ``LABELS`` above any class of the kind."""
        found = [self._climb(int(name[1:])) for name in kind.split() if name[1:].isdigit()]
        near = min((place for place in found if place is not None), default=None)
        return None if near is None else list(LABELS.values())[near[1]]

    def _climb(self, start: int) -> tuple[int, int] | None:
        """Return how far the nearest labelled class is, and which one; breadth first."""
        if start not in self._nearest:
            seen, level, distance = {start}, [start], 0
            found: tuple[int, int] | None = None
            while level and found is None:
                places = [_ROOTS[number] for number in level if number in _ROOTS]
                if places:
                    found = (distance, min(places))
                above = dict.fromkeys(p for number in level for p in self._parents.get(number, ()))
                level = [number for number in above if number not in seen]
                seen.update(level)
                distance += 1
            self._nearest[start] = found
        return self._nearest[start]


_ROOTS = {int(name[1:]): place for place, name in enumerate(LABELS)}


def _values(statements: Any) -> tuple[int, ...]:
    """Return the items a property points to; deprecated statements do not count."""
    found = []
    for statement in statements or ():
        if statement.get("rank") == "deprecated":
            continue
        value = statement["mainsnak"].get("datavalue", {}).get("value", {})
        number = value.get("numeric-id") if isinstance(value, dict) else None
        if number is None and isinstance(value, dict) and str(value.get("id", "")).startswith("Q"):
            number = int(value["id"][1:])
        if number is not None:
            found.append(int(number))
    return tuple(found)
