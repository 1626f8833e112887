"""Counts become scores: entity by entity and token by token, for each label and for all.

Goes in: gold and predicted spans by document, perhaps the probabilities behind them. Comes out:
``Evaluation``, with a table for people and a dictionary for programs.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from textwrap import wrap
from typing import Any

import numpy as np
from jaxtyping import Float, Int64
from numpy import ndarray

from silverspan.errors import InputError
from silverspan.evaluation.calibration import Calibration, calibration
from silverspan.evaluation.cross_entropy import span_cross_entropy, token_evidence
from silverspan.evaluation.matching import VIEWS, Counts, Span, match
from silverspan.evaluation.normalisation import normalise

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
    #: How far the probabilities of tokens can be believed; None without probabilities.
    token_calibration: Calibration | None
    #: The same for those of spans, a span being right if boundaries and label are.
    span_calibration: Calibration | None
    #: Correct, predicted and gold spans of every document, strict: for ``confidence_interval``.
    by_document: Int64[ndarray, "documents 3"]
    #: The same for each label.
    by_label: Mapping[str, Int64[ndarray, "documents 3"]]
    #: On which terms: labels renamed, labels that count (None: all), differences overlooked.
    mapping: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] | None = None
    normalisations: tuple[str, ...] = ()

    @property
    def f1(self) -> float:
        """Strict entity F1, all labels together: the one number to compare."""
        return (self.entities.get("strict") or next(iter(self.entities.values()))).micro.f1

    def grouped(self, groups: Sequence[str | int | None]) -> "Evaluation":
        """Return the same scores with the counts of sentences of one document added up.

        ``groups`` names the document of each, None where it stands for itself. Intervals and
        significance draw documents, for what stands in one is not independent.
        """
        number_of: dict[object, int] = {}
        rows = [
            number_of.setdefault(("", number) if group is None else group, len(number_of))
            for number, group in enumerate(groups)
        ]

        def added(counts: Int64[ndarray, "documents 3"]) -> Int64[ndarray, "_groups 3"]:
            sums = np.zeros((len(number_of), 3), dtype=np.int64)
            np.add.at(sums, rows, counts)
            return sums

        return replace(
            self,
            by_document=added(self.by_document),
            by_label={name: added(own) for name, own in self.by_label.items()},
        )

    def table(self) -> str:
        """Return the scores as plain text of at most 80 columns."""
        lines = [f"{self.documents} documents, {self.token_count} tokens", *self.terms()]
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
        for what, curve in (("tokens", self.token_calibration), ("spans", self.span_calibration)):
            if curve is not None:
                lines += ["", *_curve(what, curve)]
        return "\n".join(lines)

    def terms(self) -> list[str]:
        """Return on which terms was scored, a line each; none if nothing was changed."""
        renamed = ", ".join(f"{old}={new}" for old, new in self.mapping.items())
        told = {
            "labels renamed": renamed,
            "labels that count": ", ".join(self.labels or ()),
            "overlooked": ", ".join(self.normalisations).replace("_", " "),
        }
        lines = (f"{what}: {names}" for what, names in told.items() if names)
        return [part for line in lines for part in wrap(line, 80, subsequent_indent="  ")]

    def to_json(self) -> dict[str, Any]:
        """Return the scores as a dictionary, ready for JSON."""
        token, span = self.token_calibration, self.span_calibration
        return {
            "documents": self.documents,
            "tokens": self.token_count,
            "map": dict(self.mapping),
            "labels": None if self.labels is None else list(self.labels),
            "normalise": list(self.normalisations),
            "entity": {view: _json(scores) for view, scores in self.entities.items()},
            "token": _json(self.tokens),
            "cross_entropy": self.cross_entropy,
            "span_cross_entropy": self.span_cross_entropy,
            "calibration": {
                "token": None if token is None else token.to_json(),
                "span": None if span is None else span.to_json(),
            },
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
    tokens: Sequence[Sequence[str]] | None = None,
    normalisations: Sequence[str] = (),
) -> Evaluation:
    """Return the scores of predicted spans, document by document.

    ``mapping`` renames labels on both sides; then ``labels`` keeps some, else all count; then
    ``normalisations`` overlook differences on both sides, which need the ``tokens``.
    ``probabilities`` are by token, column 0 "O", the others ``probability_labels``; without them
    those by token are made of the spans' own probabilities, if they have some.

    >>> result = evaluate_spans([[(0, 1, "PER")]], [[(0, 1, "PER", 0.9)]], lengths=[3])
    >>> result.f1
    1.0

    Raises:
        InputError: the documents are not as many on both sides, or tokens are missing.
        UnknownNameError: there is no such view or normalisation.
    """
    if not len(gold) == len(predicted) == len(lengths):
        raise InputError(f"{len(gold)} gold documents against {len(predicted)} predicted ones")
    if normalisations and tokens is None:
        raise InputError("without tokens nothing can be normalised; give evaluate_spans the tokens")
    renamed = dict(mapping or {})
    keep = None if labels is None else tuple(labels)
    words = tokens if normalisations and tokens is not None else [()] * len(lengths)
    right = [
        _chosen(spans, renamed, keep, normalisations, own)
        for spans, own in zip(gold, words, strict=True)
    ]
    found = [
        _chosen(spans, renamed, keep, normalisations, own)
        for spans, own in zip(predicted, words, strict=True)
    ]
    truth = [[span[:3] for span in spans] for spans in right]
    guess = [[span[:3] for span in spans] for spans in found]
    names = sorted({label for spans in (*truth, *guess) for _, _, label in spans})
    columns = [renamed.get(name, name) for name in probability_labels]
    is_weighted = any(len(span) == 4 for spans in predicted for span in spans)
    # Nothing but certainty: whoever made these spans has no probabilities.
    is_graded = probabilities is not None or any(p < 1.0 for spans in found for *_, p in spans)
    evidence = None
    if is_weighted or probabilities is not None:
        overlooked = None
        if normalisations:
            whole = [_chosen(spans, renamed, keep, (), ()) for spans in predicted]
            overlooked = [_left_over(*pair) for pair in zip(whole, found, strict=True)]
        evidence = token_evidence(
            truth,
            found,
            lengths=lengths,
            probabilities=probabilities,
            columns=columns,
            labels=sorted({*names, *(columns if keep is None else keep)}),
            overlooked=overlooked,
        )
    by_document, by_label = _strict_counts(truth, guess, names)
    return Evaluation(
        entities={view: _entity_scores(truth, guess, names, view) for view in views},
        tokens=_token_scores(truth, guess, names, lengths),
        cross_entropy=None if evidence is None else evidence.cross_entropy,
        span_cross_entropy=None if evidence is None else span_cross_entropy(truth, found, lengths),
        token_calibration=calibration(evidence.top, evidence.is_right)
        if evidence is not None and is_graded
        else None,
        span_calibration=_span_calibration(truth, found) if is_weighted and is_graded else None,
        documents=len(truth),
        token_count=sum(lengths),
        by_document=by_document,
        by_label=by_label,
        mapping=renamed,
        labels=keep,
        normalisations=tuple(normalisations),
    )


def _chosen(
    spans: Iterable[Span | WeightedSpan],
    mapping: Mapping[str, str],
    keep: Collection[str] | None,
    normalisations: Sequence[str],
    tokens: Sequence[str],
) -> list[WeightedSpan]:
    named: list[WeightedSpan] = []
    for start, end, old, *given in spans:
        label = mapping.get(old, old)
        if keep is None or label in keep:
            named.append((start, end, label, given[0] if given else 1.0))
    chosen: dict[Span, float] = {}
    for start, end, label, probability in normalise(named, tokens, normalisations):
        key = start, end, label
        # Labels that become one on the same span share their probability.
        chosen[key] = min(chosen.get(key, 0.0) + probability, 1.0)
    return [(*key, probability) for key, probability in sorted(chosen.items())]


def _left_over(
    before: Iterable[WeightedSpan], after: Iterable[WeightedSpan]
) -> list[tuple[int, str]]:
    """Return the tokens that spans held before normalisation and hold no more, with the label."""
    kept = {token for start, end, _, _ in after for token in range(start, end)}
    return [
        (token, label)
        for start, end, label, _ in before
        for token in range(start, end)
        if token not in kept
    ]


def _strict_counts(
    gold: list[list[Span]], predicted: list[list[Span]], names: Sequence[str]
) -> tuple[Int64[ndarray, "documents 3"], dict[str, Int64[ndarray, "documents 3"]]]:
    column = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(names), len(gold), 3), dtype=np.int64)
    for number, (right, found) in enumerate(zip(gold, predicted, strict=True)):
        for kind, spans in enumerate((set(right) & set(found), found, right)):
            for _, _, label in spans:
                counts[column[label], number, kind] += 1
    return counts.sum(axis=0), dict(zip(names, counts, strict=True))


def _span_calibration(gold: list[list[Span]], predicted: list[list[WeightedSpan]]) -> Calibration:
    probability: list[float] = []
    is_right: list[bool] = []
    for right, found in zip(gold, predicted, strict=True):
        known = set(right)
        for start, end, label, p in found:
            probability.append(p)
            is_right.append((start, end, label) in known)
    return calibration(np.array(probability, dtype=np.float64), np.array(is_right, dtype=bool))


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


def _curve(what: str, curve: Calibration) -> list[str]:
    title = f"calibration of {what}"
    lines = [f"{title:<24} {'said':>7} {'right':>7} {'gap':>7} {'count':>8}"]
    width = 1 / len(curve.counts)
    for i in np.flatnonzero(curve.counts).tolist():
        said, right = curve.confidence[i], curve.accuracy[i]
        place = f"{i * width:.1f} to {(i + 1) * width:.1f}"
        lines.append(
            f"{place:<24} {said:7.4f} {right:7.4f} {right - said:+7.4f} {curve.counts[i]:8d}"
        )
    return [*lines, f"expected calibration error: {curve.error:.4f}"]


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
