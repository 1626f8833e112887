import json
import logging

import pytest

from silverspan import labelling_function, pipeline
from silverspan.aggregation import load
from silverspan.corpus.document import document_id
from silverspan.errors import InputError, LabellingError, ProjectError, SilverspanError
from silverspan.pipeline.lesson import lesson
from silverspan.project import Project
from tests.pipeline.conftest import FUNCTIONS, SETTINGS, TEXTS, write_project


def what_ran(project, until="aggregate", **options):
    outcomes = {o.stage: o for o in pipeline.run(project, until=until, **options)}
    annotate = outcomes["annotate"].details
    return outcomes["corpus"].details["parsed"], annotate["ran"], annotate["shards"]


def files_of(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("lock", "functions.py")
    }


def test_a_second_run_does_nothing(project):
    assert what_ran(project) == (10, ["cities", "cities_again", "people"], [0, 1, 2])
    assert all(outcome.was_fresh for outcome in pipeline.run(project, until="aggregate"))


def test_an_edited_function_runs_again_with_what_reads_it_and_nothing_else(project):
    pipeline.run(project, until="annotate")
    path = project.directory / "functions.py"
    path.write_text(FUNCTIONS.replace('"Oslo", "Rome"', '"Rome"'))
    assert what_ran(project) == (0, ["cities", "cities_again"], [0, 1, 2])
    path.write_text(path.read_text().replace('"Ms"', '"Mr"'))
    assert what_ran(project) == (0, ["people"], [0, 1, 2])


def test_an_edited_comment_runs_nothing(project):
    pipeline.run(project, until="annotate")
    path = project.directory / "functions.py"
    path.write_text(FUNCTIONS.replace("    for token in doc:", "    # why\n    for token in doc:"))
    assert what_ran(project) == (0, [], [])


def test_redone_in_parts_or_at_once_the_files_are_the_same(project, tmp_path):
    pipeline.run(project, until="aggregate")
    path = project.directory / "functions.py"
    changed = FUNCTIONS.replace('"Oslo", "Rome"', '"Rome"')
    path.write_text(changed)
    pipeline.run(project, until="aggregate")
    other = write_project(tmp_path / "other", functions=changed)
    pipeline.run(other, until="aggregate")
    assert files_of(project.directory) == files_of(other.directory)


def test_two_processes_write_the_same_files_as_one(project, tmp_path):
    pipeline.run(project, until="aggregate")
    other = write_project(tmp_path / "other")
    pipeline.run(other, until="aggregate", n_process=2)
    assert files_of(project.directory) == files_of(other.directory)


def test_appended_documents_cost_themselves_and_the_shard_they_join(project):
    pipeline.run(project, until="annotate")
    path = project.directory / "documents.jsonl"
    with path.open("a") as file:
        file.write(json.dumps({"id": "new", "text": "Oslo"}) + "\n")
    parsed, _, shards = what_ran(project)
    assert (parsed, shards) == (3, [2])


def test_removed_documents_leave_nothing_behind(project):
    pipeline.run(project, until="aggregate")
    path = project.directory / "documents.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    pipeline.run(project, until="aggregate")
    kept = sorted(p.name for p in project.workspace.rglob("0*") if p.suffix != ".json")
    assert kept == ["00000.npz", "00000.parquet", "00000.spacy"]


@pytest.mark.parametrize(
    ("name", "redone"),
    [
        ("corpus/00001.spacy", (4, [], [])),
        ("votes/00001.parquet", (0, ["cities", "cities_again", "people"], [1])),
        ("posterior/00001.npz", (0, [], [])),
        ("model/model.json", (0, [], [])),
    ],
)
def test_only_a_damaged_shard_is_made_again_and_comes_out_the_same(project, name, redone):
    pipeline.run(project, until="aggregate")
    before = files_of(project.directory)
    path = project.workspace / name
    path.write_bytes(path.read_bytes()[:-3] + b"\0\0\0")
    assert what_ran(project) == redone
    assert files_of(project.directory) == before


