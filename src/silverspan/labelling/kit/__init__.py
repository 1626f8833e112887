"""Building blocks for labelling functions: each is one line in Python or in ``silverspan.toml``."""

from silverspan.labelling.kit.annotations import annotations
from silverspan.labelling.kit.crowd import crowd
from silverspan.labelling.kit.matching import patterns, phrases, regex
from silverspan.labelling.kit.rules import call, from_settings
from silverspan.labelling.kit.spans import (
    constrain,
    exclude,
    extend,
    negate,
    relabel,
    trim,
    vicinity,
)

__all__ = [
    "annotations",
    "call",
    "constrain",
    "crowd",
    "exclude",
    "extend",
    "from_settings",
    "negate",
    "patterns",
    "phrases",
    "regex",
    "relabel",
    "trim",
    "vicinity",
]
