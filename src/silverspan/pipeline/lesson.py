"""What the student learns from: all documents, or of a large corpus a sample that memory holds.

A document belongs to the sample if a hash of the seed and its id is low enough. So the sample is
spread evenly, does not depend on shards, and most of it stays when documents are added.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.pipeline.state import Run


@dataclass(frozen=True, slots=True)
class Lesson:
    """The posterior of the chosen documents, and where these are: numbers by shard."""

    run: Run
    posterior: Posterior
    chosen: tuple[NDArray[np.int64], ...]

    def docs(self) -> Iterator[Doc]:
        """Yield the chosen documents."""
        for number, own in enumerate(self.chosen):
            if len(own):
                docs = self.run.shard(number).docs()
                yield from (docs[i] for i in own.tolist())


def lesson(run: Run) -> Lesson:
    """Return about ``training.max_tokens`` tokens, or all if there are no more."""
    tokens = sum(shard.tokens for shard in run.shards)
    share = run.project.settings.training.max_tokens / max(tokens, 1)
    seed = run.project.settings.project.seed
    parts, chosen = [], []
    for number in range(len(run.shards)):
        posterior = run.posterior(number)
        own = np.arange(len(posterior.documents))
        if share < 1:
            place = np.array([_place(seed, name) for name in posterior.documents])
            own = np.flatnonzero(place < share)
            posterior = posterior.select(own)
        parts.append(posterior)
        chosen.append(own)
    return Lesson(run, Posterior.concatenate(parts), tuple(chosen))


def _place(seed: int, name: str) -> float:
    """Return a number from 0 to 1 that hangs on seed and name alone."""
    content = f"{seed} {name}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=6).digest()) / 2**48
