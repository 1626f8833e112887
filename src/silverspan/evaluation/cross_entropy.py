"""Cross-entropy: how surprised the probabilities are by gold, in nats a token.

Two of them. ``TokenEvidence.cross_entropy`` is the natural one: -ln P(gold label), "O" included,
of the distribution at every token. ``span_cross_entropy`` is computed as the code that accompanies
Lison et al. (2020) does it, from the spans and one probability each, to compare with the paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float64
from numpy import ndarray

from silverspan.evaluation.matching import Span

WeightedSpan = tuple[int, int, str, float]

#: No probability counts as less: predictions files hold six decimals.
FLOOR = 1e-6
#: The same for the paper's variant.
SPAN_FLOOR = 1e-15


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TokenEvidence:
    """What the distributions say of every token, document after document."""

    #: The probability of the gold label.
    gold: Float64[ndarray, " tokens"]
    #: The probability of the most probable label, and whether that is the gold one.
    top: Float64[ndarray, " tokens"]
    is_right: Bool[ndarray, " tokens"]

    @property
    def cross_entropy(self) -> float:
        """The mean of -ln P(gold label) over all tokens; 0 if there are none."""
        return float(-np.log(np.clip(self.gold, FLOOR, 1.0)).mean()) if len(self.gold) else 0.0


def token_evidence(
    gold: Sequence[Sequence[Span]],
    predicted: Sequence[Sequence[WeightedSpan]],
    *,
    lengths: Sequence[int],
    probabilities: Sequence[Float[ndarray, "_tokens labels_and_o"] | None] | None,
    columns: Sequence[str],
    labels: Sequence[str],
    overlooked: Sequence[Sequence[tuple[int, str]]] | None = None,
) -> TokenEvidence:
    """Return what the distributions say of the gold label of every token.

    ``columns`` names the columns of ``probabilities`` after "O"; two of one name are added up, and
    one that is not in ``labels`` counts as "O". A document without probabilities has those of its
    spans, and "O" for the rest. ``overlooked`` has tokens of each document that normalisation took
    out of a predicted span, with its label, whose probability goes to "O".
    """
    column = {name: i for i, name in enumerate(("O", *labels))}
    # Column by column, so that names that became one are added up.
    merge = np.zeros((1 + len(columns), len(column)))
    for source, name in enumerate(("O", *columns)):
        merge[source, column.get(name, 0)] = 1.0
    total = sum(lengths)
    truth = np.zeros(total)
    top = np.zeros(total)
    is_right = np.zeros(total, dtype=bool)
    first = 0
    for number, (right, found, length) in enumerate(zip(gold, predicted, lengths, strict=True)):
        given = None if probabilities is None else probabilities[number]
        if given is None:
            mass = np.zeros((length, len(column)), dtype=np.float64)
            mass[:, 0] = 1.0
            for start, end, label, probability in found:
                mass[start:end, 0] = 1.0 - probability
                mass[start:end, column[label]] = probability
        else:
            mass = given.astype(np.float64) @ merge
            for token, label in overlooked[number] if overlooked else ():
                mass[token, 0] += mass[token, column[label]]
                mass[token, column[label]] = 0.0
        target = np.zeros(length, dtype=np.int64)
        for start, end, label in right:
            target[start:end] = column[label]
        here = slice(first, first + length)
        best = mass.argmax(axis=1) if length else target
        truth[here] = mass[np.arange(length), target]
        top[here] = mass[np.arange(length), best]
        is_right[here] = best == target
        first += length
    return TokenEvidence(gold=truth, top=top, is_right=is_right)


def span_cross_entropy(
    gold: Sequence[Sequence[Span]],
    predicted: Sequence[Sequence[WeightedSpan]],
    lengths: Sequence[int],
) -> float:
    """Return the paper's cross-entropy error.

    It counts BILUO tags, so boundaries matter. In a document only the labels that its gold has are
    looked at, a span of another label being "O"; one whose gold is empty adds tokens and no loss.
    """
    total, count = 0.0, 0
    for right, found, length in zip(gold, predicted, lengths, strict=True):
        count += length
        if not right:
            continue
        column = {name: 1 + 4 * i for i, name in enumerate(sorted({span[2] for span in right}))}
        truth = _tags([(*span, 1.0) for span in right], column, length)
        mass = _tags(found, column, length)
        mass = np.clip(mass, SPAN_FLOOR, 1.0 - SPAN_FLOOR)
        mass /= mass.sum(axis=1, keepdims=True)
        total -= float((truth * np.log(mass)).sum())
    return total / count if count else 0.0


def _tags(
    spans: Sequence[WeightedSpan], column: dict[str, int], length: int
) -> Float64[ndarray, "tokens tags"]:
    mass = np.zeros((length, 1 + 4 * len(column)), dtype=np.float64)
    for start, end, label, probability in spans:
        if label in column:
            begin, inside, last, alone = range(column[label], column[label] + 4)
            if end == start + 1:
                mass[start, alone] = probability
            else:
                mass[start, begin] = probability
                mass[start + 1 : end - 1, inside] = probability
                mass[end - 1, last] = probability
    mass[:, 0] = 1.0 - mass.sum(axis=1)
    return mass
