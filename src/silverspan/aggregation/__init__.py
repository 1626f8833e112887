"""Aggregation: votes become the probability of every tag at every token.

The contract, its registry, the posterior, and every label model that needs no optional package.
"""

from silverspan.aggregation.aggregator import Aggregator, Fitted, aggregators, load
from silverspan.aggregation.hmm import FittedHmm, Hmm
from silverspan.aggregation.mixtures import (
    AccuracyModel,
    ConfusionMatrix,
    ConfusionVector,
    DependentConfusionMatrix,
    SequentialConfusionMatrix,
)
from silverspan.aggregation.posterior import Posterior, Spans
from silverspan.aggregation.voting import FittedVote, MajorityVote, WeightedVote

__all__ = [
    "AccuracyModel",
    "Aggregator",
    "ConfusionMatrix",
    "ConfusionVector",
    "DependentConfusionMatrix",
    "Fitted",
    "FittedHmm",
    "FittedVote",
    "Hmm",
    "MajorityVote",
    "Posterior",
    "SequentialConfusionMatrix",
    "Spans",
    "WeightedVote",
    "aggregators",
    "load",
]
