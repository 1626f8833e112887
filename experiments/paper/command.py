"""The command of an experiment: prepare, make the rows, score them, write tables and figures."""

import argparse
import json
import logging
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from silverspan.corpus.files import atomic_write
from silverspan.engines import opened
from silverspan.errors import SilverspanError

from . import figures, prepare, published, tables
from .kept import NotRunError
from .material import Material
from .rows import Row, make, rows_of
from .scores import numbers, score

logger = logging.getLogger(__name__)


def main(home: Path, arguments: Sequence[str] | None = None) -> int:
    """Run an experiment whose files are in ``home``; return the exit code."""
    settings = tomllib.loads((home / "experiment.toml").read_text(encoding="utf-8"))
    given = _parser(home, settings).parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        run(home, settings, given)
    except SilverspanError as error:
        logger.error("error: %s", error)
        return 1
    return 0


def _parser(home: Path, settings: Mapping[str, Any]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m experiments.{home.name}", description=settings["title"]
    )
    parser.add_argument("--data", metavar="DIR", type=Path, help="where the data are")
    parser.add_argument("--work", metavar="DIR", type=Path, default=home / "work")
    parser.add_argument("--rows", metavar="A,B", help="make these rows only; all are shown")
    parser.add_argument("--redo", metavar="A,B", default="", help="make these rows anew")
    parser.add_argument("--list", action="store_true", help="list the rows and stop")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a setting of experiment.toml: rows.msda.options.epochs=2",
    )
    parser.add_argument("--n-process", metavar="N", type=int, default=1)
    if settings["corpus"]["kind"] == "conll":
        parser.add_argument("--corpus", metavar="FILE", type=Path, nargs="+", default=[])
    else:
        parser.add_argument("--gold", metavar="FILE", type=Path, help="sentences with gold, JSONL")
        parser.add_argument("--text", metavar="FILE", type=Path, help="raw text, JSONL")
    return parser