def test_a_failing_function_stops_the_run_and_the_next_one_goes_on(project):
    path = project.directory / "functions.py"
    path.write_text(FUNCTIONS.replace("for token in doc[1:]:", "for token in doc[99]:"))
    with pytest.raises(LabellingError, match="'people' failed on document 'd0'"):
        pipeline.run(project, until="aggregate")
    path.write_text(FUNCTIONS)
    assert what_ran(project)[0] == 0


def test_failures_are_skipped_and_counted_where_asked(project, caplog):
    (project.directory / "functions.py").write_text(
        FUNCTIONS.replace("for token in doc[1:]:", "doc[3]\n    for token in doc[1:]:")
    )
    settings = SETTINGS.replace("[functions]", '[functions]\non_error = "skip"')
    (project.directory / "silverspan.toml").write_text(settings)
    with caplog.at_level(logging.WARNING):
        outcomes = pipeline.run(Project(project.directory), until="aggregate")
    assert outcomes[1].details["failures"] == 3
    assert "'people' failed on 3 document(s)" in caplog.text


def test_a_corpus_without_documents_is_named(project):
    (project.directory / "documents.jsonl").write_text("")
    with pytest.raises(ProjectError, match="the corpus has no documents"):
        pipeline.run(project)


def test_a_missing_corpus_file_is_named(project):
    (project.directory / "documents.jsonl").unlink()
    with pytest.raises(InputError, match=r"documents\.jsonl: there is no such file"):
        pipeline.run(project)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('files = ["functions.py"]', 'files = ["gone.py"]', "no such file of labelling functions"),
        ('preset = "none"', 'preset = "non"', "'non'"),
        ('preset = "none"', 'preset = "none"\nonly = ["citys"]', "did you mean 'cities'"),
        ('name = "mv"', 'name = "mw"', "no aggregator is called 'mw'"),
        ('name = "mv"', 'name = "mv"\noptions = { treshold = 2 }', "no setting 'treshold'"),
    ],
)
def test_a_name_that_is_not_there_is_named(project, old, new, message):
    (project.directory / "silverspan.toml").write_text(SETTINGS.replace(old, new))
    with pytest.raises(SilverspanError, match=message):
        pipeline.run(Project(project.directory), until="aggregate")


def test_scores_may_overlook_leading_determiners_and_say_so(tmp_path):
    functions = """
import silverspan as sp

@sp.labelling_function(labels=["LOC"])
def hague(doc):
    return [(0, 2, "LOC")]
"""
    f1 = {}
    for name, extra in {"bare": "", "normal": 'normalise = ["leading_determiners"]'}.items():
        settings = SETTINGS + f'\n[evaluation]\ngold = "gold.jsonl"\n{extra}\n'
        project = write_project(tmp_path / name, settings=settings, functions=functions)
        record = {"id": "d0", "text": "The Hague", "entities": [[4, 9, "LOC"]]}
        (project.directory / "documents.jsonl").write_text(json.dumps(record) + "\n")
        (project.directory / "gold.jsonl").write_text(json.dumps(record) + "\n")
        outcome = {o.stage: o for o in pipeline.run(project)}["evaluate"]
        f1[name] = outcome.details["silver"]["entity"]["strict"]["micro"]["f1"]
        assert ("leading determiners" in outcome.text) == bool(extra)
    assert f1 == {"bare": 0.0, "normal": 1.0}


