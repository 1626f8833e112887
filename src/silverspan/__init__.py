"""Named-entity recognisers for domains in which nobody has labelled anything.

Every public name is imported when it is first used, so that ``import silverspan`` stays fast.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Corpus": "silverspan.corpus.corpus",
    "LabelSpace": "silverspan.labels",
    "Votes": "silverspan.observations.votes",
    "Posterior": "silverspan.aggregation.posterior",
    "train": "silverspan.training.trainer",
    "labelling_function": "silverspan.labelling.function",
    "LabellingFunction": "silverspan.labelling.function",
    "proposals": "silverspan.labelling.function",
    "Evaluation": "silverspan.evaluation.scores",
    "evaluate": "silverspan.evaluation.documents",
    "read_votes": "silverspan.observations.votes_file",
    "write_votes": "silverspan.observations.votes_file",
    "read_predictions": "silverspan.aggregation.predictions",
    "write_predictions": "silverspan.aggregation.predictions",
    "SilverspanError": "silverspan.errors",
}
_MODULES = (
    "aggregation",
    "corpus",
    "evaluation",
    "labelling",
    "observations",
    "testing",
    "training",
)

_PARTS = {"kit": "silverspan.labelling.kit", "presets": "silverspan.labelling.presets"}

__all__ = [*_HOME, *_MODULES, *_PARTS]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _MODULES:
        return import_module(f"silverspan.{name}")
    if name in _PARTS:
        return import_module(_PARTS[name])
    raise AttributeError(f"module 'silverspan' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
