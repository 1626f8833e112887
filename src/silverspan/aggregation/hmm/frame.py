"""What does not change while a model is fitted: states, kinds, places, and who may be where.

A *kind* is "O" or an output label, a *place* is "O" or a prefix of the scheme; a state has one of
each. ``Evidence`` is one block of islands with its design matrices.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64, Int64
from numpy import ndarray

from silverspan.aggregation.hmm.emissions import Boundaries, Emission
from silverspan.labels import LabelSpace
from silverspan.observations.islands import Block, Patterns
from silverspan.tagging import Moves, legal_moves, prefixes

#: Patterns in one piece of a design matrix.
_PIECE: Final = 1 << 12
#: Design matrices are kept between rounds if all of them have no more cells than this.
_KEPT: Final = 1 << 23

Part = tuple[slice, Float64[ndarray, "patterns columns"], Float64[ndarray, "patterns spots"]]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Frame:
    """The states, and how votes bear on them."""

    space: LabelSpace
    scheme: str
    functions: int
    emission: Emission
    columns: int  # of the emission's design
    sizes: tuple[int, ...]  # how many ids each token feature has
    constrained: bool
    coarse: bool

    @property
    def labels(self) -> int:
        """How many output labels there are."""
        return len(self.space.outputs)

    @property
    def kinds(self) -> int:
        """How many kinds there are, "O" included."""
        return 1 + self.labels

    @property
    def places(self) -> int:
        """How many prefixes the scheme has."""
        return len(prefixes(self.scheme))

    @property
    def spots(self) -> int:
        """The columns of the boundary design; none where the scheme knows one place only."""
        return self.functions * self.places if self.places > 1 else 0

    @property
    def kind(self) -> Int64[ndarray, " states"]:
        """The kind of every state."""
        return np.append(0, np.repeat(np.arange(1, self.kinds), self.places))

    @property
    def place(self) -> Int64[ndarray, " states"]:
        """The place of every state."""
        return np.append(0, np.tile(np.arange(1, self.places + 1), self.labels))

    @property
    def state_to_kind(self) -> Float64[ndarray, "states kinds"]:
        """One where a state is of a kind: sums states by kind as a matrix product."""
        result: Float64[ndarray, "states kinds"] = np.eye(self.kinds)[self.kind]
        return result

    @property
    def state_to_place(self) -> Float64[ndarray, "states kinds_of_place"]:
        """One where a state has a place."""
        result: Float64[ndarray, "states kinds_of_place"] = np.eye(self.places + 1)[self.place]
        return result

    @property
    def legal(self) -> Moves:
        """The moves that the scheme allows."""
        return legal_moves(self.labels, self.scheme)

    @property
    def boundaries(self) -> Boundaries:
        """The emission of places."""
        return Boundaries(self.places)

    def members(self) -> Bool[ndarray, "names labels"]:
        """Return which output labels each label allows: itself, or what a coarse one stands for."""
        table = np.zeros((len(self.space.names), self.labels), dtype=bool)
        for name in range(len(self.space.names)):
            if name < self.labels or self.coarse:
                table[name, list(self.space.stands_for(name))] = True
        return table


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Evidence:
    """A block of islands and its design, kept if it is small, made again for every pass if not."""

    frame: Frame
    block: Block
    kept: tuple[Part, ...] | None = None

    def parts(self) -> Iterator[Part]:
        """Yield the design matrices of patterns and places, in pieces."""
        if self.kept is not None:
            yield from self.kept
            return
        low = 0
        for piece in self.block.patterns.parts(_PIECE):
            rows = slice(low, low + len(piece))
            design = self.frame.emission.design(piece, len(self.frame.space.names))
            spot = (
                self.frame.boundaries.design(piece)
                if self.frame.spots
                else np.zeros((len(piece), 0))
            )
            yield rows, design, spot
            low = rows.stop

    def allowed(self) -> Bool[ndarray, "patterns states"]:
        """Return the states each pattern allows: what somebody voted for, and always "O"."""
        patterns: Patterns = self.block.patterns
        if not self.frame.constrained:
            return np.ones((len(patterns), len(self.frame.kind)), dtype=bool)
        kinds = np.zeros((len(patterns), self.frame.kinds), dtype=bool)
        kinds[:, 0] = True
        entry, label = np.nonzero(self.frame.members()[patterns.label])
        kinds[patterns.entry[entry], 1 + label] = True
        allowed: Bool[ndarray, "patterns states"] = kinds[:, self.frame.kind]
        return allowed


def gather_evidence(
    blocks: Sequence[Block], frame: Frame, *, keep: bool = True
) -> tuple[Evidence, ...]:
    """Return the evidence of blocks, with designs kept where memory allows and ``keep`` asks."""
    width = frame.columns + frame.spots
    keep = keep and sum(len(block.patterns) for block in blocks) * width <= _KEPT
    found = []
    for block in blocks:
        evidence = Evidence(frame=frame, block=block)
        if keep:
            evidence = Evidence(frame=frame, block=block, kept=tuple(evidence.parts()))
        found.append(evidence)
    return tuple(found)
