"""Counts become scores: entity by entity and token by token, for each label and for all.

Goes in: gold and predicted spans by document, perhaps the probabilities behind them. Comes out:
``Evaluation``, with a table for people and a dictionary for programs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

import numpy as np
from jaxtyping import Float, Int64
from numpy import ndarray

from silverspan.errors import InputError
from silverspan.evaluation.cross_entropy import cross_entropy, span_cross_entropy
from silverspan.evaluation.matching import VIEWS, Counts, Span, match

WeightedSpan = tuple[int, int, str, float]

#: Longer labels are cut in tables, which then fit in 80 columns.
_WIDEST = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Scores:
    """Counts of every label; ``micro`` adds up entities, ``macro`` takes the mean over labels."""

    labels: Mapping[str, Counts]
    #: Under strict and over tokens the sum of the labels; under the other views, where labels need
    #: not agree, counted over all spans at once.
    micro: Counts

    @property
    def macro(self) -> tuple[float, float, float]:
        """Precision, recall and F1, each the mean over labels."""
        counts = list(self.labels.values())
        if not counts:
            return 0.0, 0.0, 0.0
        return (
            fmean(each.precision for each in counts),
            fmean(each.recall for each in counts),
            fmean(each.f1 for each in counts),
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Evaluation:
    """How good predictions are. ``entities`` has a view for each of its keys."""

    entities: Mapping[str, Scores]
    tokens: Scores
    #: Mean of -ln P(gold label) over all tokens; None without probabilities.
    cross_entropy: float | None
    #: The same as the paper's authors compute it, from spans and their probabilities.
    span_cross_entropy: float | None
    documents: int
    token_count: int
    #: Correct, predicted and gold spans of every document, strict: for ``confidence_interval``.
    by_document: Int64[ndarray, "documents 3"]

    @property
    def f1(self) -> float:
        """Strict entity F1, all labels together: the one number to compare."""
        return (self.entities.get("strict") or next(iter(self.entities.values()))).micro.f1

    def table(self) -> str:
        """Return the scores as plain text of at most 80 columns."""
        lines = [f"{self.documents} documents, {self.token_count} tokens"]
        sections = {f"entities, {view}": scores for view, scores in self.entities.items()}
        sections["tokens"] = self.tokens
        names = [name for scores in sections.values() for name in scores.labels]
        width = min(max(map(len, [*sections, *names])), _WIDEST)
        for title, scores in sections.items():
            lines += ["", *_rows(title, scores, width)]
        if self.cross_entropy is not None:
            lines += ["", f"cross-entropy by token: {self.cross_entropy:.4f} nats"]
        if self.span_cross_entropy is not None:
            lines += [f"cross-entropy of spans: {self.span_cross_entropy:.4f} nats"]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the scores as a dictionary, ready for JSON."""
        return {
            "documents": self.documents,
            "tokens": self.token_count,
            "entity": {view: _json(scores) for view, scores in self.entities.items()},
            "token": _json(self.tokens),
            "cross_entropy": self.cross_entropy,
            "span_cross_entropy": self.span_cross_entropy,
        }


