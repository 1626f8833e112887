import json

import pytest

from silverspan.project import Project

FUNCTIONS = """
import silverspan as sp

@sp.labelling_function(labels=["LOC"])
def cities(doc):
    for token in doc:
        if token.text in {"Oslo", "Rome"}:
            yield token.i, token.i + 1, "LOC", 0.9

@sp.labelling_function(labels=["PER"])
def people(doc):
    for token in doc[1:]:
        if token.is_title and doc[token.i - 1].text == "Ms":
            yield token.i, token.i + 1, "PER"

@sp.labelling_function(labels=["LOC"], reads=["cities"])
def cities_again(doc):
    seen = {doc[start].text for start, *_ in sp.proposals(doc)["cities"]}
    for token in doc:
        if token.text in seen:
            yield token.i, token.i + 1, "LOC"
"""

SETTINGS = """
[corpus]
path = "documents.jsonl"
pipeline = "blank:en"
shard_size = 4

[labels]
output = ["LOC", "PER"]

[functions]
preset = "none"
files = ["functions.py"]

[model]
name = "mv"

[training]
trainer = false
"""

TEXTS = ["Ms Berg left Oslo for Rome .", "Nothing here .", "Rome saw Ms Hall . Rome again ."]


def write_project(folder, documents=10, settings=SETTINGS, functions=FUNCTIONS):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "silverspan.toml").write_text(settings)
    (folder / "functions.py").write_text(functions)
    lines = [json.dumps({"id": f"d{i}", "text": TEXTS[i % 3]}) for i in range(documents)]
    (folder / "documents.jsonl").write_text("".join(line + "\n" for line in lines))
    return Project(folder)


@pytest.fixture
def project(tmp_path):
    return write_project(tmp_path / "project")
