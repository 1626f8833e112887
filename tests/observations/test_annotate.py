import logging

import pytest
import spacy

import silverspan as sp
from silverspan.errors import LabellingError


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


@sp.labelling_function(labels=["GPE"])
def cities(doc):
    for token in doc:
        if token.text in {"Oslo", "Rome"}:
            yield token.i, token.i + 1, "GPE", 0.5


@sp.labelling_function(labels=["PER"], needs=["tag"])
def tagged(doc):
    return [(0, 1, "PER")]


def test_annotate_gives_a_row_a_proposal_and_names_the_documents(nlp):
    corpus = sp.Corpus.from_texts(["To Oslo", "Rome or Oslo"], nlp, ids=["a", "b"])
    votes = sp.annotate(corpus, [cities])
    assert votes.documents == ("a", "b")
    assert votes.space.outputs == ("GPE",)
    assert list(zip(votes.document, votes.start, votes.end, votes.probability, strict=True)) == [
        (0, 1, 2, 0.5),
        (1, 0, 1, 0.5),
        (1, 2, 3, 0.5),
    ]
    assert len(votes.features.ids) == votes.tokens == 5


def test_labels_may_be_mapped_onto_a_label_space(nlp):
    space = sp.LabelSpace(outputs=("LOC",), finer={"GPE": "LOC"})
    votes = sp.annotate(sp.Corpus.from_texts(["Oslo"], nlp), [cities], labels=space)
    assert votes.space.names[votes.label[0]] == "LOC"


def test_a_function_whose_needs_are_not_met_is_left_out_with_a_warning(nlp, caplog):
    with caplog.at_level(logging.WARNING):
        votes = sp.annotate(sp.Corpus.from_texts(["Oslo"], nlp), [cities, tagged])
    assert votes.functions == ("cities",)
    assert "'tagged' is left out: it needs part-of-speech tags" in caplog.text


def test_skipped_failures_leave_the_function_unasked(nlp, caplog):
    @sp.labelling_function(labels=["LOC"])
    def broken(doc):
        raise ValueError(doc.text)

    corpus = sp.Corpus.from_texts(["Oslo"], nlp)
    with pytest.raises(LabellingError, match="'broken' failed on document '0'"):
        sp.annotate(corpus, [broken])
    assert sp.annotate(corpus, [broken], on_error="skip").asked.tolist() == [[False]]
    assert "failed on 1 document(s)" in caplog.text


def test_an_empty_corpus_has_no_votes(nlp):
    votes = sp.annotate(sp.Corpus.from_texts([], nlp), [cities])
    assert (len(votes), votes.documents) == (0, ())


def test_the_silver_layer_and_the_entities_are_what_the_posterior_found(nlp):
    corpus = sp.Corpus.from_texts(["To Oslo", "nowhere"], nlp)
    votes = sp.annotate(corpus, [cities])
    posterior = sp.aggregation.MajorityVote().fit(votes).posterior(votes)
    first, second = sp.apply(posterior, corpus)
    assert [(e.text, e.label_) for e in first.ents] == [("Oslo", "GPE")]
    assert [span.text for span in first.spans["silver"]] == ["Oslo"]
    assert second.ents == ()


def test_documents_that_are_not_those_of_the_posterior_are_refused(nlp):
    corpus = sp.Corpus.from_texts(["To Oslo"], nlp)
    votes = sp.annotate(corpus, [cities])
    posterior = sp.aggregation.MajorityVote().fit(votes).posterior(votes)
    with pytest.raises(sp.SilverspanError, match="document 0 of the corpus is not document 0"):
        sp.apply(posterior, sp.Corpus.from_texts(["Oslo"], nlp))
    with pytest.raises(sp.SilverspanError, match="the corpus has 0 documents"):
        sp.apply(posterior, sp.Corpus.from_texts([], nlp))
