"""Posterior: the probability of every tag at every token, and its decoding to spans.

Made by aggregators; read by training (soft labels), evaluation and the writers of predictions.
Only tokens that some function voted for are stored: everywhere else the state is "O" for certain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Float32, Int, Int16, Int32, Int64
from numpy import ndarray

from silverspan.aggregation.decoding import best_paths, by_label, decode_tokens, run_breaks
from silverspan.errors import AggregationError
from silverspan.tagging import decode, legal_moves

#: How spans are decided; ``Posterior.build`` explains each.
Decoding = Literal["tokens", "paths", "tags"]


def _keep_read_only(instance: Any) -> None:
    """Replace arrays by read-only views: nobody's own array is frozen."""
    for item in fields(instance):
        value = getattr(instance, item.name)
        if isinstance(value, ndarray):
            view = value.view()
            view.flags.writeable = False
            object.__setattr__(instance, item.name, view)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Spans:
    """Decoded spans, sorted by document and start: half-open, in tokens, never overlapping."""

    labels: tuple[str, ...]
    document: Int32[ndarray, " spans"]
    start: Int32[ndarray, " spans"]
    end: Int32[ndarray, " spans"]
    label: Int16[ndarray, " spans"]
    probability: Float32[ndarray, " spans"]

    def __post_init__(self) -> None:
        _keep_read_only(self)

    def __len__(self) -> int:
        return len(self.document)

    def of(self, document: int) -> list[tuple[int, int, str, float]]:
        """Return the spans of one document, by its number."""
        low, high = np.searchsorted(self.document, [document, document + 1])
        return [
            (int(self.start[i]), int(self.end[i]), self.labels[self.label[i]], float(p))
            for i, p in zip(range(low, high), self.probability[low:high], strict=True)
        ]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Posterior:
    """P(tag | votes) for every voted token.

    Tags are the states of ``tagging.tags(labels, scheme)``.
    ``position`` counts the tokens of the whole corpus, document after document, in rising order; a
    token that is not there is "O" with probability one. State 0 is "O".
    """

    labels: tuple[str, ...]
    scheme: str
    documents: tuple[str, ...]
    lengths: Int32[ndarray, " documents"]
    position: Int64[ndarray, " voted"]
    probability: Float32[ndarray, "voted states"]
    spans: Spans
    #: The tokens before each document, and all of them at the end.
    offsets: Int64[ndarray, " bounds"] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", _offsets(self.lengths))
        _keep_read_only(self)

    @classmethod
    def build(
        cls,
        *,
        labels: tuple[str, ...],
        scheme: str,
        documents: tuple[str, ...],
        lengths: Int[ndarray, " documents"],
        position: Int[ndarray, " voted"],
        probability: Float[ndarray, "voted states"],
        decoding: Decoding = "tokens",
    ) -> "Posterior":
        """Return the posterior with its spans decoded.

        ``decoding`` "tokens" takes the most probable type of each token and then the more probable
        boundaries; "paths" the legal path with the highest product of probabilities; "tags" each
        token's most probable tag, read leniently where they do not fit together.

        >>> posterior = Posterior.build(
        ...     labels=("LOC",), scheme="io", documents=("a",), lengths=np.array([4]),
        ...     position=np.array([1, 2]), probability=np.array([[0.2, 0.8], [0.4, 0.6]]),
        ... )
        >>> [(start, end, label) for start, end, label, _ in posterior.spans.of(0)]
        [(1, 3, 'LOC')]
        >>> posterior.probabilities(0)[0].tolist()
        [1.0, 0.0]

        Raises:
            AggregationError: a probability is not finite.
        """
        if not np.isfinite(probability).all():
            raise AggregationError(
                "a tag probability is not finite; the label model that made it has diverged"
            )
        offsets = _offsets(lengths)
        position = position.astype(np.int64)
        breaks = run_breaks(position, offsets)
        if decoding == "paths":
            # Zero becomes a tiny number so that every run has a path.
            score = np.log(np.maximum(probability, 1e-30), dtype=np.float64)
            states, _ = best_paths(score, breaks, legal_moves(len(labels), scheme))
        elif decoding == "tags":
            states = probability.argmax(axis=1).astype(np.int16)
        else:
            states = decode_tokens(probability, breaks, scheme)
        return cls(
            labels=labels,
            scheme=scheme,
            documents=documents,
            lengths=lengths.astype(np.int32),
            position=position,
            probability=probability.astype(np.float32),
            spans=_spans(labels, scheme, position, offsets, probability, states),
        )

    def select(self, documents: Int[ndarray, " chosen"]) -> "Posterior":
        """Return some documents, by their numbers in rising order."""
        kept = np.zeros(len(self.lengths), dtype=bool)
        kept[documents] = True
        # The document of every row, and the tokens left out before each document.
        owner = np.searchsorted(self.offsets, self.position, side="right") - 1
        skipped = self.offsets[:-1] - _offsets(np.where(kept, self.lengths, 0))[:-1]
        rows, spans = kept[owner], kept[self.spans.document]
        renumbered = (np.cumsum(kept) - 1).astype(np.int32)
        return Posterior(
            labels=self.labels,
            scheme=self.scheme,
            documents=tuple(self.documents[i] for i in documents.tolist()),
            lengths=self.lengths[kept],
            position=self.position[rows] - skipped[owner[rows]],
            probability=self.probability[rows],
            spans=Spans(
                labels=self.labels,
                document=renumbered[self.spans.document[spans]],
                start=self.spans.start[spans],
                end=self.spans.end[spans],
                label=self.spans.label[spans],
                probability=self.spans.probability[spans],
            ),
        )

    @classmethod
    def concatenate(cls, parts: Sequence["Posterior"]) -> "Posterior":
        """Return the documents of all parts, in order; the parts have the same labels and scheme.

        Raises:
            AggregationError: there are no parts, or their tags differ.
        """
        if len({(part.labels, part.scheme) for part in parts}) != 1:
            raise AggregationError("posteriors of different tags cannot be put together")
        documents = np.cumsum([0, *(len(part.lengths) for part in parts)])
        tokens = np.cumsum([0, *(int(part.offsets[-1]) for part in parts)])
        spans = [part.spans for part in parts]
        return cls(
            labels=parts[0].labels,
            scheme=parts[0].scheme,
            documents=tuple(name for part in parts for name in part.documents),
            lengths=np.concatenate([part.lengths for part in parts]),
            position=np.concatenate(
                [part.position + before for part, before in zip(parts, tokens, strict=False)]
            ),
            probability=np.concatenate([part.probability for part in parts]),
            spans=Spans(
                labels=parts[0].labels,
                document=np.concatenate(
                    [
                        (part.document + before).astype(np.int32)
                        for part, before in zip(spans, documents, strict=False)
                    ]
                ),
                start=np.concatenate([part.start for part in spans]),
                end=np.concatenate([part.end for part in spans]),
                label=np.concatenate([part.label for part in spans]),
                probability=np.concatenate([part.probability for part in spans]),
            ),
        )

    def by_label(self) -> Float32[ndarray, "voted labels_and_o"]:
        """Return the probability of "O" and of each label at every voted token."""
        return by_label(self.probability, self.scheme)

    def probabilities(self, document: int) -> Float32[ndarray, "tokens labels_and_o"]:
        """Return the distribution over "O" and the labels at every token of one document."""
        low, high = self.offsets[document : document + 2]
        first, last = np.searchsorted(self.position, [low, high])
        dense = np.zeros((high - low, 1 + len(self.labels)), dtype=np.float32)
        dense[:, 0] = 1.0
        dense[self.position[first:last] - low] = by_label(self.probability[first:last], self.scheme)
        return dense


