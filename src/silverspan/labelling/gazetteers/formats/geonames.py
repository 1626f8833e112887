"""GeoNames dumps: ``allCountries``, ``cities15000`` and the like; tab-separated, without a header.

Options: ``population`` (smallest that a populated place must have), ``classes`` (feature classes to
take), ``alternatenames`` (``yes`` takes the dump's own column of other names, in all languages),
``alternates`` (the file ``alternateNamesV2``) and ``language`` (which of its names).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import (
    read_lines,
    split_names,
    take_number,
    take_options,
)

_COLUMNS = 19
#: Feature classes: A countries and regions, P populated places, S buildings, R roads and railways,
#: H waters, L areas, T mountains, U undersea, V vegetation.
_LABELS = {"A": "GPE", "P": "GPE", "S": "FAC", "R": "FAC"} | dict.fromkeys("HLTUV", "LOC")


class GeonamesReader:
    """Format ``geonames``; kinds are feature class and code, such as ``P.PPLC``."""

    source = "GeoNames, https://www.geonames.org/"
    licence = "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/"

    def __init__(self, options: Mapping[str, str]) -> None:
        known: Mapping[str, str | None] = {
            "population": "0",
            "classes": "APSRHLTUV",
            "alternatenames": "no",
            "alternates": "",
            "language": "en",
        }
        taken = take_options(options, known, "geonames")
        self.population = take_number(taken, "population", "geonames")
        self.classes = taken["classes"].upper()
        self.own_alternates = taken["alternatenames"].lower() in {"yes", "true", "1"}
        self.alternates, self.language = taken["alternates"], taken["language"]
        self._other_names: dict[str, list[str]] | None = None

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the name, the ASCII name and the other names of each place."""
        others = self._read_alternates(damage)
        for number, line in read_lines(path, damage):
            if number <= skip or not line or line.startswith("#"):
                continue
            cells = line.split("\t")
            if len(cells) != _COLUMNS:
                damage.add(path, number, f"{len(cells)} columns where GeoNames has {_COLUMNS}")
                continue
            kind = cells[6]
            if kind not in _LABELS:
                if kind:
                    damage.add(path, number, f"unknown feature class {kind!r}")
                continue
            if kind not in self.classes:
                continue
            population = int(cells[14]) if cells[14].isdigit() else 0
            if kind == "P" and population < self.population:
                continue
            names = dict.fromkeys([cells[1], cells[2], *others.get(cells[0], ())])
            if self.own_alternates:
                names.update(dict.fromkeys(split_names(cells[3], ",")))
            for name in names:
                yield number, Entry(name, f"{kind}.{cells[7]}", 1.0 + population)

    def _read_alternates(self, damage: Damage) -> dict[str, list[str]]:
        if self._other_names is None:
            self._other_names = {}
            if self.alternates:
                path = Path(self.alternates)
                if not path.is_file():
                    raise GazetteerError(f"{path}: there is no such file of alternate names")
                for number, line in read_lines(path, damage):
                    cells = line.split("\t")
                    if len(cells) < 4:
                        damage.add(path, number, f"{len(cells)} columns of alternate names")
                    elif cells[2] in {self.language, "abbr"}:
                        self._other_names.setdefault(cells[1], []).append(cells[3])
        return self._other_names

    def label_of(self, kind: str) -> str | None:
        """Return GPE, LOC or FAC by the feature class."""
        return _LABELS.get(kind[:1])
