"""Rows are scored: entities, tokens, and cross-entropy, on all documents and on parts of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from silverspan.aggregation.posterior import Posterior
from silverspan.evaluation import evaluate_spans
from silverspan.evaluation.scores import Evaluation

from .material import Scored

Rules = Mapping[str, Sequence[str]]


def score(
    posterior: Posterior, scored: Scored, settings: Mapping[str, Any], part: range | None = None
) -> Evaluation:
    """Return the scores of a posterior on the documents with gold, or on those of a part."""
    numbers = [
        number
        for number, gold in enumerate(scored.gold)
        if gold is not None and (part is None or number in part)
    ]
    mapping = settings["scoring"].get("map", {})
    rules: Rules = settings["scoring"].get("leading_words", {})

    def compared(spans: Sequence[Any], number: int) -> list[Any]:
        renamed = [(a, b, mapping.get(label, label), *rest) for a, b, label, *rest in spans]
        return without_leading_words(renamed, scored.tokens[number], rules)

    return evaluate_spans(
        [compared(scored.gold[number] or (), number) for number in numbers],
        [compared(posterior.spans.of(number), number) for number in numbers],
        lengths=[len(scored.tokens[number]) for number in numbers],
        probabilities=[posterior.probabilities(number) for number in numbers],
        probability_labels=posterior.labels,
        labels=settings["labels"],
        views=["strict"],
    )


def without_leading_words(spans: Sequence[Any], words: Sequence[str], rules: Rules) -> list[Any]:
    """Return the spans without a first word that guidelines differ on; by label.

    >>> without_leading_words([(0, 2, "DATE")], ["on", "Monday"], {"DATE": ["on"]})
    [(1, 2, 'DATE')]
    """
    return [
        (span[0] + 1, *span[1:])
        if span[1] - span[0] > 1 and words[span[0]].lower() in rules.get(span[2], ())
        else tuple(span)
        for span in spans
    ]


def numbers(evaluation: Evaluation) -> dict[str, Any]:
    """Return what tables show of an evaluation, in the paper's order; and by label."""
    tokens, entities = evaluation.tokens, evaluation.entities["strict"]

    def six(label: str | None) -> list[float]:
        found = [
            side.micro if label is None else side.labels.get(label) for side in (tokens, entities)
        ]
        return [
            0.0 if counts is None else round(value, 4)
            for counts in found
            for value in (
                (0.0, 0.0, 0.0) if counts is None else (counts.precision, counts.recall, counts.f1)
            )
        ]

    micro = six(None)
    spans, natural = evaluation.span_cross_entropy, evaluation.cross_entropy
    return {
        "main": [*micro[:3], round(spans or 0.0, 4), *micro[3:]],
        "cross_entropy": round(natural or 0.0, 4),
        "labels": {label: six(label) for label in entities.labels},
        "gold": {label: counts.gold for label, counts in entities.labels.items()},
        "documents": evaluation.documents,
        "tokens": evaluation.token_count,
    }