def evaluate_spans(
    gold: Sequence[Iterable[Span | WeightedSpan]],
    predicted: Sequence[Iterable[Span | WeightedSpan]],
    *,
    lengths: Sequence[int],
    probabilities: Sequence[Float[ndarray, "_tokens labels_and_o"] | None] | None = None,
    probability_labels: Sequence[str] = (),
    labels: Iterable[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    views: Sequence[str] = VIEWS,
) -> Evaluation:
    """Return the scores of predicted spans, document by document.

    ``mapping`` renames labels on both sides; then ``labels`` keeps some, else all count.
    ``probabilities`` are by token, column 0 "O", the others ``probability_labels``; without them
    the cross-entropy by token is made of the spans' own probabilities, if they have some.

    >>> result = evaluate_spans([[(0, 1, "PER")]], [[(0, 1, "PER", 0.9)]], lengths=[3])
    >>> result.f1
    1.0

    Raises:
        InputError: the documents are not as many on both sides.
        UnknownNameError: there is no such view.
    """
    if not len(gold) == len(predicted) == len(lengths):
        raise InputError(f"{len(gold)} gold documents against {len(predicted)} predicted ones")
    renamed = mapping or {}
    keep = None if labels is None else set(labels)
    right = [_chosen(spans, renamed, keep) for spans in gold]
    found = [_chosen(spans, renamed, keep) for spans in predicted]
    truth = [[span[:3] for span in spans] for spans in right]
    guess = [[span[:3] for span in spans] for spans in found]
    names = sorted({label for spans in (*truth, *guess) for _, _, label in spans})
    columns = [renamed.get(name, name) for name in probability_labels]
    is_weighted = probabilities is not None or any(
        len(span) == 4 for spans in predicted for span in spans
    )
    return Evaluation(
        entities={view: _entity_scores(truth, guess, names, view) for view in views},
        tokens=_token_scores(truth, guess, names, lengths),
        cross_entropy=cross_entropy(
            truth,
            found,
            lengths=lengths,
            probabilities=probabilities,
            columns=columns,
            labels=sorted({*names, *(columns if keep is None else keep)}),
        )
        if is_weighted
        else None,
        span_cross_entropy=span_cross_entropy(truth, found, lengths) if is_weighted else None,
        documents=len(truth),
        token_count=sum(lengths),
        by_document=np.array(
            [(len(set(t) & set(g)), len(g), len(t)) for t, g in zip(truth, guess, strict=True)],
            dtype=np.int64,
        ).reshape(len(truth), 3),
    )


def confidence_interval(
    by_document: Int64[ndarray, "documents 3"],
    *,
    level: float = 0.95,
    samples: int = 2000,
    generator: np.random.Generator | None = None,
) -> tuple[float, float]:
    """Return the bootstrap interval of strict micro F1, whole documents drawn with replacement.

    >>> confidence_interval(np.array([[1, 1, 1], [1, 1, 1]]))
    (1.0, 1.0)
    """
    random = np.random.default_rng(0) if generator is None else generator
    size = len(by_document)
    if not size:
        return 0.0, 0.0
    f1 = np.zeros(samples)
    for i in range(samples):
        correct, predicted, gold = by_document[random.integers(0, size, size)].sum(axis=0)
        f1[i] = 2 * correct / max(predicted + gold, 1)
    low, high = np.quantile(f1, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired_significance(
    first: Int64[ndarray, "documents 3"],
    second: Int64[ndarray, "documents 3"],
    *,
    samples: int = 2000,
    generator: np.random.Generator | None = None,
) -> float:
    """Return how probable a difference in strict micro F1 as large as this one is by chance.

    Approximate randomisation: the two systems swap their results on random documents.

    >>> same = np.array([[1, 2, 2], [0, 1, 1]])
    >>> paired_significance(same, same)
    1.0
    """
    random = np.random.default_rng(0) if generator is None else generator
    observed = abs(_f1(first.sum(axis=0)) - _f1(second.sum(axis=0)))
    as_large = 0
    for _ in range(samples):
        swap = random.random(len(first)) < 0.5
        one = np.where(swap[:, None], second, first).sum(axis=0)
        two = np.where(swap[:, None], first, second).sum(axis=0)
        as_large += abs(_f1(one) - _f1(two)) >= observed - 1e-12
    return (as_large + 1) / (samples + 1)


def _f1(counts: Int64[ndarray, " 3"]) -> float:
    return float(2 * counts[0] / max(counts[1] + counts[2], 1))


def _chosen(
    spans: Iterable[Span | WeightedSpan], mapping: Mapping[str, str], keep: set[str] | None
) -> list[WeightedSpan]:
    chosen: dict[Span, float] = {}
    for start, end, label, *probability in spans:
        key = start, end, mapping.get(label, label)
        if keep is None or key[2] in keep:
            # Labels that become one on the same span share their probability.
            chosen[key] = min(chosen.get(key, 0.0) + (probability[0] if probability else 1.0), 1.0)
    return [(*key, probability) for key, probability in sorted(chosen.items())]


def _entity_scores(
    gold: list[list[Span]], predicted: list[list[Span]], names: Sequence[str], view: str
) -> Scores:
    by_label = {name: Counts() for name in names}
    micro = Counts()
    for right, found in zip(gold, predicted, strict=True):
        micro += match(right, found, view)
        for name in {label for _, _, label in (*right, *found)}:
            by_label[name] += match(
                [span for span in right if span[2] == name],
                [span for span in found if span[2] == name],
                view,
            )
    return Scores(labels=by_label, micro=micro)


def _token_scores(
    gold: list[list[Span]],
    predicted: list[list[Span]],
    names: Sequence[str],
    lengths: Sequence[int],
) -> Scores:
    """Count tokens by label: a token in a span counts for the span's label, whatever its place."""
    correct, only_gold, only_found = (dict.fromkeys(names, 0) for _ in range(3))
    for right, found in zip(gold, predicted, strict=True):
        for name in {label for _, _, label in (*right, *found)}:
            inside = {i for start, end, label in right if label == name for i in range(start, end)}
            said = {i for start, end, label in found if label == name for i in range(start, end)}
            correct[name] += len(inside & said)
            only_gold[name] += len(inside - said)
            only_found[name] += len(said - inside)
    by_label = {
        name: Counts(correct=correct[name], missed=only_gold[name], spurious=only_found[name])
        for name in names
    }
    return Scores(labels=by_label, micro=sum(by_label.values(), start=Counts()))


def _rows(title: str, scores: Scores, width: int) -> list[str]:
    head = f"{title:<{width}} {'P':>7} {'R':>7} {'F1':>7} {'gold':>8} {'found':>8}"
    rows = [head]
    for name, counts in scores.labels.items():
        rows.append(_row(name[:width], width, counts))
    precision, recall, f1 = scores.macro
    rows.append(_row("micro", width, scores.micro))
    rows.append(f"{'macro':<{width}} {precision:7.4f} {recall:7.4f} {f1:7.4f}")
    return rows


def _row(name: str, width: int, counts: Counts) -> str:
    return (
        f"{name:<{width}} {counts.precision:7.4f} {counts.recall:7.4f} {counts.f1:7.4f} "
        f"{counts.gold:8d} {counts.predicted:8d}"
    )


def _json(scores: Scores) -> dict[str, Any]:
    precision, recall, f1 = scores.macro
    return {
        "micro": _counts_json(scores.micro),
        "macro": {"precision": precision, "recall": recall, "f1": f1},
        "labels": {name: _counts_json(counts) for name, counts in scores.labels.items()},
    }


def _counts_json(counts: Counts) -> dict[str, Any]:
    return {
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        **asdict(counts),
    }
