"""Aggregation: votes become the probability of every tag at every token.

The contract, its registry, the posterior, and every label model that needs no optional package.
"""

from silverspan.aggregation.aggregator import Aggregator, Fitted, aggregators
from silverspan.aggregation.posterior import Posterior, Spans

__all__ = ["Aggregator", "Fitted", "Posterior", "Spans", "aggregators"]
