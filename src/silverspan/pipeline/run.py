"""A project from start to end, or up to one stage."""

from silverspan.pipeline.aggregate import aggregate
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.evaluate import evaluate
from silverspan.pipeline.state import Outcome, Run
from silverspan.pipeline.train import train
from silverspan.project import Project
from silverspan.workspace.lock import locked

#: Every stage in order.
STAGES = {
    "corpus": corpus,
    "annotate": annotate,
    "aggregate": aggregate,
    "train": train,
    "evaluate": evaluate,
}


def run(project: Project, *, until: str = "evaluate", n_process: int = 1) -> list[Outcome]:
    """Do all stages up to ``until``, each only as far as something changed.

    Raises:
        SilverspanError: a stage failed; what the stages before it made stays.
    """
    with locked(project.workspace):
        state = Run(project, n_process=n_process)
        outcomes = []
        for name, stage in STAGES.items():
            outcomes.append(stage(state))
            if name == until:
                break
        return outcomes
