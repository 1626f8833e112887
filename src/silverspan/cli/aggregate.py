"""``silverspan aggregate``: fit a label model on votes, or load one, and write its posterior."""

import argparse
import json
from pathlib import Path
from typing import Any

from silverspan.cli import arguments as options
from silverspan.cli import output


def _setting(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} should read NAME=VALUE")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("votes", metavar="VOTES", nargs="+", type=Path, help="files with votes")
    parser.add_argument(
        "-o", "--output", metavar="PRED", type=Path, required=True, help="the file to write"
    )
    parser.add_argument("--model", metavar="NAME", help="the label model (default: hmm)")
    parser.add_argument(
        "--set",
        type=_setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the label model; may be repeated",
    )
    parser.add_argument(
        "--scheme", choices=("io", "bio", "biluo"), help="the tag scheme (default: the model's)"
    )
    parser.add_argument(
        "--seed", type=options.seed, metavar="N", help="for models that draw at random"
    )
    parser.add_argument(
        "--fit-on",
        metavar="VOTES",
        action="append",
        type=Path,
        help="fit on these votes instead; may be repeated",
    )
    parser.add_argument("--load", metavar="DIR", type=Path, help="use the model saved there")
    parser.add_argument("--save", metavar="DIR", type=Path, help="save the fitted model there")
    parser.add_argument(
        "--functions", type=options.names, metavar="A,B", help="use these functions only; * matches"
    )
    parser.add_argument(
        "--without", type=options.names, default=[], metavar="A,B", help="leave these functions out"
    )
    options.add_label_options(parser)
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="the format of VOTES, if not by its ending: jsonl, parquet, docbin, label-studio, "
        "doccano, prodigy, argilla; annotators and layers are functions",
    )
    parser.add_argument(
        "--probs", action="store_true", help="also write the distribution at every token"
    )
    output.add_common_options(parser)
    parser.description = (
        "Fit a label model on votes, or load one, and write its posterior as predictions.\n"
        "Votes are JSONL or Parquet. Models: mv, wmv (votes); acc, cv, cm, seq, dcm (mixtures);\n"
        "snorkel; hmm."
    )
    parser.epilog = (
        "examples:\n"
        "  silverspan aggregate votes.jsonl -o pred.jsonl\n"
        "  silverspan aggregate test.jsonl --fit-on train.jsonl --model cm -o pred.jsonl\n"
        "  silverspan aggregate new.jsonl --load model -o pred.jsonl --probs"
    )
    parser.set_defaults(parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Aggregate and say what was found."""
    settings = dict(arguments.set)
    if arguments.scheme:
        settings["scheme"] = arguments.scheme
    if arguments.load:
        for name in ("model", "set", "scheme", "fit_on", "seed"):
            if getattr(arguments, name) not in (None, []):
                arguments.parser.error(f"--{name.replace('_', '-')} does not go with --load")
    from silverspan.aggregation.files import aggregate_files  # noqa: PLC0415 (numpy, pyarrow)

    result = aggregate_files(
        arguments.votes,
        arguments.output,
        model=arguments.model or "hmm",
        settings=settings,
        seed=arguments.seed,
        fit_on=arguments.fit_on,
        load=arguments.load,
        save=arguments.save,
        functions=arguments.functions,
        without=arguments.without,
        labels=arguments.labels,
        mapping=options.joined(arguments.map),
        probs=arguments.probs,
        format=arguments.format,
    )
    found = result.to_json()
    if arguments.json:
        output.print_json({"output": str(arguments.output), **found})
    elif not arguments.quiet:
        if arguments.verbose:
            _tell_what_was_learned(found["model"])
        spans = found["spans"]
        output.print_table(
            [{"label": label, "spans": number} for label, number in spans.items()],
            right=("spans",),
        )
        output.say(
            f"{sum(spans.values()):,} spans in {found['documents']:,} documents, from "
            f"{found['votes']:,} votes of {found['functions']} functions: {arguments.output}"
        )
        if found["overlapping"]:
            output.say(
                f"{found['overlapping']:,} votes overlapped a better one of the same function "
                "and did not count"
            )
    return 0


def _tell_what_was_learned(model: dict[str, Any]) -> None:
    """Print what each function is worth, if the model says so, and why it was believed."""
    learned = model.get("functions")
    if isinstance(learned, dict):
        learned = [
            {"function": function, "label": label, **numbers}
            for function, known in learned.items()
            for label, numbers in known.get("labels", {}).items()
        ]
    if learned:
        output.say("what each function is worth, estimated without gold:")
        output.print_table(learned, right=("precision", "recall", "coverage", "votes"))
    if "reason" in model:
        output.say(f"used {model.get('used')}: {model['reason']}")
