import numpy as np
import pytest

from silverspan.aggregation import MajorityVote, aggregators
from silverspan.aggregation.posterior import Posterior
from silverspan.testing import check_aggregator

BUILT_IN = [name for name in aggregators.names() if name != "snorkel"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_registered_aggregator_keeps_the_contract(name):
    check_aggregator(aggregators[name]())


@pytest.mark.parametrize(
    "settings", [{"emission": "dirichlet"}, {"scheme": "io"}, {"scheme": "biluo"}]
)
def test_so_does_the_hmm_with_other_settings(settings):
    check_aggregator(aggregators["hmm"](**settings))


class Careless:
    """Returns the vote, but loses the documents."""

    def fit(self, votes):
        return CarelessFit(MajorityVote().fit(votes))


class CarelessFit:
    def __init__(self, vote):
        self.vote = vote
        self.describe, self.save = vote.describe, vote.save

    def posterior(self, votes):
        found = self.vote.posterior(votes)
        return Posterior.build(
            labels=found.labels,
            scheme=found.scheme,
            documents=tuple("x" for _ in found.documents),
            lengths=found.lengths,
            position=found.position,
            probability=found.probability.astype(np.float64),
        )


def test_a_broken_promise_is_named():
    with pytest.raises(AssertionError, match="documents are those of the votes"):
        check_aggregator(Careless())
