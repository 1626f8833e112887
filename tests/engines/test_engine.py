import multiprocessing
import os
import signal
import time
from functools import partial

import numpy as np
import pytest

from silverspan.engines import Engine, Held, Local, engines, opened, pairwise
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


def test_a_process_that_dies_twice_is_told_plainly():
    with opened(n_process=2) as engine, pytest.raises(EngineError, match=r"died \(SIGKILL\)"):
        list(engine.map(die, [1, 2, 3]))


def die_once(folder, number):
    if number == 3 and not (folder / "tried").exists():
        (folder / "tried").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_dies_once_changes_nothing(tmp_path):
    with opened(n_process=2) as engine:
        assert list(engine.map(partial(die_once, tmp_path), range(8))) == list(range(8))


def test_what_a_dead_process_held_is_loaded_again(tmp_path):
    with opened(n_process=2) as engine:
        held = engine.hold(float, ["1", "2", "3", "4"])
        assert held.total(abs, add) == 10.0
        assert held.total(partial(die_once, tmp_path), add) == 10.0
        assert held.total(abs, add) == 10.0
        held.release()


def add(one, other):
    return one + other


def test_closing_ends_work_that_would_go_on_for_long():
    engine = Local(2)
    results = engine.map(time.sleep, [0, 3600, 3600, 3600])
    next(results)
    engine.close()
    assert multiprocessing.active_children() == []


def test_much_may_be_sent_and_brought_back(tmp_path):
    big = b"x" * 3_000_000
    with opened(n_process=2) as engine:
        assert [len(found) for found in engine.map(bytes, [big] * 9)] == [len(big)] * 9


def test_an_engine_is_busy_with_one_thing_while_another_begins():
    with opened(n_process=2) as engine:
        outer = engine.map(abs, range(20))
        assert next(outer) == 0
        assert list(engine.map(abs, range(7))) == list(range(7))
        assert list(outer) == list(range(1, 20))


def test_this_machine_has_no_scheduler():
    with pytest.raises(EngineError, match="--engine dask"), opened(scheduler="tcp://a:1"):
        pass


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
