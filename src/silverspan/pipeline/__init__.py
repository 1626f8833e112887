"""The stages of a project, in order: annotate, aggregate, train, evaluate, report."""

from silverspan.pipeline.functions import functions_of
from silverspan.pipeline.run import STAGES, run
from silverspan.pipeline.state import Outcome, Run
from silverspan.pipeline.status import Status, status

__all__ = ["STAGES", "Outcome", "Run", "Status", "functions_of", "run", "status"]
