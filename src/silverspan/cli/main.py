"""The command ``silverspan``: find the command, run it, turn an error into one message.

Only the module of the named command is imported, so ``--help`` stays fast. Exit codes: 0 success,
1 a user's mistake (one message on standard error), 2 wrong usage.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from silverspan import __version__
from silverspan.errors import SilverspanError

COMMANDS = {
    "init": "make a project to start from",
    "run": "do everything the project file says: annotate, aggregate, train, evaluate, report",
    "annotate": "run the labelling functions only",
    "aggregate": "fit a label model on votes and write its posterior",
    "train": "train a tagger on aggregated labels",
    "predict": "apply a trained tagger",
    "evaluate": "score predictions against gold",
    "ablate": "tell what groups of labelling functions are worth",
    "report": "write the report of a project as one HTML file",
    "view": "open the browser view of a project",
    "export": "write a project's annotations in another format",
    "functions": "list, show and check labelling functions",
    "gazetteer": "compile name lists and knowledge-base dumps",
    "models": "list, check and train NER models used as labelling functions",
    "values": "find dates, times, amounts and quantities in a text",
    "status": "tell what in a project's workspace is fresh, stale or missing",
}


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of examples and lines the command names up."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)


_EPILOG = """examples:
  silverspan init news          make a project in the folder news
  silverspan run news           run it; run it again to redo only what changed
  silverspan aggregate votes.jsonl -o pred.jsonl
  silverspan COMMAND --help     explain one command
"""


def build_parser(command: str | None) -> argparse.ArgumentParser:
    """Return the parser of all commands, with the options of ``command`` filled in."""
    parser = argparse.ArgumentParser(
        prog="silverspan",
        description="Named-entity recognisers for domains in which nobody has labelled anything.",
        epilog=_EPILOG,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"silverspan {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        subparser = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=HelpFormatter,
        )
        if name == command:
            module = import_module(f"silverspan.cli.{name}")
            module.configure(subparser)
            subparser.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    command = next((word for word in arguments if word in COMMANDS), None)
    parser = build_parser(command)
    parsed = parser.parse_args(arguments)
    if parsed.command is None:
        parser.print_help()
        return 2
    from silverspan.cli import output  # noqa: PLC0415 (rich is not needed for --help)

    try:
        with output.session(parsed):
            return int(parsed.run(parsed) or 0)
    except SilverspanError as error:
        output.complain(str(error))
    except BrokenPipeError:
        # The reader of our output has gone (``| head``): nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError:
        output.complain("there is not enough memory; split the input, or free some and try again")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        output.complain(f"{where}{error.strerror or error}")
    except KeyboardInterrupt:
        output.complain("interrupted; run the same command again to go on")
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main())
