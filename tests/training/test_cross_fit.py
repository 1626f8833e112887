import numpy as np
import pytest

from silverspan.training import checkpoint, loop, train
from silverspan.training.cross_fit import mix_second_opinions
from silverspan.training.examples import split_examples
from silverspan.training.soft_labels import soft_labels
from tests.training.test_soft_tagger import SMALL, files


class Parrot:
    """A student that says "outside" everywhere, and remembers whom it was asked about."""

    def __init__(self, learned):
        self.learned = learned
        self.asked = []

    def distributions(self, docs):
        self.asked.extend(docs)
        outside = [np.zeros((len(doc), 9), np.float32) for doc in docs]
        for score in outside:
            score[:, 0] = 1.0
        return outside


def test_opinions_come_from_students_that_never_saw_the_document(documents, posterior):
    _, split = split_examples(posterior, documents, nlp=None, held_out=0.1, seed=0)
    parrots = []

    def teach(part_split, part):
        parrots.append(Parrot(part_split.learn))
        return parrots[-1]

    before = [
        soft_labels(example.x).targets(posterior.labels, len(example.x)) for example in split.learn
    ]
    mix_second_opinions(split, posterior.labels, teach, parts=3, trust=0.25, seed=0)
    for parrot in parrots:
        seen = {id(example.x) for example in parrot.learned}
        assert not seen & {id(doc) for doc in parrot.asked}
    asked = [id(doc) for parrot in parrots for doc in parrot.asked]
    assert {asked.count(id(example.x)) for example in split.learn} == {1}
    assert {asked.count(id(example.x)) for example in split.held_out} == {3}
    for example, old in zip(split.learn, before, strict=True):
        mixed = soft_labels(example.x).targets(posterior.labels, len(example.x))
        np.testing.assert_allclose(mixed[:, 1:], 0.25 * old[:, 1:], atol=1e-6)
        np.testing.assert_allclose(mixed.sum(axis=1), 1, atol=1e-5)


def test_a_training_with_second_opinions_resumes_to_the_same_bytes(
    documents, posterior, tmp_path, monkeypatch
):
    options = SMALL | {"second_opinions": 2, "max_epochs": 2}
    train(posterior, documents, **options).to_disk(tmp_path / "straight")
    kept, saved, count = tmp_path / "state.npz", checkpoint.save, 0

    def save_and_die(*arguments):
        nonlocal count
        saved(*arguments)
        count += 1
        if count in (1, 4):
            raise KeyboardInterrupt

    monkeypatch.setattr(loop.checkpoint, "save", save_and_die)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train(posterior, documents, checkpoint=kept, **options)
    train(posterior, documents, checkpoint=kept, **options).to_disk(tmp_path / "resumed")
    assert count == 6
    assert files(tmp_path / "straight") == files(tmp_path / "resumed")
    assert list(tmp_path.glob("state*")) == []
