"""Label models side by side on votes with gold: strict entity F1, and token scores.

    python benchmarks/label_models.py --data ../shared/data/weak
    python benchmarks/label_models.py --data ../shared/data/weak --models cm,dcm \
        --set frequencies=all

Default settings, one configuration for every set, unless ``--set`` says otherwise. Fitted on the
votes that are scored, except for laptop reviews (fitted on train, scored on test). Gold is read for
scoring alone. A model whose package is missing is skipped and named.
"""

import argparse
import json
import time
from pathlib import Path

from silverspan.aggregation import aggregators
from silverspan.aggregation.settings import configured
from silverspan.errors import MissingDependencyError, SilverspanError
from silverspan.evaluation import evaluate_spans
from silverspan.observations import read_votes

SETS = {
    "conll2003_valid": ("conll2003_valid", None),
    "laptopreview": ("laptopreview_test", "laptopreview_train"),
    "mit_restaurants": ("mit_restaurants_valid", None),
    "conll2003_mturk_crowd": ("conll2003_mturk_crowd", None),
}
MODELS = {
    "mv, IO": ("mv", {"scheme": "io"}),
    "mv, BIO, tags compete": ("mv", {"boundaries": "joint"}),
    **{name: (name, {}) for name in ("mv", "wmv", "acc", "cv", "cm", "seq", "dcm", "snorkel")},
    "hmm": ("hmm", {}),
}


def score(posterior, file):
    documents = [i for i, gold in enumerate(file.gold) if gold is not None]
    return evaluate_spans(
        [file.gold[i] for i in documents],
        [posterior.spans.of(i) for i in documents],
        lengths=[int(posterior.lengths[i]) for i in documents],
        probabilities=[posterior.probabilities(i) for i in documents],
        probability_labels=posterior.labels,
        views=["strict"],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of votes files")
    parser.add_argument("--models", default=",".join(m for m in MODELS if "," not in m))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--variants", action="store_true", help="also the two other forms of mv")
    arguments = parser.parse_args()
    settings = {}
    for text in arguments.set:
        key, _, value = text.partition("=")
        try:
            settings[key] = json.loads(value)
        except json.JSONDecodeError:
            settings[key] = value
    chosen = arguments.models.split(",")
    if arguments.variants:
        chosen = [name for name in MODELS if "," in name] + chosen
    for name in arguments.sets.split(","):
        test, train = SETS[name]
        file = read_votes(arguments.data / f"{test}.jsonl.gz")
        votes = file.votes
        if train is not None:
            # Functions that the test file never names were silent there.
            first = read_votes(arguments.data / f"{train}.jsonl.gz").votes
            file = read_votes(
                arguments.data / f"{test}.jsonl.gz", space=first.space, announced=first.functions
            )
            votes = first
        print(f"\n{name}: {file.votes.tokens:,} tokens, {len(votes.functions)} functions")
        print(f"{'model':24}{'P':>7}{'R':>7}{'F1':>7}{'token F1':>10}{'CEE':>7}{'fit, s':>8}")
        for label in chosen:
            model, own = MODELS[label]
            if model not in aggregators:
                print(f"{label:24}not installed")
                continue
            begun = time.perf_counter()
            try:
                fitted = configured(model, {**own, **settings}).fit(votes)
            except MissingDependencyError as error:
                print(f"{label:24}skipped: {error}")
                continue
            except SilverspanError as error:
                print(f"{label:24}failed: {error}")
                continue
            seconds = time.perf_counter() - begun
            found = score(fitted.posterior(file.votes), file)
            micro = found.entities["strict"].micro
            print(
                f"{label:24}{100 * micro.precision:7.1f}{100 * micro.recall:7.1f}"
                f"{100 * micro.f1:7.1f}{100 * found.tokens.micro.f1:10.1f}"
                f"{found.cross_entropy:7.3f}{seconds:8.2f}"
            )


if __name__ == "__main__":
    main()
