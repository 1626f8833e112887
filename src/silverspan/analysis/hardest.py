"""What is hardest: documents, tokens and entities that a look is worth.

Gathered shard by shard; only the hardest are kept, and a bounded number of texts.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from silverspan.aggregation.posterior import Posterior
from silverspan.analysis.findings import DocumentRow, EntityRow, TokenRow

#: A document is as hard as its expected errors by token; this many average tokens are added.
PRIOR_TOKENS: Final = 50
#: Of one text, no more than this many tokens are among the hardest.
_OF_ONE_TEXT: Final = 2
#: Tokens shown on either side.
_CONTEXT: Final = 6
#: Texts remembered; beyond twice as many, those with the fewest expected errors are forgotten.
TEXTS: Final = 100_000
#: A place that the model takes for nothing is worth a look from this probability of a name on.
_NEARLY: Final = 0.1


def entropy(
    probability: Float64[ndarray, "tokens labels_and_o"],
) -> Float64[ndarray, " tokens"]:
    """Return the entropy of every row in nats.

    >>> entropy(np.array([[1.0, 0.0], [0.5, 0.5]])).round(3).tolist()
    [0.0, 0.693]
    """
    logs = np.log(np.where(probability > 0, probability, 1.0))
    result: Float64[ndarray, " tokens"] = np.maximum(-(probability * logs).sum(axis=1), 0.0)
    return result


@dataclass(slots=True)
class _Text:
    times: int = 0
    errors: float = 0.0
    contradicted: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    worst: tuple[float, str] = (-1.0, "")  # how uncertain, and in which document


class Hardest:
    """Keeps the hardest of what it is shown."""

    def __init__(self, labels: Sequence[str], *, keep: int = 30, texts: int = TEXTS) -> None:
        self._labels = tuple(labels)
        self._keep = keep
        self._texts = texts
        self._documents: list[DocumentRow] = []
        self._tokens: list[TokenRow] = []
        self._entities: dict[str, _Text] = {}
        self._errors = 0.0
        self._total = 0
        self.shown = 0  # documents

    def add(
        self,
        posterior: Posterior,
        contradicting: Int64[ndarray, " corpus_tokens"],
        tokens: Sequence[Sequence[str]],
    ) -> None:
        """Take in the documents of one shard.

        ``contradicting`` tells of every token how many functions contradict the most common label.
        """
        by_label = posterior.by_label().astype(np.float64)
        unsure = 1.0 - by_label.max(axis=1) if len(by_label) else np.zeros(0)
        spread = entropy(by_label)
        bounds = np.searchsorted(posterior.position, posterior.offsets)
        spans = np.searchsorted(posterior.spans.document, np.arange(len(tokens) + 1))
        self.shown += len(posterior.documents)
        for number, name in enumerate(posterior.documents):
            rows = slice(int(bounds[number]), int(bounds[number + 1]))
            first, last = (int(each) for each in posterior.offsets[number : number + 2])
            errors = float(unsure[rows].sum())
            self._errors += errors
            self._total += last - first
            self._documents.append(
                DocumentRow(
                    document=name,
                    tokens=last - first,
                    voted=rows.stop - rows.start,
                    spans=int(spans[number + 1] - spans[number]),
                    entropy=float(spread[rows].sum()),
                    expected_errors=errors,
                    contradicted=int((contradicting[first:last] > 0).sum()),
                    difficulty=0.0,
                )
            )
            self._look_at(
                name,
                tokens[number],
                posterior.position[rows] - first,
                by_label[rows],
                spread[rows],
                contradicting[first:last],
                posterior.spans.of(number),
            )
        if len(self._documents) > 20 * self._keep:
            self._documents = self._hardest_documents(10 * self._keep)

    def _look_at(
        self,
        document: str,
        tokens: Sequence[str],
        place: Int64[ndarray, " voted"],
        by_label: Float64[ndarray, "voted labels_and_o"],
        spread: Float64[ndarray, " voted"],
        contradicting: Int64[ndarray, " tokens"],
        spans: Sequence[tuple[int, int, str, float]],
    ) -> None:
        least = self._tokens[-1].entropy if len(self._tokens) >= 4 * self._keep else -1.0
        for row in np.flatnonzero(spread > max(least, 0.05)).tolist():
            self._tokens.append(
                self._token(
                    document,
                    tokens,
                    int(place[row]),
                    by_label[row],
                    float(spread[row]),
                    int(contradicting[place[row]]),
                )
            )
        if len(self._tokens) > 12 * self._keep:
            self._tokens = self._hardest_tokens(4 * self._keep)
        taken = np.zeros(len(tokens), dtype=bool)
        for start, end, label, probability in spans:
            taken[start:end] = True
            contradicted = bool((contradicting[start:end] > 0).any())
            self._entity(tokens[start:end], label, 1.0 - probability, contradicted, document)
        name = np.zeros(len(tokens))
        name[place] = 1.0 - by_label[:, 0]
        name[taken] = 0.0
        for start, end in _runs(name >= _NEARLY):
            contradicted = bool((contradicting[start:end] > 0).any())
            mean = float(name[start:end].mean())
            self._entity(tokens[start:end], "O", mean, contradicted, document)
        if len(self._entities) > 2 * self._texts:
            best = heapq.nlargest(
                self._texts, self._entities.items(), key=lambda item: (item[1].errors, item[0])
            )
            self._entities = dict(best)

    def _token(
        self,
        document: str,
        tokens: Sequence[str],
        index: int,
        probability: Float64[ndarray, " labels_and_o"],
        spread: float,
        contradicting: int,
    ) -> TokenRow:
        names = ("O", *self._labels)
        best, second = np.argsort(-probability, kind="stable")[:2]
        return TokenRow(
            document=document,
            index=index,
            text=tokens[index],
            before=" ".join(tokens[max(index - _CONTEXT, 0) : index]),
            after=" ".join(tokens[index + 1 : index + 1 + _CONTEXT]),
            entropy=spread,
            contradicting=contradicting,
            best=names[best],
            probability=float(probability[best]),
            second=names[second],
            second_probability=float(probability[second]),
        )

    def _entity(
        self, words: Sequence[str], label: str, error: float, contradicted: bool, document: str
    ) -> None:
        known = self._entities.setdefault(" ".join(words), _Text())
        known.times += 1
        known.errors += error
        known.contradicted += contradicted
        known.labels[label] += 1
        # The first of equals stays.
        if error > known.worst[0]:
            known.worst = (error, document)

    def documents(self) -> tuple[DocumentRow, ...]:
        """Return the hardest documents, the hardest first."""
        return tuple(self._hardest_documents(self._keep))

    def tokens(self) -> tuple[TokenRow, ...]:
        """Return the hardest tokens, the hardest first, few of one text."""
        return tuple(self._hardest_tokens(self._keep))

    def entities(self) -> tuple[EntityRow, ...]:
        """Return the texts with the most expected errors, most first."""
        best = sorted(
            self._entities.items(), key=lambda item: (-round(item[1].errors, 6), item[0])
        )[: self._keep]
        return tuple(
            EntityRow(
                text=text,
                times=known.times,
                expected_errors=known.errors,
                contradicted=known.contradicted / known.times,
                labels=dict(sorted(known.labels.items(), key=lambda item: (-item[1], item[0]))),
                document=known.worst[1],
            )
            for text, known in best
        )

    def _hardest_documents(self, keep: int) -> list[DocumentRow]:
        mean = self._errors / max(self._total, 1)
        rows = [
            DocumentRow(
                document=row.document,
                tokens=row.tokens,
                voted=row.voted,
                spans=row.spans,
                entropy=row.entropy,
                expected_errors=row.expected_errors,
                contradicted=row.contradicted,
                difficulty=(row.expected_errors + PRIOR_TOKENS * mean)
                / (row.tokens + PRIOR_TOKENS),
            )
            for row in self._documents
        ]
        return sorted(rows, key=lambda row: -round(row.difficulty, 9))[:keep]

    def _hardest_tokens(self, keep: int) -> list[TokenRow]:
        chosen: list[TokenRow] = []
        seen: Counter[str] = Counter()
        for row in sorted(
            self._tokens, key=lambda row: (-round(row.entropy, 6), -row.contradicting)
        ):
            if seen[row.text] < _OF_ONE_TEXT:
                seen[row.text] += 1
                chosen.append(row)
        return chosen[:keep]


def _runs(chosen: ndarray) -> list[tuple[int, int]]:
    """Return the runs of true values as half-open ranges."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], chosen.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
