import numpy as np
import pytest

from silverspan.errors import AggregationError, TrainingError, UnknownNameError
from silverspan.training import make_trainer, train, trainers


def test_the_default_trainer_is_registered():
    assert "soft_tagger" in trainers.names()


def test_an_unknown_trainer_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="soft_tagger"):
        make_trainer("soft_tager")


def test_an_unknown_option_names_the_nearest_and_lists_all():
    with pytest.raises(TrainingError, match=r"did you mean 'dropout'\?.*max_epochs"):
        make_trainer("soft_tagger", dropuot=0.1)


@pytest.mark.parametrize(
    "options", [{"dropout": 1.5}, {"dropout": "x"}, {"max_epochs": 0}, {"decoding": "beam"}]
)
def test_a_wrong_value_is_named(options):
    (name,) = options
    with pytest.raises(TrainingError, match=name):
        make_trainer("soft_tagger", **options)


def test_documents_of_another_corpus_are_refused(documents, posterior):
    with pytest.raises(AggregationError, match="document 0"):
        train(posterior, [documents[0][:3].as_doc(), *documents[1:]])
    with pytest.raises(AggregationError, match="has 29 documents"):
        train(posterior, documents[:-1])
    with pytest.raises(AggregationError, match="document 30"):
        train(posterior, [*documents, documents[0]])


def test_training_leaves_the_global_random_state_alone(documents, posterior):
    np.random.seed(5)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    train(posterior, documents, width=8, depth=1, max_epochs=1)
    assert np.random.random() == expected  # noqa: NPY002
