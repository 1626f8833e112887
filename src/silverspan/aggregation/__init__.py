"""Aggregation: votes become the probability of every tag at every token.

The contract, its registry, the posterior, and every label model that needs no optional package.
"""

from silverspan.aggregation.aggregator import Aggregator, Fitted, aggregators, load
from silverspan.aggregation.posterior import Posterior, Spans
from silverspan.aggregation.voting import FittedVote, MajorityVote, WeightedVote

__all__ = [
    "Aggregator",
    "Fitted",
    "FittedVote",
    "MajorityVote",
    "Posterior",
    "Spans",
    "WeightedVote",
    "aggregators",
    "load",
]
