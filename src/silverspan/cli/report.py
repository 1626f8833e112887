"""``silverspan report``: what a finished run found, as one file."""

import argparse
from pathlib import Path

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, workers
from silverspan.errors import InputError

_FORMATS = ("html", "md", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True)
    parser.add_argument(
        "--format", choices=_FORMATS, help="told by the ending of FILE if not given"
    )
    add_processes(parser)
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan report news -o news.html"


def run(arguments: argparse.Namespace) -> int:
    """Run what is not fresh, then write the report."""
    from silverspan import pipeline, report  # noqa: PLC0415 (imports spaCy)
    from silverspan.corpus.files import atomic_write  # noqa: PLC0415
    from silverspan.project import Project  # noqa: PLC0415

    path: Path = arguments.output
    ending = {"htm": "html"}.get(path.suffix[1:], path.suffix[1:])
    kind = arguments.format or ending
    if kind not in _FORMATS:
        raise InputError("the ending tells no format; say --format html, md or json", path=path)
    write = {"html": report.to_html, "md": report.to_markdown, "json": report.to_json}[kind]

    def stage(run: pipeline.Run) -> pipeline.Outcome:
        with atomic_write(path) as file:
            file.write(write(report.findings_of(run)))
        return pipeline.Outcome(stage="report", was_fresh=False, summary=str(path))

    pipeline.run(Project(arguments.project), further={"report": stage}, **workers(arguments))
    if arguments.json:
        output.print_json({"report": str(path), "format": kind})
    elif not arguments.quiet:
        output.say(f"wrote {path}")
    return 0
