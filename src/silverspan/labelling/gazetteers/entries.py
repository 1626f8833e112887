"""What readers yield and build.py compiles: names with the kinds of things they name.

A reader is a class registered in ``readers`` under its format's name; see formats/plain.py for a
short one. A kind is whatever the source says ("Q5", "P.PPLC", "ORG"); ``label_of`` maps kinds to
labels once everything has been read, because a dump may explain its classes after their members.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from silverspan.registry import Registry


class Entry(NamedTuple):
    """One name of one thing; ``marked`` things are also in the gazetteer's second subset."""

    name: str
    kind: str
    weight: float = 1.0
    marked: bool = False


@dataclass(slots=True)
class Damage:
    """Lines that could not be read: how many, and the first of them with their place and reason."""

    count: int = 0
    first: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path, line: int, reason: str) -> None:
        """Note one damaged line or record."""
        self.count += 1
        self.reasons[reason] += 1
        if len(self.first) < 20:
            self.first.append(f"{path}:{line}: {reason}")


class Reader(Protocol):
    """Reads one source format.

    ``sources`` describes the data and ``licence`` its terms where the format implies them.
    """

    source: str
    licence: str

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield the line or record number of each entry, and the entry.

        Lines up to and including ``skip`` have been compiled before: nothing of them is yielded,
        though what the reader must know of them is read.
        """
        ...

    def label_of(self, kind: str) -> str | None:
        """Return the label of a kind, ``None`` if it has none; called after the last entry."""
        ...


class ReaderFactory(Protocol):
    """Makes a reader from the options of the command line, as text."""

    def __call__(self, options: Mapping[str, str]) -> Reader:
        """Return a reader."""
        ...


#: Maps the name of a source format to what makes its reader.
readers: Registry[ReaderFactory] = Registry("gazetteer format", "silverspan.gazetteer_readers")
