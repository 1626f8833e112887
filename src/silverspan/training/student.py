"""What all students in a spaCy pipeline have in common: the way from a posterior to a pipeline.

The trainers give the component, the examples it learns from and the judge; here they are set up
from a seed, trained in the loop, and put into a pipeline of their own.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.training import Example

from silverspan.training.examples import Split, tokenizing_pipeline
from silverspan.training.loop import Learner, fit, random_state_kept, seed_everything
from silverspan.training.loop_options import LoopOptions
from silverspan.training.trainer import Checkpoint

#: Adds the untrained component to a pipeline.
AddComponent = Callable[[Language], Any]
#: Gives the loss and F1 of the component on examples held out.
JudgeExamples = Callable[[Any, list[Example]], tuple[float, float]]


def train_component(
    learner: Learner,
    split: Split,
    options: LoopOptions,
    *,
    labels: Sequence[str],
    judge: JudgeExamples,
    seed: int,
    resume: Path | None,
) -> None:
    """Train a new component in place; ``resume`` is its checkpoint."""
    for label in labels:
        learner.add_label(label)
    examples = [*split.learn, *split.held_out]
    with random_state_kept():
        seed_everything(seed)
        learner.initialize(lambda: examples)
    fit(
        learner,
        split,
        options.loop_settings(),
        judge=lambda: judge(learner, split.held_out),
        seed=seed,
        resume=resume,
    )


def train_in_pipeline(
    add: AddComponent,
    pipeline: Language,
    split: Split,
    options: LoopOptions,
    *,
    labels: Sequence[str],
    judge: JudgeExamples,
    nlp: Language | None,
    seed: int,
    checkpoint: Checkpoint,
) -> Language:
    """Return a new pipeline with the trained component.

    ``pipeline`` is the one that the examples were made with; the new one knows none of their
    words, so equal weights are equal bytes, and no text of the corpus is in the model.
    """
    learner: Learner = add(pipeline)
    resume = None if checkpoint is None else Path(checkpoint)
    train_component(learner, split, options, labels=labels, judge=judge, seed=seed, resume=resume)
    student = tokenizing_pipeline(nlp, str(pipeline.lang))
    trained = add(student)
    for label in labels:
        student.vocab.strings.add(label)
    trained.from_bytes(learner.to_bytes(exclude=["vocab"]), exclude=["vocab"])
    student.meta["name"] = "silver"
    if resume is not None:
        resume.unlink(missing_ok=True)
    return student
