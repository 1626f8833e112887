"""A command that is killed at any moment, and then given again, ends as if nothing had been."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.faults.harness import LONG, files_below, said_one_error
from tests.pipeline.conftest import SETTINGS, write_project

KILLS = 50 if LONG else 3
TRAINED = SETTINGS.replace(
    "trainer = false",
    'trainer = "soft_tagger"\noptions = { max_epochs = 3, vectors = "none" }',
).replace('name = "mv"', 'name = "hmm"')

pytestmark = pytest.mark.slow


def clean(folder, keep):
    for path in folder.iterdir():
        if path.name not in keep:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def survives(commands, tally, words, folder, whole=lambda folder: True):
    """Kill the command until it was at work ``KILLS`` times.

    It is given again after every kill, and begins anew after every end. ``whole`` tells after a
    kill whether what lies in the folder is all or nothing.
    """
    given = {path.name for path in folder.iterdir()}
    began = time.perf_counter()
    assert commands.run(*words, folder=folder) == 0, commands.errors
    length = time.perf_counter() - began
    expected = files_below(folder)
    clean(folder, given)
    moments = random.Random(" ".join(words))
    kills = ends = 0
    while kills < KILLS or ends == 0:
        process = commands.start(*words, folder=folder)
        code = commands.wait(moments.uniform(0.0, 1.1) * length if kills < KILLS else 120)
        if code is None:
            code = commands.kill(process)  # 0 if it ended just before
        if code == -signal.SIGKILL:
            assert whole(folder)
            kills += 1
            tally.add(f"kill: {words[0]}", kills=1)
        else:
            assert code == 0, commands.errors
            found = files_below(folder)
            names = found.keys() | expected.keys()
            assert [name for name in names if found.get(name) != expected.get(name)] == []
            clean(folder, given)
            ends += 1
            tally.add(f"kill: {words[0]}", runs_to_the_end=1, differences=0)


def test_run(commands, tally, tmp_path):
    project = write_project(tmp_path / "p", documents=40, settings=TRAINED)
    survives(commands, tally, ["run", "-q", "."], project.directory)


@pytest.fixture
def votes(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "votes.jsonl").write_text(
        "".join(
            f'{{"id": {i}, "tokens": ["In", "Oslo", "Ms", "Berg", "saw", "Rome"], '
            f'"weak": {{"a": [[1, 2, "LOC"]], "b": [[{i % 3}, {i % 3 + 1}, "LOC"]], '
            f'"c": [[3, 4, "PER"], [5, 6, "{"LOC" if i % 4 else "PER"}"]]}}}}\n'
            for i in range(1000)
        )
    )
    return tmp_path / "in"


def test_aggregate(commands, tally, votes):
    words = ["aggregate", "votes.jsonl", "-o", "pred.jsonl", "--probs", "--save", "model", "-q"]

    def whole(folder):
        path = folder / "pred.jsonl"
        return not path.exists() or len(path.read_bytes().splitlines()) == 1000

    survives(commands, tally, words, votes, whole)


def test_train(commands, tally, votes):
    words = ["aggregate", "votes.jsonl", "-o", "pred.jsonl", "-q"]
    assert commands.run(*words, folder=votes) == 0
    (votes / "votes.jsonl").unlink()
    words = ["train", "pred.jsonl", "-o", "tagger", "--set", "max_epochs=2", "-q"]
    survives(commands, tally, words, votes)


def test_export(commands, tally, tmp_path):
    project = write_project(tmp_path / "p", documents=100)
    words = ["export", ".", "--to", "label-studio", "-o", "out.json.gz", "-q"]
    survives(commands, tally, words, project.directory)


def test_an_interrupt_is_told_in_one_line_and_the_next_run_goes_on(commands, tally, tmp_path):
    project = write_project(tmp_path / "p", documents=40, settings=TRAINED)
    words = ["run", "-q", "."]
    began = time.perf_counter()
    assert commands.run(*words, folder=project.directory) == 0
    length = time.perf_counter() - began
    expected = files_below(project.output, project.workspace)
    shutil.rmtree(project.output)
    shutil.rmtree(project.workspace)
    moments = random.Random(3)
    for _ in range(KILLS):
        process = commands.start(*words, folder=project.directory)
        if commands.wait(moments.uniform(0.05, 0.9) * length) is not None:
            continue
        assert commands.kill(process, signal.SIGINT) in (130, 0)
        assert commands.errors == "" or said_one_error(commands.errors)
        tally.add("interrupt: run", interrupts=1)
    assert commands.run(*words, folder=project.directory) == 0
    assert files_below(project.output, project.workspace) == expected


def test_two_runs_at_once_are_one_run_and_one_message(commands, tmp_path):
    project = write_project(tmp_path / "p", documents=40, settings=TRAINED)
    process = commands.start("run", "-q", ".", folder=project.directory)
    lock = project.workspace / "lock"
    while not (lock.exists() and lock.stat().st_size):
        time.sleep(0.01)
    os.kill(process, signal.SIGSTOP)
    second = subprocess.run(
        [sys.executable, "-m", "silverspan.cli.main", "run", project.directory],
        capture_output=True,
        text=True,
    )
    os.kill(process, signal.SIGCONT)
    assert (second.returncode, said_one_error(second.stderr)) == (1, True)
    assert f"in use by process {process} on " in second.stderr
    assert commands.wait() == 0
