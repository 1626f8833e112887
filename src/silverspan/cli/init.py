"""``silverspan init``: a project to start from."""

import argparse
import shutil
from importlib.resources import files
from pathlib import Path

from silverspan.cli import output
from silverspan.corpus.files import atomic_write_bytes
from silverspan.errors import ProjectError

_FILES = ("silverspan.toml", "functions.py", "README.md", "documents.jsonl")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("directory", metavar="DIR", type=Path, help="the folder to make or fill")
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan init news && silverspan run news"


def run(arguments: argparse.Namespace) -> int:
    """Write the files of the template; refuse to overwrite any."""
    directory: Path = arguments.directory
    for name in _FILES:
        if (directory / name).exists():
            raise ProjectError("is there already; choose another folder", path=directory / name)
    template = files("silverspan.cli") / "project_template"
    is_new = not directory.exists()
    try:
        for name in _FILES:
            with atomic_write_bytes(directory / name) as file:
                file.write((template / name).read_bytes())
    except BaseException:
        # Half a project is in the way of the next try.
        if is_new:
            shutil.rmtree(directory, ignore_errors=True)
        raise
    if arguments.json:
        output.print_json({"project": str(directory), "files": list(_FILES)})
    elif not arguments.quiet:
        output.say(f"made {', '.join(_FILES)} in {directory}")
        output.say(f"next: silverspan run {directory}")
    return 0
