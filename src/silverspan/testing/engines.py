"""Engines for tests: the contract check, and a double that works in threads and in any order."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy import ndarray

from silverspan.engines import Engine, Held, pairwise
from silverspan.errors import LabellingError

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")


def check_engine(engine: Engine) -> None:
    """Hold an engine to its contract; it is left open.

    >>> check_engine(Shuffling(0))

    Raises:
        AssertionError: a promise is broken.
    """
    items = list(range(23))
    _hold(list(engine.map(_square, items)) == [i * i for i in items], "map keeps the order")
    _hold(list(engine.map(_square, [])) == [], "map takes no items")
    _hold(list(engine.map(_square, [3])) == [9], "map takes one item")
    taken: list[int] = []
    first = next(engine.map(_square, _counting(taken)))
    _hold(first == 0 and len(taken) < 1_000, "map takes items only a few ahead")
    try:
        list(engine.map(_refuse_four, items))
    except LabellingError as error:
        _hold(error.document == "four", "an exception keeps its facts")
    else:
        _hold(False, "map raises the exception of the function")
    for size in (1, 2, 7, 16):
        for keep in (True, False):
            held = engine.hold(_numbers, items[:size], keep=keep)
            try:
                _check_total(held, size)
            finally:
                held.release()
    one, other = (engine.hold(_numbers, items[:n]) for n in (2, 3))
    _check_total(other, 3)
    _check_total(one, 2)
    one.release()
    _check_total(other, 3)
    other.release()


def _counting(taken: list[int]) -> Iterator[int]:
    for number in range(10_000):
        taken.append(number)
        yield number


def _check_total(held: Held, size: int) -> None:
    for power in (1.0, 0.5):
        count = _Power(power)
        found = held.total(count, _add)
        expected = pairwise((count(_numbers(i)) for i in range(size)), _add)
        _hold(np.array_equal(found, expected), "total adds up pairwise, to the last bit")


@dataclass(frozen=True)
class _Power:
    power: float

    def __call__(self, numbers: ndarray) -> ndarray:
        result: ndarray = numbers**self.power
        return result


def _square(number: int) -> int:
    return number * number


def _refuse_four(number: int) -> int:
    if number == 4:
        raise LabellingError("four is refused", document="four")
    return number


def _numbers(seed: int) -> ndarray:
    # Sums of these depend on the order in their last bits.
    return np.random.default_rng(seed).lognormal(0, 9, size=50)


def _add(one: ndarray, other: ndarray) -> ndarray:
    result: ndarray = one + other
    return result


class Shuffling:
    """A double: threads that begin in random order and take their time.

    >>> Shuffling(1).hold(float, ["1", "2"]).total(abs, lambda a, b: a + b)
    3.0
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield ``function(item)`` of every item, in order; ten at a time."""
        stream = iter(items)
        with ThreadPoolExecutor(4) as pool:
            while some := list(islice(stream, 10)):
                order = list(range(len(some)))
                self._random.shuffle(order)
                futures = {i: pool.submit(_late, function, some[i]) for i in order}
                for i in range(len(some)):
                    yield futures[i].result()

    def hold(self, load: Callable[[T], Any], items: Sequence[T], *, keep: bool = True) -> Held:
        """Load every item, in random order."""
        return _Shuffled(self, list(self.map(load, items)))

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class _Shuffled:
    engine: Shuffling
    items: list[Any]

    def total(self, count: Callable[[Any], S], add: Callable[[S, S], S]) -> S:
        return pairwise(self.engine.map(count, self.items), add)

    def release(self) -> None:
        self.items.clear()


def _late(function: Callable[[T], R], item: T) -> R:
    time.sleep(0.0002)
    return function(item)


def _hold(is_so: bool, promise: str) -> None:
    if not is_so:
        raise AssertionError(f"broken promise of an engine: {promise}")
