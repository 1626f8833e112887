"""Sentences to show with all layers under them: those most contradicted, and most in doubt."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.analysis.hardest import entropy
from silverspan.observations.votes import Votes
from silverspan.pipeline.gold import Gold
from silverspan.report.pictures import Layer

_CONTRADICTED, _DOUBTFUL = 6, 4
_LAYERS = 14
#: Tokens of a sentence that are shown at once.
_LONGEST = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A stretch of a document with what everybody says of it."""

    document: str
    why: str
    tokens: tuple[str, ...]
    layers: tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class _Scored:
    score: float
    order: int
    example: Example


class Examples:
    """Keeps the best sentence of the documents that it is shown, one a document, a few in all."""

    def __init__(self) -> None:
        self._contradicted: list[_Scored] = []
        self._doubtful: list[_Scored] = []
        self._next = 0

    def add(
        self,
        docs: Sequence[Doc],
        names: Sequence[str],
        votes: Votes,
        posterior: Posterior,
        contradicting: np.ndarray,
        gold: Mapping[int, Gold],
    ) -> None:
        """Take in the documents of a shard; ``contradicting`` counts functions by token."""
        doubt = np.zeros(votes.tokens)
        doubt[posterior.position] = entropy(posterior.by_label().astype(np.float64))
        offset = posterior.offsets
        for number, doc in enumerate(docs):
            own = slice(int(offset[number]), int(offset[number + 1]))
            for kept, most, scores, why in (
                (self._contradicted, _CONTRADICTED, contradicting[own], "contradicted"),
                (self._doubtful, _DOUBTFUL, doubt[own], "in doubt"),
            ):
                ranked = [
                    (float(scores[start:end].sum()), -start, start, end)
                    for start, end in _stretches(doc)
                ]
                if not ranked:
                    continue
                score, _, start, end = max(ranked)
                if score > 0 and (len(kept) < 2 * most or score > kept[-1].score):
                    example = Example(
                        document=names[number],
                        why=why,
                        tokens=tuple(_shown(token.text) for token in doc[start:end]),
                        layers=_layers(votes, posterior, number, start, end, gold.get(number)),
                    )
                    kept.append(_Scored(score, self._next, example))
                    kept.sort(key=lambda one: (-round(one.score, 6), one.order))
                    # Twice as many: some are among the others, too.
                    del kept[2 * most :]
            self._next += 1

    def chosen(self) -> tuple[Example, ...]:
        """Return the most contradicted sentences, then the most doubtful ones."""
        first = [one.example for one in self._contradicted[:_CONTRADICTED]]
        shown = {(one.document, one.tokens) for one in first}
        rest = [one.example for one in self._doubtful]
        others = [one for one in rest if (one.document, one.tokens) not in shown]
        return (*first, *others[:_DOUBTFUL])


def _stretches(doc: Doc) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a document, cut where they are too long to show."""
    sentences = (
        [(sent.start, sent.end) for sent in doc.sents]
        if doc.has_annotation("SENT_START")
        else [(0, len(doc))]
    )
    for start, end in sentences:
        # White space at the edges shows nothing.
        while start < end and doc[start].is_space:
            start += 1
        while start < end and doc[end - 1].is_space:
            end -= 1
        for first in range(start, end, _LONGEST):
            yield first, min(first + _LONGEST, end)


def _shown(text: str) -> str:
    """Return a token as it is shown: white space that is a token of its own as a sign."""
    return text if text.strip() else "\N{PILCROW SIGN}" if "\n" in text else "\N{MIDDLE DOT}"


def _layers(
    votes: Votes, posterior: Posterior, document: int, start: int, end: int, gold: Gold | None
) -> tuple[Layer, ...]:
    """Return gold and silver, then the functions that say most."""
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
    functions = [
        Layer(name=name, kind="function", spans=_within(spans, start, end))
        for name, spans in said.items()
    ]
    functions = sorted(
        (layer for layer in functions if layer.spans),
        key=lambda layer: (-sum(b - a for a, b, *_ in layer.spans), layer.name),
    )
    silver = _within(posterior.spans.of(document), start, end)
    layers = [Layer(name="silver", kind="silver", spans=silver), *functions[:_LAYERS]]
    if gold is not None:
        spans = _within([(a, b, label, 1.0) for a, b, label in gold.spans], start, end)
        layers.insert(0, Layer(name="gold", kind="gold", spans=spans))
    return tuple(layers)


def _within(
    spans: Iterable[tuple[int, int, str, float]], start: int, end: int
) -> tuple[tuple[int, int, str, float], ...]:
    return tuple(
        (max(a, start) - start, min(b, end) - start, label, round(probability, 3))
        for a, b, label, probability in spans
        if a < end and start < b
    )
