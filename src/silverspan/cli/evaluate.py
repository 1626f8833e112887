"""``silverspan evaluate``: score predictions against gold."""

import argparse
from pathlib import Path

from silverspan.cli import arguments as options
from silverspan.cli import output

_VIEWS = ("strict", "exact", "partial", "type")


def _views(text: str) -> list[str]:
    views = options.names(text)
    for view in views:
        if view not in _VIEWS:
            raise argparse.ArgumentTypeError(f"{view!r} is none of: {', '.join(_VIEWS)}")
    if not views:
        raise argparse.ArgumentTypeError(f"name one or more of: {', '.join(_VIEWS)}")
    return views


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("gold", metavar="GOLD", type=Path, help="a file with gold")
    parser.add_argument("predicted", metavar="PRED", type=Path, help="a file with predictions")
    options.add_label_options(parser)
    parser.add_argument(
        "--views",
        type=_views,
        default=["strict"],
        metavar="VIEW,...",
        help="how entities are compared: strict, exact, partial, type (default: strict)",
    )
    parser.add_argument(
        "--interval",
        action="store_true",
        help="add the 95%% interval of the strict F1, by drawing documents (bootstrap)",
    )
    parser.add_argument("--format", metavar="NAME", help="the format of PRED, if not by its ending")
    parser.add_argument("--gold-format", metavar="NAME", help="the format of GOLD, likewise")
    output.add_common_options(parser)
    parser.description = (
        "Score predictions against gold. Both may be votes JSONL (their gold), predictions JSONL,\n"
        "CoNLL, DocBin, or JSONL of texts with gold; documents pair by order or by id."
    )
    parser.epilog = "example:\n  silverspan evaluate gold.conll pred.jsonl --map GPE=LOC"


def run(arguments: argparse.Namespace) -> int:
    """Print the scores."""
    from silverspan.evaluation import confidence_interval  # noqa: PLC0415
    from silverspan.evaluation.files import evaluate_files  # noqa: PLC0415

    evaluation = evaluate_files(
        arguments.gold,
        arguments.predicted,
        gold_format=arguments.gold_format,
        format=arguments.format,
        labels=arguments.labels,
        mapping=options.joined(arguments.map),
        views=arguments.views,
    )
    interval = confidence_interval(evaluation.by_document) if arguments.interval else None
    if arguments.json:
        scores = evaluation.to_json()
        if interval is not None:
            scores["strict_f1_interval"] = list(interval)
        output.print_json(scores)
    else:
        output.say(evaluation.table())
        if interval is not None:
            output.say(f"strict F1, 95 % interval: {interval[0]:.4f} to {interval[1]:.4f}")
    return 0
