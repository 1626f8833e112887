"""The second stage: labelling functions run over the shards of the corpus."""

from functools import partial

from silverspan.pipeline import worker
from silverspan.pipeline.state import Outcome, Run
from silverspan.workspace import annotation


def annotate(run: Run) -> Outcome:
    """Run the labelling functions that changed, on the shards that changed."""
    on_error = run.project.settings.functions.on_error
    run.work = annotation.plan(run.kept, run.shards, run.functions, on_error)
    file = str(run.project.file.resolve())
    worker.keep(file, run.functions)
    done = annotation.annotate(run.work, partial(worker.label_shard, file), run.engine)
    ran = sorted({name for result in done for name in result.ran})
    failures = [failure for result in done for failure in result.failures]
    names = ", ".join(ran) if len(ran) <= 5 else f"{len(ran)} of {len(run.functions)}"
    return Outcome(
        stage="annotate",
        was_fresh=not done,
        summary=f"{len(run.functions)} functions",
        news=f"ran {names}" if ran else "",
        details={
            "functions": [function.name for function in run.functions],
            "ran": ran,
            "shards": [result.shard.number for result in done],
            "failures": len(failures),
        },
        done=("ran", "shards", "failures"),
    )
