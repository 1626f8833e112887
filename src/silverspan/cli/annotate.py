"""``silverspan annotate``: run the labelling functions of a project, and stop there."""

import argparse

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, run_until


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    add_processes(parser)
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan annotate news --n-process 2"


def run(arguments: argparse.Namespace) -> int:
    """Run the corpus and annotation stages."""
    return run_until(arguments, "annotate")
