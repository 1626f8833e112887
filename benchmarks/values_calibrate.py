"""Learn the weights of the value parser, and measure its calibration on kinds of sentences unseen.

    python benchmarks/values_calibrate.py            measure only (fit on half of the kinds)
    python benchmarks/values_calibrate.py --write    relearn from all kinds, write data/weights.json

The sentences are in values_texts.txt, written for this purpose, each value in them marked.
"""

import argparse
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from scipy.optimize import minimize

from silverspan.labelling.values import parser as parser_module
from silverspan.labelling.values import scoring, value_parser

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src/silverspan/labelling/values/data/weights.json"
COPIES = 12
#: Where a feature is rare, its weight stays near its start: the rule itself, and little else.
RIDGE = 0.6
START = {"bias": 2.2, "likely": 1.0}


def read_texts(path: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Return the kinds of sentences, and what fills their slots."""
    kinds, slots = [], {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            name, *fillers = line[2:].split()
            slots[name] = [filler.replace("_", " ") for filler in fillers]
        elif line and not line.startswith("#"):
            kinds.append(line)
    return kinds, slots


def make(kind: str, slots: dict[str, list[str]], generator: np.random.Generator) -> Any:
    """Return a sentence of a kind and the spans marked in it."""
    filled = re.sub(r"\{(\w+)\}", lambda m: str(generator.choice(slots[m[1]])), kind)
    text, spans, position = "", set(), 0
    for match in re.finditer(r"\[([A-Z]+) ([^\]]*)\]", filled):
        text += filled[position : match.start()]
        spans.add((len(text), len(text) + len(match[2]), match[1]))
        text += match[2]
        position = match.end()
    return text + filled[position:], spans


def aside(text: str, start: int, end: int) -> int:
    """Return the start of a span without its leading articles and prepositions."""
    pattern = r"(?:the|a|an|in|on|at|from|between|by|about|around|within)\s+"
    while (match := re.compile(pattern, re.IGNORECASE).match(text, start)) and match.end() < end:
        start = match.end()
    return start


def examples(kinds: list[str], slots: dict[str, list[str]], seed: int) -> Any:
    """Return, for every reading of the sentences, its features and whether it is marked."""
    generator = np.random.default_rng(seed)
    rows: list[tuple[int, dict[str, float], bool]] = []
    parse = value_parser().parse
    for number, kind in enumerate(kinds):
        for _ in range(COPIES if "{" in kind else COPIES // 2):
            text, spans = make(kind, slots, generator)
            wanted = {(aside(text, s, e), e, label) for s, e, label in spans}
            seen: list[tuple[dict[str, float], Any, str]] = []

            def record(context: Any, *, also: bool = False, seen: list[Any] = seen) -> float:
                table: dict[str, float] = {}
                for name, value in scoring.features(context, also=also):
                    table[name] = table.get(name, 0.0) + value
                rule = context.node.rule
                span = (context.start, context.end)
                if also:
                    first, last = context.node.groups.get(
                        rule.also[1], (0, len(context.node.items))
                    )
                    index = [i for i in context.node.items[first:last] if isinstance(i, int)]
                    lexemes = context.lexemes
                    span = (
                        lexemes[context.offset + index[0]].start,
                        lexemes[context.offset + index[-1]].end,
                    )
                if context.depth < 1:  # a part of a value is only asked where the whole is wrong
                    seen.append((table, span, rule.also[0] if also else rule.label))
                return 0.5

            with mock.patch.object(parser_module, "probability", record):
                parse(text)
            for table, (start, end), label in seen:
                rows.append((number, table, (aside(text, start, end), end, label) in wanted))
    return rows


def fit(rows: Any) -> dict[str, float]:
    """Return the weights of a logistic regression with a ridge towards START."""
    names = sorted({name for _, table, _ in rows for name in table} | {"bias"})
    place = {name: n for n, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)))
    for n, (_, table, _) in enumerate(rows):
        matrix[n, place["bias"]] = 1.0
        for name, value in table.items():
            matrix[n, place[name]] = value
    truth = np.array([marked for _, _, marked in rows], dtype=float)
    start = np.array([START.get(name, 0.0) for name in names])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = matrix @ weights
        value = (np.logaddexp(0, logits) - truth * logits).sum() / COPIES
        slope = matrix.T @ (1 / (1 + np.exp(-np.clip(logits, -30, 30))) - truth) / COPIES
        away = weights - start
        return value + RIDGE / 2 * away @ away, slope + RIDGE * away

    weights = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return dict(zip(names, weights.tolist(), strict=True))


def score(weights: dict[str, float], rows: Any) -> Any:
    """Return the probability of every row, and whether it is marked."""
    logits = [
        weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in table.items())
        for _, table, _ in rows
    ]
    return 1 / (1 + np.exp(-np.array(logits))), np.array([marked for _, _, marked in rows])


def report(chance: Any, truth: Any) -> None:
    """Print the Brier score, the expected calibration error and the reliability table."""
    edges = [0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0001]
    error = 0.0
    print("probability   readings   mean   marked")
    for low, high in pairwise(edges):
        inside = (chance >= low) & (chance < high)
        if inside.any():
            mean, share = chance[inside].mean(), truth[inside].mean()
            error += inside.mean() * abs(mean - share)
            print(f"{low:.2f} to {min(high, 1):.2f}  {inside.sum():8d}   {mean:.3f}   {share:.3f}")
    print(f"Brier {np.mean((chance - truth) ** 2):.4f}   calibration error {error:.4f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--write", action="store_true", help="write data/weights.json")
    options.add_argument("--folds", type=int, default=5)
    arguments = options.parse_args()
    kinds, slots = read_texts(HERE / "values_texts.txt")
    rows = examples(kinds, slots, seed=1)
    order = np.random.default_rng(2).permutation(len(kinds))
    chances, truths = [], []
    for fold in range(arguments.folds):
        held_out = set(order[fold :: arguments.folds].tolist())
        weights = fit([row for row in rows if row[0] not in held_out])
        chance, truth = score(weights, [row for row in rows if row[0] in held_out])
        chances.append(chance)
        truths.append(truth)
    print(
        f"{len(kinds)} kinds of sentences, {len(rows)} readings, {arguments.folds} folds of kinds"
    )
    report(np.concatenate(chances), np.concatenate(truths))
    if arguments.write:
        weights = fit(rows)
        kept = {name: round(value, 3) for name, value in weights.items() if abs(value) >= 0.02}
        content = {"format": 1, "weights": {name: kept[name] for name in sorted(kept)}}
        WEIGHTS.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
