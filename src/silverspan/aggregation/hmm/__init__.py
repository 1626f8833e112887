"""The hidden Markov model: the paper's way of merging votes, exact and fast.

Settings and the fitted model; the pieces are in their own modules.
"""

from silverspan.aggregation.hmm.model import FittedHmm, Hmm

__all__ = ["FittedHmm", "Hmm"]
