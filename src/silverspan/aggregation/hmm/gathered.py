"""All that fitting reads of votes: the distinct islands, held by an engine, and the rest in sums.

Made from votes in memory (``Gathered.of``), or from the islands of shards that lie on disk or on a
cluster (pipeline/islands.py). The same votes give the same ``Gathered`` either way.
"""

from dataclasses import dataclass
from functools import partial

from silverspan.aggregation.hmm.channel import Looks
from silverspan.aggregation.hmm.frame import Evidence, Frame, gather_evidence
from silverspan.aggregation.hmm.sums import Sums
from silverspan.engines import Engine, Local
from silverspan.labels import LabelSpace
from silverspan.observations.distinct import Between, Distinct, Found, distinct, parts_for
from silverspan.observations.islands import pack
from silverspan.observations.votes import Votes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Gathered:
    """The votes of a corpus as fitting reads them."""

    functions: tuple[str, ...]
    space: LabelSpace
    looks: Looks | None
    between: Between
    sums: Sums

    @classmethod
    def of(cls, votes: Votes, frame: Frame, engine: Engine | None = None) -> "Gathered":
        """Return the votes of a corpus in memory, held by an engine."""
        found = islands_of(votes, frame)
        parts = found.table.split(parts_for(votes.tokens))
        load = partial(evidence_of, frame, len(parts) == 1)
        held = (engine or Local()).hold(load, parts)
        return cls(
            functions=votes.functions,
            space=votes.space,
            looks=Looks.of(votes.features),
            between=found.between,
            sums=Sums(held=held),
        )


def islands_of(votes: Votes, frame: Frame) -> Found:
    """Return the distinct islands of votes as a frame reads them."""
    return distinct(votes, frame.scheme, constrained=frame.constrained, coarse=frame.coarse)


def evidence_of(frame: Frame, keep: bool, table: Distinct) -> tuple[Evidence, ...]:
    """Return the evidence of one part; ``keep`` keeps designs, if they are small."""
    return gather_evidence(pack(table), frame, keep=keep)
