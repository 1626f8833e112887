"""The meanings of durations and of what comes again: "two weeks", "an hour and a half", "daily"."""

from fractions import Fraction
from typing import Any

from silverspan.labelling.values.date_pieces import (
    unit_in,
)
from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import period
from silverspan.labelling.values.numbers import plus, show


@action
def compound(parts: Parts) -> Meaning | None:
    """Read "5h 10m", "1h30"."""
    numbers = parts.numbers()
    units = [v["UNITTIME1"] for v in parts.words() if "UNITTIME1" in v]
    if units != ["H", "M", "S"][: len(units)] or len(numbers) > 3:
        return None
    pairs = zip(numbers, [*units, "M"], strict=False)
    return Meaning("PT" + "".join(f"{show(number)}{unit}" for number, unit in pairs))


@action
def duration(parts: Parts) -> Meaning | None:
    """Read "three days", "2 hours"."""
    number, unit = parts.number(), unit_in(parts)
    if number is None or unit is None:
        return None
    return Meaning(period(number, unit), number=number, unit=unit)


@action
def moment_unit(parts: Parts) -> Meaning | None:
    """Read "second" as the unit of time: hardly ever a value by itself."""
    unit = unit_in(parts)
    return None if unit is None else Meaning(period(1, unit), number=1, unit=unit, likely=-2.0)


@action
def halves(parts: Parts) -> Meaning | None:
    """Read "a year and a half"."""
    unit = unit_in(parts)
    if unit is None:
        return None
    number = plus((parts.number() if parts.has("n") else 1) or 1, Fraction(1, 2))
    return Meaning(period(number, unit), number=number, unit=unit)


@action
def all_of(parts: Parts) -> Meaning | None:
    """Read "all week"."""
    unit = unit_in(parts)
    return None if unit is None else Meaning(period(1, unit), number=1, unit=unit)


@action
def quarter_hour(parts: Parts) -> Meaning | None:
    """Read "quarter of an hour"."""
    return Meaning("PT15M", number=15, unit="M+")


@action
def frequency(parts: Parts) -> Meaning | None:
    """Read "daily"."""
    return Meaning(f"SET {parts.get('f', 'FREQUENCY', 'FREQUENCYTIME')}")


@action
def every(parts: Parts) -> Meaning | None:
    """Read "every two weeks", "twice a day"."""
    inner = parts.inner()
    if inner:
        return Meaning(f"SET {inner[0].value.removeprefix('SET ')}")
    number: Any = parts.get("n", "ORD", "NUM")
    unit = unit_in(parts)
    if unit is not None:
        return Meaning(f"SET {period(number if isinstance(number, int) else 1, unit)}")
    for values in parts.words():
        for name in ("WEEKDAY", "WEEKDAYA"):
            if name in values:
                return Meaning(f"SET XXXX-WXX-{values[name]}")
        if "MONTH" in values:
            return Meaning(f"SET XXXX-{int(values['MONTH']):02d}")
    return Meaning("SET")


@action
def duration_range(parts: Parts) -> Meaning | None:
    """Read "two or three days"."""
    inner = parts.inner()
    if not inner:
        return None
    number = parts.number() if parts.has("n") else None
    last = inner[-1]
    if number is not None:
        if last.unit is None:
            return None
        return Meaning(f"{period(number, last.unit)}/{last.value}", unit=last.unit)
    return Meaning("/".join(part.value for part in inner), unit=last.unit)
