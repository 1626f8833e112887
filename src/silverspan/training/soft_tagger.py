"""The default student: a small convolutional tagger on soft labels, in a spaCy pipeline of its own.

Examples come from examples.py, the component from component.py, the loop from loop.py.
"""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from pydantic import Field
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from silverspan import __version__
from silverspan.aggregation.posterior import Posterior
from silverspan.training.annotations import Decoding
from silverspan.training.component import SilverTagger, Weighting
from silverspan.training.cross_fit import mix_second_opinions
from silverspan.training.examples import Split, split_examples
from silverspan.training.loop import f1_of
from silverspan.training.loop_options import LoopOptions
from silverspan.training.network import DEFAULT_MODEL
from silverspan.training.student import train_component, train_in_pipeline
from silverspan.training.trainer import Checkpoint
from silverspan.training.vectors import default_vectors, load_vectors, own_copy

logger = logging.getLogger(__name__)


class SoftTagger(LoopOptions):
    """Settings of the default student.

    >>> SoftTagger(width=64).depth
    4
    """

    learn_rate: float = Field(default=0.003, gt=0)
    patience: int = Field(default=2, ge=1)
    #: Size of a token's vector, and how many layers look one token further left and right.
    width: int = Field(default=96, ge=8, le=1024)
    depth: int = Field(default=4, ge=1, le=16)
    #: Word vectors that become part of the model: "glove" (extra ``vectors``), a spaCy pipeline
    #: with vectors, or "none". "auto" is GloVe for English where the extra is installed.
    vectors: str | None = "auto"
    #: How many of their most frequent words to keep.
    vector_rows: int = Field(default=100_000, ge=1)
    #: How many parts the documents are dealt into for second opinions, of students that did not
    #: see them (0: none), and the least weight of the posterior beside those.
    second_opinions: int = Field(default=3, ge=0, le=20)
    trust: float = Field(default=0.3, ge=0, le=1)
    #: The share of words that show their shape alone while the student learns.
    hidden_words: float = Field(default=0.1, ge=0, lt=1)
    #: Whether a token is judged by what stands around the same word elsewhere in its document, too.
    document_memory: bool = True
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
        name = default_vectors(str(pipeline.lang)) if self.vectors == "auto" else self.vectors
        vectors = None if name in (None, "none") else load_vectors(str(name), self.vector_rows)
        logger.info("word vectors: %s", "none" if vectors is None else name)
        config = {
            "model": self._model(with_vectors=vectors is not None),
            "decoding": self.decoding,
            "weighting": self.weighting,
        }

        def add(pipeline: Language) -> Any:
            if vectors is not None:
                pipeline.vocab.vectors = own_copy(vectors)
            return pipeline.add_pipe("silver_tagger", config=config)

        # Each student for a second opinion has a checkpoint of its own; all go at the end.
        kept = [
            None if checkpoint is None else Path(f"{checkpoint}.{part}")
            for part in range(self.second_opinions)
        ]

        def train_part(part_split: Split, part: int) -> SilverTagger:
            if vectors is not None:
                pipeline.vocab.vectors = own_copy(vectors)
            tagger = cast(SilverTagger, pipeline.create_pipe("silver_tagger", config=config))
            train_component(
                tagger,
                part_split,
                self,
                labels=posterior.labels,
                judge=_judge,
                seed=seed,
                resume=kept[part],
            )
            return tagger

        if self.second_opinions > 1 and len(split.learn) >= self.second_opinions:
            mix_second_opinions(
                split,
                posterior.labels,
                train_part,
                parts=self.second_opinions,
                trust=self.trust,
                seed=seed,
            )
        student = train_in_pipeline(
            add,
            pipeline,
            split,
            self,
            labels=posterior.labels,
            judge=_judge,
            nlp=nlp,
            seed=seed,
            checkpoint=checkpoint,
        )
        for path in kept:
            if path is not None:
                path.unlink(missing_ok=True)
        # For ``spacy package``: what the component needs where it is installed.
        student.meta["requirements"] = [f"silverspan>={__version__}"]
        return student

    def _model(self, *, with_vectors: bool) -> dict[str, Any]:
        tok2vec = DEFAULT_MODEL["tok2vec"]
        return {
            **DEFAULT_MODEL,
            "hidden_words": self.hidden_words,
            "document_memory": self.document_memory,
            "tok2vec": {
                **tok2vec,
                "embed": {
                    **tok2vec["embed"],
                    "width": self.width,
                    "include_static_vectors": with_vectors,
                },
                "encode": {**tok2vec["encode"], "width": self.width, "depth": self.depth},
            },
        }


def _judge(tagger: SilverTagger, examples: list[Example]) -> tuple[float, float]:
    docs = [example.x for example in examples]
    loss, _ = tagger.get_loss(examples, tagger.distributions(docs))
    spans = tagger.predict(docs).spans
    found = [[span[:3] for span in spans.of(number)] for number in range(len(docs))]
    return loss, f1_of(examples, found)
