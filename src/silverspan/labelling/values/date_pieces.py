"""What the groups of a rule about dates hold: a year, a month, a day, an hour, a unit of time."""

import calendar

from silverspan.labelling.values.meanings import Meaning, Parts
from silverspan.labelling.values.moments import Moment

#: Two digits below this are of this century, the others of the last one.
_PIVOT = 50


def full_year(year: int | None) -> int | None:
    """Return a year of two digits with its century, any other as it is."""
    if year is None or year > 99:
        return year
    return year + (2000 if year < _PIVOT else 1900)


def year_in(parts: Parts, group: str = "year") -> int | None:
    """Return the year in a group: four digits as they are, two by the pivot."""
    for values in parts.words(group):
        if "APOSTROPHEYEAR" in values:
            return full_year(values["APOSTROPHEYEAR"])
        if "Y2" in values and "Y4" not in values:
            return full_year(values["Y2"])
        if isinstance(values.get("NUM"), int):
            return int(values["NUM"])
    return None


def month_in(parts: Parts) -> int | None:
    """Return the month that a rule caught."""
    value = parts.get("month", "MONTH", "MONTHA")
    return None if value is None else int(value)


def day_in(parts: Parts, group: str = "day") -> int | None:
    """Return the number or ordinal in a group."""
    for values in parts.words(group):
        value = values.get("ORD", values.get("NUM"))
        if isinstance(value, int):
            return value
    return None


def hour_in(parts: Parts, group: str = "h") -> int | None:
    """Return the whole number in a group."""
    value = parts.get(group, "NUM")
    return int(value) if isinstance(value, int) else None


def unit_in(parts: Parts, group: str = "u") -> str | None:
    """Return the unit of time in a group; minutes are M+, for M are months."""
    for values in parts.words(group):
        for name in ("UNITDAY", "UNITDAY1", "UNITTIME", "UNITTIME1"):
            if name in values:
                unit = str(values[name])
                return "M+" if unit == "M" and name.startswith("UNITTIME") else unit
        if "WEEKEND" in values:
            return "WE"
    return None


def told(parts: Parts, moment: Moment, likely: float = 0.0) -> Meaning:
    """Return what a moment means, resolved by the reference date if there is one."""
    return Meaning(moment.value(parts.reference), moment=moment, likely=likely)


def on_calendar(
    parts: Parts, year: int | None, month: int, day: int, likely: float = 0.0
) -> Meaning | None:
    """Return what a day means, or None if there is no such day."""
    leap = 2000 if year is None or not 1 <= year <= 9999 else year
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(leap, month)[1]:
        return None
    return told(parts, Moment(year=year, month=month, day=day), likely)
