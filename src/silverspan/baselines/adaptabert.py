"""AdaptaBERT: an encoder tuned to the text of both domains, then to the task on the source.

After Han and Eisenstein (2019): masked words of source and target first, labels of the source
then. With several seeds the predictions of that many taggers are averaged.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pydantic import Field
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.baselines.denoising import EXTRA
from silverspan.baselines.source_trained import named
from silverspan.progress import Task
from silverspan.training import Options
from silverspan.training.annotations import Scores, posterior_of
from silverspan.training.encoder import Encoder, Window, place_of
from silverspan.training.examples import split_examples
from silverspan.training.optional import optional
from silverspan.training.transformer import Transformer

logger = logging.getLogger(__name__)

#: The share of sub-words that are guessed; of these, the share masked, and put at random.
_GUESSED, _MASKED, _RANDOM = 0.15, 0.8, 0.1


class AdaptaBert(Options):
    """Settings of AdaptaBERT.

    >>> AdaptaBert(seeds=5).domain_epochs
    3
    """

    encoder: str = "minilm"
    domain_epochs: int = Field(default=3, ge=0)
    #: At most so many words of both domains are read in an epoch, other documents each time.
    domain_words: int | None = Field(default=None, ge=1)
    task_epochs: int = Field(default=3, ge=1)
    domain_rate: float = Field(default=5e-5, gt=0)
    task_rate: float = Field(default=1e-4, gt=0)
    batch_size: int = Field(default=16, ge=1)
    #: How many taggers are averaged.
    seeds: int = Field(default=1, ge=1)

    def predict(
        self, source: Sequence[Doc], gold: Posterior, target: Sequence[Doc], *, seed: int
    ) -> Posterior:
        """Return what the tuned encoder finds in the target, averaged over the seeds."""
        total: Scores = []
        for number in range(self.seeds):
            scores = self._one(source, gold, target, seed + number)
            total = [a + b for a, b in zip(total, scores, strict=True)] if total else scores
        mean = [(score / self.seeds).astype(np.float32) for score in total]
        return named(posterior_of(mean, gold.labels, "paths"), target)

    def _one(
        self, source: Sequence[Doc], gold: Posterior, target: Sequence[Doc], seed: int
    ) -> Scores:
        torch = optional("torch", extra=EXTRA)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            encoder = Encoder.pretrained(self.encoder, gold.labels)
            if self.domain_epochs:
                self.tune_to_domain(encoder, [*source, *target], seed)
            task = Transformer(
                encoder=self.encoder,
                epochs=self.task_epochs,
                learn_rate=self.task_rate,
                batch_size=self.batch_size,
                held_out=0.0,
            )
            _, split = split_examples(gold, source, nlp=None, held_out=0.0, seed=seed)
            task.tune(encoder, gold.labels, split.learn, [], seed)
            return encoder.distributions(target)

    def tune_to_domain(self, encoder: Encoder, docs: Sequence[Doc], seed: int) -> list[float]:
        """Tune the encoder to guess masked sub-words; return the mean loss of each epoch."""
        torch = optional("torch", extra=EXTRA)
        transformers = optional("transformers", extra=EXTRA)
        kind = transformers.AutoModelForMaskedLM
        model = kind.from_pretrained(place_of(self.encoder), use_safetensors=True)
        model = model.to(encoder.device)
        windows = list(encoder.windows(docs))
        optimizer = torch.optim.AdamW(model.parameters(), lr=self.domain_rate)
        generator = np.random.default_rng(seed)
        means = []
        guessed: list[Any] = []

        def keep_guessed(_network: Any, _inputs: Any, outputs: Any) -> Any:
            """Hand on only the places to guess: scores over all words are most of the work."""
            outputs.last_hidden_state = outputs.last_hidden_state[guessed[-1]].unsqueeze(0)
            return outputs

        model.base_model.register_forward_hook(keep_guessed)
        model.train()
        for epoch in range(1, self.domain_epochs + 1):
            losses = []
            batches = list(_batches(self._drawn(windows, generator), self.batch_size, generator))
            with Task(f"domain epoch {epoch}", total=len(batches)) as task:
                for batch in batches:
                    inputs, wanted = masked(batch, encoder.tokenizer, generator)
                    attended = inputs != (encoder.tokenizer.pad_token_id or 0)
                    labels = torch.from_numpy(wanted).to(encoder.device)
                    guessed[:] = [labels >= 0]
                    scores = model(
                        input_ids=torch.from_numpy(inputs).to(encoder.device),
                        attention_mask=torch.from_numpy(attended).to(encoder.device),
                    ).logits[0]
                    loss = torch.nn.functional.cross_entropy(scores, labels[guessed[0]])
                    optimizer.zero_grad()
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    optimizer.step()
                    losses.append(loss.item())
                    task.advance()
            means.append(float(np.mean(losses)))
            logger.info("domain epoch %d: loss %.4f", epoch, means[-1])
        # Not strict: one of the two may have a pooling layer that the other has not.
        encoder.network.base_model.load_state_dict(model.base_model.state_dict(), strict=False)
        return means

    def _drawn(self, windows: list[Window], generator: np.random.Generator) -> list[Window]:
        """Return the windows of an epoch: all, or as many as hold the words asked for."""
        if self.domain_words is None:
            return windows
        order = generator.permutation(len(windows))
        words = np.cumsum([int(windows[place].judged.sum()) for place in order])
        return [windows[place] for place in order[: 1 + np.searchsorted(words, self.domain_words)]]


def masked(windows: list[Window], tokenizer: Any, generator: np.random.Generator) -> Any:
    """Return sub-words of a batch with some hidden, and those to guess (elsewhere -100).

    At least one sub-word of a batch is guessed, so that it has a loss.
    """
    longest = max(len(window.subwords) for window in windows)
    filler = tokenizer.pad_token_id or 0
    ids = np.full((len(windows), longest), filler, dtype=np.int64)
    own = np.zeros(ids.shape, dtype=bool)
    for row, window in enumerate(windows):
        ids[row, : len(window.subwords)] = window.subwords
        own[row, 1 : len(window.subwords) - 1] = True
    guessed = own & (generator.random(ids.shape) < _GUESSED)
    if not guessed.any():
        guessed[tuple(np.argwhere(own)[0])] = True
    wanted = np.where(guessed, ids, -100)
    fate = generator.random(ids.shape)
    ids[guessed & (fate < _MASKED)] = tokenizer.mask_token_id
    at_random = guessed & (fate >= _MASKED) & (fate < _MASKED + _RANDOM)
    ids[at_random] = generator.integers(len(tokenizer), size=int(at_random.sum()))
    return ids, wanted


def _batches(
    windows: list[Window], size: int, generator: np.random.Generator
) -> Iterator[list[Window]]:
    """Yield batches in random order, each of windows of like length: less padding."""
    order = generator.permutation(len(windows)).tolist()
    order.sort(key=lambda place: len(windows[place].subwords))
    batches = [order[first : first + size] for first in range(0, len(order), size)]
    for number in generator.permutation(len(batches)):
        yield [windows[place] for place in batches[number]]
