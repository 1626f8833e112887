"""The paper's two figures: the layers of an example, and who agrees with whom.

    python -m experiments.paper.figures PROJECT -o layers.svg

draws the first from any project that has been run.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.observations.pairs import PairCounts
from silverspan.observations.votes import Votes
from silverspan.pipeline import Run
from silverspan.pipeline.aggregate import aggregate
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.gold import gold_of
from silverspan.project import Project
from silverspan.report.pictures import Layer, heat_map, layered_text, standalone

Span = tuple[int, int, str, float]

#: The functions of the example: one or two of every kind.
SHOWN = (
    "core_web_md",
    "BTC",
    "wiki_cased",
    "geo_cased",
    "full_name_detector",
    "company_type_detector",
    "doc_majority_cased",
)
_SHORTEST, _LONGEST = 12, 32


def agreement(votes: Votes, labels: Sequence[str]) -> dict[str, str]:
    """Return heat maps of agreement and disagreement, over all labels and for each, by file name.

    Functions that name no label, or repeat another for names of several tokens, are left out.
    """
    speaks = np.zeros((len(votes.functions), len(votes.space.names)), dtype=bool)
    speaks[votes.function, votes.label] = True
    outputs = speaks[:, : len(votes.space.outputs)]
    counts = PairCounts.of(votes)
    files = {}
    for label in (None, *labels):
        column = None if label is None else votes.space.outputs.index(label)
        names = [
            name
            for name, said in zip(votes.functions, outputs, strict=True)
            if (said.any() if column is None else said[column])
            and not name.startswith("multitoken_")
        ]
        if len(names) < 2:
            continue
        what = "all labels" if label is None else label
        end = "" if label is None else f"-{label}"
        chosen = [votes.functions.index(name) for name in names]
        agree, differ = (table[np.ix_(chosen, chosen)] for table in counts.shares(label))
        np.fill_diagonal(agree, 0.0)
        for name, table, tone in (
            ("agreement", agree, "agree"),
            ("disagreement", differ, "differ"),
        ):
            title = f"pairwise {name}, {what}"
            full = float(max(table.max(), 1e-9))
            picture = heat_map(table, names, title=title, tone=tone, full=full)  # type: ignore[arg-type]
            files[f"{name}{end}.svg"] = standalone(picture)
    return files


def layers(
    docs: Sequence[Doc],
    votes: Votes,
    posterior: Posterior,
    gold: Sequence[Sequence[tuple[int, int, str]] | None],
    shown: Sequence[str] = SHOWN,
) -> str:
    """Return a sentence with what some functions say of it, the label model, and gold under it.

    The sentence is shown in which most of these functions speak, the label model finds most labels,
    and overrules most.
    """
    chosen = [name for name in shown if name in votes.functions]
    said = _by_document(votes, chosen)
    best: tuple[int, int, int, int] | None = None
    for number, doc in enumerate(docs):
        silver = posterior.spans.of(number)
        for sent in doc.sents:
            if not _SHORTEST <= len(sent) <= _LONGEST or any(token.is_space for token in sent):
                continue
            inside = [_within(said[number].get(name, []), sent.start, sent.end) for name in chosen]
            speaking = sum(bool(spans) for spans in inside)
            decided = set(_labelled(_within(silver, sent.start, sent.end)))
            # What a function says and the label model does not: the interesting part.
            overruled = {span for spans in inside for span in _labelled(spans)} - decided
            labels = {label for *_, label in decided}
            rank = (
                speaking + 2 * len(labels) + min(len(overruled), 4),
                -number,
                sent.start,
                sent.end,
            )
            best = rank if best is None else max(best, rank)
    if best is None:
        return standalone(layered_text([], [], labels=(), title="no sentence"))
    _, negative, start, end = best
    number = -negative
    stack = [
        Layer(name=name, kind="function", spans=_within(said[number].get(name, []), start, end))
        for name in chosen
    ]
    silver = _within(posterior.spans.of(number), start, end)
    stack.append(Layer(name="HMM", kind="silver", spans=silver))
    known = gold[number]
    if known is not None:
        spans = [(first, last, label, 1.0) for first, last, label in known]
        stack.append(Layer(name="gold", kind="gold", spans=_within(spans, start, end)))
    words = [token.text for token in docs[number][start:end]]
    picture = layered_text(words, stack, labels=votes.space.outputs, title="layers of an example")
    return standalone(picture)


def _by_document(votes: Votes, names: Sequence[str]) -> list[dict[str, list[Span]]]:
    said: list[dict[str, list[Span]]] = [{} for _ in votes.documents]
    wanted = {votes.functions.index(name) for name in names}
    for row in np.flatnonzero(np.isin(votes.function, list(wanted))):
        name = votes.functions[votes.function[row]]
        said[votes.document[row]].setdefault(name, []).append(
            (
                int(votes.start[row]),
                int(votes.end[row]),
                votes.space.names[votes.label[row]],
                float(votes.probability[row]),
            )
        )
    return said


def _labelled(spans: Sequence[Span]) -> list[tuple[int, int, str]]:
    return [span[:3] for span in spans]


def _within(spans: Sequence[Span], start: int, end: int) -> tuple[Span, ...]:
    """Return spans inside a sentence, counted from its start; of a distribution the first label."""
    found: dict[tuple[int, int], Span] = {}
    for first, last, label, probability in spans:
        if start <= first and last <= end:
            place = (first - start, last - start)
            if place not in found or found[place][3] < probability:
                found[place] = (*place, label, probability)
    return tuple(found[place] for place in sorted(found))


def main(arguments: Mapping[str, Any] | None = None) -> int:
    """Draw the layers of an example from a project."""
    parser = argparse.ArgumentParser(description="Draw the layers of an example.")
    parser.add_argument("project", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args() if arguments is None else argparse.Namespace(**arguments)
    run = Run(Project(given.project))
    for stage in (corpus, annotate, aggregate):
        stage(run)
    votes = Votes.concatenate([run.votes(number) for number in range(len(run.shards))])
    posterior = Posterior.concatenate([run.posterior(n) for n in range(len(run.shards))])
    gold = gold_of(run)
    spans = [gold[name].spans if name in gold else None for name in votes.documents]
    given.output.write_text(layers(list(run.docs()), votes, posterior, spans), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
