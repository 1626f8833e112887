"""``silverspan report``: what a finished run found, as one file, and its pictures as files."""

import argparse
from pathlib import Path
from typing import Any

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, workers
from silverspan.errors import InputError

_FORMATS = ("html", "md", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="the report")
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="told by the ending of FILE if not given; without FILE, written to standard output",
    )
    parser.add_argument(
        "--figures", metavar="DIR", type=Path, help="write every picture as an SVG file, too"
    )
    parser.add_argument(
        "--no-refit",
        action="store_true",
        help="do not fit again without each function: faster, and nothing is told of that",
    )
    add_processes(parser)
    output.add_common_options(parser)
    parser.epilog = (
        "examples:\n"
        "  silverspan report news -o news.html\n"
        "  silverspan report news --figures pictures\n"
        "  silverspan report news --format json | jq .analysis.suggestions[].text"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run what is not fresh, then write the report."""
    from silverspan import pipeline, report  # noqa: PLC0415 (imports spaCy)
    from silverspan.corpus.files import atomic_write, check_output  # noqa: PLC0415
    from silverspan.project import Project  # noqa: PLC0415

    path: Path | None = arguments.output
    if path is None and arguments.figures is None and arguments.format is None:
        raise InputError("say where to: -o FILE for the report, --figures DIR for its pictures")
    kind = _format(path, arguments.format) if path else arguments.format
    write = {"html": report.to_html, "md": report.to_markdown, "json": report.to_json}
    written: dict[str, Any] = {}

    def stage(run: pipeline.Run) -> pipeline.Outcome:
        findings = report.findings_of(run, refit=not arguments.no_refit)
        if path and kind:
            with atomic_write(path) as file:
                file.write(write[kind](findings))
            written.update(report=str(path), format=kind)
        elif kind:
            written["text"] = write[kind](findings)
        if arguments.figures:
            files = report.write_figures(findings, arguments.figures)
            written["figures"] = [str(file) for file in files]
        return pipeline.Outcome(stage="report", was_fresh=False, summary=str(path))

    project = Project(arguments.project)
    if path:
        check_output(path, project.inputs)
    pipeline.run(project, further={"report": stage}, **workers(arguments))
    if "text" in written:
        output.say(written["text"].rstrip("\n"))
    elif arguments.json:
        output.print_json(written)
    elif not arguments.quiet:
        if path:
            output.say(f"wrote {path}")
        if arguments.figures:
            output.say(f"wrote {len(written['figures'])} pictures to {arguments.figures}")
    return 0


def _format(path: Path, given: str | None) -> str:
    ending = {"htm": "html"}.get(path.suffix[1:], path.suffix[1:])
    kind = given or ending
    if kind not in _FORMATS:
        raise InputError("the ending tells no format; say --format html, md or json", path=path)
    return kind
