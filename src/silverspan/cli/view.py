"""``silverspan view``: the documents of a project in a browser, on this machine only."""

import argparse

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, workers
from silverspan.errors import MissingDependencyError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    parser.add_argument("--port", type=output.port, default=8377, help="default: 8377")
    add_processes(parser)
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan view news"


def run(arguments: argparse.Namespace) -> int:
    """Run what is not fresh, then serve until interrupted."""
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise MissingDependencyError("starlette", extra="view") from None
    from silverspan import pipeline, view  # noqa: PLC0415 (imports spaCy)
    from silverspan.project import Project  # noqa: PLC0415

    states: list[pipeline.Run] = []

    def keep(run: pipeline.Run) -> pipeline.Outcome:
        states.append(run)
        return pipeline.Outcome(stage="view", was_fresh=True, summary="")

    pipeline.run(Project(arguments.project), further={"view": keep}, **workers(arguments))

    def announce(address: str) -> None:
        if arguments.json:
            output.print_json({"address": address})
        else:
            output.say(f"open {address}\nCtrl-C stops it")

    view.serve(view.Library(states[0]), port=arguments.port, announce=announce)
    return 0
