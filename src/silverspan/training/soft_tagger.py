"""The default student: a small convolutional tagger on soft labels, in a spaCy pipeline of its own.

Examples come from examples.py, the component from component.py, the loop from loop.py.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from pydantic import Field
from spacy.language import Language
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.training.component import DEFAULT_MODEL, Decoding, SilverTagger, Weighting
from silverspan.training.examples import split_examples, tokenizing_pipeline
from silverspan.training.loop import LoopSettings, fit, initialize
from silverspan.training.trainer import Checkpoint, Options


class SoftTagger(Options):
    """Settings of the default student.

    >>> SoftTagger(width=64).depth
    4
    """

    #: Size of a token's vector, and how many layers look one token further left and right.
    width: int = Field(default=96, ge=8, le=1024)
    depth: int = Field(default=4, ge=1, le=16)
    dropout: float = Field(default=0.2, ge=0, lt=1)
    learn_rate: float = Field(default=0.001, gt=0)
    batch_words: int = Field(default=1000, ge=1)
    max_epochs: int = Field(default=30, ge=1)
    #: So many epochs in a row without progress on the documents held out end the training.
    patience: int = Field(default=3, ge=1)
    #: The share of documents held out.
    held_out: float = Field(default=0.1, ge=0, lt=1)
    #: "confidence": a token teaches less, the less certain its distribution is.
    weighting: Weighting = "none"
    #: "paths": the best legal path of tags; "tokens": the best label, then the best boundaries.
    decoding: Decoding = "paths"

    def train(
        self,
        posterior: Posterior,
        corpus: Iterable[Doc],
        *,
        seed: int,
        nlp: Language | None,
        checkpoint: Checkpoint,
    ) -> Language:
        """Return the trained pipeline."""
        pipeline, split = split_examples(
            posterior, corpus, nlp=nlp, held_out=self.held_out, seed=seed
        )
        tagger = self._add_tagger(pipeline)
        examples = [*split.learn, *split.held_out]
        initialize(tagger, posterior.labels, examples, seed=seed)
        resume = None if checkpoint is None else Path(checkpoint)
        settings = LoopSettings(
            max_epochs=self.max_epochs,
            patience=self.patience,
            batch_words=self.batch_words,
            learn_rate=self.learn_rate,
            dropout=self.dropout,
        )
        fit(tagger, split, settings, seed=seed, resume=resume)
        # A pipeline of its own: the words of the documents are no part of the model.
        student = tokenizing_pipeline(nlp, str(pipeline.lang))
        trained = self._add_tagger(student)
        trained.from_bytes(tagger.to_bytes(exclude=["vocab"]), exclude=["vocab"])
        for label in trained.labels:
            student.vocab.strings.add(label)
        student.meta["name"] = "silver"
        if resume is not None:
            resume.unlink(missing_ok=True)
        return student

    def _add_tagger(self, nlp: Language) -> SilverTagger:
        config = {
            "model": self._model(),
            "decoding": self.decoding,
            "weighting": self.weighting,
        }
        return cast(SilverTagger, nlp.add_pipe("silver_tagger", config=config))

    def _model(self) -> dict[str, Any]:
        tok2vec = DEFAULT_MODEL["tok2vec"]
        return {
            **DEFAULT_MODEL,
            "tok2vec": {
                **tok2vec,
                "embed": {**tok2vec["embed"], "width": self.width},
                "encode": {**tok2vec["encode"], "width": self.width, "depth": self.depth},
            },
        }
