"""Tables with a mapping: CSV or TSV with a header, JSON or JSONL lists of objects.

Options say which columns hold what: ``name`` (several with commas), ``aliases`` (a column of names
parted by ``separator``), ``label`` (a label for all) or ``label_column``, ``weight`` and ``mark``
(columns; an entry whose ``mark`` is not empty is also in the second subset).
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import (
    need_columns,
    read_json,
    read_lines,
    read_table,
    split_names,
    take_options,
)

_OPTIONS: Mapping[str, str | None] = {
    "name": "name",
    "aliases": "",
    "separator": "|",
    "label": "",
    "label_column": "",
    "weight": "",
    "mark": "",
}


class TableReader:
    """Format ``csv``, and the mapping that ``json`` shares."""

    source = ""
    licence = ""

    def __init__(self, options: Mapping[str, str], where: str = "csv") -> None:
        taken = take_options(options, _OPTIONS, where)
        if not taken["label"] and not taken["label_column"]:
            raise GazetteerError(
                f"format {where!r} needs the option 'label' or 'label_column': --option label=ORG"
            )
        self.names = [name.strip() for name in taken["name"].split(",")]
        self.aliases, self.separator = taken["aliases"], taken["separator"]
        self.label, self.label_column = taken["label"], taken["label_column"]
        self.weight, self.mark = taken["weight"], taken["mark"]

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the names of each row."""
        first = True
        for line, row in read_table(path, damage):
            if first:
                wanted = [*self.names, self.aliases, self.label_column, self.weight, self.mark]
                need_columns(path, row, [column for column in wanted if column])
                first = False
            if line > skip:
                yield from self.of_row(path, line, row, damage)

    def of_row(
        self, path: Path, line: int, row: Mapping[str, Any], damage: Damage
    ) -> Iterator[tuple[int, Entry]]:
        """Yield the names of one row or object."""
        kind = str(row.get(self.label_column) or "") if self.label_column else self.label
        if not kind:
            damage.add(path, line, "no label")
            return
        try:
            weight = float(row.get(self.weight) or 1) if self.weight else 1.0
        except (TypeError, ValueError):
            damage.add(path, line, f"the weight is no number: {row.get(self.weight)!r}")
            weight = 1.0
        names = [row.get(column) for column in self.names]
        aliases = row.get(self.aliases) if self.aliases else None
        names += (
            aliases if isinstance(aliases, list) else split_names(aliases or "", self.separator)
        )
        marked = bool(self.mark and row.get(self.mark))
        for name in names:
            if isinstance(name, str) and name:
                yield line, Entry(name, kind, max(weight, 1e-6), marked)
            elif name:
                damage.add(path, line, "a name that is no text")

    def label_of(self, kind: str) -> str | None:
        """Return the kind: it is the label, unless it is mapped to another."""
        return kind


class JsonReader:
    """Format ``json``: a list of names or of objects, as one document or one to a line."""

    source = ""
    licence = ""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.table = TableReader(options, "json")

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the names of each object."""
        for number, item in self._items(path, damage):
            if number <= skip:
                continue
            if isinstance(item, str):
                item = {self.table.names[0]: item, self.table.label_column: self.table.label}
            if isinstance(item, dict):
                yield from self.table.of_row(path, number, item, damage)
            else:
                damage.add(path, number, "neither a name nor an object")

    def _items(self, path: Path, damage: Damage) -> Iterator[tuple[int, Any]]:
        for _, line in read_lines(path, damage):
            if line.strip():
                break
        else:
            return
        if line.lstrip().startswith("["):
            yield from enumerate(read_json(path, damage), 1)
            return
        for number, line in read_lines(path, damage):
            if not line.strip():
                continue
            try:
                yield number, json.loads(line)
            except ValueError:
                damage.add(path, number, "not a JSON value")

    def label_of(self, kind: str) -> str | None:
        """Return the kind: it is the label, unless it is mapped to another."""
        return kind
