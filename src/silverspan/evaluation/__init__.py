"""How good predictions are: gold and predicted spans become counts, and counts become scores."""

from silverspan.evaluation.calibration import Calibration, calibration
from silverspan.evaluation.chance import (
    confidence_interval,
    confidence_intervals,
    difference_interval,
    paired_significance,
)
from silverspan.evaluation.comparison import Comparison, compare
from silverspan.evaluation.documents import evaluate
from silverspan.evaluation.matching import VIEWS, Counts, match
from silverspan.evaluation.normalisation import NORMALISATIONS, normalise
from silverspan.evaluation.scores import Evaluation, Scores, evaluate_spans

__all__ = [
    "NORMALISATIONS",
    "VIEWS",
    "Calibration",
    "Comparison",
    "Counts",
    "Evaluation",
    "Scores",
    "calibration",
    "compare",
    "confidence_interval",
    "confidence_intervals",
    "difference_interval",
    "evaluate",
    "evaluate_spans",
    "match",
    "normalise",
    "paired_significance",
]
