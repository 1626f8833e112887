"""``silverspan models``: which NER models are usable here, do they work, train one."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from silverspan.cli import output


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments."""
    actions = parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser(
        "list",
        help="which models are usable here, how to get the others",
        description="Tell which models are usable here and how to get the others.",
        epilog="example:\n  silverspan models list --json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    output.add_common_options(listing)
    checking = actions.add_parser(
        "check",
        help="load models, run them on a short text, time them",
        description="Load models, run them on a short text, and time them.",
        epilog="example:\n  silverspan models check BTC SEC",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    checking.add_argument(
        "models",
        metavar="MODEL",
        nargs="*",
        help="functions such as BTC, packages or folders (default: all that are usable)",
    )
    output.add_common_options(checking)
    training = actions.add_parser(
        "train-source",
        help="train a small recogniser from labelled files",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Train a small recogniser from labelled files and write it with a model card.\n"
        "Needs the extra 'vectors'. BTC, SEC and conll2003 name corpora that are cleaned first.",
        epilog="example:\n  silverspan models train-source BTC --data btc_*.conll.gz -o models/BTC",
    )
    training.add_argument("name", metavar="NAME", help="what the model is called")
    training.add_argument(
        "--data", metavar="FILE", nargs="+", type=Path, required=True, help="labelled files"
    )
    training.add_argument(
        "-o", "--output", metavar="DIR", type=Path, required=True, help="the folder to write"
    )
    training.add_argument(
        "--held-out", metavar="FILE", nargs="+", type=Path, default=[], help="score on these files"
    )
    training.add_argument(
        "--share",
        type=float,
        default=0.1,
        help="the share of the data to hold out if no file is given (default: %(default)s)",
    )
    training.add_argument(
        "--score-on",
        metavar="FILE",
        nargs="+",
        type=Path,
        default=[],
        help="score on these files of other domains too, as they are",
    )
    training.add_argument("--seed", metavar="N", type=int, default=0)
    training.add_argument("--epochs", metavar="N", type=int, help="(default: recogniser.cfg's)")
    training.add_argument(
        "--words", metavar="N", type=int, default=100_000, help="words that have a vector"
    )
    training.add_argument(
        "--rows", metavar="N", type=int, default=10_000, help="vectors that they share"
    )
    output.add_common_options(training)
    parser.epilog = (
        "examples:\n  silverspan models list\n  silverspan models check BTC\n"
        "  silverspan models train-source BTC --data btc_*.conll.gz -o models/BTC"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says."""
    if arguments.action == "list":
        return _list(arguments)
    return _check(arguments) if arguments.action == "check" else _train(arguments)


def _list(arguments: argparse.Namespace) -> int:
    from silverspan.labelling.models.catalogue import catalogue  # noqa: PLC0415 (spaCy)

    listed = catalogue()
    if arguments.json:
        output.print_json([asdict(entry) for entry in listed])
        return 0
    rows = [
        {
            "model": entry.model,
            "usable": "yes" if entry.usable else "no",
            "version": entry.version,
            "functions": ", ".join(entry.functions),
            "labels": len(entry.labels) or "",
            "to get it": entry.get or entry.problem,
        }
        for entry in listed
    ]
    output.print_table(rows)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from silverspan.labelling.function import functions  # noqa: PLC0415 (spaCy)
    from silverspan.labelling.models.catalogue import catalogue  # noqa: PLC0415
    from silverspan.labelling.models.checking import check_model  # noqa: PLC0415
    from silverspan.labelling.models.pipeline import spacy_model  # noqa: PLC0415

    names = arguments.models or [
        entry.functions[0] if entry.functions else entry.model
        for entry in catalogue()
        if entry.usable and entry.labels
    ]
    checked = [
        check_model(functions[name]() if name in functions else spacy_model(name)) for name in names
    ]
    if arguments.json:
        output.print_json([asdict(one) for one in checked])
    else:
        for one in checked:
            found = ", ".join(f"{text} {label}" for text, label in one.found)
            output.say(f"{one.function}: {one.problem or 'works'}")
            if found and not arguments.quiet:
                output.say(f"  {one.tokens_per_second:,.0f} tokens/s; found {found}")
    return 1 if any(one.problem for one in checked) else 0


def _train(arguments: argparse.Namespace) -> int:
    from silverspan.labelling.models.sources.build import Recipe, build  # noqa: PLC0415 (spaCy)

    chosen: dict[str, Any] = {} if arguments.epochs is None else {"epochs": arguments.epochs}
    recipe = Recipe(
        name=arguments.name,
        data=tuple(arguments.data),
        held_out=tuple(arguments.held_out),
        share=arguments.share,
        score_on=tuple(arguments.score_on),
        seed=arguments.seed,
        words=arguments.words,
        rows=arguments.rows,
        **chosen,
    )
    scores = build(recipe, arguments.output)
    rows = [
        {
            "scored on": what,
            "label": label or "all",
            "precision": one.precision,
            "recall": one.recall,
            "f1": one.f1,
        }
        for what, of in scores.items()
        for label, one in of.items()
    ]
    if arguments.json:
        output.print_json({"model": str(arguments.output), "scores": rows})
    elif not arguments.quiet:
        output.print_table(rows, right=("precision", "recall", "f1"))
        output.say(f"wrote {arguments.output}; its card is {arguments.output / 'README.md'}")
    return 0
