"""``silverspan predict``: a trained tagger on new documents."""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from silverspan.cli import output


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("model", metavar="MODEL", help="a folder that train wrote, or a package")
    parser.add_argument(
        "input", metavar="INPUT", nargs="+", help="text, lines, JSONL, CSV, CoNLL or DocBin files"
    )
    parser.add_argument(
        "-o", "--output", metavar="PRED", type=Path, required=True, help="the file to write"
    )
    parser.add_argument("--format", help="of the input, where its ending does not tell")
    parser.add_argument(
        "--probs", action="store_true", help="write the distribution of every token too"
    )
    parser.add_argument(
        "--n-process", metavar="N", type=output.positive, default=1, help="processes (1)"
    )
    parser.add_argument(
        "--batch-size", metavar="N", type=output.positive, default=64, help="documents (64)"
    )
    output.add_common_options(parser)
    parser.epilog = "example:\n  silverspan predict model news.jsonl -o pred.jsonl --n-process 2"


def run(arguments: argparse.Namespace) -> int:
    """Tag the documents, one batch after the other, and write what was found."""
    from silverspan.aggregation.predictions import (  # noqa: PLC0415 (heavy)
        Prediction,
        save_predictions,
    )
    from silverspan.corpus.files import check_output  # noqa: PLC0415
    from silverspan.corpus.pipelines import load_pipeline  # noqa: PLC0415
    from silverspan.corpus.reading import expand, read_records  # noqa: PLC0415
    from silverspan.progress import track  # noqa: PLC0415
    from silverspan.training.predict import predict  # noqa: PLC0415

    sources = expand(arguments.input)
    check_output(arguments.output, sources)
    nlp = load_pipeline(arguments.model)
    found: Counter[str] = Counter()
    documents = 0

    def counted() -> Iterator[Prediction]:
        nonlocal documents
        predictions = predict(
            nlp,
            read_records(sources, arguments.format),
            probs=arguments.probs,
            n_process=arguments.n_process,
            batch_size=arguments.batch_size,
        )
        for prediction in track(predictions, "documents"):
            documents += 1
            found.update(label for _, _, label, _ in prediction.spans)
            yield prediction

    save_predictions(counted(), arguments.output)
    if arguments.json:
        facts = {"output": str(arguments.output), "documents": documents, "found": dict(found)}
        output.print_json(facts)
    elif not arguments.quiet:
        told = ", ".join(f"{count} {label}" for label, count in sorted(found.items()))
        output.say(f"wrote {arguments.output}: {documents} documents, {told or 'no entity'}")
    return 0
