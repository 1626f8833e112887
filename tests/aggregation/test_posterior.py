import numpy as np
import pytest

from silverspan.aggregation.posterior import Posterior
from silverspan.errors import AggregationError


def posterior(**changes):
    settings = {
        "labels": ("LOC", "PER"),
        "scheme": "bio",
        "documents": ("a", "empty", "b"),
        "lengths": np.array([3, 0, 4]),
        "position": np.array([1, 2, 3, 6]),
        # "a" ends and "b" begins inside one person's name.
        "probability": np.array(
            [
                [0.1, 0.0, 0.0, 0.9, 0.0],
                [0.3, 0.0, 0.0, 0.1, 0.6],
                [0.2, 0.1, 0.1, 0.1, 0.5],
                [0.9, 0.1, 0.0, 0.0, 0.0],
            ]
        ),
    }
    return Posterior.build(**{**settings, **changes})


def test_spans_stay_inside_their_document():
    result = posterior()
    assert [s[:3] for s in result.spans.of(0)] == [(1, 3, "PER")]
    assert result.spans.of(1) == []
    assert [s[:3] for s in result.spans.of(2)] == [(0, 1, "PER")]
    assert len(result.spans) == 2


def test_a_span_is_as_probable_as_its_tokens_on_average():
    assert posterior().spans.probability == pytest.approx([0.8, 0.6])


def test_probabilities_are_dense_sum_to_one_and_start_with_o():
    result = posterior()
    for document, length in enumerate([3, 0, 4]):
        dense = result.probabilities(document)
        assert dense.shape == (length, 3)
        assert dense.sum(axis=1) == pytest.approx(np.ones(length))
    assert result.probabilities(2)[:, 0] == pytest.approx([0.2, 1, 1, 0.9])
    assert result.probabilities(2)[0] == pytest.approx([0.2, 0.2, 0.6])


@pytest.mark.parametrize("decoding", ["paths", "tags"])
def test_other_ways_to_decode_yield_spans_too(decoding):
    spans = posterior(decoding=decoding).spans
    assert [s[:3] for s in spans.of(0)] == [(1, 3, "PER")]


def test_nothing_voted_for_is_no_spans():
    result = posterior(position=np.zeros(0, dtype=int), probability=np.zeros((0, 5)))
    assert len(result.spans) == 0
    assert result.probabilities(0)[:, 0].tolist() == [1, 1, 1]


def test_what_a_posterior_holds_cannot_be_changed_but_the_givers_array_can():
    mine = np.full((4, 5), 0.2)
    result = posterior(probability=mine)
    with pytest.raises(ValueError, match="read-only"):
        result.probability[0, 0] = 1
    mine[0, 0] = 1


def test_a_probability_that_is_not_finite_is_refused():
    with pytest.raises(AggregationError, match="not finite"):
        posterior(probability=np.full((4, 5), np.nan))


def test_posteriors_of_shards_are_the_posterior_of_the_whole():
    def make(documents, lengths, position, probability):
        return Posterior.build(
            labels=("LOC",),
            scheme="io",
            documents=documents,
            lengths=np.array(lengths),
            position=np.array(position),
            probability=np.array(probability),
        )

    first = make(("a", "b"), [2, 3], [1, 3], [[0.1, 0.9], [0.8, 0.2]])
    second = make(("c",), [4], [0, 1], [[0.3, 0.7], [0.2, 0.8]])
    whole = make(
        ("a", "b", "c"), [2, 3, 4], [1, 3, 5, 6], [[0.1, 0.9], [0.8, 0.2], [0.3, 0.7], [0.2, 0.8]]
    )
    joined = Posterior.concatenate([first, second])
    assert joined.documents == whole.documents
    for document in range(3):
        assert joined.spans.of(document) == whole.spans.of(document)
        assert np.array_equal(joined.probabilities(document), whole.probabilities(document))
