import json
import math

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from silverspan.corpus.document import set_gold_spans, set_layer
from silverspan.errors import InputError
from silverspan.evaluation import evaluate, evaluate_spans

NLP = spacy.blank("en")
GOLD = [[(0, 2, "PER"), (3, 4, "GPE")], []]
FOUND = [[(0, 2, "PER", 0.9), (3, 5, "LOC", 0.6)], [(0, 1, "DATE", 0.5)]]


def result(**settings):
    return evaluate_spans(GOLD, FOUND, lengths=[6, 2], **settings)


def test_labels_are_renamed_and_then_chosen():
    mapped = result(mapping={"GPE": "LOC"}, labels=["PER", "LOC"])
    assert list(mapped.entities["strict"].labels) == ["LOC", "PER"]
    assert mapped.entities["type"].micro.f1 == 1.0
    assert result().entities["strict"].micro.predicted == 3


def test_a_table_fits_in_eighty_columns():
    long = evaluate_spans([[(0, 1, "L" * 90)]], [[]], lengths=[1])
    for evaluation in (result(), long):
        assert max(map(len, evaluation.table().splitlines())) <= 80


def test_scores_are_ready_for_json():
    scores = json.loads(json.dumps(result().to_json()))
    assert scores["entity"]["strict"]["micro"]["correct"] == 1
    assert scores["entity"]["strict"]["labels"]["PER"]["f1"] == 1.0
    assert scores["token"]["micro"]["correct"] == 2


def test_only_the_views_asked_for_are_computed():
    assert list(result(views=["partial"]).entities) == ["partial"]


def test_documents_must_be_as_many_on_both_sides():
    with pytest.raises(InputError, match="2 gold documents against 1"):
        evaluate_spans(GOLD, FOUND[:1], lengths=[6, 2])


@given(st.lists(st.tuples(*[st.sampled_from(["O", "LOC", "PER"])] * 2), min_size=1, max_size=20))
def test_token_scores_are_those_of_sklearn(tokens):
    sides = [
        [[(i, i + 1, label) for i, label in enumerate(side) if label != "O"]]
        for side in zip(*tokens, strict=True)
    ]
    ours = evaluate_spans(*sides, lengths=[len(tokens)]).tokens
    for average, got in [
        ("micro", (ours.micro.precision, ours.micro.recall, ours.micro.f1)),
        ("macro", ours.macro),
    ]:
        if ours.labels:
            theirs = precision_recall_fscore_support(
                *zip(*tokens, strict=True),
                labels=list(ours.labels),
                average=average,
                zero_division=0,
            )
            assert got == pytest.approx(theirs[:3])


# Cross-entropy


def test_cross_entropy_is_the_mean_surprise_at_gold():
    probs = np.array([[0.1, 0.9, 0.0], [0.5, 0.25, 0.25]])
    got = evaluate_spans(
        [[(0, 1, "PER")]],
        [[(0, 1, "PER", 0.9)]],
        lengths=[2],
        probabilities=[probs],
        probability_labels=["PER", "LOC"],
    )
    assert got.cross_entropy == pytest.approx(-(math.log(0.9) + math.log(0.5)) / 2)


def test_columns_of_one_name_are_added_up_and_those_left_out_count_as_o():
    probs = np.array([[0.1, 0.2, 0.3, 0.4]])
    for gold, expected in ([(0, 1, "LOC")], 0.5), ([], 0.5):
        got = evaluate_spans(
            [gold],
            [[]],
            lengths=[1],
            probabilities=[probs],
            probability_labels=["LOC", "GPE", "DATE"],
            mapping={"GPE": "LOC"},
            labels=["LOC"],
        )
        assert got.cross_entropy == pytest.approx(-math.log(expected))


def test_without_distributions_those_of_spans_count():
    expected = -(2 * math.log(0.9) + 0 + math.log(1e-6) + math.log(0.4) + 0) / 8 - math.log(0.5) / 8
    assert result().cross_entropy == pytest.approx(expected)


def test_impossible_gold_costs_much_but_not_infinitely():
    got = evaluate_spans([[(0, 1, "PER")]], [[(0, 1, "LOC", 1.0)]], lengths=[1])
    assert got.cross_entropy == pytest.approx(-math.log(1e-6))


def test_certain_spans_without_probabilities_have_no_cross_entropy():
    got = evaluate_spans([[(0, 1, "PER")]], [[(0, 1, "PER")]], lengths=[1])
    assert (got.cross_entropy, got.span_cross_entropy) == (None, None)


def test_the_papers_variant_counts_boundaries_and_only_labels_of_gold():
    # PER: B and L at 0.9 each. GPE at token 3: LOC is not looked at, so "O" is certain there.
    # Tokens without gold are "O" and certain; the second document has no gold and no loss.
    expected = -(2 * math.log(0.9) + math.log(1e-15)) / 8
    assert result().span_cross_entropy == pytest.approx(expected, rel=1e-6)


# Documents


def document(text, spans, layer=None):
    doc = NLP(text)
    if layer is None:
        doc.set_ents([spacy.tokens.Span(doc, *span) for span in spans])
    else:
        set_layer(doc, layer, [(*span, 0.5) for span in spans])
    return doc


def test_documents_are_scored_by_their_layers_or_entities():
    gold = NLP("Anna in Oslo")
    set_gold_spans(gold, [(0, 1, "PER")])
    gold.set_ents([spacy.tokens.Span(gold, 2, 3, "LOC")])
    found = document("Anna in Oslo", [(0, 1, "PER")])
    assert evaluate([gold], [found]).f1 == 1.0
    silver = document("Anna in Oslo", [(2, 3, "LOC")], "silver")
    assert evaluate([gold], [silver]).f1 == 0.0
    assert evaluate([gold], [silver]).cross_entropy is not None


def test_tokens_may_differ_where_the_text_is_the_same():
    gold = spacy.tokens.Doc(NLP.vocab, ["New York", "!"], spaces=[False, False])
    set_gold_spans(gold, [(0, 1, "LOC")])
    assert evaluate([gold], [document("New York!", [(0, 2, "LOC")])]).f1 == 1.0


@pytest.mark.parametrize("texts", [["a"], ["a", "b", "c"], ["a", "x"]])
def test_documents_that_do_not_pair_are_refused(texts):
    with pytest.raises(InputError):
        evaluate([NLP("a"), NLP("b")], map(NLP, texts))
