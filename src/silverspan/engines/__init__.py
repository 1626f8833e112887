"""Where the work is done: in this process, in several, or on a cluster; always with one result."""

from silverspan.engines.engine import Engine, Held, engines, opened, pairwise
from silverspan.engines.local import Local

__all__ = ["Engine", "Held", "Local", "engines", "opened", "pairwise"]
