"""Documents spread evenly over a corpus that is seen shard by shard."""

import numpy as np

from silverspan.observations.votes import Votes


class Spread:
    """Keeps documents spread evenly over the corpus, of about so many tokens in all."""

    def __init__(self, documents: int, tokens: int, most: int) -> None:
        self._share = min(1.0, most / max(tokens, 1))
        self._next = 0
        self._parts: list[Votes] = []
        self.documents = self.tokens = 0

    def of_next(self, votes: Votes) -> list[int]:
        """Keep some of the documents that come next; return their numbers."""
        count = len(votes.lengths)
        number = self._next + np.arange(count)
        chosen = np.flatnonzero(
            np.floor((number + 1) * self._share) > np.floor(number * self._share)
        ).tolist()
        self._next += count
        self.documents += len(chosen)
        self.tokens += int(votes.lengths[chosen].sum())
        if len(chosen) == count:
            self._parts.append(votes)
        else:
            self._parts += [votes.slice(i, i + 1) for i in chosen]
        return chosen

    def votes(self) -> Votes:
        """Return the votes of what was kept."""
        return Votes.concatenate(self._parts)
