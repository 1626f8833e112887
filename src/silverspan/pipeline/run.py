"""A project from start to end, or up to one stage; and what in its workspace would be redone."""

from silverspan.pipeline import stages
from silverspan.pipeline.stages import Outcome, Run
from silverspan.project import Project
from silverspan.workspace.lock import locked

#: Every stage in order.
STAGES = {
    "corpus": stages.corpus,
    "annotate": stages.annotate,
    "aggregate": stages.aggregate,
}


def run(project: Project, *, until: str = "aggregate", n_process: int = 1) -> list[Outcome]:
    """Do all stages up to ``until``, each only as far as something changed.

    Raises:
        SilverspanError: a stage failed; what the stages before it made stays and is not made again.
    """
    with locked(project.workspace):
        state = Run(project, n_process=n_process)
        outcomes = []
        for name, stage in STAGES.items():
            outcomes.append(stage(state))
            if name == until:
                break
        return outcomes
