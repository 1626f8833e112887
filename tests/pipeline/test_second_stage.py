import numpy as np
import pytest

from silverspan import pipeline
from silverspan.aggregation.posterior import Posterior
from silverspan.errors import ProjectError
from silverspan.pipeline.second_stage import second_votes
from tests.pipeline.conftest import SETTINGS, write_project

FUNCTIONS = """
import silverspan as sp
from silverspan.labelling.document_level import doc_majority_cased

@sp.labelling_function(labels=["PER"])
def people(doc):
    for token in doc[1:]:
        if token.is_title and doc[token.i - 1].text == "Ms":
            yield token.i, token.i + 1, "PER"

@sp.labelling_function(labels=["LOC"])
def wrong(doc):
    for token in doc:
        if token.text == "Hall":
            yield token.i, token.i + 1, "LOC", 0.2

majority = doc_majority_cased()
"""
TEXTS = '{"id": "a", "text": "Ms Hall came . Then Hall left ."}\n'


def test_the_second_stage_spreads_what_the_label_model_decided(tmp_path):
    settings = SETTINGS.replace("[functions]", "[functions]\nsecond_stage = true")
    project = write_project(tmp_path / "p", settings=settings, functions=FUNCTIONS)
    (project.directory / "documents.jsonl").write_text(TEXTS)
    kept = []
    outcome = pipeline.Outcome(stage="keep", was_fresh=True, summary="")
    pipeline.run(project, further={"keep": lambda run: kept.append(run) or outcome})
    first = kept[0].votes(0)
    decided = Posterior.build(
        labels=first.space.outputs,
        scheme="io",
        documents=first.documents,
        lengths=first.lengths,
        position=np.array([1]),
        probability=np.array([[0.1, 0.0, 0.9]]),
    )
    shard = kept[0].shard(0)
    votes = second_votes(shard, decided).votes(shard.space, shard.declared)
    assert votes.functions == first.functions
    said = {
        (int(start), int(end), votes.space.names[label])
        for function, start, end, label in zip(
            votes.function, votes.start, votes.end, votes.label, strict=True
        )
        if votes.functions[function] == "doc_majority_cased"
    }
    assert said == {(1, 2, "PER"), (5, 6, "PER")}


def test_a_second_stage_without_document_level_functions_is_refused(tmp_path):
    settings = SETTINGS.replace("[functions]", "[functions]\nsecond_stage = true")
    project = write_project(tmp_path / "p", settings=settings)
    with pytest.raises(ProjectError, match="a second stage needs one of doc_history"):
        pipeline.run(project)
