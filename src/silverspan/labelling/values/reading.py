"""What the parser gives: one reading of one stretch of text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """A value found in a text, by character offsets, with how sure the parser is of it.

    ``probability`` is that of a careful reader marking exactly this stretch with this label.
    """

    start: int
    end: int
    text: str
    label: str
    value: str
    probability: float
