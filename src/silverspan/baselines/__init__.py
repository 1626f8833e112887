"""Other people's methods, for comparison: each learns from labelled data of a source domain."""

from silverspan.baselines.baseline import Baseline, baselines
from silverspan.baselines.source import gold_posterior

__all__ = ["Baseline", "baselines", "gold_posterior"]
