"""``silverspan status``: what in a project's workspace is fresh, stale, damaged or missing."""

import argparse

from silverspan.cli import output
from silverspan.cli.run import add_project


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan status news"


def run(arguments: argparse.Namespace) -> int:
    """Print the state of every part."""
    from silverspan.pipeline.status import status  # noqa: PLC0415 (imports spaCy)
    from silverspan.project import Project  # noqa: PLC0415

    rows = status(Project(arguments.project))
    if arguments.json:
        output.print_json(
            [{"stage": row.stage, "item": row.item, "states": row.states} for row in rows]
        )
    else:
        output.print_table(
            [
                {
                    "stage": row.stage,
                    "item": row.item,
                    "state": ", ".join(
                        state if count == 1 else f"{count} {state}"
                        for state, count in sorted(row.states.items())
                    ),
                }
                for row in rows
            ]
        )
    return 0
