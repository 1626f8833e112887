"""A disk that is full: one message, nothing half written, and the next run ends as it should.

A small tmpfs, which needs root; without it a limit on the size of files, which the system holds
any process to.
"""

import shutil
import subprocess
from contextlib import contextmanager

import pytest

from tests.faults.harness import LONG, files_below, said_one_error
from tests.pipeline.conftest import SETTINGS, write_project

STEPS = 40 if LONG else 4
TRAINED = SETTINGS.replace(
    "trainer = false", 'trainer = "soft_tagger"\noptions = { max_epochs = 1 }'
)


@contextmanager
def small_disk(folder, kilobytes):
    """Mount a file system of some kilobytes for the time of the block."""
    folder.mkdir(exist_ok=True)
    options = ["-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(["mount", *options], capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no command `mount` here")
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="module")
def finished(commands, tmp_path_factory):
    """What a run leaves, and how much room it needs."""
    project = write_project(tmp_path_factory.mktemp("whole") / "p", documents=12, settings=TRAINED)
    assert commands.run("run", "-q", ".", folder=project.directory) == 0, commands.errors
    expected = files_below(project.workspace, project.output)
    return expected, sum(map(len, expected.values())) // 1024 + 200


def no_half_files(project):
    assert not list(project.output.glob("*.part"))
    for path in project.output.glob("*"):
        assert path.stat().st_size


@pytest.mark.slow
def test_a_run_on_a_full_disk_says_so_and_goes_on_later(commands, tally, finished, tmp_path):
    expected, room = finished
    for step in range(STEPS):
        with small_disk(tmp_path / "disk", max(24, room * (step + 1) // (STEPS + 1))):
            project = write_project(tmp_path / "disk" / "p", documents=12, settings=TRAINED)
            code = commands.run("run", "-q", ".", folder=project.directory)
            if code:
                assert code == 1
                assert said_one_error(commands.errors), commands.errors
                assert "No space left" in commands.errors
                no_half_files(project)
            kept = shutil.copytree(project.directory, tmp_path / f"kept{step}")
        tally.add("full disk: run", disks=1, refused=code)
        assert commands.run("run", "-q", ".", folder=kept) == 0, commands.errors
        assert files_below(kept / ".silverspan", kept / "output") == expected
        shutil.rmtree(kept)


@pytest.mark.slow
def test_files_that_may_grow_no_further_are_told(commands, tally, finished, tmp_path):
    expected, _ = finished
    sizes = sorted({len(content) for content in expected.values()})
    for number in range(STEPS):
        size = sizes[len(sizes) * number // STEPS]
        project = write_project(tmp_path / str(number), documents=12, settings=TRAINED)
        code = commands.run("run", "-q", ".", folder=project.directory, file_size=max(size, 4096))
        if code:
            assert code == 1
            assert said_one_error(commands.errors), commands.errors
            no_half_files(project)
        tally.add("file size limit: run", runs=1, refused=code)
        assert commands.run("run", "-q", ".", folder=project.directory) == 0, commands.errors
        assert files_below(project.workspace, project.output) == expected


@pytest.mark.parametrize(
    "words",
    [
        ["aggregate", "../votes.jsonl", "-o", "pred.jsonl", "--probs"],
        ["aggregate", "../votes.jsonl", "-o", "pred.jsonl.gz", "--probs", "--save", "model"],
        ["train", "../pred.jsonl", "-o", "model", "--set", "max_epochs=1"],
        ["export", "../p", "--to", "docbin", "-o", "out.spacy"],
        ["export", "../p", "--to", "parquet", "-o", "out.parquet"],
        ["export", "../p", "--to", "label-studio", "-o", "out.json"],
        ["report", "../p", "-o", "out.html"],
        ["gazetteer", "build", "text", "../names.txt", "-o", "g.gaz", "--option", "label=GPE"],
        ["init", "new"],
    ],
    ids=lambda words: " ".join(word for word in words[:4] if "." not in word),
)
@pytest.mark.slow
def test_a_command_that_fills_the_disk_leaves_nothing_half(commands, tally, tmp_path, words):
    (tmp_path / "votes.jsonl").write_text(
        "".join(
            f'{{"id": {i}, "tokens": ["In", "Oslo", "x{i}"], "weak": {{"a": [[1, 2, "LOC"]], '
            f'"b": [[{i % 3}, {i % 3 + 1}, "LOC"]]}}}}\n'
            for i in range(300)
        )
    )
    (tmp_path / "names.txt").write_text("".join(f"Name{i}\n" for i in range(3000)))
    if words[0] == "train":
        made = ["aggregate", "votes.jsonl", "-o", "pred.jsonl", "-q"]
        assert commands.run(*made, folder=tmp_path) == 0, commands.errors
    if "../p" in words:
        project = write_project(tmp_path / "p", documents=400)
        assert commands.run("run", "-q", ".", folder=project.directory) == 0, commands.errors
    with small_disk(tmp_path / "disk", 4):
        code = commands.run(*words, "-q", folder=tmp_path / "disk")
        left = sorted(path.name for path in (tmp_path / "disk").iterdir())
    tally.add("full disk: other commands", commands=1, refused=code)
    assert code == 1
    assert said_one_error(commands.errors), commands.errors
    assert "No space left" in commands.errors
    # What a build has read is kept under a name of its own, and goes on from there. A label model
    # without its header is none, and is written over.
    assert left in ([], ["g.gaz.building"], ["model"])
