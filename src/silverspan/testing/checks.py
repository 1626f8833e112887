"""Checks that hold every part of a kind to its contract: ours, and those of other packages.

A check raises ``AssertionError`` with the promise that was broken.
"""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from silverspan.aggregation.aggregator import Aggregator, Fitted, load
from silverspan.aggregation.posterior import Posterior
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes
from silverspan.tagging import tags
from silverspan.testing.synthetic import KnownModel


def check_aggregator(aggregator: Aggregator, *, restore: bool = True) -> None:
    """Hold an aggregator, with its settings, to the contract of label models.

    ``restore`` checks saving, too: for that the aggregator must be in the registry.

    >>> from silverspan.aggregation import MajorityVote
    >>> check_aggregator(MajorityVote())
    """
    votes = _votes()
    fitted = aggregator.fit(votes)
    _hold(isinstance(fitted, Fitted), "fit() returns an object with posterior, describe and save")
    posterior = fitted.posterior(votes)
    _check_posterior(posterior, votes)
    _hold(len(posterior.spans) > 0, "agreed votes give spans")
    again = aggregator.fit(votes).posterior(votes)
    _hold(_same(posterior, again), "the same votes give the same posterior, to the last bit")
    json.dumps(fitted.describe(), allow_nan=False)  # raises by itself
    _check_other_votes(fitted, votes)
    if restore:
        with tempfile.TemporaryDirectory() as folder:
            fitted.save(Path(folder) / "model")
            loaded = load(Path(folder) / "model")
        _hold(_same(loaded.posterior(votes), posterior), "a saved model gives the same posterior")


def _check_other_votes(fitted: Fitted, votes: Votes) -> None:
    """Apply a model to votes it was not fitted on."""
    names = votes.functions
    _check_posterior(fitted.posterior(votes.select(names[:2])), votes)
    _check_posterior(fitted.posterior(replace(votes, features=None)), votes)
    renamed = replace(votes, functions=(*names[:-1], "nobody_knows_me"))
    _hold(
        _same(fitted.posterior(renamed), fitted.posterior(votes.select(names[:-1]))),
        "a function that the fit did not see is ignored",
    )
    nothing = replace(votes.slice(0, 0), features=None)
    _hold(len(fitted.posterior(nothing).position) == 0, "no documents give an empty posterior")
    silent = votes.slice(0, 3)
    keep = np.zeros(0, dtype=np.int64)
    silent = replace(
        silent,
        document=silent.document[keep],
        function=silent.function[keep],
        start=silent.start[keep],
        end=silent.end[keep],
        label=silent.label[keep],
        probability=silent.probability[keep],
    )
    _hold(len(fitted.posterior(silent).spans) == 0, "where nobody votes there are no spans")


def _check_posterior(posterior: Posterior, votes: Votes) -> None:
    states = len(tags(posterior.labels, posterior.scheme))
    probability = posterior.probability
    _hold(posterior.labels == votes.space.outputs, "the labels are the outputs of the votes' space")
    _hold(posterior.documents == votes.documents, "the documents are those of the votes")
    _hold(bool((posterior.lengths == votes.lengths).all()), "and so are their lengths")
    _hold(probability.shape == (len(posterior.position), states), "there is a column for every tag")
    _hold(bool(np.isfinite(probability).all()), "probabilities are finite")
    _hold(bool((probability >= 0).all()), "probabilities are not negative")
    _hold(bool(np.allclose(probability.sum(axis=1), 1, atol=1e-5)), "every row adds up to one")
    _hold(bool((np.diff(posterior.position) > 0).all()), "positions rise")
    spans = posterior.spans
    later = spans.document[1:] > spans.document[:-1]
    _hold(bool((later | (spans.start[1:] >= spans.end[:-1])).all()), "spans never overlap")


def _votes() -> Votes:
    generator = np.random.default_rng(0)
    model = KnownModel.random(generator, functions=4, recall=(0.7, 0.9))
    votes, _ = model.sample(generator, documents=40, length=15)
    words = np.array(["Ann", "Oslo", "went", "to", "IBM", "in", "1999", "."])
    documents = [generator.choice(words, size=15).tolist() for _ in votes.documents]
    return replace(votes, features=token_features(documents))


def _same(one: Posterior, other: Posterior) -> bool:
    return np.array_equal(one.position, other.position) and np.array_equal(
        one.probability, other.probability
    )


def _hold(is_so: bool, promise: str) -> None:
    if not is_so:
        raise AssertionError(f"broken promise of an aggregator: {promise}")
