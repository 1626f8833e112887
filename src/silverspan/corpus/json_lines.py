"""One JSON object per line, with its fields checked: what every JSONL reader starts from.

In: a file. Out: ``JsonObject``, whose methods give fields of the right type or an error that names
file, line and field. What the fields are for is left to the readers. Written lines look the same
every time: no blanks, keys in the order given, characters as they are.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from sys import intern
from typing import Any, TypeVar

from silverspan.corpus.files import read_lines
from silverspan.errors import InputError

#: A labelled span, half-open: start, end, label.
Span = tuple[int, int, str]
#: The same with a probability.
WeightedSpan = tuple[int, int, str, float]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JsonObject:
    """A JSON object and where it stands.

    >>> JsonObject("a.jsonl", 7, {"id": 3}).identifier()
    3
    """

    path: str | Path
    line: int
    fields: dict[str, Any]

    def error(self, message: str) -> InputError:
        """Return an error that names file and line, to be raised."""
        return InputError(message, path=self.path, line=self.line)

    def value(self, key: str, kind: type[T]) -> T | None:
        """Return a field that is of one type, or None where it is missing or null."""
        value = self.fields.get(key)
        if value is None:
            return None
        # bool is an int to Python, but not to whoever wrote the file.
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.error(f'"{key}" should be {_NAMES[kind]}, not {shown(value)}')
        return value

    def identifier(self, key: str = "id") -> str | int | None:
        """Return an id: text or a whole number."""
        value = self.fields.get(key)
        if value is None or (isinstance(value, (str, int)) and not isinstance(value, bool)):
            return value
        raise self.error(f'"{key}" should be text or a whole number, not {shown(value)}')

    def tokens(self) -> tuple[str, ...]:
        """Return ``tokens``, which must be there: texts, none of them empty."""
        tokens = self.value("tokens", list)
        if tokens is None:
            raise self.error('there is no "tokens"')
        for number, token in enumerate(tokens):
            if not isinstance(token, str) or not token:
                raise self.error(f'"tokens"[{number}] should be text, not {shown(token)}')
        return tuple(tokens)

    def spaces(self, tokens: int) -> tuple[bool, ...] | None:
        """Return ``spaces``: whether a blank follows each token, written as text of 0 and 1."""
        spaces = self.value("spaces", str)
        if spaces is None:
            return None
        if len(spaces) != tokens or not set(spaces) <= {"0", "1"}:
            raise self.error(f'"spaces" should be {tokens} times 0 or 1, one for each token')
        return tuple(mark == "1" for mark in spaces)

    def sentence_starts(self, tokens: int) -> tuple[int, ...] | None:
        """Return ``sentence_starts``: numbers of tokens, rising; also read as one flag a token."""
        starts = self.value("sentence_starts", list)
        if not starts:
            return None if starts is None else ()
        if all(isinstance(start, bool) for start in starts) and len(starts) == tokens:
            return tuple(i for i, start in enumerate(starts) if start)
        if not all(type(start) is int and 0 <= start < tokens for start in starts):
            raise self.error('"sentence_starts" should be numbers of tokens')
        if any(a >= b for a, b in pairwise(starts)):
            raise self.error('"sentence_starts" should rise')
        return tuple(starts)

    def spans(self, key: str, length: int, *, unit: str = "tokens") -> tuple[Span, ...] | None:
        """Return a field that is a list of ``[start, end, label]`` within the document."""
        spans = self.value(key, list)
        if spans is None:
            return None
        checked = (self.span(span, f'"{key}"', length, sizes=(3,), unit=unit) for span in spans)
        return tuple(span[:3] for span in checked)

    def weighted_spans(self, values: list[Any], where: str, length: int) -> list[WeightedSpan]:
        """Return the spans of a list; ``where`` names the field in errors."""
        spans: list[WeightedSpan] = []
        for value in values:
            # The same as span(), which says what is wrong; votes files hold millions of these.
            if type(value) is list and 3 <= len(value) <= 4:
                start, end, label = value[:3]
                probability = value[3] if len(value) == 4 else 1.0
                if (
                    type(start) is int
                    and type(end) is int
                    and 0 <= start < end <= length
                    and type(label) is str
                    and label not in ("", "O")
                    and type(probability) is float
                    and 0.0 <= probability <= 1.0
                ):
                    spans.append((start, end, intern(label), probability))
                    continue
            spans.append(self.span(value, where, length))
        return spans

    def span(
        self,
        value: Any,
        where: str,
        length: int,
        *,
        sizes: tuple[int, ...] = (3, 4),
        unit: str = "tokens",
    ) -> WeightedSpan:
        """Return one span; a missing probability is 1. ``where`` names the field in errors."""
        if not isinstance(value, list) or len(value) not in sizes:
            form = "[start, end, label" + (", probability]" if 4 in sizes else "]")
            raise self.error(f"{where} should hold {form}, not {shown(value)}")
        start, end, label = value[:3]
        # type(), because True is an int to isinstance.
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
            raise self.error(
                f"{where} has the span [{shown(start)}, {shown(end)}], but the document has "
                f"{length} {unit}; spans are half-open and not empty"
            )
        if not isinstance(label, str) or not label or label == "O":
            raise self.error(f"{where} has {shown(label)} where a label should be")
        probability = value[3] if len(value) == 4 else 1.0
        return start, end, label, self.probability(probability, where)

    def probability(self, value: Any, where: str) -> float:
        """Return a number from 0 to 1."""
        if type(value) not in (int, float) or not 0 <= value <= 1:
            raise self.error(f"{where} has {shown(value)} where a probability should be")
        return float(value)


#: What JSON allows between its parts.
_BLANKS = " \t\r\n"

_NAMES: dict[type, str] = {list: "a list", dict: "an object", str: "text", bool: "true or false"}


def read_objects(
    path: str | Path, problem: Callable[[InputError], None] | None = None
) -> Iterator[JsonObject]:
    """Yield the object on every line; blank lines are skipped.

    ``problem`` is told of lines that are no object, and may raise; without it they raise.

    Raises:
        InputError: the file cannot be read, or a line is not a JSON object.
    """
    for number, line in read_lines(path):
        if line and not line.isspace():
            try:
                item = JsonObject(path, number, _parse(line, path, number))
            except InputError as error:
                if problem is None:
                    raise
                problem(error)
            else:
                yield item


def to_json(value: Any) -> str:
    """Return a value as one line of JSON.

    >>> to_json({"id": 1, "tokens": ("é", "b")})
    '{"id":1,"tokens":["é","b"]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def shown(value: Any) -> str:
    """Return a value from outside, short enough for a message."""
    if isinstance(value, float) and not math.isfinite(value):
        return "a number too large"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number too large"
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "something deeply nested"
    return text if len(text) <= 40 else f"{text[:40]}…"


def parse_at(text: str, start: int, path: str | Path, line: int) -> tuple[dict[str, Any], int]:
    """Return the object that stands at a place of a text, and where it ends.

    Raises:
        InputError: there is none; names the file and ``line``.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
        # A half of a surrogate pair is legal in JSON and in no other text.
        if "\\u" in text[start:end]:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        reason = "nested too deeply"
    except UnicodeEncodeError:
        reason = "a character that does not exist (half a surrogate pair)"
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} at column {error.colno}; a line holds one JSON object"
    except ValueError as error:
        reason = f"not JSON: {error}"
    else:
        if isinstance(value, dict):
            return value, end
        reason = f"a JSON object was expected, not {shown(value)}"
    raise InputError(reason, path=path, line=line)


def _parse(line: str, path: str | Path, number: int) -> dict[str, Any]:
    start = len(line) - len(line.lstrip(_BLANKS))
    value, end = parse_at(line, start, path, number)
    if end < len(line) and (rest := line[end:].lstrip(_BLANKS)):
        column = len(line) - len(rest) + 1
        raise InputError(f"not JSON: Extra data at column {column}", path=path, line=number)
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'"{repeated}" stands twice in one object')
    return fields


_DECODER = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_without_repeats)
