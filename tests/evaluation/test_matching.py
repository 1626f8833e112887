import warnings
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate import Evaluator
from seqeval.metrics import classification_report
from seqeval.scheme import IOB2

from silverspan.errors import UnknownNameError
from silverspan.evaluation.matching import VIEWS, Counts, match
from silverspan.evaluation.scores import evaluate_spans
from silverspan.tagging import write_tags

LENGTH = 12
LABELS = ["LOC", "ORG", "PER"]


@st.composite
def documents(draw):
    """Spans that do not overlap, as tags can hold them."""
    cuts = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=8)))
    pairs = pairwise(cuts)
    return [
        (start, end, draw(st.sampled_from(LABELS))) for start, end in pairs if draw(st.booleans())
    ]


@st.composite
def overlapping(draw):
    starts = draw(st.lists(st.integers(0, LENGTH - 1), max_size=5))
    return [
        (start, draw(st.integers(start + 1, LENGTH)), draw(st.sampled_from(LABELS)))
        for start in starts
    ]


CORPORA = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=4)


def as_dicts(corpus):
    return [[{"label": lb, "start": s, "end": e - 1} for s, e, lb in spans] for spans in corpus]


def counts_of(result):
    return Counts(
        correct=result.correct,
        incorrect=result.incorrect,
        partial=result.partial,
        missed=result.missed,
        spurious=result.spurious,
    )


@given(CORPORA)
def test_every_view_counts_as_nervaluate_does(corpus):
    gold, predicted = map(list, zip(*corpus, strict=True))
    theirs = Evaluator(as_dicts(gold), as_dicts(predicted), tags=LABELS, loader="dict").evaluate()
    ours = evaluate_spans(gold, predicted, lengths=[LENGTH] * len(gold))
    for view in VIEWS:
        name = "ent_type" if view == "type" else view
        overall = theirs["overall"][name]
        micro = ours.entities[view].micro
        assert micro == counts_of(overall)
        assert micro.precision == pytest.approx(overall.precision)
        assert micro.recall == pytest.approx(overall.recall)
        assert micro.f1 == pytest.approx(overall.f1)
        assert dict(ours.entities[view].labels) == {
            label: counts_of(views[name]) for label, views in theirs["entities"].items()
        }


@given(CORPORA)
def test_the_strict_view_scores_as_seqeval_does(corpus):
    gold, predicted = map(list, zip(*corpus, strict=True))
    if not any(gold) and not any(predicted):
        return  # seqeval has nothing to report on
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = classification_report(
            [write_tags(spans, LENGTH) for spans in gold],
            [write_tags(spans, LENGTH) for spans in predicted],
            mode="strict",
            scheme=IOB2,
            output_dict=True,
            zero_division=0,
        )
    ours = evaluate_spans(gold, predicted, lengths=[LENGTH] * len(gold)).entities["strict"]
    for name, counts in [*ours.labels.items(), ("micro avg", ours.micro)]:
        assert counts.precision == pytest.approx(theirs[name]["precision"])
        assert counts.recall == pytest.approx(theirs[name]["recall"])
        assert counts.f1 == pytest.approx(theirs[name]["f1-score"])
        assert counts.gold == theirs[name]["support"]
    macro = theirs["macro avg"]
    assert ours.macro == pytest.approx((macro["precision"], macro["recall"], macro["f1-score"]))


@given(overlapping(), overlapping(), st.sampled_from(VIEWS))
def test_every_span_is_counted_once_even_if_spans_overlap(gold, predicted, view):
    counts = match(gold, predicted, view)
    assert counts.gold == len(gold)
    assert counts.predicted == len(predicted)
    assert min(counts.correct, counts.incorrect, counts.partial) >= 0
    assert min(counts.missed, counts.spurious) >= 0


@given(overlapping(), overlapping())
def test_exact_matches_are_found_even_if_spans_overlap(gold, predicted):
    rest = list(gold)
    agreeing = [span for span in predicted if span in rest and not rest.remove(span)]
    assert match(gold, predicted, "strict").correct == len(agreeing)


@given(overlapping(), st.sampled_from(VIEWS))
def test_gold_against_itself_is_perfect(gold, view):
    counts = match(gold, gold, view)
    assert counts.f1 == (1.0 if gold else 0.0)


@given(overlapping(), overlapping(), st.sampled_from(["strict", "exact", "partial"]))
def test_swapping_gold_and_predicted_swaps_precision_and_recall_of_what_is_correct(one, two, view):
    assert match(one, two, view).correct == match(two, one, view).correct


def test_an_unknown_view_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="Known: exact, partial, strict, type"):
        match([], [], "loose")
