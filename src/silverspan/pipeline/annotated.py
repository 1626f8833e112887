"""One annotated shard: all that can be read of it, here or on any worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.posterior_file import from_bytes as read_posterior
from silverspan.labels import LabelSpace
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes
from silverspan.workspace import corpus_shards
from silverspan.workspace.annotation import Work
from silverspan.workspace.vote_shard import VoteShard
from silverspan.workspace.vote_shard import from_bytes as read_votes


@dataclass(frozen=True, kw_only=True, slots=True)
class Annotated:
    """A shard with what functions said of it; small, so that it can be sent.

    ``declared`` are the labels that each function declares. With ``second``, the votes are those
    of the second stage.
    """

    work: Work
    space: LabelSpace
    declared: Mapping[str, tuple[str, ...]]
    second: bool = False

    @property
    def number(self) -> int:
        """The number of the shard."""
        return self.work.shard.number

    def docs(self) -> list[Doc]:
        """Return the documents."""
        return corpus_shards.read_shard(self.work.store, self.work.shard)

    def said(self) -> VoteShard:
        """Return what the functions said, as it was written."""
        name = second_name(self.number) if self.second else self.work.name
        return read_votes(self.work.store.read(name), name)

    def votes(self, docs: Sequence[Doc] | None = None) -> Votes:
        """Return the votes, with the features of the tokens; ``docs`` saves reading them again."""
        tokens = [[token.text for token in doc] for doc in (self.docs() if docs is None else docs)]
        return self.said().votes(self.space, self.declared, token_features(tokens))

    def posterior(self) -> Posterior:
        """Return the posterior that was written."""
        return read_posterior(self.work.store.read(posterior_name(self.number)))


def posterior_name(number: int) -> str:
    """Return the name of a shard's posterior in the store."""
    return f"posterior/{number:05d}.npz"


def second_name(number: int) -> str:
    """Return the name of a shard's votes of the second stage in the store."""
    return f"second/votes/{number:05d}.parquet"
