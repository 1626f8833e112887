"""A project from start to end, or up to one stage."""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from silverspan.engines import opened
from silverspan.errors import ProjectError
from silverspan.pipeline.aggregate import aggregate, label_model
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.evaluate import evaluate
from silverspan.pipeline.state import Outcome, Run
from silverspan.pipeline.train import train, trainer_of
from silverspan.project import Project
from silverspan.workspace import receipt as receipts
from silverspan.workspace.lock import locked

Stage = Callable[[Run], Outcome]

#: Every stage in order.
STAGES: Mapping[str, Stage] = {
    "corpus": corpus,
    "annotate": annotate,
    "aggregate": aggregate,
    "train": train,
    "evaluate": evaluate,
}


def run(
    project: Project,
    *,
    until: str = "",
    n_process: int = 1,
    engine: str = "local",
    scheduler: str | None = None,
    further: Mapping[str, Stage] | None = None,
    receipt: bool = False,
) -> list[Outcome]:
    """Do all stages up to ``until``, or all, each only as far as something changed.

    ``engine`` does the work: "local", in ``n_process`` processes of this machine, or another of the
    registry, such as "dask", perhaps on the cluster of a ``scheduler``. Nothing in the result
    depends on it. ``further`` names stages to come after those of this package, such as the report.
    With ``receipt``, what was read and written is noted, so that
    the next run can be told at once that nothing changed (workspace/receipt.py).

    Raises:
        SilverspanError: a stage failed; what the stages before it made stays.
    """
    _check_settings(project, until)
    with (
        locked(project.workspace),
        opened(engine, n_process=n_process, scheduler=scheduler) as workers,
    ):
        state = Run(project, workers)
        receipts.forget(project.workspace)
        state.kept.sweep()
        state.output.sweep()
        outcomes = []
        for name, stage in {**STAGES, **(further or {})}.items():
            outcomes.append(stage(state))
            if name == until:
                break
        if receipt:
            receipts.write(
                project.workspace,
                project.files,
                project.corpus_paths,
                project.stores,
                [asdict(outcome.again()) for outcome in outcomes],
            )
        return outcomes


def _check_settings(project: Project, until: str) -> None:
    """Refuse now what a later stage would refuse, perhaps after hours."""
    label_model(project)
    if until not in ("corpus", "annotate", "aggregate"):
        trainer_of(project)
    if project.output.exists() and not project.output.is_dir():
        raise ProjectError(
            f"output.directory = {project.settings.output.directory!r} is a file there",
            key="output.directory",
            path=project.file,
        )
