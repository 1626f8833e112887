"""Votes added up: how much was said for every tag at every voted token.

What voting decides on, and what every other label model starts from or falls back to.
"""

import numpy as np
from jaxtyping import Float, Float64, Int64
from numpy import ndarray

from silverspan.observations.tokens import TokenVotes
from silverspan.tagging import prefixes


def tag_tally(
    tokens: TokenVotes, scheme: str, weight: Float[ndarray, " functions"] | None = None
) -> Float64[ndarray, "voted states"]:
    """Return the weighted sum of probabilities for every tag; the column of "O" is zero.

    A coarse vote goes to the labels it stands for in proportion to what the others say of them
    there, and is lost where they say nothing: it supports a label, it does not choose one.

    >>> from silverspan.labels import LabelSpace
    >>> from silverspan.observations.votes import Votes
    >>> votes = Votes.build(
    ...     [{"a": [(0, 2, "LOC", 1.0)], "b": [(0, 1, "LOC", 0.5)], "c": [(0, 1, "ENT", 1.0)]}],
    ...     lengths=[2], space=LabelSpace(outputs=("LOC", "PER")),
    ...     functions={"a": ["LOC"], "b": ["LOC"], "c": ["ENT"]},
    ... )
    >>> tag_tally(TokenVotes.of(votes), "io").tolist()
    [[0.0, 2.5, 0.0], [0.0, 1.0, 0.0]]
    """
    space = tokens.votes.space
    labels, size = len(space.outputs), len(prefixes(scheme))
    said = tokens.probability.astype(np.float64)
    if weight is not None:
        said = said * weight[tokens.function]
    state = tokens.states(scheme).astype(np.int64)
    states, rows = 1 + labels * size, len(tokens.position)
    named = np.flatnonzero(~tokens.is_coarse)
    tally = _add(tokens.token[named], state[named], said[named], rows, states)
    if len(named) < len(state):
        of_label = tally[:, 1:].reshape(rows, labels, size).sum(axis=2)
        for coarse in range(labels, len(space.names)):
            entry = np.flatnonzero(tokens.label == coarse)
            members = np.array(space.stands_for(coarse), dtype=np.int64)
            share = of_label[tokens.token[entry]][:, members]
            if len(members) > 1:
                total = share.sum(axis=1, keepdims=True)
                share = np.divide(share, total, out=np.zeros_like(share), where=total > 0)
            else:
                share = np.ones_like(share)
            prefix = tokens.places(scheme)[entry]
            target = 1 + members[None, :] * size + prefix[:, None]
            token = np.repeat(tokens.token[entry], len(members))
            amount = (share * said[entry, None]).ravel()
            tally += _add(token, target.ravel(), amount, rows, states)
    # Sums in another order differ in their last digits, which must not decide a tie.
    return np.round(tally, 9)


def with_boundaries(
    by_label: Float64[ndarray, "voted labels_and_o"],
    tally: Float64[ndarray, "voted states"],
    scheme: str,
) -> Float64[ndarray, "voted states"]:
    """Return the tags' probabilities: each label's, parted as the votes for it part its tags.

    Where nobody voted for the label itself, the votes for others tell the boundaries.

    >>> with_boundaries(np.array([[0.5, 0.5]]), np.array([[0.0, 3.0, 1.0]]), "bio").tolist()
    [[0.5, 0.375, 0.125]]
    """
    size = len(prefixes(scheme))
    rows, labels = by_label.shape[0], by_label.shape[1] - 1
    own = tally[:, 1:].reshape(rows, labels, size)
    anyone = own.sum(axis=1, keepdims=True)
    anyone = np.where(anyone.sum(axis=2, keepdims=True) > 0, anyone, np.eye(size)[0])
    own = np.where(own.sum(axis=2, keepdims=True) > 0, own, anyone)
    parts = own / own.sum(axis=2, keepdims=True) * by_label[:, 1:, None]
    return np.concatenate([by_label[:, :1], parts.reshape(rows, labels * size)], axis=1)


def label_totals(tokens: TokenVotes) -> Float64[ndarray, " labels"]:
    """Return how much was said for every label, coarse ones included: what breaks ties.

    A model keeps those of the votes it was fitted on, so that a tie is broken in the same way
    wherever the model is applied, and in whatever parts.
    """
    labels = tokens.label.astype(np.int64)
    amount = tokens.probability.astype(np.float64)
    return np.round(totals(labels, amount, len(tokens.votes.space.names)), 6)


def voters(tokens: TokenVotes) -> Int64[ndarray, " voted"]:
    """Return how many functions said anything but "O" at each voted token."""
    # Entries are sorted by token and function, so a pair is new where it differs from the last.
    pair = tokens.token * len(tokens.votes.functions) + tokens.function
    is_new = np.append(True, pair[1:] != pair[:-1])[: len(pair)]
    return np.bincount(tokens.token[is_new], minlength=len(tokens.position))


def totals(
    index: Int64[ndarray, " entries"], amount: Float64[ndarray, " entries"], size: int
) -> Float64[ndarray, " size"]:
    """Return the sum of amounts by index, of which there are ``size``."""
    # numpy counts in integers where there is nothing to weigh.
    return np.bincount(index, weights=amount, minlength=size).astype(np.float64)


def _add(
    token: Int64[ndarray, " entries"],
    state: Int64[ndarray, " entries"],
    amount: Float64[ndarray, " entries"],
    rows: int,
    states: int,
) -> Float64[ndarray, "voted states"]:
    return totals(token * states + state, amount, rows * states).reshape(rows, states)
