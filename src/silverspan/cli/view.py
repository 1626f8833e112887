"""``silverspan view``: the documents of a project in a browser, on this machine only."""

import argparse
from pathlib import Path

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, workers
from silverspan.errors import MissingDependencyError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    parser.add_argument("--port", type=output.port, default=8377, help="default: 8377")
    parser.add_argument(
        "--against",
        metavar="OTHER",
        help="another project, or a predictions file, to compare with; default: the run that was "
        "viewed before this one",
    )
    parser.add_argument(
        "--gold",
        metavar="FILE",
        type=Path,
        help="where decisions are written, as JSON lines; default: the gold file that the project "
        "names if that is JSON lines, else gold.jsonl beside the project file",
    )
    parser.add_argument(
        "--by", metavar="NAME", help="who decides, as the gold file says; default: your user name"
    )
    add_processes(parser)
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan view news --against ../older/output/predictions.jsonl"


def run(arguments: argparse.Namespace) -> int:
    """Run what is not fresh, then serve until interrupted."""
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise MissingDependencyError("starlette", extra="view") from None
    from silverspan import pipeline, view  # noqa: PLC0415 (imports spaCy)
    from silverspan.project import Project  # noqa: PLC0415

    project = Project(arguments.project)
    # Before the long part: what is wrong with these should be told at once.
    gold = view.GoldFile.of(project, arguments.gold, by=arguments.by)
    earlier = None if arguments.against is None else view.Earlier.of(arguments.against)
    libraries: list[view.Library] = []

    def open_library(run: pipeline.Run) -> pipeline.Outcome:
        libraries.append(view.open_library(run, gold=gold, earlier=earlier))
        return pipeline.Outcome(stage="view", was_fresh=True, summary="")

    pipeline.run(project, further={"view": open_library}, **workers(arguments))

    def announce(address: str) -> None:
        if arguments.json:
            output.print_json({"address": address})
        else:
            output.say(f"open {address}\nCtrl-C stops it")

    view.serve(libraries[0], port=arguments.port, announce=announce)
    return 0
