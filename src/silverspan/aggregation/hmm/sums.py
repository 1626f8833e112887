"""Sums over the evidence of all islands, wherever these lie.

Whatever the model wants to know of its votes is a sum over blocks of islands: ``Sums.total``
takes a function of one block and brings back the sum. The blocks may be in memory, on disk, or on a
cluster (engines/); they are added up in an order that depends on their content alone.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar, cast

from silverspan.aggregation.hmm.frame import Evidence
from silverspan.engines import Held

S = TypeVar("S")


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Sums:
    """The evidence of a corpus: parts, each some blocks, that an engine holds."""

    held: Held

    def total(self, count: Callable[[Evidence], S]) -> S:
        """Return the sum of ``count`` over all blocks.

        ``count`` gives arrays, numbers or ``Counts``, or a tuple of these. It must be picklable:
        a function of a module, or a ``partial`` of one.
        """
        total: S = self.held.total(_OfPart(count), add)
        return total


@dataclass(frozen=True, slots=True)
class _OfPart:
    count: Callable[[Evidence], Any]

    def __call__(self, part: tuple[Evidence, ...]) -> Any:
        return reduce(add, map(self.count, part))


def add(one: S, other: S) -> S:
    """Return the sum of what ``count`` gives for two blocks.

    >>> add((1, 2.5), (1, 0.5))
    (2, 3.0)
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        return cast(S, tuple(map(add, one, other)))
    return cast(S, operator.add(one, other))
