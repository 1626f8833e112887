"""The training loop: epochs, early stopping on held-out silver, checkpoints.

Everything random in an epoch follows from the seed and the number of the epoch, so a training that
is resumed after any epoch ends with the same weights as one that never stopped.
"""

import logging
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from spacy.training import Example
from thinc.api import Adam, Model, set_dropout_rate

from silverspan.progress import Task
from silverspan.training import checkpoint
from silverspan.training.examples import Split

logger = logging.getLogger(__name__)

#: The learning rate rises from zero over so many steps.
_WARM_UP = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopSettings:
    """How long and how fast to learn."""

    max_epochs: int
    patience: int
    batch_words: int
    learn_rate: float
    dropout: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Epoch:
    """One line of the table of a training."""

    epoch: int
    loss: float
    held_out_loss: float
    held_out_f1: float
    learn_rate: float


class Learner(Protocol):
    """A trainable component of spaCy."""

    name: str
    model: Model[Any, Any]

    def add_label(self, label: str) -> Any:
        """Learn this label."""
        ...

    def initialize(self, get_examples: Callable[[], list[Example]]) -> Any:
        """Set up the network from a sample."""
        ...

    def to_bytes(self, *, exclude: Iterable[str]) -> bytes:
        """Return labels and weights."""
        ...

    def update(
        self, examples: list[Example], *, drop: float, sgd: Any, losses: dict[str, float]
    ) -> Any:
        """Learn from one batch."""
        ...


#: Gives the loss and the F1 of a component on the examples held out, both against silver.
Judge = Callable[[], tuple[float, float]]


def fit(
    learner: Learner,
    split: Split,
    settings: LoopSettings,
    *,
    judge: Judge,
    seed: int,
    resume: Path | None = None,
) -> list[Epoch]:
    """Train the component in place, leave it with the weights of its best epoch, tell the epochs.

    The weights in use are running averages. An epoch that raises the loss on the examples
    held out halves the learning rate; ``patience`` of them in a row end the training. Without
    examples held out, all epochs are run and the last is the best.
    """
    optimizer: Any = Adam(settings.learn_rate, L2=0.01, use_averages=True)
    state = checkpoint.State(epochs=[], misses=0, rate=settings.learn_rate, step=0, best=None)
    mark = checkpoint.mark(asdict(settings), seed, split.learn)
    if resume is not None:
        state = checkpoint.load(resume, mark, learner.model, optimizer) or state
    with Task("training", total=settings.max_epochs) as task, random_state_kept():
        task.advance(len(state.epochs))
        while len(state.epochs) < settings.max_epochs and state.misses < settings.patience:
            number = len(state.epochs) + 1
            loss = _one_epoch(learner, split.learn, settings, optimizer, state, seed, number)
            _finish_epoch(learner, split, optimizer, state, loss, judge)
            task.advance(1, f"held-out F1 {state.epochs[-1]['held_out_f1']:.3f}")
            if resume is not None:
                checkpoint.save(resume, mark, state, learner.model, optimizer)
    checkpoint.put_weights(learner.model, state.best or checkpoint.weights(learner.model))
    # Networks are saved with their dropout, which a training that was resumed at its end never set.
    set_dropout_rate(learner.model, 0.0)
    return [Epoch(**row) for row in state.epochs]


def _one_epoch(
    learner: Learner,
    examples: list[Example],
    settings: LoopSettings,
    optimizer: Any,
    state: checkpoint.State,
    seed: int,
    number: int,
) -> float:
    generator = np.random.default_rng([seed, number])
    seed_everything(int(generator.integers(2**32)))
    losses: dict[str, float] = {}
    batches = list(_batches(examples, settings.batch_words, generator))
    with Task(f"epoch {number}", total=len(batches)) as task:
        for batch in batches:
            optimizer.learn_rate = state.rate * min(1.0, (state.step + 1) / _WARM_UP)
            learner.update(batch, drop=settings.dropout, sgd=optimizer, losses=losses)
            state.step += 1
            task.advance()
    return float(losses.get(learner.name, 0.0)) / max(len(batches), 1)


def _finish_epoch(
    learner: Learner,
    split: Split,
    optimizer: Any,
    state: checkpoint.State,
    loss: float,
    judge: Judge,
) -> None:
    """Judge the epoch on the examples held out, keep the best weights, note it in the table."""
    with learner.model.use_params(optimizer.averages):
        held_out_loss, f1 = judge() if split.held_out else (0.0, 0.0)
        best = min((row["held_out_loss"] for row in state.epochs), default=np.inf)
        better = not split.held_out or held_out_loss <= best
        if better:
            state.best = checkpoint.weights(learner.model)
    row = Epoch(
        epoch=len(state.epochs) + 1,
        loss=loss,
        held_out_loss=held_out_loss,
        held_out_f1=f1,
        learn_rate=state.rate,
    )
    state.epochs.append(asdict(row))
    state.misses = 0 if better else state.misses + 1
    state.rate = state.rate if better else state.rate / 2
    if row.epoch == 1:
        logger.info("epoch     loss   held-out loss   held-out F1   rate")
    logger.info(
        "%5d   %.4f   %13.4f   %11.3f   %.5f%s",
        row.epoch,
        row.loss,
        row.held_out_loss,
        row.held_out_f1,
        row.learn_rate,
        "   *" if better else "",
    )


def f1_of(examples: Sequence[Example], found: Iterable[Iterable[tuple[int, int, str]]]) -> float:
    """Return the strict F1 of spans against the entities of the references."""
    predicted = {(number, *span) for number, spans in enumerate(found) for span in spans}
    silver = {
        (number, span.start, span.end, span.label_)
        for number, example in enumerate(examples)
        for span in example.reference.ents
    }
    return 2 * len(predicted & silver) / max(len(predicted) + len(silver), 1)


def _batches(
    examples: list[Example], words: int, generator: np.random.Generator
) -> Iterator[list[Example]]:
    """Yield the examples in random order, in batches of about so many words."""
    batch: list[Example] = []
    size = 0
    for place in generator.permutation(len(examples)):
        batch.append(examples[place])
        size += len(examples[place].x)
        if size >= words:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def seed_everything(seed: int) -> None:
    """Set the global generators: Thinc and spaCy draw weights and dropout masks from no other."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


@contextmanager
def random_state_kept() -> Iterator[None]:
    """Give the caller's random state back at the end."""
    ours, numpys = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(ours)
        np.random.set_state(numpys)  # noqa: NPY002