def _offsets(lengths: Int[ndarray, " documents"]) -> Int64[ndarray, " bounds"]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _spans(
    labels: tuple[str, ...],
    scheme: str,
    position: Int64[ndarray, " voted"],
    offsets: Int64[ndarray, " bounds"],
    probability: Float[ndarray, "voted states"],
    states: Int16[ndarray, " voted"],
) -> Spans:
    """Return the spans of decoded rows; a span is as probable as its tokens are on average."""
    start, end, label = decode(states, scheme=scheme, breaks=run_breaks(position, offsets))
    mass = by_label(probability, scheme).astype(np.float64)
    size = end - start
    owner = np.repeat(np.arange(len(size)), size)
    row = np.repeat(start - (np.cumsum(size) - size), size) + np.arange(len(owner))
    summed = np.bincount(owner, weights=mass[row, 1 + label[owner]], minlength=len(size))
    first = position[start]
    document = np.searchsorted(offsets, first, side="right") - 1
    return Spans(
        labels=labels,
        document=document.astype(np.int32),
        start=(first - offsets[document]).astype(np.int32),
        end=(first - offsets[document] + size).astype(np.int32),
        label=label.astype(np.int16),
        probability=np.minimum(summed / np.maximum(size, 1), 1.0).astype(np.float32),
    )
