"""The stages of a project, in order: annotate, aggregate, train, evaluate, report."""

from silverspan.pipeline.functions import functions_of
from silverspan.pipeline.run import Outcome, run

__all__ = ["Outcome", "functions_of", "run"]
