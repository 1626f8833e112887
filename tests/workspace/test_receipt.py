import json
import subprocess
import sys

import pytest

from silverspan import pipeline
from silverspan.project import Project
from silverspan.workspace import receipt
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, TEXTS, write_project


def unchanged(project):
    project = Project(project.directory)
    return receipt.read(project.workspace, project.corpus_paths, project.stores)


@pytest.fixture
def finished(tmp_path):
    project = write_project(tmp_path / "project", functions="import words\n" + FUNCTIONS)
    (project.directory / "words.py").write_text("WORDS = 1\n")
    (project.directory / "gold.jsonl").write_text(
        json.dumps({"id": "d0", "text": TEXTS[0], "entities": [[3, 7, "PER"]]}) + "\n"
    )
    (project.directory / "silverspan.toml").write_text(
        SETTINGS + '\n[evaluation]\ngold = "gold.jsonl"\n'
    )
    pipeline.run(Project(project.directory), receipt=True)
    return project


def test_what_the_last_run_told_is_told_again_without_what_it_did(finished):
    told = {outcome["stage"]: outcome for outcome in unchanged(finished)}
    assert all(outcome["was_fresh"] for outcome in told.values())
    assert told["corpus"]["details"] == {
        "documents": 10,
        "tokens": told["corpus"]["details"]["tokens"],
        "parsed": 0,
    }
    fresh = {o.stage: o for o in pipeline.run(Project(finished.directory), receipt=True)}
    for name, outcome in told.items():
        assert fresh[name].summary == outcome["summary"]
        assert json.loads(json.dumps(fresh[name].details)) == outcome["details"]


def test_any_changed_or_missing_file_is_noticed(finished):
    for name in (
        "silverspan.toml",
        "functions.py",
        "words.py",
        "documents.jsonl",
        "gold.jsonl",
        "output/predictions.jsonl",
        ".silverspan/votes/00001.parquet",
        ".silverspan/manifests/votes/00001.parquet.json",
    ):
        path = finished.directory / name
        content = path.read_bytes()
        path.write_bytes(content + b"\n#")
        assert unchanged(finished) is None, name
        if name != "silverspan.toml":
            path.unlink()
            assert unchanged(finished) is None, name
        path.write_bytes(content)
        assert unchanged(finished) is not None, name


def test_a_new_file_that_fits_the_pattern_of_the_corpus_is_noticed(tmp_path):
    settings = SETTINGS.replace("documents.jsonl", "*.jsonl")
    project = write_project(tmp_path / "a", settings=settings)
    pipeline.run(project, receipt=True)
    assert unchanged(project) is not None
    line = json.dumps({"id": "new", "text": "Oslo"})
    (project.directory / "more.jsonl").write_text(line + "\n")
    assert unchanged(project) is None


def test_other_packages_and_settings_of_the_environment_are_noticed(
    finished, monkeypatch, tmp_path
):
    monkeypatch.setenv("SILVERSPAN_ANY", "1")
    assert unchanged(finished) is None
    monkeypatch.delenv("SILVERSPAN_ANY")
    (tmp_path / "packages" / "new-1.0.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "packages")])
    assert unchanged(finished) is None


def test_a_run_that_stops_on_the_way_leaves_no_receipt(finished):
    (finished.directory / "functions.py").write_text(FUNCTIONS.replace("doc[1:]", "doc[99]"))
    with pytest.raises(Exception, match="failed on document"):
        pipeline.run(Project(finished.directory), receipt=True)
    assert not (finished.workspace / "receipt.json").exists()


def test_a_run_with_nothing_to_do_does_not_wake_spacy(tmp_path):
    project = write_project(tmp_path / "project")
    command = "import sys; from silverspan.cli.main import main; "
    command += f"main(['run', {str(project.directory)!r}, '-q']); print('spacy' in sys.modules)"
    woken = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", command], capture_output=True, text=True, check=True
        )
        woken.append(done.stdout.split()[-1])
    assert woken == ["True", "False"]
