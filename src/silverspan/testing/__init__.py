"""Testing: checks of contracts and votes from known models, for us and for authors of parts.

Nothing here is needed to use the library.
"""

from silverspan.testing.checks import check_aggregator
from silverspan.testing.engines import check_engine
from silverspan.testing.synthetic import KnownModel

__all__ = ["KnownModel", "check_aggregator", "check_engine"]
