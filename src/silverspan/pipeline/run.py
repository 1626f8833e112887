"""A project from start to end, or up to one stage."""

from collections.abc import Callable, Mapping

from silverspan.pipeline.aggregate import aggregate
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.evaluate import evaluate
from silverspan.pipeline.state import Outcome, Run
from silverspan.pipeline.train import train
from silverspan.project import Project
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
    further: Mapping[str, Stage] | None = None,
) -> list[Outcome]:
    """Do all stages up to ``until``, or all, each only as far as something changed.

    ``further`` names stages to come after those of this package, such as the report.

    Raises:
        SilverspanError: a stage failed; what the stages before it made stays.
    """
    with locked(project.workspace):
        state = Run(project, n_process=n_process)
        state.kept.sweep()
        state.output.sweep()
        outcomes = []
        for name, stage in {**STAGES, **(further or {})}.items():
            outcomes.append(stage(state))
            if name == until:
                break
        return outcomes
