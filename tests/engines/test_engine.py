import os
import signal

import numpy as np
import pytest

from silverspan.engines import Engine, Held, Local, engines, pairwise
from silverspan.errors import EngineError, MissingDependencyError, UnknownNameError
from silverspan.testing.engines import Shuffling, check_engine


@pytest.mark.parametrize("make", [Local, lambda: Local(2), lambda: Shuffling(3)])
def test_every_engine_keeps_the_contract(make):
    engine = make()
    try:
        assert isinstance(engine, Engine)
        check_engine(engine)
    finally:
        engine.close()


def test_an_engine_that_adds_up_in_its_own_order_is_found_out():
    class Careless(Local):
        def hold(self, load, items, *, keep=True):
            return Backwards(super().hold(load, items[::-1], keep=keep))

    class Backwards:
        def __init__(self, held):
            self.held = held

        def total(self, count, add):
            return self.held.total(count, add)

        def release(self):
            self.held.release()

    assert isinstance(Backwards(None), Held)
    with pytest.raises(AssertionError, match="pairwise"):
        check_engine(Careless())


def test_an_engine_is_found_by_name():
    assert engines["local"] is Local
    with pytest.raises(UnknownNameError, match="no engine is called 'ray'"):
        engines["ray"]


def test_map_begins_only_a_few_items_ahead():
    begun = []

    def note(item):
        begun.append(item)
        return item

    results = Local().map(note, range(100))
    assert next(results) == 0
    assert len(begun) < 10


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_is_told_plainly():
    engine = Local(2)
    try:
        with pytest.raises(EngineError, match="a worker process died"):
            list(engine.map(die, [1, 2, 3]))
    finally:
        engine.close()


def test_errors_come_back_from_another_process_with_their_facts():
    engine = Local(2)
    try:
        with pytest.raises(MissingDependencyError) as caught:
            list(engine.map(_lacks, [1, 2]))
    finally:
        engine.close()
    assert caught.value.extra == "ray"
    assert "silverspan[ray]" in str(caught.value)


def _lacks(number):
    raise MissingDependencyError("ray", extra="ray")


@pytest.mark.parametrize("size", range(1, 20))
def test_pairwise_adds_up_level_by_level(size):
    level = [f"{i} " for i in range(size)]
    found = pairwise(level, lambda one, two: f"({one}{two})")
    while len(level) > 1:
        pairs = [f"({a}{b})" for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[len(level) // 2 * 2 :]
    assert found == level[0]


def test_nothing_cannot_be_added_up():
    with pytest.raises(ValueError, match="nothing"):
        pairwise([], np.add)
