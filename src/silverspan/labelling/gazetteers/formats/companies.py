"""Registers of companies, one format a class: GLEIF, Crunchbase, SEC tickers, OpenCorporates.

Their legal names are often written in capitals; ``Cleaning(short_forms=True)`` files them also in
ordinary case and without the legal form.
"""

import xml.etree.ElementTree as ElementTree
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


class GleifReader:
    """Format ``gleif``: the level-1 golden copy as CSV or XML, in its zip file or unpacked.

    Option ``status`` keeps entities of one status (``ACTIVE``); empty keeps all.
    """

    source = "Global LEI Index, GLEIF, https://www.gleif.org/"
    licence = "CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/"

    def __init__(self, options: Mapping[str, str]) -> None:
        self.status = take_options(options, {"status": ""}, "gleif")["status"].upper()

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the legal name and other names of each entity; an XML file counts its records."""
        with open_unpacked(path) as (stream, _):
            is_xml = stream.read(64).lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<")
        records = self._of_xml(path, damage) if is_xml else self._of_table(path, damage)
        for number, status, names in records:
            if number > skip and (not self.status or status == self.status):
                for name in dict.fromkeys(names):
                    yield number, Entry(name, "COMPANY")

    def _of_table(self, path: Path, damage: Damage) -> Iterator[tuple[int, str, list[str]]]:
        others: list[str] | None = None
        for line, row in read_table(path, damage):
            if others is None:
                need_columns(path, row, ["Entity.LegalName"])
                others = [
                    column
                    for column in row
                    if "OtherEntityName" in column and column.rsplit(".", 1)[-1].isdigit()
                ]
            names = [row["Entity.LegalName"], *(row[column] for column in others)]
            status = row.get("Entity.EntityStatus", "").upper()
            yield line, status, [name for name in names if name]

    def _of_xml(self, path: Path, damage: Damage) -> Iterator[tuple[int, str, list[str]]]:
        record = 0
        with open_unpacked(path) as (stream, _):
            try:
                parent: ElementTree.Element | None = None
                for event, element in ElementTree.iterparse(stream, events=("start", "end")):
                    if event == "start":
                        if _local(element.tag) == "LEIRecords":
                            parent = element
                        continue
                    if _local(element.tag) != "LEIRecord":
                        continue
                    record += 1
                    names, status = [], ""
                    for part in element.iter():
                        tag, text = _local(part.tag), (part.text or "").strip()
                        if tag in {"LegalName", "OtherEntityName"} and text:
                            names.append(text)
                        elif tag == "EntityStatus":
                            status = text.upper()
                    # A record is forgotten once it is read: there are millions.
                    (element if parent is None else parent).clear()
                    yield record, status, names
            except (ElementTree.ParseError, EOFError, OSError) as error:
                damage.add(path, record + 1, f"the XML is cut off or damaged here ({error})")

    def label_of(self, kind: str) -> str | None:
        """Return the kind: COMPANY."""
        return kind


def _local(tag: str) -> str:
    return tag.rsplit("}", 1)[-1]


class CrunchbaseReader:
    """Format ``crunchbase``: organisations and people of the Open Data Map, as CSV."""

    source = "Crunchbase Open Data Map, https://data.crunchbase.com/docs/open-data-map"
    licence = "Crunchbase Open Data Map terms (attribution, CC BY-NC 4.0): do not redistribute"

    def __init__(self, options: Mapping[str, str]) -> None:
        take_options(options, {}, "crunchbase")

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield each name; its kind is the role, or the type where there is no role."""
        for line, row in read_table(path, damage):
            need_columns(path, row, ["name"])
            if line > skip and row["name"]:
                kind = row.get("type") or "organization"
                if kind == "organization":
                    kind = row.get("primary_role") or kind
                yield line, Entry(row["name"], kind)

    def label_of(self, kind: str) -> str | None:
        """Return PERSON, ORG for schools and groups, and COMPANY for the rest."""
        return {"person": "PERSON", "school": "ORG", "group": "ORG"}.get(kind, "COMPANY")


class SecReader:
    """Format ``sec``: ``company_tickers.json`` or ``company_tickers_exchange.json`` of the SEC.

    With the option ``tickers=yes`` the tickers are names too.
    """

    source = "US Securities and Exchange Commission, company tickers, https://www.sec.gov/"
    licence = "public domain (work of the US government)"

    def __init__(self, options: Mapping[str, str]) -> None:
        taken = take_options(options, {"tickers": "no"}, "sec")
        self.tickers = taken["tickers"].lower() in {"yes", "true", "1"}

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield each company's title."""
        data = read_json(path, damage)
        if not isinstance(data, dict):
            raise GazetteerError(f"{path}: not the SEC's company_tickers.json")
        if "fields" in data and "data" in data:
            names = data["fields"]
            rows = [dict(zip(names, row, strict=False)) for row in data["data"]]
        else:
            rows = list(data.values())
        for number, row in enumerate(rows, 1):
            title = (row.get("title") or row.get("name")) if isinstance(row, dict) else None
            if not isinstance(title, str):
                damage.add(path, number, "a company without a title")
            elif number > skip:
                yield number, Entry(title, "COMPANY")
                if self.tickers and row.get("ticker"):
                    yield number, Entry(str(row["ticker"]), "COMPANY")

    def label_of(self, kind: str) -> str | None:
        """Return the kind: COMPANY."""
        return kind


class OpencorporatesReader:
    """Format ``opencorporates``: CSV of a company register in OpenCorporates' columns.

    Also takes the columns of Companies House (``CompanyName``). Option ``status`` keeps companies
    whose status contains it.
    """

    source = "a company register in OpenCorporates' format"
    licence = ""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.status = take_options(options, {"status": ""}, "opencorporates")["status"].lower()

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the name, previous and alternative names of each company."""
        for line, row in read_table(path, damage):
            if line <= skip:
                continue
            column = "CompanyName" if "CompanyName" in row else "name"
            need_columns(path, row, [column])
            status = row.get("current_status") or row.get("CompanyStatus") or ""
            if self.status not in status.lower():
                continue
            others = (row.get(key) or "" for key in ("previous_names", "alternative_names"))
            names = [row[column], *(name for cell in others for name in split_names(cell))]
            for name in dict.fromkeys(filter(None, names)):
                yield line, Entry(name, "COMPANY")

    def label_of(self, kind: str) -> str | None:
        """Return the kind: COMPANY."""
        return kind
