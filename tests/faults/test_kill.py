"""A run that is killed at any moment, and then run again, gives what an undisturbed run gives."""

import random
import subprocess
import sys
import time

import pytest

from tests.pipeline.conftest import SETTINGS, write_project

KILLS = 10
TRAINED = SETTINGS.replace(
    "trainer = false", 'trainer = "soft_tagger"\noptions = { max_epochs = 3 }'
).replace('name = "mv"', 'name = "cm"')


def command(project):
    return [sys.executable, "-m", "silverspan.cli.main", "run", "-q", str(project.directory)]


def results(project):
    return {
        str(path.relative_to(project.directory)): path.read_bytes()
        for folder in (project.output, project.workspace)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


@pytest.mark.slow
def test_a_killed_run_resumes_and_ends_with_the_same_bytes(tmp_path):
    undisturbed = write_project(tmp_path / "one" / "p", documents=40, settings=TRAINED)
    began = time.perf_counter()
    subprocess.run(command(undisturbed), check=True, timeout=300)
    whole = time.perf_counter() - began
    disturbed = write_project(tmp_path / "two" / "p", documents=40, settings=TRAINED)
    moments = random.Random(7)
    killed = 0
    for _ in range(KILLS):
        run = subprocess.Popen(command(disturbed), stderr=subprocess.DEVNULL)
        try:
            run.wait(moments.uniform(0.05, 1.0) * whole)
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
            killed += 1
    assert killed, "no run was slow enough to be killed: this test would show nothing"
    subprocess.run(command(disturbed), check=True, timeout=300)
    left, right = results(undisturbed), results(disturbed)
    leftovers = set(right) - set(left)
    assert not leftovers
    assert left == right
