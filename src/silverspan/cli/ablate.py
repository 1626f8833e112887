"""``silverspan ablate``: what groups of functions, or single ones, are worth."""

import argparse

from silverspan.cli import output
from silverspan.cli.run import add_processes, add_project, workers


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_project(parser)
    parser.add_argument(
        "--by",
        choices=("group", "function"),
        default="group",
        help="each group of functions alone and left out (the default), or each function left out",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="A,B",
        help="instead: these groups or functions alone; may be repeated, a row for each",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="A,B",
        help="instead: all but these; may be repeated, a row for each",
    )
    add_processes(parser)
    output.add_common_options(parser)
    parser.description = (
        "Fit the label model of a project on some of its functions, from the votes that are kept,\n"
        "and compare: scores if there is gold, else how much of the output changes."
    )
    parser.epilog = (
        "examples:\n  silverspan ablate news\n"
        '  silverspan ablate news --only models --only "models,gazetteers" --without "doc_*"'
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a row for each choice."""
    from silverspan.pipeline.ablate import ablate  # noqa: PLC0415 (imports spaCy)
    from silverspan.project import Project  # noqa: PLC0415

    project = Project(arguments.project)
    rows = ablate(
        project,
        by=arguments.by,
        only=arguments.only,
        without=arguments.without,
        **workers(arguments),
    )
    if arguments.json:
        settings = project.settings.evaluation
        terms = {"map": {**project.space.finer, **settings.map}, "normalise": settings.normalise}
        output.print_json({**terms, "rows": [row.to_json() for row in rows]})
        return 0
    numbers = ("P", "R", "F1", "gain", "p") if rows[0].f1 is not None else ("ln L",)
    table = []
    for row in rows:
        values = {
            "P": row.precision,
            "R": row.recall,
            "F1": row.f1,
            "gain": row.gain,
            "p": row.p_value,
            "ln L": row.log_likelihood,
        }
        table.append(
            {
                "functions": row.name,
                "how many": len(row.functions),
                "spans": row.spans,
                "changed": row.changed,
                **{name: values[name] for name in numbers},
            }
        )
    output.print_table(table, right=("how many", "spans", "changed", *numbers))
    for row in rows:
        if row.problem is not None:
            output.say(f"{row.name}: {row.problem}")
    return 0
