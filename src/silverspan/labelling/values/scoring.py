"""How likely a reading is meant: a logistic model of its rule, its shape and its neighbours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from silverspan.labelling.values.grammar import Node
from silverspan.labelling.values.meanings import Meaning
from silverspan.labelling.values.numbers import Lexeme


@dataclass(frozen=True, slots=True)
class Context:
    """A reading and where it stands. ``depth`` 0: the best of its stretch; more: inside another."""

    text: str
    lexemes: Sequence[Lexeme]
    offset: int
    node: Node
    start: int
    end: int
    depth: int
    meaning: Meaning


def probability(context: Context, *, also: bool = False) -> float:
    """Return the probability that a reading is meant."""
    logit = 2.2 + context.meaning.likely - 2.0 * context.depth - (1.0 if also else 0.0)
    return round(1 / (1 + math.exp(-logit)), 4)
