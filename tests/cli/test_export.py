import json

import pytest

from silverspan.cli.export import FORMATS
from silverspan.cli.main import main
from silverspan.corpus import load_pipeline
from silverspan.corpus.docbin import read_docs
from silverspan.corpus.document import layer
from silverspan.integrations.export import FORMATS as WRITERS
from tests.pipeline.conftest import write_project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return write_project(tmp_path_factory.mktemp("project"))


def test_the_command_offers_every_writer():
    assert set(FORMATS) == set(WRITERS)


@pytest.mark.parametrize("name", FORMATS)
def test_a_project_is_exported_in_every_format(project, tmp_path, capsys, name):
    path = tmp_path / "out"
    command = ["export", str(project.directory), "--to", name, "-o", str(path), "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["documents"] == 10
    assert told["spans"] > 0
    assert path.stat().st_size > 0


def test_a_docbin_has_a_layer_for_each_function(project, tmp_path):
    path = tmp_path / "out.spacy"
    assert main(["export", str(project.directory), "--to", "docbin", "-o", str(path), "-q"]) == 0
    docs = list(read_docs(path, load_pipeline("blank:en").vocab))
    assert any(layer(doc, "cities") for doc in docs)
    assert all([e.label_ for e in doc.ents] == [s[2] for s in layer(doc, "silver")] for doc in docs)


def test_an_unknown_format_is_wrong_usage(project, tmp_path):
    with pytest.raises(SystemExit) as caught:
        main(["export", str(project.directory), "--to", "pdf", "-o", str(tmp_path / "out")])
    assert caught.value.code == 2


def test_a_missing_project_leaves_no_file(tmp_path, capsys):
    assert main(["export", str(tmp_path / "no"), "--to", "conll", "-o", str(tmp_path / "o")]) == 1
    assert "error: " in capsys.readouterr().err
    assert not (tmp_path / "o").exists()
