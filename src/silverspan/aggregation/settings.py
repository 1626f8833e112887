"""An aggregator made from its name and settings that come as text: a project file, an option.

Settings are the fields of the aggregator's dataclass; what does not fit is refused by name, with
what would.
"""

import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from silverspan.aggregation.aggregator import Aggregator, aggregators
from silverspan.errors import AggregationError


def configured(
    name: str, options: Mapping[str, Any] | None = None, *, seed: int | None = None
) -> Aggregator:
    """Return the aggregator ``name`` with these settings; ``seed`` only where it has one.

    >>> configured("mv", {"threshold": 2})
    MajorityVote(threshold=2, scheme='bio', boundaries='apart')

    Raises:
        UnknownNameError: no aggregator is called so.
        AggregationError: it has no such setting, or the value is not of its kind.
    """
    kind = aggregators[name]
    known = getattr(kind, "__dataclass_fields__", {})
    hints = get_type_hints(kind) if known else {}
    given = dict(options or {})
    for key, value in given.items():
        if key not in known:
            raise AggregationError(
                f"the label model {name!r} has no setting {key!r}; "
                f"it has: {', '.join(known) or 'none'}"
            )
        if not _fits(value, hints.get(key, Any)):
            raise AggregationError(
                f"the setting {key!r} of the label model {name!r} cannot be {value!r}; "
                f"it should be {_said(hints[key])}"
            )
        if hints.get(key) is float:
            given[key] = float(value)
    if seed is not None and "seed" in known:
        given.setdefault("seed", seed)
    return kind(**given)


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value is of a simple type; of what is not simple, nothing is known."""
    origin = get_origin(hint)
    if origin is Literal:
        return value in get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in get_args(hint))
    if hint is type(None):
        return value is None
    if hint is bool:
        return isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is str:
        return isinstance(value, str)
    return True


def _said(hint: Any) -> str:
    origin = get_origin(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(repr, get_args(hint)))
    if origin in (Union, types.UnionType):
        return " or ".join(_said(part) for part in get_args(hint))
    names = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
    return "nothing" if hint is type(None) else names.get(hint, str(hint))
