"""The contract of a trainer, and ``train``: from a posterior and its documents to a spaCy pipeline.

A trainer is a frozen settings object, checked when it is made; its fields are the options that
``train`` takes by name. Trainers are found by name in the registry ``trainers``.
"""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from silverspan.aggregation.posterior import Posterior
from silverspan.errors import TrainingError
from silverspan.registry import Registry

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

#: The file that keeps the state of an interrupted training.
Checkpoint = str | Path | None


class Trainer(Protocol):
    """Settings of a student, and how it is trained with them."""

    model_fields: ClassVar[dict[str, Any]]

    def train(
        self,
        posterior: Posterior,
        corpus: "Iterable[Doc]",
        *,
        seed: int,
        nlp: "Language | None",
        checkpoint: Checkpoint,
    ) -> "Language":
        """Return the trained pipeline, with a tokeniser like that of ``nlp``."""
        ...


class Options(BaseModel):
    """Base of the settings of trainers: frozen, and strict about names and types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


trainers: Registry[type[Trainer]] = Registry("trainer", "silverspan.trainers")


def train(
    posterior: Posterior,
    corpus: "Iterable[Doc]",
    *,
    trainer: str = "soft_tagger",
    seed: int = 0,
    nlp: "Language | None" = None,
    checkpoint: Checkpoint = None,
    **options: Any,
) -> "Language":
    """Return a spaCy pipeline trained on a posterior; ``to_disk`` writes it.

    ``corpus`` yields the documents of the posterior in their order. ``nlp`` is the pipeline that
    read them: new texts will be cut into tokens by a tokeniser like its own; without it, by the
    plain one of the documents' language. ``checkpoint`` names a file that is written after every
    epoch and read if it is there, so that a training that was killed goes on; it is removed at
    the end. The other options are the trainer's own.

    Raises:
        AggregationError: the documents are not those of the posterior.
        TrainingError: an option or its value is wrong, or there is nothing to learn from.
        UnknownNameError: there is no such trainer.
    """
    settings = make_trainer(trainer, **options)
    return settings.train(posterior, corpus, seed=seed, nlp=nlp, checkpoint=checkpoint)


def make_trainer(name: str, **options: Any) -> Trainer:
    """Return the trainer of a name with its options checked.

    >>> make_trainer("soft_tagger", dropout=0.3).dropout
    0.3

    Raises:
        TrainingError: an option or its value is wrong.
        UnknownNameError: there is no such trainer.
    """
    kind = trainers[name]
    known = sorted(kind.model_fields)
    for option in options:
        if option not in known:
            near = difflib.get_close_matches(option, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise TrainingError(
                f"the trainer {name!r} has no option {option!r}{hint} "
                f"Its options are: {', '.join(known)}"
            )
    try:
        return kind(**options)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "options"
        raise TrainingError(
            f"the trainer {name!r} cannot use {place} = {first['input']!r}: {first['msg']}"
        ) from None
