"""Strict entity F1 of every registered label model on public votes with gold.

    python benchmarks/quality.py DIRECTORY [--models mv,hmm] [--set hmm.emission=dirichlet]

DIRECTORY holds the votes files named in SETS, as JSON lines. Every model has its default settings.
Gold is read for scoring alone.
"""

import argparse
import json
import sys
import time
from pathlib import Path

#: name: (votes to fit on, votes to score, functions or None for all)
SETS = {
    "CoNLL-2003 testa, 35 functions": ("conll2003_valid", "conll2003_valid", None),
    "the same, 16 functions": ("conll2003_valid", "conll2003_valid", "conll2003_valid"),
    "the same, 4 NER models": ("conll2003_valid", "conll2003_valid", ("BTC*", "core_web_md*")),
    "the same, gazetteers only": (
        "conll2003_valid",
        "conll2003_valid",
        ("*wiki*", "*geo*", "*crunchbase*", "*products*"),
    ),
    "the same, one function": ("conll2003_valid", "conll2003_valid", ("core_web_md",)),
    "Laptop reviews, train to test": ("laptopreview_train", "laptopreview_test", None),
    "the same, 3 functions": ("laptopreview_train", "laptopreview_test", "laptopreview"),
    "Laptop reviews, test": ("laptopreview_test", "laptopreview_test", None),
    "MIT restaurants": ("mit_restaurants_valid", "mit_restaurants_valid", None),
    "CoNLL-2003 crowd, 47 workers": ("conll2003_mturk_crowd", "conll2003_mturk_crowd", None),
}


def f1(posterior, gold):
    right = found = 0
    for document, spans in enumerate(gold):
        wanted = {(start, end, label) for start, end, label in spans}
        predicted = {span[:3] for span in posterior.spans.of(document)}
        right += len(wanted & predicted)
        found += len(predicted)
    return 200 * right / max(found + sum(map(len, gold)), 1)


def models(names, overrides):
    from silverspan.aggregation import MajorityVote, aggregators

    yield "mv, IO", MajorityVote(scheme="io")
    yield "mv, tags", MajorityVote(boundaries="joint")
    for name in names or aggregators.names():
        settings = {key: value for of, key, value in overrides if of == name}
        try:
            yield name, aggregators[name](**settings)
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--models", type=lambda text: text.split(","))
    parser.add_argument("--set", action="append", default=[], help="MODEL.SETTING=JSON")
    arguments = parser.parse_args()

    from silverspan.errors import SilverspanError
    from silverspan.observations import read_votes

    overrides = []
    for text in arguments.set:
        key, _, value = text.partition("=")
        model, _, name = key.partition(".")
        try:
            overrides.append((model, name, json.loads(value)))
        except ValueError:
            overrides.append((model, name, value))
    lists = json.loads((arguments.directory / "lf_lists.json").read_text())
    files = {}

    def read(name, functions):
        if name not in files:
            files[name] = read_votes(arguments.directory / f"{name}.jsonl.gz")
        file, chosen = files[name], functions
        if isinstance(functions, str):
            chosen = lists[functions]["lfs_recommended_by_source"]
        gold = [[tuple(span[:3]) for span in spans or ()] for spans in file.gold]
        if chosen is None:
            return file.votes, gold
        known = set(file.votes.functions)
        chosen = [f for f in chosen if f in known or "*" in f]
        return file.votes.select(chosen), gold

    named = list(models(arguments.models, overrides))
    print("| votes | per token | " + " | ".join(name for name, _ in named) + " |")
    print("|---|---|" + "---|" * len(named))
    for title, (fit_on, apply_to, functions) in SETS.items():
        votes, _ = read(fit_on, functions)
        target, gold = read(apply_to, functions)
        covered = sum((target.end - target.start).tolist())
        row, begin = [], time.process_time()
        for _, model in named:
            try:
                row.append(f"{f1(model.fit(votes).posterior(target), gold):.1f}")
            except SilverspanError as error:
                print(f"{title}: {error}", file=sys.stderr)
                row.append("-")
        density = covered / max(1, len(named[0][1].fit(target).posterior(target).position))
        print(f"| {title} | {density:.1f} | " + " | ".join(row) + " |", flush=True)
        print(f"  {time.process_time() - begin:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
