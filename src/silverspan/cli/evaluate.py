"""``silverspan evaluate``: score predictions against gold."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.cli import arguments as options
from silverspan.cli import output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from silverspan.evaluation import Evaluation

_VIEWS = ("strict", "exact", "partial", "type")
_NORMALISATIONS = ("leading_determiners", "trailing_possessives", "edge_punctuation")


def _views(text: str) -> list[str]:
    views = options.names(text)
    for view in views:
        if view not in _VIEWS:
            raise argparse.ArgumentTypeError(f"{view!r} is none of: {', '.join(_VIEWS)}")
    if not views:
        raise argparse.ArgumentTypeError(f"name one or more of: {', '.join(_VIEWS)}")
    return views


def _normalisations(text: str) -> list[str]:
    kinds = options.names(text)
    for kind in kinds:
        if kind.partition(":")[0] not in _NORMALISATIONS:
            known = ", ".join(_NORMALISATIONS)
            raise argparse.ArgumentTypeError(f"{kind!r} is none of: {known}")
    return kinds


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
        "--normalise",
        type=_normalisations,
        default=[],
        metavar="KIND[:A+B],...",
        help=f"overlook differences, for all labels or some: {', '.join(_NORMALISATIONS)}",
    )
    parser.add_argument(
        "--interval",
        action="store_true",
        help="add 95%% intervals of the strict scores, by drawing documents (bootstrap)",
    )
    parser.add_argument(
        "--against",
        metavar="PRED2",
        type=Path,
        help="a second file with predictions: how much better is PRED, and could that be chance",
    )
    parser.add_argument(
        "--format", metavar="NAME", help="the format of PRED (and PRED2), if not by its ending"
    )
    parser.add_argument("--gold-format", metavar="NAME", help="the format of GOLD, likewise")
    parser.add_argument(
        "--layer",
        metavar="NAME",
        help="score one function of a votes file PRED, annotator of a tool or layer of a DocBin",
    )
    parser.add_argument("--gold-layer", metavar="NAME", help="take one as gold, likewise")
    output.add_common_options(parser)
    parser.description = (
        "Score predictions against gold. Both may be votes JSONL (their gold), predictions JSONL,\n"
        "CoNLL, DocBin, or JSONL of texts with gold; documents pair by order or by id."
    )
    parser.epilog = "example:\n  silverspan evaluate gold.conll pred.jsonl --map GPE=LOC"


def run(arguments: argparse.Namespace) -> int:
    """Print the scores."""
    from silverspan.evaluation import compare, confidence_intervals  # noqa: PLC0415
    from silverspan.evaluation.files import evaluate_files  # noqa: PLC0415

    def scored(path: Path) -> "Evaluation":
        return evaluate_files(
            arguments.gold,
            path,
            gold_format=arguments.gold_format,
            format=arguments.format,
            labels=arguments.labels,
            mapping=options.joined(arguments.map),
            views=arguments.views,
            normalisations=arguments.normalise,
            gold_layer=arguments.gold_layer,
            layer=arguments.layer,
        )

    evaluation = scored(arguments.predicted)
    scores, text = evaluation.to_json(), evaluation.table()
    if arguments.interval:
        micro = confidence_intervals(evaluation.by_document)
        labels = {name: confidence_intervals(own) for name, own in evaluation.by_label.items()}
        scores["strict_f1_interval"] = micro["f1"]
        scores["intervals"] = {"micro": micro, "labels": labels}
        text += "\n\n" + _intervals({**labels, "micro": micro})
    if arguments.against is not None:
        second = scored(arguments.against)
        comparison = compare(evaluation, second)
        scores["against"] = {**second.to_json(), "comparison": comparison.to_json()}
        text += f"\n\nfirst {arguments.predicted}, second {arguments.against}\n{comparison.table()}"
    if arguments.json:
        output.print_json(scores)
    else:
        output.say(text)
    return 0


def _intervals(rows: "Mapping[str, Mapping[str, tuple[float, float]]]") -> str:
    """Return a table of intervals with a row for each label."""
    width = max(13, *(min(len(name), 20) for name in rows))
    lines = [
        f"{'strict, 95 % interval':<{width}}",
        " " * width + "".join(f" {n:>15}" for n in "PR"),
    ]
    lines[1] += f" {'F1':>15}"
    for name, bounds in rows.items():
        cells = (f"{low:.4f}–{high:.4f}" for low, high in bounds.values())
        lines.append(f"{name[:20]:<{width}}" + "".join(f" {cell:>15}" for cell in cells))
    return "\n".join(lines)
