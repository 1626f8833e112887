import json

import pytest

from silverspan.errors import InputError
from silverspan.pipeline.run import run
from silverspan.project import Project
from tests.pipeline.conftest import SETTINGS, TEXTS, write_project


def scored(folder, gold, format, name="export.json"):
    more = f'\n[evaluation]\ngold = "{name}"\ngold_format = "{format}"\n'
    project = write_project(folder, settings=SETTINGS + more)
    lines = "\n".join(map(json.dumps, gold)) if name.endswith("l") else json.dumps(gold)
    (project.directory / name).write_text(lines)
    outcome = {each.stage: each for each in run(Project(project.directory))}["evaluate"]
    return outcome.details["silver"]


def task(number, text, *words):
    values = [
        {"start": text.index(word), "end": text.index(word) + len(word), "labels": [label]}
        for word, label in words
    ]
    annotation = {"completed_by": 1, "result": [{"value": value} for value in values]}
    return {"id": number, "data": {"text": text}, "annotations": [annotation]}


def test_gold_of_a_tool_is_found_by_its_text(tmp_path):
    # The tool numbered the tasks; two of them have one text, as the corpus has too.
    gold = [
        task(71, TEXTS[0], ("Berg", "PER"), ("Oslo", "LOC"), ("Rome", "LOC")),
        task(72, TEXTS[1]),
        task(73, TEXTS[1]),
    ]
    scores = scored(tmp_path / "a", gold, "label-studio")
    assert scores["documents"] == 3
    assert scores["entity"]["strict"]["micro"]["f1"] == 1.0


def test_gold_that_does_not_begin_and_end_with_tokens_is_widened_and_counted(tmp_path, caplog):
    gold = [{"id": 1, "text": TEXTS[0], "label": [[3, 6, "PER"], [13, 17, "LOC"]]}]
    scores = scored(tmp_path / "a", gold, "doccano", "gold.jsonl")
    assert scores["entity"]["strict"]["micro"]["correct"] == 2
    assert "1 gold spans do not begin and end with tokens" in caplog.text


def test_gold_of_another_text_is_named(tmp_path):
    with pytest.raises(InputError, match="the corpus has no document '9'"):
        scored(tmp_path / "a", [task(9, "Elsewhere.")], "label-studio")
    with pytest.raises(InputError, match="document 'd1' has another text in the corpus"):
        scored(tmp_path / "b", [{**task(9, "x"), "id": "d1"}], "label-studio")


def test_sentences_of_one_document_are_drawn_together_for_intervals(tmp_path):
    # All right in one article and all wrong in another: drawn apart, the interval is narrow.
    widths = {}
    for name, key in (("together", "doc"), ("apart", "other")):
        lines = []
        for number in range(40):
            word = "Oslo" if number < 20 else "Bergen"
            gold = [[0, 1, "LOC"]]
            one = {"id": number, key: f"a{number < 20}", "tokens": [word], "gold": gold}
            lines.append(json.dumps(one))
        project = write_project(tmp_path / name)
        (project.directory / "documents.jsonl").write_text("\n".join(lines))
        outcome = {each.stage: each for each in run(project)}["evaluate"]
        low, high = outcome.details["silver"]["intervals"]["micro"]["recall"]
        widths[name] = high - low
    assert widths["together"] > 2 * widths["apart"] > 0


@pytest.mark.parametrize("processes", [1, 2])
def test_annotators_vote_in_a_project_and_are_redone_when_the_file_changes(tmp_path, processes):
    rule = '\n[functions.rules]\npeople = { kind = "annotations", path = "export.json" }\n'
    project = write_project(tmp_path / "a", settings=SETTINGS + rule)
    export = project.directory / "export.json"
    export.write_text(json.dumps([task(1, TEXTS[0], ("Berg", "PER"))]))

    def annotated():
        outcomes = run(Project(project.directory), until="annotate", n_process=processes)
        return outcomes[-1].details

    assert "people_1" in annotated()["ran"]
    assert annotated()["ran"] == []
    export.write_text(json.dumps([task(1, TEXTS[0], ("Oslo", "LOC"))]))
    assert annotated()["ran"] == ["people_1"]
