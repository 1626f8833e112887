"""The plain out-of-domain model: trained on the source, used on the target as it is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic import Field
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.document import document_id
from silverspan.training import Options, train
from silverspan.training.annotations import posterior_of
from silverspan.training.component import SilverTagger


class SourceTrained(Options):
    """Settings: those of the default student, by name; without second opinions of the gold.

    >>> SourceTrained(student={"dropout": 0.3}).student
    {'dropout': 0.3}
    """

    student: dict[str, Any] = Field(default_factory=dict)

    def predict(
        self, source: Sequence[Doc], gold: Posterior, target: Sequence[Doc], *, seed: int
    ) -> Posterior:
        """Return what the source-trained student finds in the target."""
        options = {"second_opinions": 0, **self.student}
        nlp = train(gold, source, trainer="soft_tagger", seed=seed, **options)
        tagger = cast(SilverTagger, nlp.get_pipe("silver_tagger"))
        own = [
            Doc(nlp.vocab, words=[t.text for t in d], spaces=[bool(t.whitespace_) for t in d])
            for d in target
        ]
        found = posterior_of(tagger.distributions(own), gold.labels, "paths")
        return named(found, target)


def named(posterior: Posterior, docs: Sequence[Doc]) -> Posterior:
    """Return the posterior with the ids of its documents."""
    return replace(posterior, documents=tuple(document_id(doc) for doc in docs))