def test_the_student_carries_a_card_with_its_functions_and_the_scores_of_its_gold(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    options = "{ width = 16, depth = 1, max_epochs = 1, vectors = 'none' }"
    settings = SETTINGS.replace("trainer = false", f"options = {options}")
    project = write_project(tmp_path / "news", settings=settings)
    pipeline.run(project)
    card = project.output / "tagger" / "README.md"
    unscored = card.read_text()
    for fact in ("`cities_again`", "`people`", "LOC, PER", "1970-01-02", "10 documents", "`mv`"):
        assert fact in unscored
    assert "no gold" in unscored
    gold = project.directory / "gold.jsonl"
    gold.write_text(json.dumps({"id": "d0", "text": TEXTS[0], "gold": [[0, 2, "PER"]]}) + "\n")
    (project.directory / "silverspan.toml").write_text(
        settings + '\n[evaluation]\ngold = "gold.jsonl"\n'
    )
    outcomes = {each.stage: each for each in pipeline.run(Project(project.directory))}
    assert outcomes["train"].was_fresh
    assert "| this model |" in card.read_text()
    assert "gold.jsonl" in card.read_text()
    again = {each.stage: each for each in pipeline.run(Project(project.directory))}
    assert again["train"].was_fresh
    assert again["evaluate"].was_fresh


def test_of_a_large_corpus_the_student_learns_from_documents_drawn_evenly(tmp_path):
    settings = SETTINGS.replace("trainer = false", "max_tokens = 150\noptions = { max_epochs = 1 }")
    run = pipeline.Run(write_project(tmp_path / "a", documents=90, settings=settings))
    for stage in ("corpus", "annotate", "aggregate"):
        pipeline.STAGES[stage](run)
    learnt = lesson(run)
    docs = list(learnt.docs())
    assert [document_id(doc) for doc in docs] == list(learnt.posterior.documents)
    assert [len(doc) for doc in docs] == learnt.posterior.lengths.tolist()
    assert 75 <= sum(map(len, docs)) <= 300
    whole = {
        name: run.posterior(shard).spans.of(i)
        for shard in range(len(run.shards))
        for i, name in enumerate(run.posterior(shard).documents)
    }
    for number, name in enumerate(learnt.posterior.documents):
        assert learnt.posterior.spans.of(number) == whole[name]
        own = learnt.posterior.probabilities(number)
        assert (own.argmax(axis=1) > 0).sum() == sum(end - start for start, end, *_ in whole[name])


def test_the_label_model_may_start_from_what_authors_guess_of_their_functions(tmp_path):
    settings = SETTINGS.replace('name = "mv"', 'name = "hmm"\noptions = { start = "table" }')
    guess = 'labels=["PER"], reliability={"PER": (0.9, 0.4)}'
    functions = FUNCTIONS.replace('labels=["PER"]', guess)
    project = write_project(tmp_path / "p", settings=settings, functions=functions)
    pipeline.run(project, until="aggregate")
    saved = load(project.workspace / "model").describe()["settings"]["reliabilities"]
    assert {name: dict(known) for name, known in saved.items()} == {"people": {"PER": [0.9, 0.4]}}
    (project.directory / "functions.py").write_text(functions.replace("0.4", "0.6"))
    outcomes = {o.stage: o for o in pipeline.run(project, until="aggregate")}
    assert not outcomes["aggregate"].was_fresh


@pytest.mark.parametrize("guess", [{"LOC": (1.2, 0.5)}, {"PER": (0.5, 0.5)}])
def test_a_guess_that_is_none_is_refused(guess):
    with pytest.raises(LabellingError, match="between 0 and 1"):
        labelling_function(labels=["LOC"], reliability=guess)(list)


def test_what_a_rule_denies_is_in_no_prediction(tmp_path, caplog):
    rules = """
[functions.rules]
never = { kind = "negate", of = "banned" }
banned = { kind = "call", function = "functions:banned", labels = ["LOC"] }
"""
    denied = """
def banned(doc):
    return [(token.i, token.i + 1, "LOC") for token in doc if token.text == "Rome"]
"""
    settings = SETTINGS.replace("[model]", rules + "\n[model]")
    project = write_project(tmp_path, settings=settings, functions=FUNCTIONS + denied)
    pipeline.run(project, until="aggregate")
    written = [path.read_text() for path in tmp_path.rglob("predictions.jsonl")]
    lines = [json.loads(line) for text in written for line in text.splitlines()]
    found = {
        record["tokens"][start]
        for record in lines
        for start, _, label, *_ in record["pred"]
        if label == "LOC"
    }
    assert found == {"Oslo"}
    assert "no say" not in caplog.text
