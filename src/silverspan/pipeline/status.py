"""What in the workspace of a project is fresh, stale, damaged or missing; changes nothing."""

from collections import Counter
from dataclasses import dataclass

from silverspan.corpus.pipelines import identity
from silverspan.corpus.reading import read_records
from silverspan.pipeline import aggregate, train
from silverspan.pipeline.annotated import posterior_name
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.state import PREDICTIONS, TAGGER, Run
from silverspan.project import Project
from silverspan.workspace import annotation, corpus_shards


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """How many parts of one kind are in which state."""

    stage: str
    item: str
    states: dict[str, int]

    @property
    def is_fresh(self) -> bool:
        """Whether nothing of it would be made again."""
        return not set(self.states) - {"fresh"}


def status(project: Project) -> list[Status]:
    """Return the state of everything a run would make, stage by stage.

    What hangs on something that is not fresh is stale itself, whatever it looks like.
    """
    run = Run(project)
    settings = project.settings
    shards = corpus_shards.inspect(
        run.kept,
        read_records(
            project.corpus_paths, settings.corpus.format, on_error=settings.corpus.on_error
        ),
        pipeline=identity(run.pipeline),
        shard_size=settings.corpus.shard_size,
    )
    rows = [Status(stage="corpus", item="shards", states=dict(Counter(shards)))]
    if not rows[0].is_fresh:
        waiting = [("annotate", "votes"), ("aggregate", "model"), ("train", TAGGER)]
        return rows + [
            Status(stage=stage, item=item, states={"stale": 1}) for stage, item in waiting
        ]
    corpus(run)  # all fresh: nothing is parsed
    run.work = annotation.plan(run.kept, run.shards, run.functions, settings.functions.on_error)
    rows += [
        Status(
            stage="annotate",
            item=function.name,
            states=dict(Counter(annotation.state(item, function.name) for item in run.work)),
        )
        for function in run.functions
    ]
    labelled = all(row.is_fresh for row in rows)
    made = aggregate.made_from(run)
    names = [posterior_name(number) for number in range(len(run.shards))]
    parts = [
        ("aggregate", "model", [run.kept.state(aggregate.MODEL, made)]),
        ("aggregate", "posterior", [run.kept.state(name, made) for name in names]),
        ("aggregate", PREDICTIONS, [run.output.state(PREDICTIONS, made)]),
    ]
    if settings.training.trainer is not False:
        parts.append(("train", TAGGER, [run.output.state(TAGGER, train.made_from(run))]))
    for stage, item, states in parts:
        known = [s if labelled or s != "fresh" else "stale" for s in states]
        rows.append(Status(stage=stage, item=item, states=dict(Counter(known))))
    return rows
