"""The Dask engine: one result with any other, and what happens where its parts fail."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial

import pytest

pytest.importorskip("distributed", reason="an extra is not installed")

from silverspan import pipeline
from silverspan.engines import Local, opened
from silverspan.errors import EngineError, LabellingError
from silverspan.testing.engines import check_engine
from tests.engines.test_engine import add, die_once
from tests.pipeline.conftest import FUNCTIONS, write_project
from tests.pipeline.test_engines import HMM, KILLER, READER, SECOND, in_parts, run_on
from tests.pipeline.test_run import files_of

__all__ = ["in_parts"]  # a fixture


@pytest.fixture(scope="module")
def cluster():
    with opened("dask", n_process=2) as engine:
        yield engine


def test_the_engine_keeps_the_contract(cluster):
    check_engine(cluster)


def test_many_parts_are_added_up_as_by_any_engine(cluster):
    items = [str(0.1 * number) for number in range(75)]
    held = cluster.hold(float, items)
    assert held.total(abs, add) == Local().hold(float, items).total(abs, add)
    held.release()


def test_a_slow_worker_changes_nothing(cluster):
    assert list(cluster.map(sleepy, range(12))) == list(range(12))


def sleepy(number):
    time.sleep(0.5 if number == 0 else 0)
    return number


def test_the_files_are_those_of_one_machine(tmp_path, in_parts, cluster):
    written = []
    for number, engine in enumerate([Local(), cluster]):
        project = write_project(tmp_path / str(number), 30, SECOND, FUNCTIONS + READER)
        run_on(engine, project)
        written.append(files_of(project.directory))
    assert written[0] == written[1]


def test_a_function_that_raises_on_a_worker_is_named_with_its_document(tmp_path, cluster):
    functions = FUNCTIONS + KILLER.replace("os.kill(os.getpid(), signal.SIGKILL)", "doc[999]")
    project = write_project(tmp_path / "a", functions=functions)
    with pytest.raises(LabellingError, match="'fatal' failed on document 'd5'") as caught:
        run_on(cluster, project, until="annotate")
    assert caught.value.document == "d5"


@pytest.mark.slow
def test_a_worker_killed_in_a_round_of_fitting_changes_nothing(tmp_path, cluster):
    held = cluster.hold(float, [str(number) for number in range(8)])
    assert held.total(abs, add) == 28.0
    assert held.total(partial(die_once, tmp_path), add) == 28.0
    assert (tmp_path / "tried").exists()
    assert held.total(abs, add) == 28.0
    held.release()


@pytest.mark.slow
def test_a_worker_killed_while_it_labels_changes_nothing(tmp_path, cluster):
    tried = str(tmp_path / "tried")
    functions = FUNCTIONS + KILLER.replace(
        '== "d5"', f'== "d5" and not os.path.exists({tried!r})'
    ).replace("        os.kill", f"        open({tried!r}, 'w').close()\n        os.kill")
    project = write_project(tmp_path / "a", 10, HMM, functions)
    run_on(cluster, project)
    assert (tmp_path / "tried").exists()
    other = write_project(tmp_path / "b", 10, HMM, functions)
    run_on(Local(), other)
    assert files_of(project.directory) == files_of(other.directory)


@pytest.mark.slow
def test_a_document_that_ends_every_worker_is_named(tmp_path):
    project = write_project(tmp_path / "a", functions=FUNCTIONS + KILLER)
    with pytest.raises(EngineError, match="'fatal' ended its process on document 'd5'"):
        pipeline.run(project, until="annotate", engine="dask", n_process=2)


def test_a_scheduler_that_does_not_answer_is_told_plainly():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with (
            pytest.raises(EngineError, match="no Dask scheduler answers at tcp://127"),
            opened("dask", scheduler=address),
        ):
            pass


@contextmanager
def begun(*words):
    """A process of the tests' own cluster."""
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@contextmanager
def own_cluster():
    """A scheduler and a worker, as somebody else would have begun them."""
    words = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    with begun(*words, "--no-dashboard") as scheduler:
        address = ""
        while not address:
            line = scheduler.stderr.readline()
            found = re.search(r"Scheduler at:\s+(tcp://\S+)", line)
            address = found[1] if found else ""
        worker = ("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard")
        with begun(*worker, "--no-nanny", "--death-timeout", "60"):
            yield scheduler, address


SLOW = """
import time

@sp.labelling_function(labels=["PER"])
def slow(doc):
    time.sleep(0.2)
    return []
"""


@pytest.mark.slow
def test_a_scheduler_that_goes_is_told_plainly_and_a_second_run_goes_on(tmp_path):
    functions = FUNCTIONS + SLOW
    project = write_project(tmp_path / "a", 40, HMM, functions)
    with own_cluster() as (scheduler, address):
        watcher = subprocess.Popen(
            [sys.executable, "-c", WATCH, str(project.workspace / "votes"), str(scheduler.pid)]
        )
        with pytest.raises(EngineError, match=r"the Dask scheduler .* is gone"):
            pipeline.run(project, until="aggregate", engine="dask", scheduler=address)
        watcher.wait()
    assert list((project.workspace / "votes").glob("*.parquet"))
    pipeline.run(project, until="aggregate")
    other = write_project(tmp_path / "b", 40, HMM, functions)
    pipeline.run(other, until="aggregate", n_process=2)
    assert files_of(project.directory) == files_of(other.directory)


WATCH = """
import os, pathlib, signal, sys, time
while not list(pathlib.Path(sys.argv[1]).glob("*.parquet")):
    time.sleep(0.05)
os.kill(int(sys.argv[2]), signal.SIGKILL)
"""
