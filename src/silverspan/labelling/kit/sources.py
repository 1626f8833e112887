"""What a building block reads: another function's spans, by its name or as the function itself.

By name, the spans are those the other function voted for, read through ``proposals(doc)``. As a
function it is asked on the spot, and need not be a voter itself.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, LooseProposal, Proposal, proposals

#: A function, its name, or several of them.
Source = str | LabellingFunction | Iterable[str | LabellingFunction]


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of one or several functions, with what must run and be there before."""

    parts: tuple[str | LabellingFunction, ...]

    @classmethod
    def of(cls, source: Source) -> "Spans":
        """Return the spans of a function, a name, or several."""
        if isinstance(source, str | LabellingFunction):
            return cls((source,))
        return cls(tuple(source))

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of functions whose votes are read."""
        names: list[str] = []
        for part in self.parts:
            names += [part] if isinstance(part, str) else part.reads
        return tuple(dict.fromkeys(names))

    @property
    def needs(self) -> tuple[str, ...]:
        """What a document must carry."""
        return tuple(
            dict.fromkeys(
                need
                for part in self.parts
                if isinstance(part, LabellingFunction)
                for need in part.needs
            )
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that may come; ``"*"`` stands for those of functions read by name."""
        labels: list[str] = []
        for part in self.parts:
            labels += ["*"] if isinstance(part, str) else part.labels
        return tuple(dict.fromkeys(labels))

    def __call__(self, doc: Doc) -> Iterator[Proposal]:
        """Yield the spans, part by part."""
        said = proposals(doc)
        for part in self.parts:
            if not isinstance(part, str):
                yield from map(_whole, part(doc))
            elif part == "*":
                for layer in said.values():
                    yield from layer
            else:
                yield from said.get(part, ())

    def options(self) -> list[str]:
        """Return the parts by name, for the fingerprint of a function that reads them."""
        return [part if isinstance(part, str) else part.name for part in self.parts]


def _whole(loose: LooseProposal) -> Proposal:
    start, end, label, *rest = loose
    return start, end, label, float(rest[0]) if rest else 1.0
