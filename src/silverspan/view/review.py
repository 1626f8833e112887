"""What a person decides about one document, as a list of actions, and what follows from it.

Nothing is ever overwritten: actions are replayed, and undoing is leaving out the last one. Files
are left to gold_file.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, get_args

import numpy as np

Span = tuple[int, int, str]
Number = TypeVar("Number", float, np.ndarray)
Verb = Literal["accept", "reject", "correct", "finish", "reopen"]
VERBS: tuple[str, ...] = get_args(Verb)


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """One decision: what, of which spans, by whom and when (UTC).

    ``spans`` is the span that is accepted, rejected, or takes the place of ``instead``; of
    "finish" it is all the spans that were accepted with it.
    """

    number: int
    verb: Verb
    spans: tuple[Span, ...] = ()
    instead: Span | None = None
    by: str = ""
    at: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the action as an object of the gold file."""
        fields: dict[str, Any] = {"number": self.number, "do": self.verb}
        if self.spans:
            fields["spans"] = [list(span) for span in self.spans]
        if self.instead is not None:
            fields["instead"] = list(self.instead)
        return fields | {"by": self.by, "at": self.at}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Action":
        """Return the action that an object holds.

        Raises:
            ValueError: it holds none.
        """
        try:
            instead = fields.get("instead")
            action = cls(
                number=int(fields["number"]),
                verb=fields["do"],
                spans=tuple(map(_span, fields.get("spans", ()))),
                instead=None if instead is None else _span(instead),
                by=str(fields["by"]),
                at=str(fields["at"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no such action: {error}") from error
        if action.verb not in VERBS:
            raise ValueError(f"no such action: {action.verb!r}")
        return action


@dataclass(frozen=True, slots=True)
class Judgement:
    """Where a review stands: spans that are right, spans that are wrong, and whether it is over."""

    accepted: frozenset[Span] = frozenset()
    rejected: frozenset[Span] = frozenset()
    finished: bool = False

    @property
    def gold(self) -> tuple[Span, ...]:
        """The spans that are right, in order."""
        return tuple(sorted(self.accepted))

    def is_open(self, span: Span) -> bool:
        """Tell whether nobody has decided about a span yet."""
        return (
            not self.finished
            and span not in self.rejected
            and not any(_touch(span, one) for one in self.accepted)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """The actions on one document; ``given`` is the gold it had before, if it had any."""

    given: tuple[Span, ...] | None = None
    actions: tuple[Action, ...] = field(default=())

    def judgement(self) -> Judgement:
        """Return what the actions amount to.

        >>> lone = Action(number=1, verb="accept", spans=((0, 1, "LOC"),))
        >>> Review(actions=(lone,)).judgement().gold
        ((0, 1, 'LOC'),)
        """
        accepted = set(self.given or ())
        rejected: set[Span] = set()
        finished = self.given is not None
        for action in self.actions:
            if action.verb == "reopen":
                finished = False
                continue
            if action.instead is not None:
                accepted.discard(action.instead)
                rejected.add(action.instead)
            for span in action.spans:
                if action.verb == "reject":
                    accepted.discard(span)
                    rejected.add(span)
                else:
                    # Spans of gold do not overlap: the later decision counts.
                    accepted = {one for one in accepted if not _touch(one, span)} | {span}
                    rejected.discard(span)
            finished = action.verb == "finish" or finished
        return Judgement(frozenset(accepted), frozenset(rejected), finished)


def open_spans(judgement: Judgement, silver: Iterable[Span]) -> list[Span]:
    """Return the spans of silver that nobody has decided about."""
    return [span for span in silver if judgement.is_open(span)]


def value(uncertainty: Number, tokens: Number) -> Number:
    """Return the expected number of wrong tokens found for every token read.

    Opening a document costs as much as reading some twenty tokens.

    >>> value(2.0, 80.0) > value(2.0, 800.0)
    True
    """
    return uncertainty / (_OPENING + tokens)


_OPENING = 20.0


def last_number(reviews: Iterable[Review]) -> int:
    """Return the number of the last action of all; 0 if there is none."""
    return max((a.number for review in reviews for a in review.actions), default=0)


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _span(value: Sequence[Any]) -> Span:
    start, end, label = value
    if type(start) is not int or type(end) is not int or not isinstance(label, str):
        raise ValueError(f"no span: {value!r}")
    return start, end, label
