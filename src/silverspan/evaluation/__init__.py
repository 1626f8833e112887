"""How good predictions are: gold and predicted spans become counts, and counts become scores."""

from silverspan.evaluation.documents import evaluate
from silverspan.evaluation.matching import VIEWS, Counts, match
from silverspan.evaluation.scores import (
    Evaluation,
    Scores,
    confidence_interval,
    evaluate_spans,
    paired_significance,
)

__all__ = [
    "VIEWS",
    "Counts",
    "Evaluation",
    "Scores",
    "confidence_interval",
    "evaluate",
    "evaluate_spans",
    "match",
    "paired_significance",
]
