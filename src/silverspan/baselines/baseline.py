"""The contract of a baseline: labelled source documents and raw target ones in, predictions out."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.registry import Registry


class Baseline(Protocol):
    """Settings of a baseline; its fields are its options."""

    model_fields: ClassVar[dict[str, Any]]

    def predict(
        self,
        source: Sequence[Doc],
        gold: Posterior,
        target: Sequence[Doc],
        *,
        seed: int,
    ) -> Posterior:
        """Return what a tagger trained on the source, whose gold is given, finds in the target."""
        ...


baselines: Registry[type[Baseline]] = Registry("baseline", "silverspan.baselines")
