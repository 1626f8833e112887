import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.training import train

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay")
PLACES = ("Rome", "Oslo", "Paris", "Lima")


def toy_documents(count: int = 30, seed: int = 0) -> list[Doc]:
    """Sentences of people who live in places; who is who follows from the words around."""
    generator = np.random.default_rng(seed)
    vocab = spacy.blank("en").vocab
    documents = []
    for _ in range(count):
        words: list[str] = []
        for _ in range(3):
            name, place = generator.choice(NAMES), generator.choice(PLACES)
            words += ["Mr", str(name), "Smith", "lives", "in", str(place), "today", "."]
        documents.append(Doc(vocab, words=words))
    return documents


def toy_posterior(documents: list[Doc], certainty: float = 0.9) -> Posterior:
    """BIO soft labels (LOC, PER): the names and places of ``toy_documents``."""
    position, rows, offset = [], [], 0
    for doc in documents:
        for token in doc:
            row = np.full(5, (1 - certainty) / 4)
            if token.text in NAMES:
                row[3] = certainty
            elif token.text == "Smith":
                row[4] = certainty
            elif token.text in PLACES:
                row[1] = certainty
            else:
                continue
            position.append(offset + token.i)
            rows.append(row)
        offset += len(doc)
    return Posterior.build(
        labels=("LOC", "PER"),
        scheme="bio",
        documents=tuple(str(number) for number in range(len(documents))),
        lengths=np.array([len(doc) for doc in documents], dtype=np.int32),
        position=np.array(position, dtype=np.int64),
        probability=np.array(rows).reshape(-1, 5),
    )


@pytest.fixture(scope="session")
def documents():
    return toy_documents()


@pytest.fixture(scope="session")
def posterior(documents):
    return toy_posterior(documents)


@pytest.fixture(scope="session")
def student(documents, posterior):
    options = {"width": 32, "depth": 2, "max_epochs": 12, "batch_words": 100}
    return train(posterior, documents, vectors="none", second_opinions=0, **options)
