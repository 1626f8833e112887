"""``silverspan gazetteer``: compile name lists and knowledge-base dumps, and look into them."""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from silverspan.cli import output

if TYPE_CHECKING:
    from silverspan.labelling.gazetteers import Gazetteer, Meaning

_EPILOG = """examples:
  silverspan gazetteer build text cities.txt -o cities.gaz --option label=GPE
  silverspan gazetteer build geonames allCountries.zip -o geo.gaz --option population=1000
  silverspan gazetteer build wikidata latest-all.json.bz2 -o wiki.gaz
  silverspan gazetteer info wiki.gaz
  silverspan gazetteer lookup "flights from Oslo to New York" wiki.gaz
"""

_BUILD_EPILOG = """formats and their options (--option NAME=VALUE):
  text            one name a line; label
  labels          JSON {label: [name, ...]}
  csv, json       tables and lists of objects; name, aliases, separator, label or label_column,
                  weight, mark
  wikidata        JSON dump (.json.gz, .json.bz2); language, aliases
  sparql          query results (JSON, CSV, TSV); name, aliases, label or kind, description
  geonames        allCountries, cities*; population, classes, alternatenames, alternates, language
  dbpedia         N-Triples, types before labels; language, classes
  gleif           level-1 golden copy (CSV or XML, zipped or not); status
  crunchbase      Open Data Map (CSV)
  sec             company_tickers.json; tickers
  opencorporates  a register's CSV; status
  shipped         a gazetteer that comes with silverspan, by its name, for another tokenizer

An interrupted build goes on when the same command is run again. Damaged lines are passed over,
counted, and the first of them named.

example:
  silverspan gazetteer build gleif golden-copy.csv.zip -o company.gaz --short-forms
"""


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} should read NAME=VALUE")
    return key, value


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    formatter = parser.formatter_class

    build = actions.add_parser(
        "build",
        help="compile sources into one file",
        description="Compile names from source files into one gazetteer file.",
        epilog=_BUILD_EPILOG,
        formatter_class=formatter,
    )
    build.add_argument("format", metavar="FORMAT", help="format of the sources, see below")
    build.add_argument("sources", metavar="SOURCE", nargs="+", help="files to read, in this order")
    build.add_argument("-o", "--output", metavar="FILE", type=Path, required=True)
    build.add_argument(
        "--option",
        type=_setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the format; may be repeated",
    )
    build.add_argument(
        "--map",
        type=_setting,
        action="append",
        default=[],
        metavar="KIND=LABEL",
        help="the label of a kind (a class, a feature code); KIND= leaves it out",
    )
    build.add_argument("--name", help="name of the gazetteer (default: that of the file)")
    build.add_argument(
        "--marked",
        metavar="NAME",
        help="name of the gazetteer of marked entries (default for wikidata: wiki_small)",
    )
    build.add_argument(
        "--tokenizer",
        default="blank:en",
        metavar="PIPELINE",
        help="the pipeline whose tokenizer cuts the documents (default: blank:en)",
    )
    build.add_argument("--longest", type=output.positive, default=10, help="most tokens of a name")
    build.add_argument("--shortest", type=output.positive, default=2, help="fewest letters")
    build.add_argument("--stop", type=Path, metavar="FILE", help="names to leave out, one a line")
    build.add_argument("--keep-parentheses", action="store_true", help="do not cut '(remarks)'")
    build.add_argument("--keep-appositions", action="store_true", help="do not cut after commas")
    build.add_argument("--first-last", action="store_true", help="people without middle names too")
    build.add_argument("--surnames", action="store_true", help="people by surname too")
    build.add_argument(
        "--short-forms", action="store_true", help="companies without their legal form too"
    )
    build.add_argument("--source", help="where the data come from (default: the format's)")
    build.add_argument("--licence", help="the terms of the data (default: the format's)")
    output.add_common_options(build)

    info = actions.add_parser(
        "info",
        help="tell what a gazetteer holds",
        description="Tell what a compiled gazetteer holds: names per label, size, source, licence.",
        epilog="example:\n  silverspan gazetteer info geo.gaz --verify",
        formatter_class=formatter,
    )
    info.add_argument("gazetteer", metavar="FILE", help="a compiled file, or a shipped name")
    info.add_argument("--verify", action="store_true", help="read it all and check its checksum")
    output.add_common_options(info)

    lookup = actions.add_parser(
        "lookup",
        help="find the names in a text",
        description="Find every known name in a text, overlapping ones too.",
        epilog='example:\n  silverspan gazetteer lookup "Paris and New York" geo.gaz',
        formatter_class=formatter,
    )
    lookup.add_argument("text", metavar="TEXT")
    lookup.add_argument(
        "gazetteers", metavar="FILE", nargs="*", help="files or shipped names (default: shipped)"
    )
    lookup.add_argument(
        "--tokenizer", default="blank:en", metavar="PIPELINE", help="the pipeline that cuts TEXT"
    )
    output.add_common_options(lookup)


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked."""
    return {"build": _build, "info": _info, "lookup": _lookup}[arguments.action](arguments)


def _build(arguments: argparse.Namespace) -> int:
    from silverspan.corpus.files import atomic_write_bytes  # noqa: PLC0415 (heavy, as all below)
    from silverspan.corpus.pipelines import load_pipeline  # noqa: PLC0415
    from silverspan.labelling.gazetteers import build, readers  # noqa: PLC0415
    from silverspan.labelling.gazetteers.shipped import compile_shipped  # noqa: PLC0415

    tokenizer = load_pipeline(arguments.tokenizer).tokenizer
    if arguments.format == "shipped":
        from silverspan.errors import GazetteerError  # noqa: PLC0415

        if len(arguments.sources) != 1:
            raise GazetteerError("give the name of one shipped gazetteer, such as: geo")
        compiled = compile_shipped(arguments.sources[0], tokenizer)
        with atomic_write_bytes(arguments.output) as file:
            file.write(compiled.to_bytes())
        return _report(arguments, arguments.output, None)
    reader = readers[arguments.format](dict(arguments.option))
    paths = [Path(source) for source in arguments.sources]
    made = build(reader, paths, arguments.output, tokenizer=tokenizer, recipe=_recipe(arguments))
    return _report(arguments, made.path, made.damage)


def _recipe(arguments: argparse.Namespace) -> Any:
    from silverspan.corpus.files import read_lines  # noqa: PLC0415
    from silverspan.labelling.gazetteers import Cleaning, Recipe  # noqa: PLC0415
    from silverspan.labelling.gazetteers.names import fold, normalise  # noqa: PLC0415

    name = arguments.name or arguments.output.name.split(".")[0]
    marked = arguments.marked
    if marked is None and arguments.format == "wikidata":
        marked = f"{name}_small"
    stop = [line for _, line in read_lines(arguments.stop)] if arguments.stop else []
    return Recipe(
        subsets=(name, marked) if marked else (name,),
        kinds=dict(arguments.map),
        longest=arguments.longest,
        sources=(arguments.source,) if arguments.source else (),
        licence=arguments.licence or "",
        command=_command(arguments),
        cleaning=Cleaning(
            parentheses=not arguments.keep_parentheses,
            appositions=not arguments.keep_appositions,
            shortest=arguments.shortest,
            stop=frozenset(fold(normalise(line.strip())) for line in stop),
            first_last=arguments.first_last,
            surnames=arguments.surnames,
            short_forms=arguments.short_forms,
        ),
    )


def _command(arguments: argparse.Namespace) -> str:
    """Return the command line that makes this file, without its tokenizer."""
    words = ["silverspan", "gazetteer", "build", arguments.format, *arguments.sources]
    words += ["-o", str(arguments.output)]
    for key, value in arguments.option:
        words += ["--option", f"{key}={value}"]
    for key, value in arguments.map:
        words += ["--map", f"{key}={value}"]
    for name in ("name", "marked", "stop", "source", "licence"):
        if getattr(arguments, name):
            words += [f"--{name}", str(getattr(arguments, name))]
    for name, usual in (("longest", 10), ("shortest", 2)):
        if getattr(arguments, name) != usual:
            words += [f"--{name}", str(getattr(arguments, name))]
    flags = ("keep_parentheses", "keep_appositions", "first_last", "surnames", "short_forms")
    words += ["--" + flag.replace("_", "-") for flag in flags if getattr(arguments, flag)]
    return shlex.join(words)


def _report(arguments: argparse.Namespace, path: Path, damage: Any) -> int:
    from silverspan.labelling.gazetteers import Gazetteer  # noqa: PLC0415

    described = _described(Gazetteer.open(path))
    described["damaged"] = damage.count if damage else 0
    if arguments.json:
        output.print_json({**described, "first_damage": damage.first if damage else []})
        return 0
    if not arguments.quiet:
        _print(described)
        for line in damage.first if damage else ():
            output.say(f"  {line}")
    return 0


def _info(arguments: argparse.Namespace) -> int:
    gazetteer = _open(arguments.gazetteer)
    if arguments.verify:
        gazetteer.verify()
    described = _described(gazetteer)
    if arguments.verify:
        described["verified"] = True
    if arguments.json:
        output.print_json(described)
    else:
        _print(described)
    return 0


def _open(name: str, tokenizer: Any = None, pipeline: str = "PIPELINE") -> "Gazetteer":
    from silverspan.labelling.gazetteers import SHIPPED, Gazetteer, open_shipped  # noqa: PLC0415

    if name in SHIPPED and not Path(name).exists():
        return open_shipped(name, tokenizer)
    gazetteer = Gazetteer.open(name)
    if tokenizer is not None:
        gazetteer.check_tokenizer(tokenizer, pipeline)
    return gazetteer


def _described(gazetteer: "Gazetteer") -> dict[str, Any]:
    header = gazetteer.header
    size = gazetteer.path.stat().st_size if gazetteer.path else len(gazetteer.to_bytes())
    return {
        "gazetteers": {name: dict(header.per_label[name]) for name in header.subsets},
        "names": header.names,
        "bytes": size,
        "bytes_per_name": round(size / header.names, 1),
        "longest": header.longest,
        "sources": list(header.sources),
        "licence": header.licence,
        "tokenizer": f"{header.tokenizer.language}:{header.tokenizer.fingerprint}",
        "command": header.command,
        "checksum": header.checksum,
    }


def _print(described: dict[str, Any]) -> None:
    rows = [
        {"gazetteer": name, "label": label, "names": count}
        for name, counts in described["gazetteers"].items()
        for label, count in counts.items()
    ]
    output.print_table(rows, right=["names"])
    for key, value in described.items():
        if key == "sources":
            for source in value:
                output.say(f"source: {source}")
        elif key != "gazetteers" and value not in ("", 0):
            output.say(f"{key.replace('_', ' ')}: {value}")


def _lookup(arguments: argparse.Namespace) -> int:
    from silverspan.corpus.pipelines import load_pipeline  # noqa: PLC0415
    from silverspan.labelling.gazetteers import SHIPPED, look_up  # noqa: PLC0415

    nlp = load_pipeline(arguments.tokenizer)
    names = arguments.gazetteers or list(SHIPPED)
    opened = {name: _open(name, nlp.tokenizer, arguments.tokenizer) for name in names}
    found = look_up(nlp.make_doc(arguments.text), opened)
    rows = [
        {
            "text": one.text,
            "start": one.start,
            "end": one.end,
            "gazetteer": one.gazetteer,
            "cased": _meaning(one.cased, arguments.json),
            "uncased": _meaning(one.uncased, arguments.json),
        }
        for one in found
    ]
    if arguments.json:
        output.print_json(rows)
    elif rows:
        output.print_table(rows, right=["start", "end"])
    else:
        output.say("no known name in this text")
    return 0


def _meaning(meaning: "Meaning", as_data: bool) -> Any:
    if as_data:
        return {label: round(probability, 4) for label, probability in meaning}
    return ", ".join(
        label if probability == 1 else f"{label} {probability:.2f}"
        for label, probability in meaning
    )
