"""What a tree found by the grammar means: one function per action named in data/grammar.txt.

``meaning(node, parts)`` gives a value or None: shaped like a date, but no date ("Feb 31"). The
functions are in day_, period_, duration_, relative_, clock_, range_ and amount_meanings.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from silverspan.labelling.values.grammar import Node
from silverspan.labelling.values.moments import Moment
from silverspan.labelling.values.numbers import Lexeme, Number

#: Signs after which a phrase is over.
_CLOSERS = frozenset({"COMMA", "CLOSE", "SLASH", "X"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """A value as a string, and the pieces that a larger value may need."""

    value: str
    moment: Moment | None = None
    number: Number | None = None
    unit: str | None = None
    last: Moment | None = None  # the end of a range
    likely: float = 0.0  # how much likelier than others of its rule, in log odds


class Parts:
    """The pieces of one node: words by the group that caught them, inner nodes by their meaning."""

    def __init__(
        self,
        node: Node,
        lexemes: Sequence[Lexeme],
        offset: int,
        reference: date | None,
        day_first: bool,
    ) -> None:
        self.node = node
        self.reference = reference
        self.day_first = day_first
        self._lexemes = lexemes
        self._offset = offset

    def has(self, group: str) -> bool:
        """Whether a group caught anything."""
        return group in self.node.groups

    def words(self, group: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the values of the lexemes in a group, or of all that are in no inner node."""
        start, end = (
            (0, len(self.node.items)) if group is None else self.node.groups.get(group, (0, 0))
        )
        for item in self.node.items[start:end]:
            if not isinstance(item, Node):
                entry = self._lexemes[self._offset + item].entry
                if entry is not None:
                    yield dict(entry.values)

    def get(self, group: str | None, *names: str) -> Any:
        """Return the first value in a group that a lexeme has in one of these classes, or None."""
        for values in self.words(group):
            for name in names:
                if name in values:
                    return values[name]
        return None

    def number(self, group: str | None = "n") -> Number | None:
        """Return the number in a group: digits, words, "a", "a few"."""
        denominator = None
        for values in self.words(group):
            if values.get("NUM") is not None:
                found: Number = values["NUM"]
                return found
            if denominator is None and ("HALFPART" in values or "FRACW" in values):
                denominator = int(values.get("FRACW", 2))
        if denominator is not None:
            return Fraction(1, denominator)
        article = next((v for v in self.words(group) if v.keys() & {"A", "PER", "ANOTHER"}), None)
        return 1 if article is not None else None

    def numbers(self) -> list[Number]:
        """Return every number that is in no inner node, in order."""
        return [v["NUM"] for v in self.words() if v.get("NUM") is not None]

    def inner(self) -> list[Meaning]:
        """Return the meanings of the inner nodes, in order; nothing if one of them has none."""
        found = []
        for node in self.node.inner():
            inner = meaning(node, self._lexemes, self._offset, self.reference, self.day_first)
            if inner is None:
                return []
            found.append(inner)
        return found

    def is_last(self) -> bool:
        """Whether nothing but a sign that closes follows the node."""
        after = self._lexemes[self._offset + self.node.end :][:1]
        entry = after[0].entry if after else None
        return not after or (entry is not None and not entry.values.keys().isdisjoint(_CLOSERS))

    def text_span(self) -> tuple[int, int]:
        """Return where the node begins and ends, in characters."""
        first = self._lexemes[self._offset + self.node.start]
        return first.start, self._lexemes[self._offset + self.node.end - 1].end


Action = Callable[[Parts], Meaning | None]
ACTIONS: dict[str, Action] = {}


def action(function: Action) -> Action:
    """File a function under its name, the one the grammar calls it by."""
    ACTIONS[function.__name__.rstrip("_")] = function
    return function


def meaning(
    node: Node,
    lexemes: Sequence[Lexeme],
    offset: int,
    reference: date | None,
    day_first: bool,
) -> Meaning | None:
    """Return what a node means, or None if it is only shaped like something that does."""
    return ACTIONS[node.rule.action](Parts(node, lexemes, offset, reference, day_first))
