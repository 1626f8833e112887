"""``silverspan train``: predictions with probabilities become a spaCy model."""

import argparse
import json
from pathlib import Path
from typing import Any

from silverspan.cli import output
from silverspan.errors import TrainingError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "predictions",
        metavar="PRED",
        nargs="+",
        help="predictions (JSONL, .gz allowed); with per-token probabilities if they were written "
        "with --probs, else the probability of each span is used",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", type=Path, required=True, help="the folder to write"
    )
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="the format of PRED, if not by its ending: jsonl, conll, docbin, parquet, "
        "label-studio, doccano, prodigy, argilla",
    )
    parser.add_argument("--trainer", metavar="NAME", help="the kind of student (soft_tagger)")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="spaCy's own entity recogniser on the spans: the model needs spaCy only",
    )
    parser.add_argument(
        "--pipeline",
        metavar="NAME",
        default="blank:en",
        help="the spaCy pipeline whose tokeniser will read new texts (blank:en)",
    )
    parser.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="an option of the trainer, such as dropout=0.3; may be repeated",
    )
    parser.add_argument("--seed", type=int, default=0, help="of everything random (0)")
    output.add_common_options(parser)
    parser.epilog = (
        "An interrupted training goes on where it was when the same command is given again.\n\n"
        "example:\n"
        "  silverspan aggregate votes.jsonl --probs -o pred.jsonl\n"
        "  silverspan train pred.jsonl -o model\n"
        "  silverspan predict model news.txt -o found.jsonl"
    )


def run(arguments: argparse.Namespace) -> int:
    """Train on the files and write the model."""
    from silverspan.aggregation.predictions import read_predictions  # noqa: PLC0415 (heavy)
    from silverspan.corpus.parsing import parse  # noqa: PLC0415
    from silverspan.corpus.pipelines import load_pipeline  # noqa: PLC0415
    from silverspan.training import train  # noqa: PLC0415
    from silverspan.training.examples import tokenizing_pipeline  # noqa: PLC0415
    from silverspan.training.model_card import ModelCard, today  # noqa: PLC0415
    from silverspan.training.model_folder import check_target, write_model  # noqa: PLC0415
    from silverspan.training.trainer import make_trainer  # noqa: PLC0415

    if arguments.plain and arguments.trainer not in (None, "plain"):
        raise TrainingError("--plain is a trainer of its own; leave out --trainer, or --plain")
    if not 0 <= arguments.seed < 2**32:
        raise TrainingError(f"--seed is {arguments.seed}; it should be from 0 to {2**32 - 1}")
    check_target(arguments.output)
    options = dict(_option(text) for text in arguments.set)
    trainer = arguments.trainer or ("plain" if arguments.plain else "soft_tagger")
    make_trainer(trainer, **options)  # what it cannot use is told before files are read
    nlp = load_pipeline(arguments.pipeline)
    predictions = read_predictions(arguments.predictions, arguments.format)
    posterior = predictions.posterior()
    model = train(
        posterior,
        parse(predictions.records, tokenizing_pipeline(nlp, "en")),
        trainer=trainer,
        seed=arguments.seed,
        nlp=nlp,
        checkpoint=arguments.output.with_name(arguments.output.name + ".checkpoint.npz"),
        **options,
    )
    card = ModelCard(
        name=arguments.output.name,
        trainer=trainer,
        options=options,
        seed=arguments.seed,
        labels=posterior.labels,
        documents=len(posterior.documents),
        tokens=int(posterior.lengths.sum()),
        trained=today(),
        sources=[Path(name).name for name in arguments.predictions],
        pipeline=arguments.pipeline,
        language=str(nlp.lang),
    )
    size = write_model(model, arguments.output, card)
    facts = {
        "model": str(arguments.output),
        "labels": list(posterior.labels),
        "documents": card.documents,
        "tokens": card.tokens,
        "bytes": size,
    }
    if arguments.json:
        output.print_json(facts)
    elif not arguments.quiet:
        output.say(
            f"wrote {arguments.output} ({size / 1e6:.1f} MB), trained on "
            f"{facts['documents']} documents for {', '.join(posterior.labels)}"
        )
        output.say(f"next: silverspan predict {arguments.output} INPUT -o PRED")
    return 0


def _option(text: str) -> tuple[str, Any]:
    """Return the name and the value of ``name=value``; a value that is no JSON is text."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise TrainingError(f"--set {text!r} should be OPTION=VALUE, such as dropout=0.3")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
