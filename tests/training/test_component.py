import itertools
import json
import subprocess
import sys

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from thinc.api import Model

import silverspan as sp
from silverspan.errors import TrainingError
from silverspan.tagging import legal_moves
from silverspan.training import component
from silverspan.training.loop import random_state_kept, seed_everything
from silverspan.training.network import DEFAULT_MODEL, remembered, words_hidden
from silverspan.training.soft_labels import SoftLabels, attach
from tests.training.conftest import toy_documents, toy_posterior

TEXT = "Mr Bo Smith lives in Lima today ."


def found(doc):
    return [(span.text, span.label_) for span in doc.ents]


def tagger_of(labels=("LOC",), **settings):
    nlp = spacy.blank("en")
    tagger = nlp.add_pipe("silver_tagger", config=settings)
    for label in labels:
        tagger.add_label(label)
    return nlp, tagger


def soft_document(nlp, words, rows, labels=("LOC",)):
    doc = Doc(nlp.vocab, words=words)
    rows = np.array(rows, dtype=np.float32)
    position = np.arange(len(rows), dtype=np.int32)
    attach(doc, SoftLabels(labels=labels, scheme="io", position=position, probability=rows))
    return doc


def test_the_loss_is_the_cross_entropy_and_its_gradient_that_of_the_logits():
    nlp, tagger = tagger_of()
    doc = soft_document(nlp, ["In", "Oslo"], [[1, 0], [0.25, 0.75]])
    example = Example(doc, doc)
    generator = np.random.default_rng(0)
    logits = generator.normal(size=(2, 5))

    def softmax(values):
        return np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)

    loss, (gradient,) = tagger.get_loss([example], [softmax(logits).astype(np.float32)])
    target = np.array([[1, 0, 0, 0, 0], [0.25, 0, 0, 0, 0.75]])
    assert loss == pytest.approx(-(target * np.log(softmax(logits))).sum() / 2, rel=1e-5)
    for row, column in itertools.product(range(2), range(5)):
        step = np.zeros_like(logits)
        step[row, column] = 1e-4
        up, _ = tagger.get_loss([example], [softmax(logits + step)])
        down, _ = tagger.get_loss([example], [softmax(logits - step)])
        assert gradient[row, column] == pytest.approx((up - down) / 2e-4, abs=1e-4)


def test_uncertain_tokens_teach_less_when_weighed_by_confidence():
    nlp, tagger = tagger_of(weighting="confidence")
    doc = soft_document(nlp, ["a", "b", "c"], [[1, 0], [0.5, 0.5], [0.9, 0.1]])
    _, weight = tagger._target(Example(doc, doc))
    assert weight[0] == pytest.approx(1)
    assert weight[1] < weight[2] < weight[0]


def test_tokens_that_stand_in_one_tokenisation_only_teach_nothing():
    nlp, tagger = tagger_of()
    reference = soft_document(nlp, ["New", "York", "wo", "n't"], [[0, 1], [0, 1], [1, 0], [1, 0]])
    predicted = Doc(nlp.vocab, words=["New", "York", "won't"])
    target, weight = tagger._target(Example(predicted, reference))
    assert weight.tolist() == [1, 1, 0]
    assert target[:2].argmax(axis=1).tolist() == [1, 3]  # B, L


def test_entities_teach_where_there_are_no_soft_labels():
    nlp, tagger = tagger_of()
    reference = Doc(nlp.vocab, words=["In", "New", "York", "?"])
    reference.set_ents([Span(reference, 1, 3, "LOC")], missing=[reference[3:4]], default="outside")
    predicted = Doc(nlp.vocab, words=[token.text for token in reference])
    target, weight = tagger._target(Example(predicted, reference))
    assert weight.tolist() == [1, 1, 1, 0]
    assert target[:3].argmax(axis=1).tolist() == [0, 1, 3]


def test_labels_are_taken_from_the_examples():
    nlp, tagger = tagger_of(labels=())
    doc = soft_document(nlp, ["Oslo"], [[0.5, 0.2, 0.3]], labels=("PER", "LOC"))
    nlp.initialize(lambda: [Example(doc, doc)])
    assert tagger.labels == ("LOC", "PER")
    with pytest.raises(TrainingError, match="train it anew"):
        tagger.add_label("ORG")
    assert tagger.add_label("LOC") == 0


def test_no_label_at_all_is_refused():
    nlp, _ = tagger_of(labels=())
    doc = nlp.make_doc("Oslo")
    with pytest.raises(TrainingError, match="no document"):
        nlp.initialize(lambda: [Example(doc, doc)])


def test_spans_follow_the_best_legal_path(student):
    tagger = student.get_pipe("silver_tagger")
    doc = student.make_doc("Mr Bo Smith lives in")
    (dense,) = tagger.distributions([doc])
    posterior = tagger.predict([doc])
    spans = posterior.spans.of(0)
    moves = legal_moves(2, "biluo")
    score = np.log(np.maximum(dense, 1e-30))

    def total(path):
        legal = moves.start[path[0]] and moves.end[path[-1]]
        legal = legal and all(moves.move[a, b] for a, b in itertools.pairwise(path))
        return sum(score[range(len(path)), path]) if legal else -np.inf

    best = max(itertools.product(range(9), repeat=len(doc)), key=total)
    names = ["O", *"BILU" * 2]
    assert [names[state] for state in best] == ["O", "B", "L", "O", "O"]
    assert [(start, end) for start, end, _, _ in spans] == [(1, 3)]


