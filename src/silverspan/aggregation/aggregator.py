"""The contract of a label model: ``fit(votes)`` gives a ``Fitted``, which gives posteriors.

Fitting makes a new object, so "not fitted yet" cannot happen. ``testing.check_aggregator`` holds
every registered aggregator to the contract.
"""

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from silverspan.aggregation import storage
from silverspan.aggregation.posterior import Posterior
from silverspan.errors import AggregationError
from silverspan.observations.votes import Votes
from silverspan.registry import Registry


@runtime_checkable
class Fitted(Protocol):
    """A label model with its parameters."""

    def posterior(self, votes: Votes) -> Posterior:
        """Return P(tag | votes) for every voted token; functions unseen in fit are ignored."""
        ...

    def describe(self) -> dict[str, Any]:
        """Return what was learned, ready for JSON."""
        ...

    def save(self, directory: str | Path) -> None:
        """Write arrays (.npz) and JSON with a format version."""
        ...


@runtime_checkable
class Aggregator(Protocol):
    """Settings of a label model; a frozen dataclass."""

    def fit(self, votes: Votes) -> Fitted:
        """Return the model fitted to the votes alone."""
        ...

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        ...


aggregators: Registry[type[Aggregator]] = Registry("aggregator", "silverspan.aggregators")


def load(directory: str | Path) -> Fitted:
    """Return the fitted model saved in a directory, whichever aggregator made it.

    Raises:
        AggregationError: there is none, it is damaged, or of another format version.
        UnknownNameError: the aggregator that made it is not installed.
    """
    return restored(storage.read(directory))


def restored(stored: storage.Stored) -> Fitted:
    """Return the fitted model that was stored.

    Raises:
        AggregationError: what is stored does not fit together.
        UnknownNameError: the aggregator that made it is not installed.
    """
    kind = aggregators[stored.model]
    try:
        return kind.restore(stored)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise AggregationError(
            f"the saved {stored.model!r} model does not fit this release ({error}); fit it again"
        ) from error
