"""Votes seen token by token: what label models that work on tokens read.

Goes in: ``Votes``, rows of spans. Comes out: ``TokenVotes``, one entry per voted token, function
and label, with the token's place in the proposed span. Overlaps are resolved (overlaps.py);
unvoted tokens have no row at all.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int8, Int16, Int32, Int64
from numpy import ndarray

from silverspan.observations.overlaps import resolve_overlaps
from silverspan.observations.votes import Votes
from silverspan.tagging import prefixes

#: Places of a token in a span: first, inside, last, alone. Indices into "BILU".
_BEGIN, _INSIDE, _LAST, _UNIT = range(4)
#: The same place under a scheme, as an index into its prefixes.
_PLACE_IN = {"io": (0, 0, 0, 0), "bio": (0, 1, 1, 0), "biluo": (0, 1, 2, 3)}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TokenVotes:
    """What was said of every voted token; entries sorted by token, function and label.

    ``label`` counts ``votes.space.names``, coarse labels included. The probabilities of one
    function at one token add up to one at most; what lacks is its belief in "O".
    """

    votes: Votes
    position: Int64[ndarray, " voted"]  # among the tokens of the whole corpus, rising
    document: Int32[ndarray, " voted"]
    token: Int64[ndarray, " entries"]  # a row of position
    function: Int16[ndarray, " entries"]
    label: Int16[ndarray, " entries"]
    place: Int8[ndarray, " entries"]  # an index into "BILU"
    probability: Float32[ndarray, " entries"]
    overlapping: int  # spans left out because a function proposed a better one across them

    @classmethod
    def of(cls, votes: Votes) -> "TokenVotes":
        """Return the votes by token.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{}, {"geo": [(1, 3, "LOC", 1.0)]}], lengths=[5, 4],
        ...     space=LabelSpace(outputs=("LOC",)), functions={"geo": ["LOC"]},
        ... )
        >>> TokenVotes.of(votes).position.tolist()
        [6, 7]
        """
        row, overlapping = np.arange(len(votes)), 0
        owner, position, place = _by_token(votes, row)
        if _overlap(votes, owner, position):
            # Rare, and slow to resolve: only now is it worth it.
            keep, overlapping = resolve_overlaps(votes)
            owner, position, place = _by_token(votes, np.flatnonzero(keep))
        new_token = np.ones(len(position), dtype=bool)
        new_token[1:] = position[1:] != position[:-1]
        voted, token = position[new_token], np.cumsum(new_token) - 1
        function = votes.function[owner]
        # A distribution that sums to more than one is scaled down.
        said = votes.probability[owner].astype(np.float64)
        speech = np.cumsum(_new_pair(token, function)) - 1
        total = np.bincount(speech, weights=said, minlength=1)
        said = said / np.maximum(total[speech], 1.0)
        return cls(
            votes=votes,
            position=voted,
            document=np.searchsorted(
                np.cumsum(votes.lengths, dtype=np.int64), voted, side="right"
            ).astype(np.int32),
            token=token.astype(np.int64),
            function=function,
            label=votes.label[owner],
            place=place,
            probability=said.astype(np.float32),
            overlapping=overlapping,
        )

    @property
    def is_coarse(self) -> Bool[ndarray, " entries"]:
        """Which entries name a coarse label."""
        return self.label >= len(self.votes.space.outputs)

    def states(self, scheme: str) -> Int16[ndarray, " entries"]:
        """Return the tag that each entry votes for; -1 for coarse labels.

        >>> from silverspan.labels import LabelSpace
        >>> votes = Votes.build(
        ...     [{"geo": [(0, 2, "LOC", 1.0), (3, 4, "ENT", 1.0)]}], lengths=[4],
        ...     space=LabelSpace(outputs=("LOC",)), functions={"geo": ["LOC", "ENT"]},
        ... )
        >>> TokenVotes.of(votes).states("bio").tolist()
        [1, 2, -1]
        """
        states = 1 + self.label.astype(np.int64) * len(prefixes(scheme)) + self.places(scheme)
        return np.where(self.is_coarse, -1, states).astype(np.int16)

    def places(self, scheme: str) -> Int64[ndarray, " entries"]:
        """Return the place of each entry as an index into the prefixes of a scheme."""
        places: Int64[ndarray, " entries"] = np.array(_PLACE_IN[scheme])[self.place]
        return places

    def asked(self) -> Bool[ndarray, "voted functions"]:
        """Return which function saw each voted token."""
        seen: Bool[ndarray, "voted functions"] = self.votes.asked[self.document]
        return seen

    def speaks(self) -> Bool[ndarray, "voted functions"]:
        """Return which function voted, for any label, at each voted token."""
        said = np.zeros((len(self.position), len(self.votes.functions)), dtype=bool)
        said[self.token, self.function] = True
        return said


def _by_token(
    votes: Votes, row: Int64[ndarray, " rows"]
) -> tuple[Int64[ndarray, " entries"], Int64[ndarray, " entries"], Int8[ndarray, " entries"]]:
    """Return the row, the token and the place of every entry, by token, function and label."""
    size = (votes.end - votes.start)[row].astype(np.int64)
    owner = np.repeat(row, size)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
    offset = np.cumsum(votes.lengths, dtype=np.int64) - votes.lengths
    place = np.full(len(owner), _INSIDE, dtype=np.int8)
    length = np.repeat(size, size)
    place[within == 0] = _BEGIN
    place[within == length - 1] = _LAST
    place[length == 1] = _UNIT
    position = np.repeat(offset[votes.document[row]] + votes.start[row], size) + within
    # One number instead of three keys sorts in a third of the time.
    labels = len(votes.space.names)
    said = votes.function[row].astype(np.int64) * labels + votes.label[row]
    key = position * (len(votes.functions) * labels) + np.repeat(said, size)
    order = np.argsort(key, kind="stable")
    return owner[order], position[order], place[order]


def _overlap(
    votes: Votes, owner: Int64[ndarray, " entries"], position: Int64[ndarray, " entries"]
) -> bool:
    """Return whether a function proposes two different spans across one token."""
    own = votes.function[owner]
    same = np.flatnonzero((position[1:] == position[:-1]) & (own[1:] == own[:-1]))
    one, other = owner[same], owner[same + 1]
    differ = (votes.start[one] != votes.start[other]) | (votes.end[one] != votes.end[other])
    return bool(differ.any())


def _new_pair(
    token: Int64[ndarray, " entries"], function: Int16[ndarray, " entries"]
) -> Bool[ndarray, " entries"]:
    new = np.ones(len(token), dtype=bool)
    new[1:] = (token[1:] != token[:-1]) | (function[1:] != function[:-1])
    return new
