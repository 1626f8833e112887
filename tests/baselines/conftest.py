import numpy as np
import pytest
import spacy

from silverspan.corpus.document import set_document_id, set_gold_spans
from tests.training.conftest import PLACES, toy_documents


def labelled(count, seed):
    """Toy documents with their gold: people ("person") and places ("LOC")."""
    documents = toy_documents(count, seed)
    for number, doc in enumerate(documents):
        spans = [(t.i - 1, t.i + 1, "person") for t in doc if t.text == "Smith"]
        spans += [(t.i, t.i + 1, "LOC") for t in doc if t.text in PLACES]
        set_gold_spans(doc, sorted(spans))
        set_document_id(doc, f"doc-{number}")
    return documents


@pytest.fixture(scope="session")
def source():
    return labelled(40, seed=1)


@pytest.fixture(scope="session")
def target():
    """The same world in other words: nobody is "Mr", and one place is new."""
    generator = np.random.default_rng(2)
    nlp = spacy.blank("en")
    texts = [
        f"yesterday {generator.choice(['Ada', 'Bo', 'Cy'])} Smith lives in "
        f"{generator.choice(['Quito', 'Rome'])} today ."
        for _ in range(20)
    ]
    documents = [nlp(text) for text in texts]
    for number, doc in enumerate(documents):
        set_document_id(doc, f"new-{number}")
    return documents
