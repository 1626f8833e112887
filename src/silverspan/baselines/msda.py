"""mSDA: denoised features beside word vectors, into a two-layer LSTM with a skip connection.

The features are learned on source and target together (denoising.py), the LSTM on the source.
After Chen et al. (2012), as in the paper's comparison.
"""

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from spacy.tokens import Doc
from spacy.vocab import Vocab

from silverspan.aggregation.posterior import Posterior
from silverspan.baselines.denoising import EXTRA, DenoisingFeatures
from silverspan.baselines.source_trained import named
from silverspan.progress import Task
from silverspan.tagging import tags
from silverspan.training import Options
from silverspan.training.annotations import Scores, posterior_of
from silverspan.training.optional import optional
from silverspan.training.soft_labels import SoftLabels
from silverspan.training.vectors import load_vectors

logger = logging.getLogger(__name__)

Arrays = list[NDArray[np.float32]]


class Msda(Options):
    """Settings of mSDA.

    >>> Msda().size
    800
    """

    size: int = Field(default=800, ge=1)
    #: How many of the commonest sparse features go in, and how they are denoised.
    inputs: int = Field(default=3000, ge=1)
    layers: int = Field(default=3, ge=1)
    dropped: float = Field(default=0.5, ge=0, lt=1)
    #: Word vectors: "glove" or a spaCy pipeline; none for denoised features alone.
    vectors: str | None = "glove"
    vector_rows: int = Field(default=100_000, ge=1)
    #: The LSTM, and how it is trained.
    hidden: int = Field(default=128, ge=1)
    dropout: float = Field(default=0.3, ge=0, lt=1)
    epochs: int = Field(default=5, ge=1)
    learn_rate: float = Field(default=0.002, gt=0)
    batch_words: int = Field(default=1000, ge=1)

    def predict(
        self, source: Sequence[Doc], gold: Posterior, target: Sequence[Doc], *, seed: int
    ) -> Posterior:
        """Return what the LSTM trained on the source finds in the target."""
        torch = optional("torch", extra=EXTRA)
        both = [*source, *target]
        with Task("denoised features"):
            shared = DenoisingFeatures(
                both,
                size=self.size,
                inputs=self.inputs,
                layers=self.layers,
                dropped=self.dropped,
            )
            inputs = [
                np.concatenate(pair, axis=1)
                for pair in zip(shared.of(both), self._vectors(both), strict=True)
            ]
        targets = [
            SoftLabels.of(gold, number).targets(gold.labels, len(doc))
            for number, doc in enumerate(source)
        ]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            width = inputs[0].shape[1] if inputs else shared.size
            network = build_lstm(width, self.hidden, len(tags(gold.labels, "biluo")), self.dropout)
            self._fit(network, inputs[: len(source)], targets, seed)
            scores = self._scores(network, inputs[len(source) :])
        return named(posterior_of(scores, gold.labels, "paths"), target)

    def _vectors(self, docs: Sequence[Doc]) -> Arrays:
        if self.vectors is None:
            return [np.zeros((len(doc), 0), np.float32) for doc in docs]
        vocab = Vocab(strings=[])
        vocab.vectors = load_vectors(self.vectors, self.vector_rows)
        table: Any = vocab.vectors
        found = []
        for doc in docs:
            rows = table.find(keys=doc.to_array(table.attr))
            values = np.array(table.data[rows], dtype=np.float32)
            values[rows < 0] = 0.0
            found.append(values)
        return found

    def _fit(self, network: Any, inputs: Arrays, targets: Arrays, seed: int) -> None:
        torch = optional("torch", extra=EXTRA)
        optimizer = torch.optim.Adam(network.parameters(), lr=self.learn_rate)
        generator = np.random.default_rng(seed)
        network.train()
        for epoch in range(1, self.epochs + 1):
            losses = []
            batches = list(_batches([len(each) for each in inputs], self.batch_words, generator))
            with Task(f"epoch {epoch}", total=len(batches)) as task:
                for batch in batches:
                    scores, wanted = _padded(network, inputs, batch), _flat(targets, batch)
                    loss = -(scores.log_softmax(dim=-1) * wanted).sum(dim=-1).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                    optimizer.step()
                    losses.append(loss.item())
                    task.advance()
            logger.info("epoch %d: loss %.4f", epoch, np.mean(losses))

    def _scores(self, network: Any, inputs: Arrays) -> Scores:
        torch = optional("torch", extra=EXTRA)
        network.eval()
        scores = [np.zeros((0, 0), np.float32)] * len(inputs)
        with torch.inference_mode():
            for batch in _batches([len(each) for each in inputs], 4 * self.batch_words, None):
                flat = _padded(network, inputs, batch).softmax(dim=-1).numpy()
                bounds = np.cumsum([len(inputs[place]) for place in batch])[:-1]
                for place, rows in zip(batch, np.split(flat, bounds), strict=True):
                    scores[place] = rows
        return scores


def build_lstm(inputs: int, hidden: int, states: int, dropout: float) -> Any:
    """Return a network of two LSTMs over both directions; the second sees the inputs too."""
    torch = optional("torch", extra=EXTRA)
    options = {"batch_first": True, "bidirectional": True}
    return torch.nn.ModuleDict(
        {
            "drop": torch.nn.Dropout(dropout),
            "first": torch.nn.LSTM(inputs, hidden, **options),
            "second": torch.nn.LSTM(inputs + 2 * hidden, hidden, **options),
            "output": torch.nn.Linear(4 * hidden, states),
        }
    )


def _padded(network: Any, inputs: Arrays, batch: list[int]) -> Any:
    """Return the scores of the tokens of a batch, one document after the other."""
    torch = optional("torch", extra=EXTRA)
    recurrent = optional("torch.nn.utils.rnn", extra=EXTRA)
    lengths = torch.tensor([len(inputs[place]) for place in batch])
    padded = recurrent.pad_sequence(
        [torch.from_numpy(inputs[place]) for place in batch], batch_first=True
    )
    padded = network["drop"](padded)

    def through(name: str, values: Any) -> Any:
        packed = recurrent.pack_padded_sequence(
            values, lengths, batch_first=True, enforce_sorted=False
        )
        return recurrent.pad_packed_sequence(network[name](packed)[0], batch_first=True)[0]

    first = network["drop"](through("first", padded))
    second = through("second", torch.cat([padded, first], dim=-1))
    scores = network["output"](network["drop"](torch.cat([first, second], dim=-1)))
    return torch.cat([scores[row, :length] for row, length in enumerate(lengths.tolist())])


def _flat(targets: Arrays, batch: list[int]) -> Any:
    torch = optional("torch", extra=EXTRA)
    return torch.from_numpy(np.concatenate([targets[place] for place in batch]))


def _batches(lengths: list[int], words: int, generator: np.random.Generator | None) -> Any:
    """Yield the numbers of documents that hold tokens, about so many words at a time."""
    order = np.arange(len(lengths)) if generator is None else generator.permutation(len(lengths))
    batch: list[int] = []
    for place in order.tolist():
        if lengths[place]:
            batch.append(place)
        if sum(lengths[each] for each in batch) >= words:
            yield batch
            batch = []
    if batch:
        yield batch
