"""Findings: everything a report says, as plain data. The writers beside this file only show it.

A finished run goes in. Nothing here depends on the clock or the machine, so equal runs give equal
reports.
"""

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from silverspan import __version__
from silverspan.aggregation.aggregator import load
from silverspan.corpus.document import document_id
from silverspan.evaluation.scores import evaluate_spans
from silverspan.observations.analysis import compatible, summarise, top_labels
from silverspan.observations.pairs import pairwise
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes
from silverspan.pipeline.aggregate import MODEL
from silverspan.pipeline.gold import Gold, gold_of
from silverspan.pipeline.state import SCORES, Run
from silverspan.report.pictures import Layer
from silverspan.workspace import corpus_shards

_EXAMPLES = 8
_LAYERS = 10
_LONGEST_EXAMPLE = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A stretch of a document in which functions contradict one another."""

    document: str
    tokens: tuple[str, ...]
    layers: tuple[Layer, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """Everything a report says of one run."""

    title: str
    counts: Mapping[str, int]
    labels: tuple[str, ...]
    found: Mapping[str, int]  # spans of the label model, by label
    scores: Mapping[str, Any]  # "silver" and "student" against gold; empty without gold
    functions: tuple[Mapping[str, Any], ...]
    agreement: tuple[tuple[float, ...], ...]
    disagreement: tuple[tuple[float, ...], ...]
    model: Mapping[str, Any]
    examples: tuple[Example, ...]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return the findings as JSON-like data."""
        return asdict(self)


def findings_of(run: Run) -> Findings:
    """Return the findings of a run whose stages are all done."""
    votes = Votes.concatenate([run.votes(number) for number in range(len(run.shards))])
    gold = gold_of(run)
    agreement, disagreement = pairwise(votes)
    found = np.zeros(len(run.project.space.outputs), dtype=np.int64)
    for number in range(len(run.shards)):
        found += np.bincount(run.posterior(number).spans.label, minlength=len(found))
    return Findings(
        title=run.project.settings.project.name,
        counts={
            "documents": len(votes.documents),
            "tokens": votes.tokens,
            "functions": len(votes.functions),
            "votes": len(votes),
            "spans": int(found.sum()),
            "documents with gold": len(gold),
        },
        labels=run.project.space.outputs,
        found=dict(zip(run.project.space.outputs, found.tolist(), strict=True)),
        scores=_scores(run) if gold else {},
        functions=tuple(_functions(run, votes, gold)),
        agreement=_rounded(agreement),
        disagreement=_rounded(disagreement),
        model=load(run.kept.path(MODEL)).describe(),
        examples=tuple(_examples(run, votes, gold)),
        settings=run.project.settings.model_dump(),
        versions=_versions(run),
    )


def _rounded(table: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in table.round(4).tolist())


def _scores(run: Run) -> Mapping[str, Any]:
    scores: Mapping[str, Any] = json.loads(run.output.read(SCORES))
    return scores


def _functions(run: Run, votes: Votes, gold: Mapping[str, Gold]) -> Iterable[Mapping[str, Any]]:
    """Yield a row per function: its summary, and with gold its own precision and recall."""
    groups = {function.name: function.group for function in run.functions}
    number_of = {name: i for i, name in enumerate(votes.documents)}
    for place, row in enumerate(summarise(votes)):
        fields: dict[str, Any] = {"group": groups[row.function], **asdict(row)}
        fields["labels"] = list(row.labels)
        if gold:
            fields |= _measured(run, votes, place, gold, number_of)
        yield fields


def _measured(
    run: Run,
    votes: Votes,
    function: int,
    gold: Mapping[str, Gold],
    number_of: Mapping[str, int],
) -> dict[str, float | None]:
    """Return precision and recall of one function on the labels it can say."""
    names = votes.space.names
    can_say = [
        names[i] for i in np.flatnonzero(votes.covers[function]) if i < len(votes.space.outputs)
    ]
    if not can_say:
        return {"precision": None, "recall": None}
    settings = run.project.settings.evaluation
    said: dict[int, list[tuple[int, int, str, float]]] = {}
    for row in np.flatnonzero(votes.function == function):
        said.setdefault(int(votes.document[row]), []).append(
            (
                int(votes.start[row]),
                int(votes.end[row]),
                names[votes.label[row]],
                float(votes.probability[row]),
            )
        )
    scores = evaluate_spans(
        [each.spans for each in gold.values()],
        [said.get(number_of[name], []) for name in gold],
        lengths=[len(each.tokens) for each in gold.values()],
        labels=can_say,
        mapping={**run.project.space.finer, **settings.map},
        views=["strict"],
        tokens=[each.tokens for each in gold.values()],
        normalisations=settings.normalise,
    )
    micro = scores.entities["strict"].micro
    return {"precision": round(micro.precision, 4), "recall": round(micro.recall, 4)}