def test_a_document_longer_than_a_piece_is_tagged_as_one(student, monkeypatch):
    words = [token.text for doc in toy_documents(12) for token in doc]
    doc = Doc(student.vocab, words=words)
    tagger = student.get_pipe("silver_tagger")
    whole = tagger.predict([doc])
    monkeypatch.setattr(component, "PIECE", 50)
    monkeypatch.setattr(component, "CONTEXT", 10)
    pieces = tagger.predict([doc])
    # The memory of a word ends with the piece.
    np.testing.assert_allclose(pieces.probability, whole.probability, atol=0.02)
    assert [span[:3] for span in pieces.spans.of(0)] == [span[:3] for span in whole.spans.of(0)]


def test_empty_documents_have_no_entities(student):
    assert [found(doc) for doc in student.pipe(["", " ", TEXT])][2]
    assert found(student("")) == []


def spacy_command(*arguments):
    """Run spaCy's command line in a process of its own: it leaves files open."""
    subprocess.run(
        [sys.executable, "-m", "spacy", *map(str, arguments)], check=True, capture_output=True
    )


def test_spacys_own_train_learns_from_a_doc_bin_with_soft_labels(tmp_path):
    documents = toy_documents()
    silver = sp.apply(toy_posterior(documents), documents)
    DocBin(docs=silver).to_disk(tmp_path / "silver.spacy")
    blank = spacy.blank("en")
    blank.add_pipe("tok2vec", config={"model": {"width": 32, "depth": 2, "embed_size": 200}})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32}
    blank.add_pipe("silver_tagger", config={"model": {"tok2vec": listener}})
    config = blank.config
    for corpus in ("train", "dev"):
        config["paths"][corpus] = str(tmp_path / "silver.spacy")
    config["training"] |= {"max_steps": 150, "eval_frequency": 50}
    config.to_disk(tmp_path / "config.cfg")
    spacy_command("train", tmp_path / "config.cfg", "-o", tmp_path / "out")
    nlp = spacy.load(tmp_path / "out" / "model-best")
    assert found(nlp(TEXT)) == [("Bo Smith", "PER"), ("Lima", "LOC")]
    assert nlp.evaluate([Example(nlp.make_doc(d.text), d) for d in silver])["ents_f"] > 0.9


def test_spacys_own_evaluate_scores_a_student(student, tmp_path):
    documents = toy_documents()
    DocBin(docs=sp.apply(toy_posterior(documents), documents)).to_disk(tmp_path / "gold.spacy")
    student.to_disk(tmp_path / "model")
    spacy_command(
        "evaluate", tmp_path / "model", tmp_path / "gold.spacy", "-o", tmp_path / "scores.json"
    )
    assert json.loads((tmp_path / "scores.json").read_text())["ents_f"] > 0.9


def test_a_word_is_judged_by_its_other_occurrences_in_the_document_too():
    nlp, tagger = tagger_of(model={**DEFAULT_MODEL, "document_memory": True})
    words = ["said", "Ada", "Smith", "there", ".", *["x"] * 10, "Smith", "y"]
    doc = soft_document(nlp, words, [[1, 0]])
    other = soft_document(nlp, [*words[:1], "Mr", *words[2:]], [[1, 0]])
    tagger.initialize(lambda: [Example(doc, doc)])
    vectors, changed = (tagger.model.layers[0].predict([d])[0] for d in (doc, other))
    width = vectors.shape[1] // 2
    np.testing.assert_array_equal(vectors[15, :width], changed[15, :width])
    assert not np.allclose(vectors[15, width:], changed[15, width:])
    np.testing.assert_allclose(vectors[15, width:], vectors[[2, 15], :width].mean(axis=0), 1e-5)
    np.testing.assert_array_equal(vectors[16], changed[16])


def test_the_gradient_through_the_memory_is_that_of_the_loss():
    nlp, tagger = tagger_of(model={**DEFAULT_MODEL, "document_memory": True})
    doc = soft_document(nlp, ["a", "b", "a", "c"], [[1, 0]])
    tagger.initialize(lambda: [Example(doc, doc)])
    memory = tagger.model.layers[0]
    inner = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    outer = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
    probe = Model("probe", lambda model, docs, is_train: ([inner], lambda gradient: gradient))
    (_,), backprop = remembered(probe)([doc], True)
    (found,) = backprop([outer])
    mixing = np.array([[0.5, 0, 0.5, 0], [0, 1, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 1]])
    np.testing.assert_allclose(found, outer[:, :3] + mixing.T @ outer[:, 3:], atol=1e-6)
    assert memory.name == "remembered"


def test_hidden_words_show_their_shape_only_while_learning():
    seen = []

    def forward(model, docs, is_train):
        seen.append([token.text for token in docs[0]])
        return docs, lambda gradient: gradient

    doc = Doc(spacy.blank("en").vocab, words=["Mr", "Smith", "in", "1996"] * 50)
    with random_state_kept():
        seed_everything(0)
        layer = words_hidden(Model("probe", forward), 0.25)
        layer([doc], True)
    layer.predict([doc])
    hidden = sum(a != b.text for a, b in zip(seen[0], doc, strict=True))
    assert 25 < hidden < 75
    assert all(a in (b.text, b.shape_) for a, b in zip(seen[0], doc, strict=True))
    assert seen[1] == [token.text for token in doc]


def test_spacy_packages_a_student_and_names_silverspan_as_a_requirement(student, tmp_path):
    student.to_disk(tmp_path / "model")
    (tmp_path / "out").mkdir()
    spacy_command("package", tmp_path / "model", tmp_path / "out", "--build", "none")
    (setup,) = tmp_path.glob("out/*/meta.json")
    assert "silverspan" in setup.read_text()
