"""The plain student: spaCy's own ``ner`` on the decoded spans; the model needs spaCy alone.

It cannot take soft labels: the spans of the posterior are taken as they are.
"""

from collections.abc import Iterable
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from silverspan.aggregation.posterior import Posterior
from silverspan.training.examples import Split, split_examples
from silverspan.training.loop import f1_of
from silverspan.training.loop_options import LoopOptions
from silverspan.training.student import train_in_pipeline
from silverspan.training.trainer import Checkpoint


class Plain(LoopOptions):
    """Settings of the plain student.

    >>> Plain(max_epochs=5).patience
    3
    """

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
        pipeline, soft = split_examples(
            posterior, corpus, nlp=nlp, held_out=self.held_out, seed=seed
        )
        split = Split(learn=_without_answers(soft.learn), held_out=_without_answers(soft.held_out))

        return train_in_pipeline(
            lambda pipeline: pipeline.add_pipe("ner"),
            pipeline,
            split,
            self,
            labels=posterior.labels,
            judge=_judge,
            nlp=nlp,
            seed=seed,
            checkpoint=checkpoint,
        )


def _without_answers(examples: list[Example]) -> list[Example]:
    """Return the examples with predicted documents of their own: entities would bind the moves."""
    bare = []
    for example in examples:
        predicted = example.x.copy()
        predicted.set_ents([], default="missing")
        bare.append(Example(predicted, example.y))
    return bare


def _judge(recogniser: Any, examples: list[Example]) -> tuple[float, float]:
    found = [
        [(span.start, span.end, span.label_) for span in doc.ents]
        for doc in recogniser.pipe(example.x.copy() for example in examples)
    ]
    f1 = f1_of(examples, found)
    return 1 - f1, f1
