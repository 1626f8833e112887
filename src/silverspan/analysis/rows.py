"""The rows of an analysis, made from counts: pure functions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final, SupportsFloat

import numpy as np

from silverspan.aggregation.hmm.leave_one_out import LeftOut
from silverspan.analysis.estimates import Estimates
from silverspan.analysis.findings import FunctionExtra, FunctionRow, LabelRow, Matrices, PairRow
from silverspan.analysis.measured import Measured
from silverspan.observations.analysis import VoteCounts, compatible, share
from silverspan.observations.meetings import top_rows, touching
from silverspan.observations.pairs import PairCounts
from silverspan.observations.votes import Votes

#: Pairs of functions that get examples: those that differ most in label.
_PAIRS: Final = 150

#: Text, the first function's label, the second's, and how often.
Examples = dict[tuple[int, int], tuple[tuple[str, str, str, int], ...]]


def function_row(
    votes: VoteCounts,
    seen: Estimates,
    measured: Measured | None,
    function: int,
    label: int | None,
) -> FunctionRow:
    """Return the row of a function, on one label or on all."""
    cells = (function, slice(None) if label is None else label)
    tokens, spans = int(votes.tokens[cells].sum()), int(votes.spans[cells].sum())
    outputs = len(votes.space.outputs)
    # What a function might have found are the labels it says; coarse ones beside them would count
    # twice.
    own = votes.tokens[function] > 0
    if label is None:
        reach = np.flatnonzero(own[:outputs] if own[:outputs].any() else own)
    else:
        reach = np.array([label])
    return FunctionRow(
        function=votes.functions[function],
        label=None if label is None else votes.space.names[label],
        documents=int(votes.documents[function]),
        spans=spans,
        tokens=tokens,
        coverage=share(tokens, votes.seen[function]),
        overlap=share(votes.overlap[cells].sum(), tokens),
        conflict=share(votes.conflict[cells].sum(), tokens),
        redundancy=share(votes.confirmed[cells].sum(), tokens),
        span_overlap=share(votes.span_overlap[cells].sum(), spans),
        span_conflict=share(votes.span_conflict[cells].sum(), spans),
        estimated_precision=_ratio(seen.hit[cells].sum(), seen.said[cells].sum()),
        estimated_recall=_ratio(seen.hit[function, reach].sum(), seen.there[function, reach].sum()),
        estimated_span_precision=_ratio(seen.span_hit[cells].sum(), seen.spans[cells].sum()),
        estimated_span_recall=_ratio(
            seen.span_hit[function, reach].sum(), seen.span_there[function, reach].sum()
        ),
        **(
            {}
            if measured is None
            else measured.scores(function, None if label is None else votes.space.names[label])
        ),
    )


def extra_rows(
    votes: VoteCounts,
    pairs: PairCounts,
    told: Mapping[str, Any],
    left_out: Mapping[str, LeftOut],
) -> list[FunctionExtra]:
    """Return what is told of each function as a whole; ``told`` is a model's description."""
    alike, _ = pairs.shares()
    alike = alike - 2 * np.eye(len(alike))
    weights = _weights(told)
    rows = []
    for number, summary in enumerate(votes.summaries()):
        nearest = int(alike[number].argmax()) if len(alike) > 1 else number
        similarity = max(float(alike[number, nearest]), 0.0)
        one = left_out.get(summary.function)
        rows.append(
            FunctionExtra(
                function=summary.function,
                labels=summary.labels,
                nearest=votes.functions[nearest] if similarity > 0 else None,
                similarity=similarity,
                weight=weights.get(summary.function),
                changed=one.changed if one else None,
                lost=one.lost if one else None,
                gained=one.gained if one else None,
                gain=one.gain if one else None,
            )
        )
    return rows


def label_rows(votes: VoteCounts, found: np.ndarray, sure: np.ndarray) -> list[LabelRow]:
    """Return a row for every output label, of the spans found and the sum of their probability."""
    return [
        LabelRow(
            label=label,
            functions=int((votes.tokens[:, number] > 0).sum()),
            proposed=int(votes.proposed[number]),
            one_witness=share(votes.alone[number], votes.proposed[number]),
            spans=int(found[number]),
            probability=_ratio(float(sure[number]), float(found[number])),
        )
        for number, label in enumerate(votes.space.outputs)
    ]


