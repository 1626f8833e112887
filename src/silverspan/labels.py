"""The label space: output labels, finer ones that map onto them, coarse ones for several of them.

Votes count labels by id in ``LabelSpace.names``: the output labels first (ids 0 to n - 1), then
the coarse ones. Finer labels have no id of their own: they are renamed on the way in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from silverspan.errors import LabelError

#: The coarse label that stands for every output label: "some entity".
ENTITY = "ENT"


@dataclass(frozen=True, slots=True)
class LabelSpace:
    """Which labels come out, and how every label that goes in relates to them.

    >>> space = LabelSpace(outputs=("PER", "LOC"), finer={"GPE": "LOC"})
    >>> space.names
    ('PER', 'LOC', 'ENT')
    >>> space.id_of("GPE") == space.id_of("LOC")
    True
    >>> space.stands_for(space.id_of("ENT"))
    (0, 1)
    """

    outputs: tuple[str, ...]
    finer: Mapping[str, str] = field(default_factory=dict)
    coarse: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(set(self.outputs)) != len(self.outputs):
            raise LabelError(f"a label is listed twice: {', '.join(self.outputs)}")
        if "O" in self.outputs:
            raise LabelError('"O" means "no entity" and cannot be a label')
        coarse = {ENTITY: self.outputs, **{k: tuple(v) for k, v in self.coarse.items()}}
        if ENTITY in self.outputs:
            del coarse[ENTITY]
        for name, members in coarse.items():
            if name in self.outputs:
                raise LabelError(f"{name!r} is both an output label and a coarse one")
            for member in members:
                if member not in self.outputs:
                    raise LabelError(
                        f"{name!r} stands for {member!r}, which is no output label; "
                        f"the output labels are: {', '.join(self.outputs)}"
                    )
        for name, target in self.finer.items():
            if target not in self.outputs and target not in coarse:
                raise LabelError(
                    f"{name!r} maps to {target!r}, which is no output label; "
                    f"the output labels are: {', '.join(self.outputs)}"
                )
        object.__setattr__(self, "coarse", coarse)
        object.__setattr__(self, "finer", dict(self.finer))

    @property
    def names(self) -> tuple[str, ...]:
        """Every label that has an id: outputs, then coarse ones."""
        return (*self.outputs, *self.coarse)

    def id_of(self, label: str) -> int | None:
        """Return the id of a label, or of what it maps onto; ``None`` if it has no place here."""
        label = self.finer.get(label, label)
        try:
            return self.names.index(label)
        except ValueError:
            return None

    def stands_for(self, label_id: int) -> tuple[int, ...]:
        """Return the output ids that a label id stands for: itself, or a coarse label's members."""
        if label_id < len(self.outputs):
            return (label_id,)
        members = self.coarse[self.names[label_id]]
        return tuple(self.outputs.index(member) for member in members)

    @classmethod
    def of(cls, labels: Iterable[str], finer: Mapping[str, str] | None = None) -> "LabelSpace":
        """Return the space whose outputs are ``labels`` after mapping, ``ENT`` left out, sorted.

        >>> LabelSpace.of(["GPE", "PER", "ENT"], {"GPE": "LOC"}).outputs
        ('LOC', 'PER')
        """
        finer = dict(finer or {})
        outputs = sorted({finer.get(label, label) for label in labels} - {ENTITY, "O"})
        used = {name: target for name, target in finer.items() if target in outputs}
        return cls(outputs=tuple(outputs), finer=used)
