"""The transformer student: a Hugging Face encoder tuned on soft labels; extra ``transformers``."""

import logging
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from silverspan import __version__
from silverspan.aggregation.posterior import Posterior
from silverspan.progress import Task
from silverspan.training.annotations import Decoding, posterior_of
from silverspan.training.encoder import EXTRA, Encoder, Window
from silverspan.training.examples import split_examples, tokenizing_pipeline
from silverspan.training.loop import f1_of
from silverspan.training.optional import optional
from silverspan.training.soft_labels import soft_labels
from silverspan.training.trainer import Checkpoint, Options

logger = logging.getLogger(__name__)


class Transformer(Options):
    """Settings of the transformer student.

    >>> Transformer(encoder="bert-base-cased").epochs
    4
    """

    #: A name on the Hugging Face hub, a folder, or "minilm" (extra ``minilm``).
    encoder: str = "minilm"
    epochs: int = Field(default=4, ge=1)
    learn_rate: float = Field(default=1e-4, gt=0)
    #: Windows of text in a step, and how many batches are added up before one.
    batch_size: int = Field(default=16, ge=1)
    accumulate: int = Field(default=1, ge=1)
    held_out: float = Field(default=0.1, ge=0, lt=1)
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
        """Return the trained pipeline; a checkpoint is not kept, epochs are few.

        Raises:
            MissingDependencyError: torch, transformers or the encoder is not installed.
        """
        torch = optional("torch", extra=EXTRA)
        pipeline, split = split_examples(
            posterior, corpus, nlp=nlp, held_out=self.held_out, seed=seed
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            encoder = Encoder.pretrained(self.encoder, posterior.labels)
            self.tune(encoder, posterior.labels, split.learn, split.held_out, seed)
        student = tokenizing_pipeline(nlp, str(pipeline.lang))
        component: Any = student.add_pipe("transformer_tagger", config={"decoding": self.decoding})
        component.encoder = encoder
        for label in posterior.labels:
            student.vocab.strings.add(label)
        student.meta["name"] = "silver_transformer"
        student.meta["requirements"] = [f"silverspan[{EXTRA}]>={__version__}"]
        return student

    def tune(
        self,
        encoder: Encoder,
        labels: tuple[str, ...],
        learn: list[Example],
        held_out: list[Example],
        seed: int,
    ) -> None:
        """Tune the encoder, leave it with the weights of the epoch that is best on silver."""
        torch = optional("torch", extra=EXTRA)
        windows = list(encoder.windows([example.x for example in learn]))
        targets = [_targets(example, labels) for example in learn]
        steps = -(-len(windows) // (self.batch_size * self.accumulate)) * self.epochs
        optimizer = torch.optim.AdamW(encoder.network.parameters(), lr=self.learn_rate)
        warm_up = max(steps // 10, 1)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer,
            lambda step: min((step + 1) / warm_up, max(steps - step, 0) / max(steps - warm_up, 1)),
        )
        generator = np.random.default_rng(seed)
        best, kept = np.inf, None
        logger.info("epoch     loss   held-out loss   held-out F1")
        for epoch in range(1, self.epochs + 1):
            encoder.network.train()
            order = generator.permutation(len(windows))
            losses = []
            with Task(f"epoch {epoch}", total=len(order)) as task:
                for number, first in enumerate(range(0, len(order), self.batch_size), start=1):
                    batch = [windows[place] for place in order[first : first + self.batch_size]]
                    loss = _loss(encoder, batch, targets) / self.accumulate
                    loss.backward()
                    losses.append(loss.item() * self.accumulate)
                    if number % self.accumulate == 0 or first + self.batch_size >= len(order):
                        torch.nn.utils.clip_grad_norm_(encoder.network.parameters(), 1.0)
                        optimizer.step()
                        schedule.step()
                        optimizer.zero_grad()
                    task.advance(len(batch))
            held_out_loss, f1 = _judge(encoder, labels, held_out, self.decoding)
            better = not held_out or held_out_loss <= best
            logger.info(
                "%5d   %.4f   %13.4f   %11.3f%s",
                epoch,
                np.mean(losses),
                held_out_loss,
                f1,
                "   *" if better else "",
            )
            if better:
                best = held_out_loss
                state = encoder.network.state_dict()
                kept = {name: value.detach().clone() for name, value in state.items()}
        if kept is not None:
            encoder.network.load_state_dict(kept)
        encoder.network.eval()


def _targets(example: Example, labels: tuple[str, ...]) -> NDArray[np.float32]:
    soft = soft_labels(example.reference)
    if soft is None:
        raise ValueError("the examples of a posterior carry soft labels")
    return soft.targets(labels, len(example.reference))


def _loss(encoder: Encoder, windows: list[Window], targets: list[NDArray[np.float32]]) -> Any:
    """Return the mean cross-entropy of the tokens that these windows judge."""
    torch = optional("torch", extra=EXTRA)
    scores = encoder.logits(windows).log_softmax(dim=-1)
    row = np.repeat(np.arange(len(windows)), [int(w.judged.sum()) for w in windows])
    column = np.concatenate([w.first[w.judged] for w in windows])
    target = np.concatenate([targets[w.document][w.token[w.judged]] for w in windows])
    chosen = scores[torch.from_numpy(row), torch.from_numpy(column)]
    return -(chosen * torch.from_numpy(target).to(scores.device)).sum(dim=-1).mean()


def _judge(
    encoder: Encoder, labels: tuple[str, ...], examples: list[Example], decoding: Decoding
) -> tuple[float, float]:
    """Return the loss and the F1 against silver; 0 without examples."""
    if not examples:
        return 0.0, 0.0
    scores = encoder.distributions([example.x for example in examples])
    target = np.concatenate([_targets(example, labels) for example in examples])
    surprise = -(target * np.log(np.maximum(np.concatenate(scores), 1e-12))).sum(axis=1)
    spans = posterior_of(scores, labels, decoding).spans
    found = [[span[:3] for span in spans.of(number)] for number in range(len(examples))]
    return float(surprise.mean()), f1_of(examples, found)
