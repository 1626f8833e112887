from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.document_level import (
    distributions,
    doc_history,
    doc_majority_cased,
    doc_majority_uncased,
    history,
    majority,
)
from silverspan.labelling.function import LabellingFunction

NLP = spacy.blank("en")


def doc_of(text: str) -> Doc:
    return Doc(NLP.vocab, words=text.split())


def test_every_occurrence_gets_the_relative_frequency_of_its_labels() -> None:
    doc = doc_of("Komatsu rose and Komatsu fell while Komatsu slept")
    layers = {"a": [(0, 1, "ORG", 1.0), (3, 4, "ORG", 1.0)], "b": [(0, 1, "GPE", 1.0)]}
    # (.5 + 1) / 2 and (.5 + 0) / 2 over the two occurrences that functions label
    expected = [("GPE", 0.25), ("ORG", 0.75)]
    said = list(majority(doc, layers))
    assert [(start, end) for start, end, *_ in said] == [(0, 1)] * 2 + [(3, 4)] * 2 + [(6, 7)] * 2
    assert [(label, p) for *_, label, p in said] == expected * 3


def test_uncased_reads_headings_but_not_pronouns() -> None:
    doc = doc_of("JAPAN beat US and Japan beat us")
    layers = {"a": [(2, 3, "GPE", 1.0), (4, 5, "GPE", 1.0)]}
    assert [s[:2] for s in majority(doc, layers, cased=True)] == [(2, 3), (4, 5)]
    assert [s[:2] for s in majority(doc, layers, cased=False)] == [(0, 1), (2, 3), (4, 5)]


def test_uncased_serves_texts_in_small_letters() -> None:
    doc = doc_of("pad thai is fine and pad thai is cheap")
    layers = {"a": [(0, 2, "Dish", 1.0)]}
    assert [s[:2] for s in majority(doc, layers, cased=False)] == [(0, 2), (5, 7)]


def test_of_overlapping_strings_the_better_supported_one_stays() -> None:
    doc = doc_of("New York is big and York is old")
    layers = {
        "a": [(0, 2, "GPE", 1.0), (5, 6, "GPE", 1.0)],
        "b": [(0, 2, "GPE", 1.0), (1, 2, "GPE", 1.0)],
    }
    assert [s[:2] for s in majority(doc, layers)] == [(0, 2), (5, 6)]


def test_values_and_coarse_labels_are_left_alone() -> None:
    doc = doc_of("3 and 3 in Oslo")
    layers = {"a": [(0, 1, "CARDINAL", 1.0), (4, 5, "ENT", 1.0)]}
    assert list(majority(doc, layers)) == []


def test_a_surname_takes_the_labels_of_the_full_name_before_it() -> None:
    doc = doc_of("Berg slept . Anna van Berg met Ola . Later Berg and van Berg and Anna left")
    layers = {"a": [(3, 6, "PERSON", 0.75), (3, 6, "ORG", 0.25)]}
    said = [s for s in history(doc, layers) if s[2] == "PERSON"]
    assert [doc[s:e].text for s, e, *_ in said] == ["Berg", "van Berg", "Anna"]
    assert {p for *_, p in said} == {0.75}
    assert min(s for s, *_ in said) > 6


def test_a_company_is_known_by_the_beginning_of_its_name() -> None:
    doc = doc_of("Komatsu Mining Group Corp. grew . The Group and Komatsu and Mining rose")
    layers = {"a": [(0, 4, "COMPANY", 1.0)]}
    assert [doc[s:e].text for s, e, *_ in history(doc, layers)] == ["Komatsu"]


def test_a_place_inside_a_company_name_stays_a_place() -> None:
    doc = doc_of("Oslo Energy Corp. moved . Now Oslo is quiet")
    layers = {"a": [(0, 3, "COMPANY", 1.0)], "b": [(0, 1, "GPE", 1.0), (6, 7, "GPE", 1.0)]}
    assert list(history(doc, layers)) == []


def test_document_level_functions_say_the_labels_of_what_they_read() -> None:
    first = LabellingFunction(
        name="first", labels=("ORG", "PERSON"), propose=lambda doc: [(0, 1, "ORG")]
    )
    ordered = in_order([doc_majority_cased(), doc_history(), doc_majority_uncased(), first])
    assert ordered[0].name == "first"
    assert {function.labels for function in ordered} == {("ORG", "PERSON")}
    labelled = label_documents([doc_of("Bergen and Bergen")], ordered, document_ids=["x"])
    assert labelled[0].proposals["doc_majority_cased"] == [(0, 1, "ORG", 1.0), (2, 3, "ORG", 1.0)]


@pytest.mark.parametrize("make", [doc_majority_cased, doc_majority_uncased, doc_history])
def test_the_second_stage_reads_a_posterior_layer(make: object) -> None:
    function = make(reads=("silver",), labels=("PER",))  # type: ignore[operator]
    assert function.reads == ("silver",)
    assert function.labels == ("PER",)


spans = st.tuples(
    st.integers(0, 8), st.integers(1, 3), st.sampled_from(["ORG", "PERSON"]), st.floats(0.1, 1.0)
).map(lambda item: (item[0], item[0] + item[1], item[2], item[3]))
layers_of_spans = st.dictionaries(
    st.sampled_from("abc"), st.lists(spans, max_size=6, unique_by=lambda s: s[:3])
)


@given(layers_of_spans, st.lists(st.sampled_from(["Bo", "Berg", "bo", "x"]), min_size=11))
def test_what_is_said_are_probabilities_on_spans_that_do_not_overlap(
    layers: dict[str, list[tuple[int, int, str, float]]], words: list[str]
) -> None:
    doc = Doc(NLP.vocab, words=words)
    for layer in layers.values():
        layer.sort()
    for said in (majority(doc, layers), majority(doc, layers, cased=False), history(doc, layers)):
        proposals = list(said)
        chosen = sorted({span[:2] for span in proposals})
        assert all(0 < p <= 1 for *_, p in proposals)
        assert all(0 <= start < end <= len(doc) for start, end in chosen)
        assert all(a[1] <= b[0] for a, b in pairwise(chosen))


@given(layers_of_spans)
def test_distributions_do_not_depend_on_the_order_of_functions(
    layers: dict[str, list[tuple[int, int, str, float]]],
) -> None:
    turned = dict(reversed(layers.items()))
    assert distributions(layers).keys() == distributions(turned).keys()
