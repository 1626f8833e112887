import numpy as np
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import DocBin

from silverspan.aggregation.posterior import Posterior
from silverspan.tagging import encode, tags
from silverspan.training.soft_labels import SoftLabels, attach, soft_labels, to_biluo


def posterior(scheme, rows, labels=("LOC", "PER")):
    return Posterior.build(
        labels=labels,
        scheme=scheme,
        documents=("a",),
        lengths=np.array([len(rows)]),
        position=np.arange(len(rows)),
        probability=np.array(rows, dtype=np.float64),
    )


@given(st.sampled_from(["io", "bio", "biluo"]), st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_targets_keep_the_probability_of_every_label(scheme, seed, tokens):
    generator = np.random.default_rng(seed)
    states = len(tags(["LOC", "PER"], scheme))
    rows = generator.dirichlet(np.full(states, 0.3), size=tokens)
    made = posterior(scheme, rows)
    target = SoftLabels.of(made, 0).targets(made.labels, tokens)
    assert (target >= 0).all()
    np.testing.assert_allclose(target.sum(axis=1), 1, atol=1e-5)
    by_label = np.column_stack([target[:, 0], target[:, 1:].reshape(tokens, 2, 4).sum(axis=2)])
    np.testing.assert_allclose(by_label, made.probabilities(0), atol=1e-5)


@given(
    st.sampled_from(["bio", "biluo"]),
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 1), st.booleans()), max_size=5),
)
def test_certain_labels_become_the_tags_of_their_spans(scheme, pieces):
    start, end, label, at = [], [], [], 0
    for size, kind, named in pieces:
        if named:
            start.append(at)
            end.append(at + size)
            label.append(kind)
        at += size
    arrays = [np.array(values, dtype=np.int64) for values in (start, end, label)]
    tokens = max(at, 1)
    states = encode(*arrays, tokens=tokens, scheme=scheme)
    made = posterior(scheme, np.eye(len(tags(["LOC", "PER"], scheme)))[states])
    target = SoftLabels.of(made, 0).targets(made.labels, tokens)
    wanted = encode(*arrays, tokens=tokens, scheme="biluo")
    np.testing.assert_array_equal(target.argmax(axis=1), wanted)
    np.testing.assert_allclose(target.max(axis=1), 1)


def test_marginals_of_a_chain_give_the_exact_chance_that_a_span_goes_on():
    # Half of what begins at the first token goes on: U and B share its mass equally.
    target = to_biluo(np.array([[0.2, 0.8, 0.0], [0.6, 0.0, 0.4]]), "bio", np.array([True, False]))
    np.testing.assert_allclose(target[0], [0.2, 0.4, 0, 0, 0.4], atol=1e-6)
    np.testing.assert_allclose(target[1], [0.6, 0, 0, 0.4, 0], atol=1e-6)


def test_a_token_without_votes_is_outside():
    soft = SoftLabels(
        labels=("LOC",),
        scheme="io",
        position=np.array([1], dtype=np.int32),
        probability=np.array([[0.3, 0.7]], dtype=np.float32),
    )
    np.testing.assert_allclose(soft.targets(("LOC",), 3)[[0, 2], 0], 1)


def test_labels_in_another_order_or_unknown_ones_find_their_columns():
    made = posterior("io", [[0.1, 0.3, 0.6]])
    target = SoftLabels.of(made, 0).targets(("PER", "ORG"), 1)
    np.testing.assert_allclose(target[0], [0.4, 0, 0, 0, 0.6, 0, 0, 0, 0], atol=1e-6)


def test_a_part_has_the_soft_labels_of_its_tokens():
    soft = SoftLabels.of(posterior("io", [[0.1, 0.3, 0.6], [1, 0, 0], [0, 1, 0]]), 0)
    part = soft.within(1, 3)
    assert part.position.tolist() == [0, 1]
    np.testing.assert_allclose(part.probability, soft.probability[1:])


def test_soft_labels_survive_a_doc_bin():
    doc = spacy.blank("en")("In Oslo")
    soft = SoftLabels.of(posterior("bio", [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0]]), 0)
    attach(doc, soft)
    stored = DocBin(docs=[doc]).to_bytes()
    (back,) = DocBin().from_bytes(stored).get_docs(doc.vocab)
    kept = soft_labels(back)
    assert kept is not None
    assert kept.labels == soft.labels
    assert kept.scheme == "bio"
    np.testing.assert_array_equal(kept.position, soft.position)
    np.testing.assert_array_equal(kept.probability, soft.probability)


def test_a_document_without_soft_labels_has_none():
    doc = spacy.blank("en")("In Oslo")
    assert soft_labels(doc) is None
    doc.spans["silver"] = []
    assert soft_labels(doc) is None
