"""Marginalised stacked denoising autoencoders over sparse features, in closed form.

Binary features of the tokens of two domains in, dense features that both domains share out. Each
layer is the linear map that best restores features from copies in which each was dropped with
some probability, all such copies being averaged exactly. After Chen et al. (2012).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

from silverspan.training.optional import optional

Floats = NDArray[np.float64]

#: The extra that brings scipy and torch.
EXTRA = "baselines"


def restoring_map(scatter: Floats, outputs: int, dropped: float) -> Floats:
    """Return the map that restores the first ``outputs`` features from corrupted ones.

    ``scatter`` is the sum of outer products of the clean features, the last of which is constant
    and never dropped.

    >>> clean = np.array([[1.0, 0, 1], [1, 1, 1], [0, 0, 1]])
    >>> restoring_map(clean.T @ clean, 2, 0.0).round(3).tolist()  # nothing dropped: the identity
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    kept = np.full(len(scatter), 1.0 - dropped)
    kept[-1] = 1.0
    # Two features survive together with the product of their chances, one with itself with its own.
    corrupted = scatter * np.outer(kept, kept)
    np.fill_diagonal(corrupted, np.diag(scatter) * kept)
    restored = scatter[:outputs] * kept
    # A little weight on the diagonal: rare features make the matrix nearly singular.
    ridge = 1e-5 * np.trace(corrupted) / len(corrupted)
    solved: Floats = np.linalg.solve(corrupted + ridge * np.eye(len(corrupted)), restored.T).T
    return solved


def token_features(doc: Doc) -> Iterator[list[str]]:
    """Yield the features of every token: words around it, and its own form."""
    words = [token.lower_ for token in doc]
    for place, token in enumerate(doc):
        yield [
            *(
                f"{step}={words[place + step]}"
                for step in (-2, -1, 0, 1, 2)
                if 0 <= place + step < len(words)
            ),
            f"shape={token.shape_}",
            f"prefix={words[place][:3]}",
            f"suffix={words[place][-3:]}",
            *(f"before={token.nbor(-1).shape_}" for _ in range(place > 0)),
            *(f"after={token.nbor(1).shape_}" for _ in range(place + 1 < len(words))),
        ]


class DenoisingFeatures:
    """The features of tokens that both domains share, learned without a label."""

    def __init__(
        self, docs: Sequence[Doc], *, size: int, inputs: int, layers: int, dropped: float
    ) -> None:
        """Learn from the documents of both domains; the commonest features are the inputs."""
        counts: dict[str, int] = {}
        for doc in docs:
            for features in token_features(doc):
                for feature in features:
                    counts[feature] = counts.get(feature, 0) + 1
        # Commonest first, so that what is restored are the commonest of all; ties by name.
        chosen = sorted(counts, key=lambda name: (-counts[name], name))[:inputs]
        self._columns = {name: column for column, name in enumerate(chosen)}
        self.size = min(size, len(chosen))
        self._maps: list[Floats] = []
        sparse = self._sparse(docs)
        scatter = np.asarray((sparse.T @ sparse).todense())
        self._maps.append(restoring_map(scatter, self.size, dropped))
        for _ in range(layers - 1):
            scatter = np.zeros((self.size + 1, self.size + 1))
            for part in self._parts(sparse):
                hidden = _with_constant(self._through(part))
                scatter += hidden.T @ hidden
            self._maps.append(restoring_map(scatter, self.size, dropped))

    def of(self, docs: Sequence[Doc]) -> list[NDArray[np.float32]]:
        """Return the shared features of every token of every document."""
        sparse = self._sparse(docs)
        dense = np.concatenate(
            [self._through(part).astype(np.float32) for part in self._parts(sparse)]
            or [np.zeros((0, self.size), np.float32)]
        )
        bounds = np.cumsum([len(doc) for doc in docs])[:-1]
        return list(np.split(dense, bounds))

    def _through(self, part: Any) -> Floats:
        hidden: Floats = np.tanh(np.asarray(part @ self._maps[0].T))
        for layer in self._maps[1:]:
            hidden = np.tanh(_with_constant(hidden) @ layer.T)
        return hidden

    def _parts(self, sparse: Any) -> Iterator[Any]:
        for start in range(0, sparse.shape[0], 4096):
            yield sparse[start : start + 4096]

    def _sparse(self, docs: Sequence[Doc]) -> Any:
        """Return the binary features of all tokens, and a constant one at the end."""
        matrices = optional("scipy.sparse", extra=EXTRA)
        bounds, columns = [0], []
        for doc in docs:
            for features in token_features(doc):
                known = {self._columns[name] for name in features if name in self._columns}
                columns.extend([*sorted(known), len(self._columns)])
                bounds.append(len(columns))
        shape = (len(bounds) - 1, len(self._columns) + 1)
        return matrices.csr_matrix((np.ones(len(columns)), columns, bounds), shape=shape)


def _with_constant(hidden: Floats) -> Floats:
    return np.concatenate([hidden, np.ones((len(hidden), 1))], axis=1)
