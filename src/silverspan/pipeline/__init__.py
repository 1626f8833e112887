"""The stages of a project, in order: annotate, aggregate, train, evaluate, report."""

from silverspan.pipeline.functions import functions_of
from silverspan.pipeline.run import run
from silverspan.pipeline.state import Outcome
from silverspan.pipeline.status import Status, status

__all__ = ["Outcome", "Status", "functions_of", "run", "status"]
