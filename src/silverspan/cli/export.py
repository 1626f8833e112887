"""``silverspan export``: a project's annotations in the format of another tool."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, workers

if TYPE_CHECKING:
    from spacy.tokens import Doc

FORMATS = (
    "docbin",
    "conll",
    "jsonl",
    "parquet",
    "label-studio",
    "doccano",
    "prodigy",
    "argilla",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    parser.add_argument("--to", metavar="FORMAT", required=True, choices=FORMATS, help="the format")
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, required=True, help="the file to write"
    )
    add_processes(parser)
    output.add_common_options(parser)
    parser.description = (
        "Write every document of a project with what the label model found in it. What is not\n"
        "fresh is made first.\n\n"
        "formats:\n"
        "  docbin        spaCy, with a layer for each function and one called silver\n"
        "  conll         tokens and IOB2 tags in columns\n"
        "  jsonl         predictions, as silverspan aggregate writes them\n"
        "  parquet       a Hugging Face dataset\n"
        "  label-studio  tasks with predictions, for a NER interface\n"
        "  doccano       JSON lines for sequence labelling\n"
        "  prodigy       JSON lines of NER tasks\n"
        "  argilla       JSON lines of records with suggestions"
    )
    parser.epilog = "example:\n  silverspan export news --to label-studio -o tasks.json"


def run(arguments: argparse.Namespace) -> int:
    """Export and say how much."""
    from silverspan.corpus.files import check_output  # noqa: PLC0415
    from silverspan.integrations.export import export, found  # noqa: PLC0415 (imports spaCy)
    from silverspan.pipeline.silver import silver  # noqa: PLC0415
    from silverspan.progress import track  # noqa: PLC0415
    from silverspan.project import Project  # noqa: PLC0415

    project = Project(arguments.project)
    check_output(arguments.output, project.inputs)
    documents = spans = 0

    def counted() -> "Iterator[Doc]":
        nonlocal documents, spans
        layers = arguments.to == "docbin"
        for doc in track(silver(project, layers=layers, **workers(arguments)), "documents"):
            documents += 1
            spans += len(found(doc))
            yield doc

    export(counted(), arguments.to, arguments.output)
    if arguments.json:
        output.print_json(
            {
                "output": str(arguments.output),
                "format": arguments.to,
                "documents": documents,
                "spans": spans,
            }
        )
    elif not arguments.quiet:
        output.say(f"wrote {arguments.output}: {documents} documents, {spans} spans")
    return 0
