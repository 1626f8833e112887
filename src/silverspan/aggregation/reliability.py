"""How far functions can be trusted, measured by how far they agree: no gold needed.

Used as weights in voting, and to find the function that other models take their start from.
"""

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from silverspan.aggregation.tallies import totals
from silverspan.errors import UnknownNameError
from silverspan.observations.tokens import TokenVotes


def agreement_weights(
    tokens: TokenVotes, *, rounds: int = 3, prior: float = 5.0
) -> Float64[ndarray, " functions"]:
    """Return how far the weighted others agree with each function where both speak, 0 to 1.

    A function with few companions is pulled toward the average by ``prior`` tokens.
    """
    functions, labels = len(tokens.votes.functions), len(tokens.votes.space.outputs)
    rows = len(tokens.position)
    named = np.flatnonzero(~tokens.is_coarse)
    token, function = tokens.token[named], tokens.function[named].astype(np.int64)
    said = tokens.probability[named].astype(np.float64)
    cell = token * labels + tokens.label[named]
    pair = token * functions + function
    weight = np.ones(functions)
    for _ in range(rounds):
        own = said * weight[function]
        agreeing = totals(cell, own, rows * labels)[cell] - own
        others = totals(token, own, rows)[token] - totals(pair, own, rows * functions)[pair]
        has_company = others > 1e-9
        share = np.divide(agreeing, others, out=np.zeros_like(others), where=has_company)
        right = totals(function, said * share, functions)
        judged = totals(function, said * has_company, functions)
        mean = right.sum() / judged.sum() if judged.sum() else 1.0
        weight = (right + prior * mean) / (judged + prior)
    # A function that nobody ever agrees with keeps a voice where it is alone.
    return np.maximum(np.round(weight, 9), 1e-3)


def most_reliable(tokens: TokenVotes, name: str | None = None) -> int:
    """Return the number of the function to start from: the one named, or found.

    Found is the function whose votes, weighed by how far others agree with them, cover the most
    labels and tokens: a precise function that knows one label of four makes a poor start.

    >>> from silverspan.labels import LabelSpace
    >>> from silverspan.observations.votes import Votes
    >>> votes = Votes.build(
    ...     [{"geo": [(0, 1, "LOC", 1.0)], "all": [(0, 1, "LOC", 1.0), (2, 3, "PER", 1.0)]}],
    ...     lengths=[3], space=LabelSpace(outputs=("LOC", "PER")),
    ...     functions={"geo": ["LOC"], "all": ["LOC", "PER"]},
    ... )
    >>> most_reliable(TokenVotes.of(votes))
    1

    Raises:
        UnknownNameError: no function is called ``name``.
    """
    functions = tokens.votes.functions
    if name is not None:
        if name not in functions:
            raise UnknownNameError("function of these votes", name, functions)
        return functions.index(name)
    labels = len(tokens.votes.space.outputs)
    named = np.flatnonzero(~tokens.is_coarse)
    cell = tokens.function[named].astype(np.int64) * labels + tokens.label[named]
    said = totals(cell, tokens.probability[named].astype(np.float64), len(functions) * labels)
    # Square roots: a second label is worth more than twice the tokens of the first.
    reach = np.sqrt(said.reshape(len(functions), labels)).sum(axis=1)
    return int(np.argmax(np.round(agreement_weights(tokens) * reach, 9)))
