"""Results of a SPARQL query (Wikidata's or another service's): JSON, CSV or TSV.

Options: ``name`` (variables that hold names, by default those that end in ``Label`` or are called
``name`` or ``label``), ``aliases`` (a variable of names parted by commas, by default one that ends
in ``AltLabel``), ``label`` (for all) or ``kind`` (a variable; the end of a URI counts, such as
``Q5``), ``description`` (a variable; an entry that has one is marked).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import (
    need_columns,
    open_unpacked,
    read_json,
    read_table,
    split_names,
    take_options,
)
from silverspan.labelling.gazetteers.formats.wikidata import LABELS

_ITEM = re.compile(r"Q\d+")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@[\w-]+|\^\^\S+)?')


class SparqlReader:
    """Format ``sparql``."""

    source = ""
    licence = ""

    def __init__(self, options: Mapping[str, str]) -> None:
        known: Mapping[str, str | None] = {
            "name": "",
            "aliases": "",
            "label": "",
            "kind": "",
            "description": "",
        }
        taken = take_options(options, known, "sparql")
        if not taken["label"] and not taken["kind"]:
            raise GazetteerError(
                "format 'sparql' needs the option 'label' or 'kind': --option label=PERSON"
            )
        self.names = [name.strip() for name in taken["name"].split(",") if name.strip()]
        self.aliases, self.label = taken["aliases"], taken["label"]
        self.kind, self.description = taken["kind"], taken["description"]

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the names of each result."""
        with open_unpacked(path) as (stream, _):
            is_json = stream.read(64).lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{")
        rows = _of_json(path, damage) if is_json else _of_table(path, damage)
        names, aliases, first = self.names, self.aliases, True
        for number, row in rows:
            if first:
                first = False
                names = names or [name for name in row if _is_name(name)]
                aliases = aliases or next((n for n in row if n.endswith("AltLabel")), "")
                wanted = [*(self.names or names), self.aliases, self.kind, self.description]
                need_columns(path, row, [name for name in wanted if name])
                if not names:
                    raise GazetteerError(
                        f"{path}: no variable holds names; say which: --option name=VARIABLE. "
                        f"Variables: {', '.join(row)}"
                    )
            if number <= skip:
                continue
            kind = self.label or row[self.kind].rstrip("/").rsplit("/", 1)[-1]
            marked = bool(self.description and row.get(self.description))
            others = split_names(row.get(aliases, ""), ", ") if aliases else ()
            for name in dict.fromkeys([*(row.get(name, "") for name in names), *others]):
                # The label service gives the item's number where there is no label.
                if name and not _ITEM.fullmatch(name):
                    yield number, Entry(name, kind, 1.0, marked)

    def label_of(self, kind: str) -> str | None:
        """Return the given label, the label of a known Wikidata class, or the kind itself."""
        return LABELS.get(kind, None if _ITEM.fullmatch(kind) else kind)


def _is_name(variable: str) -> bool:
    if variable.endswith("AltLabel"):
        return False
    return variable.endswith("Label") or variable.lower() in {"name", "label"}


def _of_json(path: Path, damage: Damage) -> Iterator[tuple[int, dict[str, str]]]:
    data = read_json(path, damage)
    try:
        variables, bindings = data["head"]["vars"], data["results"]["bindings"]
    except (KeyError, TypeError) as error:
        raise GazetteerError(f"{path}: JSON, but no SPARQL results") from error
    for number, binding in enumerate(bindings, 1):
        if isinstance(binding, dict):
            yield number, {v: str((binding.get(v) or {}).get("value", "")) for v in variables}
        else:
            damage.add(path, number, "a result that is no object")


def _of_table(path: Path, damage: Damage) -> Iterator[tuple[int, dict[str, str]]]:
    for number, row in read_table(path, damage):
        yield number, {name.lstrip("?"): _plain(cell) for name, cell in row.items()}


def _plain(cell: str) -> str:
    """Return a term of the TSV format (``"Oslo"@en``, ``<http://...>``) as plain text."""
    if cell.startswith("<") and cell.endswith(">"):
        return cell[1:-1]
    literal = _LITERAL.fullmatch(cell)
    if literal:
        return literal.group(1).replace('\\"', '"').replace("\\\\", "\\")
    # The csv module has taken the quotation marks of "Oslo"@en off.
    return re.sub(r"@[a-z]{2,3}(-\w+)?$", "", cell)
