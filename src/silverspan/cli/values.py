"""``silverspan values``: dates, times, amounts and quantities in a text, with probabilities."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date

from silverspan.cli import output
from silverspan.errors import InputError

_EPILOG = """examples:
  silverspan values "About $3.5 million was paid on 12 May 2020."
  silverspan values --json --reference 2020-01-01 < texts.txt    one text per line,
                                                                 one JSON list per line
  silverspan values --language de "am 3. Oktober um halb acht"
"""


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2020-01-31") from error


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("text", nargs="*", help="texts; without any, one a line on standard input")
    parser.add_argument("--language", default="en", help="code of the language (default: en)")
    parser.add_argument(
        "--reference",
        type=_day,
        metavar="YYYY-MM-DD",
        help="the day that 'today' is; without it relative dates stay relative (REF-P3D)",
    )
    output.add_common_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from silverspan.labelling.values import value_parser  # noqa: PLC0415 (only for this command)

    parser = value_parser(arguments.language, arguments.reference)
    texts: Iterable[str] = arguments.text or _lines()
    if arguments.json:
        for text in texts:
            found = [asdict(value) for value in parser.parse(text)]
            sys.stdout.write(json.dumps(found) + "\n")
        return 0
    rows = [
        {"text": value.text, "label": value.label, "value": value.value,
         "probability": value.probability, "start": value.start, "end": value.end}
        for text in texts
        for value in parser.parse(text)
    ]  # fmt: skip
    if rows:
        output.print_table(rows, right=("probability", "start", "end"))
    else:
        output.say("No values found.")
    return 0


def _lines() -> Iterator[str]:
    """Yield the lines of standard input."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            yield line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            found = f"byte 0x{line[error.start]:02x} where UTF-8 was expected"
            raise InputError(
                f"{found}; convert it, for example with iconv -t UTF-8",
                path="standard input",
                line=number,
            ) from error