def matrices(pairs: PairCounts) -> list[Matrices]:
    """Return the matrices over all and by label, of the functions that say something."""
    found = []
    for label in (None, *pairs.space.names):
        number = None if label is None else pairs.space.id_of(label)
        own = pairs.tokens.sum(axis=1) if number is None else pairs.tokens[:, number]
        chosen = np.flatnonzero(own)
        if number is not None and len(chosen) < 2:
            continue
        agree, differ = pairs.shares(label)
        cells = np.ix_(chosen, chosen)
        found.append(
            Matrices(
                label=label,
                functions=tuple(pairs.functions[i] for i in chosen),
                agreement=_table(agree[cells]),
                disagreement=_table(differ[cells]),
            )
        )
    return found


def pair_rows(pairs: PairCounts, examples: Examples) -> list[PairRow]:
    """Return a row for every two functions with spans in common."""
    agree, differ = pairs.shares()
    return [
        PairRow(
            first=pairs.functions[i],
            second=pairs.functions[j],
            agreement=float(agree[i, j]),
            disagreement=float(differ[i, j]),
            common_spans=int(pairs.common[i, j]),
            other_label=share(pairs.other_label[i, j], pairs.common[i, j]),
            other_ends=share(pairs.other_ends[i, j], pairs.common[i, j]),
            examples=examples.get((i, j), ()),
        )
        for i, j in combinations(range(len(pairs.functions)), 2)
        if pairs.common[i, j]
    ]


def examples_of(pairs: PairCounts, votes: Votes, tokens: Sequence[Sequence[str]]) -> Examples:
    """Return what the pairs that differ most in label differ on, most frequent first."""
    order = np.argsort(-np.triu(pairs.other_label, 1), axis=None, kind="stable")[:_PAIRS]
    size = len(pairs.functions)
    wanted = {divmod(int(i), size) for i in order if pairs.other_label.flat[int(i)]}
    is_wanted = np.zeros((size, size), dtype=bool)
    for i, j in wanted:
        is_wanted[i, j] = is_wanted[j, i] = True
    fits = compatible(votes)
    texts: dict[tuple[int, int], Counter[tuple[str, str, str]]] = {}
    for one, two in touching(votes, top_rows(votes)):
        chosen = is_wanted[votes.function[one], votes.function[two]]
        chosen &= ~fits[votes.label[one], votes.label[two]]
        for a, b in zip(one[chosen].tolist(), two[chosen].tolist(), strict=True):
            if votes.function[a] > votes.function[b]:
                a, b = b, a
            start = min(votes.start[a], votes.start[b])
            end = max(votes.end[a], votes.end[b])
            words = " ".join(tokens[votes.document[a]][start:end])
            names = (votes.space.names[votes.label[a]], votes.space.names[votes.label[b]])
            pair = int(votes.function[a]), int(votes.function[b])
            texts.setdefault(pair, Counter())[(words, *names)] += 1
    return {
        pair: tuple(
            (*key, times)
            for key, times in sorted(found.items(), key=lambda item: (-item[1], item[0]))[:5]
        )
        for pair, found in texts.items()
    }


def _weights(told: Mapping[str, Any]) -> dict[str, float]:
    """Return what a label model counts each function for, if it says so."""
    if "weights" in told:
        return dict(told["weights"])
    functions = told.get("functions")
    if not isinstance(functions, Mapping):
        return {}
    return {
        name: each["weight"]
        for name, each in functions.items()
        if isinstance(each, Mapping) and "weight" in each
    }


def _ratio(part: SupportsFloat, whole: SupportsFloat) -> float | None:
    """Return a share; None of nothing."""
    return min(float(part) / float(whole), 1.0) if float(whole) > 1e-9 else None


def _table(values: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in values.round(4).tolist())