def run(home: Path, settings: dict[str, Any], given: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        SilverspanError: the data are missing or wrong.
    """
    for assignment in given.set:
        _assign(settings, assignment)
    rows = rows_of(settings)
    if given.list:
        for row in rows.values():
            sys.stdout.write(f"{row.name:40} {row.title}\n")
        return
    wanted = list(rows) if given.rows is None else _names(given.rows, rows)
    work: Path = given.work
    work.mkdir(parents=True, exist_ok=True)
    parts = _prepare(home, work, settings, given)
    with opened("local", n_process=given.n_process) as engine:
        material = Material(work, settings, given.data, engine)
        for name in _names(given.redo, rows):
            material.kept.forget(name)
        reasons = _make(rows, wanted, material)
        found = _scores(rows, material, parts, settings)
        write(settings, rows, found, reasons, material, parts)


def _prepare(
    home: Path, work: Path, settings: Mapping[str, Any], given: argparse.Namespace
) -> dict[str, range]:
    prepare.project(home, work, settings, given.data)
    if settings["corpus"]["kind"] == "conll":
        files = prepare.corpus_files(settings, given.data, given.corpus)
        return prepare.link_corpus(files, work)
    gold = prepare.corpus_files(settings, given.data, [given.gold] if given.gold else [])
    text = [given.text] if given.text else prepare.found(given.data, settings["corpus"]["text"])
    prepare.write_sentences(gold[0], text[0] if text else None, work)
    return {}


def _make(rows: Mapping[str, Row], wanted: Sequence[str], material: Material) -> dict[str, str]:
    """Make the rows asked for; return why the others are not there."""
    reasons = dict.fromkeys(rows, "not asked for")
    for name in wanted:
        try:
            make(rows[name], material)
        except NotRunError as error:
            logger.warning("%s is not run: %s", rows[name].title, error)
            reasons[name] = str(error)
    return reasons


Found = dict[str, dict[str, dict[str, Any]]]


def _scores(
    rows: Mapping[str, Row],
    material: Material,
    parts: Mapping[str, range],
    settings: Mapping[str, Any],
) -> Found:
    """Return the scores of every row that is there and fresh: on all documents, and by part."""
    found: Found = {"": {}, **{part: {} for part in parts}}
    for name, row in rows.items():
        try:
            fresh = material.kept.is_fresh(name, row.inputs(material))
        except NotRunError:
            continue
        if not fresh:
            continue
        posterior = material.kept.posterior(name)
        scored = row.of(material)
        made = material.kept.find(name)
        found[""][name] = numbers(score(posterior, scored, settings))
        found[""][name]["seconds"] = 0.0 if made is None else made.seconds
        if scored is material.all:
            for part, documents in parts.items():
                found[part][name] = numbers(score(posterior, scored, settings, documents))
    return found


def write(
    settings: Mapping[str, Any],
    rows: Mapping[str, Row],
    found: Found,
    reasons: Mapping[str, str],
    material: Material,
    parts: Mapping[str, range],
) -> None:
    """Write ``tables.md``, ``scores.json`` and the figures into the work folder."""
    titles = {name: row.title for name, row in rows.items() if not name.startswith("prior_")}
    theirs = getattr(published, settings["published"])
    by_label = getattr(published, f"{settings['published']}_LABELS", {})
    everything = found[""]
    first: Mapping[str, Any] = next(
        (found[""][name] for name in titles if name in everything), {"documents": 0, "tokens": 0}
    )
    sections = [
        f"# {settings['title']}",
        f"{first['documents']:,} documents with gold, {first['tokens']:,} tokens, "
        f"{len(material.all.votes.functions)} functions. Ours, and in parentheses the paper's. "
        "CEE is the paper's cross-entropy of spans, CE the one by token, both in nats.",
        tables.main_table(titles, everything, reasons, theirs),
        "## By label",
        tables.label_table(titles, everything, reasons, by_label, settings["labels"]),
        "## Priors",
        f"Entity F1; the sample is {settings['sample']['sentences']:,} sentences.",
        tables.priors_table(everything, reasons),
    ]
    for part in parts:
        sections += [f"## {part}", tables.part_table(titles, found[part], reasons)]
    times = {name: each["seconds"] for name, each in everything.items()}
    sections += [
        "## Processor time",
        "\n".join(f"- {rows[name].title}: {seconds:,.0f} s" for name, seconds in times.items()),
    ]
    with atomic_write(material.work / "tables.md") as out:
        out.write("\n\n".join(sections) + "\n")
    with atomic_write(material.work / "scores.json") as out:
        out.write(json.dumps({"rows": found, "not run": _absent(reasons, everything)}, indent=1))
    _draw(material, settings)
    logger.info("wrote %s", material.work / "tables.md")


def _absent(reasons: Mapping[str, str], there: Mapping[str, Any]) -> dict[str, str]:
    return {name: reason for name, reason in reasons.items() if name not in there}


def _draw(material: Material, settings: Mapping[str, Any]) -> None:
    folder = material.work / "figures"
    folder.mkdir(exist_ok=True)
    pictures = figures.agreement(material.all.votes, settings["labels"])
    if material.kept.find("hmm") is not None:
        pictures["layers.svg"] = figures.layers(
            list(material.run.docs()),
            material.all.votes,
            material.kept.posterior("hmm"),
            material.all.gold,
        )
    for name, picture in pictures.items():
        with atomic_write(folder / name) as out:
            out.write(picture)


def _names(text: str, rows: Mapping[str, Row]) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in rows:
            raise NotRunError(f"there is no row {name!r}; the rows are: {', '.join(rows)}")
    return names


def _assign(settings: dict[str, Any], assignment: str) -> None:
    """Change a setting: ``rows.msda.options.epochs=2``; the value is JSON or text."""
    path, equals, text = assignment.partition("=")
    if not equals:
        raise NotRunError(f"--set {assignment!r} should read KEY=VALUE")
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    table = settings
    *way, last = path.split(".")
    for key in way:
        table = table.setdefault(key, {})
    table[last] = value
