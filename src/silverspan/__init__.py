"""Named-entity recognisers for domains in which nobody has labelled anything.

Every public name is imported when it is first used, so that ``import silverspan`` stays fast.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

#: The module that each public name lives in.
_HOME = {
    "Corpus": "silverspan.corpus.corpus",
    "Evaluation": "silverspan.evaluation.scores",
    "LabelSpace": "silverspan.labels",
    "LabellingFunction": "silverspan.labelling.function",
    "Posterior": "silverspan.aggregation.posterior",
    "SilverspanError": "silverspan.errors",
    "Votes": "silverspan.observations.votes",
    "annotate": "silverspan.observations.annotate",
    "apply": "silverspan.training.silver",
    "document_id": "silverspan.corpus.document",
    "evaluate": "silverspan.evaluation.documents",
    "labelling_function": "silverspan.labelling.function",
    "load_pipeline": "silverspan.corpus.pipelines",
    "proposals": "silverspan.labelling.function",
    "read_predictions": "silverspan.aggregation.predictions",
    "read_votes": "silverspan.observations.votes_file",
    "span_from_characters": "silverspan.corpus.document",
    "train": "silverspan.training.trainer",
    "write_predictions": "silverspan.aggregation.predictions",
    "write_votes": "silverspan.observations.votes_file",
}
_MODULES = {
    "aggregation": "silverspan.aggregation",
    "analysis": "silverspan.analysis",
    "corpus": "silverspan.corpus",
    "evaluation": "silverspan.evaluation",
    "kit": "silverspan.labelling.kit",
    "labelling": "silverspan.labelling",
    "observations": "silverspan.observations",
    "presets": "silverspan.labelling.presets",
    "testing": "silverspan.testing",
    "training": "silverspan.training",
}

__all__ = [*_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _MODULES:
        return import_module(_MODULES[name])
    raise AttributeError(f"module 'silverspan' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
