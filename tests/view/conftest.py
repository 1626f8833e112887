"""A small finished project, and its pages as a client sees them without a browser."""

import json
import re

import pytest

from silverspan import pipeline
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, write_project

pytest.importorskip("starlette", reason="the extra `view` is not installed")
pytest.importorskip("uvicorn", reason="the extra `view` is not installed")

ANOTHER = """
@sp.labelling_function(labels=["PER"])
def contrary(doc):
    for token in doc:
        if token.text == "Rome":
            yield token.i, token.i + 1, "PER", 0.4
"""
HMM = SETTINGS.replace('"mv"', '"hmm"')


def opened(folder, *, settings=SETTINGS, documents=10, gold=None, texts=None, run_again=False):
    """Run a project and return its library."""
    from silverspan.project import Project  # noqa: PLC0415
    from silverspan.view import GoldFile, open_library  # noqa: PLC0415

    if not run_again:
        write_project(folder, documents, settings, FUNCTIONS + ANOTHER)
        if texts is not None:
            lines = [json.dumps({"id": name, "text": text}) for name, text in texts.items()]
            (folder / "documents.jsonl").write_text("\n".join(lines) + "\n")
        if gold is not None:
            (folder / "gold.jsonl").write_text("".join(json.dumps(one) + "\n" for one in gold))
    libraries = []
    project = Project(folder)

    def keep(run):
        file = GoldFile(folder / "gold.jsonl", by="ann", clock=lambda: "2024-05-06T07:08:09Z")
        libraries.append(open_library(run, gold=file))
        return pipeline.Outcome(stage="keep", was_fresh=True, summary="")

    pipeline.run(project, further={"keep": keep})
    return libraries[0]


def client_of(library):
    """Return a client of the pages of a library; its address begins with /secret."""
    from starlette.testclient import TestClient  # noqa: PLC0415

    from silverspan.view import make_app  # noqa: PLC0415

    return TestClient(make_app(library, token="secret"), base_url="http://127.0.0.1:8377")


def post(client, path, *, headers=None, **fields):
    """Send a form as our own pages do, and do not follow where it leads."""
    page = client.get("/secret/review").text
    fields["secret"] = re.search(r'name="secret" value="([^"]+)"', page)[1]
    own = {"origin": "http://127.0.0.1:8377", "sec-fetch-site": "same-origin"}
    return client.post(
        f"/secret{path}", data=fields, headers=own | (headers or {}), follow_redirects=False
    )


@pytest.fixture
def library(tmp_path):
    return opened(tmp_path / "project")


@pytest.fixture
def client(library):
    return client_of(library)
