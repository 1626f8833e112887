import numpy as np
import pytest

from silverspan.training import checkpoint, loop, train
from silverspan.training.cross_fit import mix_second_opinions
from silverspan.training.examples import split_examples
from silverspan.training.soft_labels import soft_labels
from tests.training.test_soft_tagger import SMALL, files


class Parrot:
    """A student that is certain of the tags that its kind gives a document; it notes which."""

    def __init__(self, learned, tags):
        self.learned = learned
        self.asked = []
        self.tags = tags

    def distributions(self, docs):
        self.asked.extend(docs)
        return [np.eye(9, dtype=np.float32)[self.tags(doc)] for doc in docs]


def outside(doc):
    return [0] * len(doc)


def right(doc):
    return soft_labels(doc).targets(("LOC", "PER"), len(doc)).argmax(axis=1)


def targets(split):
    return [soft_labels(e.x).targets(("LOC", "PER"), len(e.x)) for e in split.learn]


def test_opinions_come_from_students_that_never_saw_the_document(documents, posterior):
    _, split = split_examples(posterior, documents, nlp=None, held_out=0.1, seed=0)
    parrots = []

    def teach(part_split, part):
        parrots.append(Parrot(part_split.learn, right))
        return parrots[-1]

    before = targets(split)
    mix_second_opinions(split, posterior.labels, teach, parts=3, trust=0.25, seed=0)
    for parrot in parrots:
        seen = {id(example.x) for example in parrot.learned}
        assert not seen & {id(doc) for doc in parrot.asked}
    asked = [id(doc) for parrot in parrots for doc in parrot.asked]
    assert {asked.count(id(example.x)) for example in split.learn} == {1}
    assert {asked.count(id(example.x)) for example in split.held_out} == {3}
    # All agree with every entity: the weight is 1 - trust.
    for mixed, old in zip(targets(split), before, strict=True):
        certain = np.eye(9)[old.argmax(axis=1)]
        np.testing.assert_allclose(mixed, 0.25 * old + 0.75 * certain, atol=1e-5)


def test_opinions_that_find_nothing_the_posterior_has_do_not_count(documents, posterior):
    _, split = split_examples(posterior, documents, nlp=None, held_out=0.1, seed=0)
    before = targets(split)
    mix_second_opinions(
        split,
        posterior.labels,
        lambda part_split, part: Parrot(part_split.learn, outside),
        parts=3,
        trust=0.25,
        seed=0,
    )
    for mixed, old in zip(targets(split), before, strict=True):
        np.testing.assert_allclose(mixed, old, atol=1e-5)


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
