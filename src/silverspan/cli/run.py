"""``silverspan run``: everything the project file says, only as far as something changed."""

import argparse
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from silverspan.cli import output

if TYPE_CHECKING:
    from silverspan.project import Project


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    add_processes(parser)
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan run news --n-process 2"


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add the argument PROJECT."""
    parser.add_argument(
        "project", metavar="PROJECT", help="a folder with a silverspan.toml, or that file"
    )


def add_processes(parser: argparse.ArgumentParser) -> None:
    """Add ``--n-process``, ``--engine`` and ``--scheduler``."""
    parser.add_argument(
        "--n-process",
        type=output.positive,
        default=1,
        metavar="N",
        help="processes that do the work; the result is the same for any number",
    )
    parser.add_argument(
        "--engine",
        default="local",
        metavar="NAME",
        help="who does the work: local, this machine (the default), or dask; the result is the "
        "same for any",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask cluster that is there already, such as tcp://10.0.0.1:8786; without it, "
        "--engine dask begins --n-process workers here",
    )


def workers(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what ``add_processes`` asked for, as the pipeline takes it."""
    return {name: getattr(arguments, name) for name in ("n_process", "engine", "scheduler")}


def run(arguments: argparse.Namespace) -> int:
    """Run all stages and print what each did, then the scores."""
    return run_until(arguments, "report")


def run_until(arguments: argparse.Namespace, until: str) -> int:
    """Run the stages up to one and print what each did."""
    from silverspan.project import Project  # noqa: PLC0415

    began = time.perf_counter()
    project = Project(arguments.project)
    outcomes = _unchanged(project) if until == "report" else None
    if outcomes is None:
        from silverspan import pipeline  # noqa: PLC0415 (imports spaCy)
        from silverspan.report import report  # noqa: PLC0415

        done = pipeline.run(
            project,
            until=until,
            further={"report": report},
            receipt=until == "report",
            **workers(arguments),
        )
        outcomes = [asdict(outcome) for outcome in done]
    if arguments.json:
        output.print_json(
            [
                {name: o[name] for name in ("stage", "was_fresh", "summary")} | o["details"]
                for o in outcomes
            ]
        )
    elif not arguments.quiet:
        rows = [
            {
                "stage": o["stage"],
                "": "fresh" if o["was_fresh"] else "done",
                "what": ", ".join(filter(None, [o["summary"], o["news"]])),
            }
            for o in outcomes
        ]
        output.print_table(rows)
        for outcome in outcomes:
            if outcome["text"]:
                output.say()
                output.say(outcome["text"])
        output.say(f"\ntook {time.perf_counter() - began:.1f} s")
    return 0


def _unchanged(project: "Project") -> Any:
    """Return what the last run told of each stage, if nothing changed since; spaCy sleeps on."""
    from silverspan.workspace import receipt  # noqa: PLC0415
    from silverspan.workspace.lock import locked  # noqa: PLC0415

    if not receipt.exists(project.workspace):
        return None
    with locked(project.workspace):
        return receipt.read(project.workspace, project.corpus_paths, project.stores)
