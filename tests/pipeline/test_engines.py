"""The stages on engines: the same bytes for any, and what happens where processes die."""

import numpy as np
import pytest

from silverspan import pipeline
from silverspan.aggregation.hmm import Hmm
from silverspan.engines import Local, opened
from silverspan.errors import EngineError, LabellingError
from silverspan.observations.islands_file import (
    between_from_bytes,
    between_to_bytes,
    from_bytes,
    to_bytes,
)
from silverspan.observations.votes import Votes
from silverspan.pipeline import islands
from silverspan.testing.engines import Shuffling
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, write_project
from tests.pipeline.test_run import files_of

HMM = SETTINGS.replace('name = "mv"', 'name = "hmm"')
SECOND = HMM.replace('preset = "none"', 'preset = "none"\nsecond_stage = true')
READER = """
from silverspan.labelling.document_level import doc_majority_cased
majority = doc_majority_cased()
"""


@pytest.fixture
def in_parts(monkeypatch):
    """Small groups and many parts, so that a small corpus goes the way of a large one."""
    monkeypatch.setattr(islands, "GROUP", 20)
    monkeypatch.setattr(islands, "parts_for", lambda tokens: 4)
    monkeypatch.setattr("silverspan.aggregation.hmm.gathered.parts_for", lambda tokens: 4)


def run_on(engine, project, until="aggregate"):
    state = pipeline.Run(project, engine)
    for name, stage in pipeline.STAGES.items():
        stage(state)
        if name == until:
            return state


@pytest.mark.parametrize("kept_bytes", [0, 600_000_000])
def test_fitted_from_shards_the_model_is_the_one_fitted_in_memory(
    tmp_path, in_parts, monkeypatch, kept_bytes
):
    monkeypatch.setattr(islands, "KEPT", kept_bytes)
    run = run_on(Local(), write_project(tmp_path / "a", documents=30, settings=HMM))
    votes = [run.votes(number) for number in range(len(run.shards))]
    assert len(run.kept.names("islands/")) > 2
    fitted = Hmm().fit(Votes.concatenate(votes))
    for number, own in enumerate(votes):
        expected, found = fitted.posterior(own), run.posterior(number)
        assert np.array_equal(expected.probability, found.probability)
        assert np.array_equal(expected.position, found.position)


@pytest.fixture(scope="module")
def two_processes():
    with opened(n_process=2) as engine:
        yield engine


@pytest.mark.parametrize("settings", [HMM, SECOND])
def test_any_engine_writes_the_same_files(tmp_path, in_parts, two_processes, settings):
    functions = FUNCTIONS + READER
    written = []
    for number, engine in enumerate([Local(), two_processes, Shuffling(1)]):
        project = write_project(tmp_path / str(number), 30, settings, functions)
        run_on(engine, project)
        written.append(files_of(project.directory))
    assert all(files == written[0] for files in written)


def test_appended_documents_gather_only_the_last_islands(tmp_path, in_parts, monkeypatch):
    project = write_project(tmp_path / "a", documents=30, settings=HMM)
    pipeline.run(project, until="aggregate")
    write_project(tmp_path / "a", documents=32, settings=HMM)
    gathered = []
    whole = islands.gather_group
    monkeypatch.setattr(
        islands, "gather_group", lambda group: gathered.append(group.name) or whole(group)
    )
    pipeline.run(project, until="aggregate")
    assert gathered == [sorted(run_on(Local(), project).kept.names("islands/"))[-1]]


def test_islands_survive_the_way_through_bytes(tmp_path, in_parts):
    run = run_on(Local(), write_project(tmp_path / "a", settings=HMM))
    votes, frame = Hmm().prepare(run.votes(0))
    found = islands.islands_of(votes, frame)
    again = from_bytes(to_bytes(found.table), "a")
    assert to_bytes(again) == to_bytes(found.table)
    between = between_to_bytes(found.between)
    assert between_to_bytes(between_from_bytes(between, "a")) == between


KILLER = """
import os, signal
import silverspan as sp

@sp.labelling_function(labels=["PER"])
def fatal(doc):
    if sp.document_id(doc) == "d5":
        os.kill(os.getpid(), signal.SIGKILL)
    return []
"""


@pytest.mark.slow
def test_a_document_that_ends_every_process_is_named_and_the_rest_is_kept(tmp_path):
    project = write_project(tmp_path / "a", functions=FUNCTIONS + KILLER)
    with pytest.raises(EngineError, match="'fatal' ended its process on document 'd5'"):
        pipeline.run(project, until="aggregate", n_process=2)
    write_project(tmp_path / "a", functions=FUNCTIONS)
    pipeline.run(project, until="aggregate", n_process=2)
    other = write_project(tmp_path / "b", functions=FUNCTIONS)
    pipeline.run(other, until="aggregate")
    assert files_of(project.directory) == files_of(other.directory)


@pytest.mark.slow
def test_a_process_killed_once_changes_nothing(tmp_path):
    functions = FUNCTIONS + KILLER.replace(
        '== "d5"', f'== "d5" and not os.path.exists({str(tmp_path / "tried")!r})'
    ).replace(
        "        os.kill",
        f"        open({str(tmp_path / 'tried')!r}, 'w').close()\n        os.kill",
    )
    project = write_project(tmp_path / "a", functions=functions)
    pipeline.run(project, until="aggregate", n_process=2)
    assert (tmp_path / "tried").exists()
    other = write_project(tmp_path / "b", functions=functions)
    pipeline.run(other, until="aggregate")
    assert files_of(project.directory) == files_of(other.directory)


def test_a_function_that_raises_in_another_process_is_named_with_its_document(
    tmp_path, two_processes
):
    functions = FUNCTIONS + KILLER.replace("os.kill(os.getpid(), signal.SIGKILL)", "doc[999]")
    project = write_project(tmp_path / "a", functions=functions)
    with pytest.raises(LabellingError, match="'fatal' failed on document 'd5'") as caught:
        run_on(two_processes, project, until="annotate")
    assert caught.value.document == "d5"
    assert not list((project.workspace / "trying").glob("*"))