def _examples(run: Run, votes: Votes, gold: Mapping[str, Gold]) -> Iterable[Example]:
    """Yield the sentences with the most contradicted tokens, one a document."""
    conflicts = _conflicts(votes)
    offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
    best: list[tuple[int, int, int, int, int]] = []
    number = 0
    kept = {}
    for shard_number, shard in enumerate(run.shards):
        posterior = run.posterior(shard_number)
        for within, doc in enumerate(corpus_shards.read_shard(run.kept, shard)):
            own = conflicts[offset[number] : offset[number] + len(doc)]
            candidates = [
                (int(own[start:end].sum()), -number, start, end) for start, end in _stretches(doc)
            ]
            if candidates and max(candidates)[0]:
                count, _, start, end = max(candidates)
                best.append((count, -number, start, end, shard_number))
                best = sorted(best, reverse=True)[:_EXAMPLES]
                kept[number] = (
                    document_id(doc),
                    tuple(token.text for token in doc[start:end]),
                    posterior.spans.of(within),
                )
                kept = {-each[1]: kept[-each[1]] for each in best}
            number += 1
    for _, negative, start, end, _ in best:
        name, tokens, silver = kept[-negative]
        layers = [Layer(name="silver", kind="silver", spans=_within(silver, start, end))]
        if name in gold:
            spans = [(a, b, label, 1.0) for a, b, label in gold[name].spans]
            layers.insert(0, Layer(name="gold", kind="gold", spans=_within(spans, start, end)))
        layers += _function_layers(votes, -negative, start, end)
        yield Example(document=name, tokens=tokens, layers=tuple(layers))


def _conflicts(votes: Votes) -> np.ndarray:
    """Return for every token of the corpus how many functions contradict the most common label."""
    tokens = TokenVotes.of(votes)
    said = top_labels(tokens)
    fits = compatible(votes)
    counts = np.zeros((len(said), len(votes.space.names)), dtype=np.int32)
    for column in said.T:
        spoken = np.flatnonzero(column >= 0)
        counts[spoken, column[spoken]] += 1
    top = counts.argmax(axis=1) if len(counts) else np.zeros(0, dtype=np.int64)
    contradict = (said >= 0) & ~fits[top[:, None], said]
    dense = np.zeros(votes.tokens, dtype=np.int32)
    dense[tokens.position] = contradict.sum(axis=1)
    return dense


def _stretches(doc: Any) -> Iterable[tuple[int, int]]:
    """Yield the sentences of a document, cut where they are too long to show."""
    sentences = (
        [(sent.start, sent.end) for sent in doc.sents]
        if doc.has_annotation("SENT_START")
        else [(0, len(doc))]
    )
    for start, end in sentences:
        for first in range(start, end, _LONGEST_EXAMPLE):
            yield first, min(first + _LONGEST_EXAMPLE, end)


def _within(
    spans: Iterable[tuple[int, int, str, float]], start: int, end: int
) -> tuple[tuple[int, int, str, float], ...]:
    return tuple(
        (max(a, start) - start, min(b, end) - start, label, round(probability, 3))
        for a, b, label, probability in spans
        if a < end and start < b
    )


def _function_layers(votes: Votes, document: int, start: int, end: int) -> list[Layer]:
    """Return the layers of the functions that say most in a stretch of a document."""
    low, high = np.searchsorted(votes.document, [document, document + 1])
    said: dict[str, list[tuple[int, int, str, float]]] = {}
    for row in range(low, high):
        said.setdefault(votes.functions[votes.function[row]], []).append(
            (
                int(votes.start[row]),
                int(votes.end[row]),
                votes.space.names[votes.label[row]],
                float(votes.probability[row]),
            )
        )
    layers = [
        Layer(name=name, kind="function", spans=_within(spans, start, end))
        for name, spans in said.items()
    ]
    layers = sorted(
        (one for one in layers if one.spans), key=lambda one: (-len(one.spans), one.name)
    )
    return layers[:_LAYERS]


def _versions(run: Run) -> dict[str, str]:
    packages = ("spacy", "numpy", "pyarrow")
    return {
        "silverspan": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
        "pipeline": run.pipeline,
    }
