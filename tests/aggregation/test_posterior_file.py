import numpy as np
import pytest

from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.posterior_file import from_bytes, to_bytes
from silverspan.errors import AggregationError

POSTERIOR = Posterior.build(
    labels=("LOC",),
    scheme="bio",
    documents=("a", "b"),
    lengths=np.array([3, 2]),
    position=np.array([1, 2, 4]),
    probability=np.array([[0.1, 0.8, 0.1], [0.2, 0.1, 0.7], [0.9, 0.1, 0.0]]),
)


def test_a_posterior_survives_its_bytes():
    again = from_bytes(to_bytes(POSTERIOR))
    assert again.spans.of(0) == POSTERIOR.spans.of(0)
    assert np.array_equal(again.probabilities(1), POSTERIOR.probabilities(1))
    assert to_bytes(again) == to_bytes(POSTERIOR)


@pytest.mark.parametrize("content", [b"", b"PK", to_bytes(POSTERIOR)[:100]])
def test_other_bytes_are_refused(content):
    with pytest.raises(AggregationError, match="no posterior of this version"):
        from_bytes(content)
