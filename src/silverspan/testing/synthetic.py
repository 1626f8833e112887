"""Votes sampled from a known model: for tests that a model is recovered, and for measuring speed.

The true states follow a Markov chain over "O" and the labels (the IO scheme); each function says
a label or nothing at each token, independently given the state. Neighbouring tokens of one label
are one span.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray
from numpy.random import Generator

from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class KnownModel:
    """A chain of states and what each function says in each: kind 0 and answer 0 are "O"."""

    labels: tuple[str, ...]
    move: Float64[ndarray, "kinds kinds"]  # a document begins as if after "O"
    said: Float64[ndarray, "functions kinds answers"]

    @classmethod
    def random(
        cls,
        generator: Generator,
        *,
        labels: Sequence[str] = ("LOC", "PER"),
        functions: int = 5,
        names: float = 0.1,
        recall: tuple[float, float] = (0.3, 0.9),
        error: float = 0.1,
        false_alarm: float = 0.01,
    ) -> "KnownModel":
        """Return a model in which about ``names`` of the tokens begin a span.

        Functions find a token of each label with a probability within ``recall``; of what they say,
        ``error`` is another label; at "O" they speak with probability ``false_alarm``.
        """
        kinds = 1 + len(labels)
        move = np.zeros((kinds, kinds))
        move[0, 1:] = names / len(labels)
        move[0, 0] = 1 - names
        for kind in range(1, kinds):
            move[kind, kind], move[kind, 0] = 0.4, 0.6
        said = np.zeros((functions, kinds, kinds))
        said[:, 0, 1:] = false_alarm / len(labels)
        for kind in range(1, kinds):
            found = generator.uniform(*recall, size=functions)
            others = [k for k in range(1, kinds) if k != kind]
            said[:, kind, kind] = found * ((1 - error) if others else 1.0)
            for other in others:
                said[:, kind, other] = found * error / len(others)
        said[:, :, 0] = 1 - said[:, :, 1:].sum(axis=2)
        return cls(labels=tuple(labels), move=move, said=said)

    def sample(
        self, generator: Generator, *, documents: int, length: int
    ) -> tuple[Votes, Int64[ndarray, "documents length"]]:
        """Return votes, and the true kind of every token.

        >>> model = KnownModel.random(np.random.default_rng(0), functions=3)
        >>> votes, kinds = model.sample(np.random.default_rng(1), documents=4, length=10)
        >>> len(votes.documents), kinds.shape
        (4, (4, 10))
        """
        kinds = np.zeros((documents, length), dtype=np.int64)
        now = np.zeros(documents, dtype=np.int64)
        cumulated = np.cumsum(self.move, axis=1)
        for t in range(length):
            chance = generator.random(documents)[:, None]
            now = np.minimum((chance > cumulated[now]).sum(axis=1), len(self.move) - 1)
            kinds[:, t] = now
        return self._vote(generator, kinds), kinds

    def _vote(self, generator: Generator, kinds: Int64[ndarray, "documents length"]) -> Votes:
        documents, length = kinds.shape
        functions, answers = self.said.shape[0], self.said.shape[2]
        rows = []
        for function in range(functions):
            cumulated = np.cumsum(self.said[function], axis=1)
            answer = np.zeros(kinds.shape, dtype=np.int8)
            chance = generator.random(kinds.shape, dtype=np.float32)
            for below in range(answers - 1):
                answer += chance > cumulated[:, below][kinds]
            before = np.pad(answer, ((0, 0), (1, 0)))[:, :-1]
            after = np.pad(answer, ((0, 0), (0, 1)))[:, 1:]
            document, start = np.nonzero((answer > 0) & (answer != before))
            _, last = np.nonzero((answer > 0) & (answer != after))
            own = np.full(len(start), function)
            rows.append([document, start, last + 1, own, answer[document, start].astype(int) - 1])
        table = np.concatenate([np.array(part) for part in rows], axis=1)
        order = np.lexsort(table[::-1])
        columns = table[:, order]
        space = LabelSpace(outputs=self.labels)
        covers = np.zeros((functions, len(space.names)), dtype=bool)
        covers[:, : len(self.labels)] = True
        return Votes(
            space=space,
            functions=tuple(f"function_{i}" for i in range(functions)),
            covers=covers,
            documents=tuple(map(str, range(documents))),
            lengths=np.full(documents, length, dtype=np.int32),
            asked=np.ones((documents, functions), dtype=bool),
            document=columns[0].astype(np.int32),
            function=columns[3].astype(np.int16),
            start=columns[1].astype(np.int32),
            end=columns[2].astype(np.int32),
            label=columns[4].astype(np.int16),
            probability=np.ones(columns.shape[1], dtype=np.float32),
        )
