"""The meanings of ranges of days and times: "3 to 5 May", "1990-95", "from 2 to 4 pm"."""

from dataclasses import replace
from typing import Any

from silverspan.labelling.values.date_pieces import (
    day_in,
    hour_in,
    month_in,
    on_calendar,
)
from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import Moment


@action
def date_range(parts: Parts) -> Meaning | None:
    """Read "3 to 5 May", "Monday to Friday", "from 1990 until now"."""
    inner = parts.inner()
    moments = [p.moment for p in inner if p.moment is not None]
    first_day, last_day = day_in(parts, "a"), day_in(parts, "b")
    if parts.has("month") and (first_day is not None or last_day is not None):
        month = month_in(parts)
        year_ = moments[0].year if moments else None
        ends = [Moment(year=year_, month=month, day=day) for day in (first_day, last_day)]
        return _pair(parts, *ends)
    if parts.has("month") and moments:
        return _pair(parts, Moment(month=month_in(parts)), moments[0])
    if not moments:
        return None
    if first_day is not None and last_day is not None:
        base = moments[0]
        return _pair(parts, replace(base, day=first_day), replace(base, day=last_day))
    if first_day is not None:
        return _pair(parts, replace(moments[-1], day=first_day), moments[-1])
    if last_day is not None:
        first = moments[0]
        if len(moments) > 1 and moments[1].year is not None:
            first = replace(first, year=moments[1].year)
        if first.day is None and first.holiday is None and first.month is None:
            return None
        return _pair(parts, first, replace(first, day=last_day))
    if len(moments) < 2:
        return None
    first, last = moments[0], moments[-1]
    if first.year is None and first.shift is None and last.year is not None and last.shift is None:
        first = replace(first, year=last.year)
    return _pair(parts, first, last)


def _pair(parts: Parts, first: Moment, last: Moment) -> Meaning | None:
    for end in (first, last):
        if (
            end.day is not None
            and end.month is not None
            and on_calendar(parts, end.year, end.month, end.day) is None
        ):
            return None
    text = f"{first.value(parts.reference)}/{last.value(parts.reference)}"
    return Meaning(text, moment=first, last=last)


@action
def from_now(parts: Parts) -> Meaning | None:
    """Read "from now until Friday"."""
    inner = parts.inner()
    if not inner or inner[0].moment is None:
        return None
    return _pair(parts, Moment(shift=(0, "D")), inner[0].moment)


@action
def year_range(parts: Parts) -> Meaning | None:
    """Read "1990-95"."""
    inner = parts.inner()
    if not inner or inner[0].moment is None or inner[0].moment.year is None:
        return None
    first = inner[0].moment.year
    digits = parts.get("end", "APOSTROPHEYEAR", "NUM")
    last = first // 100 * 100 + int(digits)
    if last <= first:
        last += 100
    if last - first > 60:
        return None
    return Meaning(f"{first:04d}/{last:04d}", moment=Moment(year=first), last=Moment(year=last))


@action
def time_range(parts: Parts) -> Meaning | None:
    """Read "3 to 5 pm"."""
    inner = parts.inner()
    values = [part.value for part in inner]
    if any("/" in value for value in values):
        return None
    for group, place in (("a", 0), ("b", len(values))):
        if parts.has(group):
            pair = parts.get(group, "CLOCKDOT")
            hour: Any = parts.get(group, "NUM")
            if pair is not None:
                text = f"T{pair[0]:02d}:{pair[1]:02d}"
            elif not isinstance(hour, int):
                return None
            elif hour > 24:
                text = f"T{hour // 100:02d}:{hour % 100:02d}"
            else:
                text = f"T{_same_half(hour, values):02d}:00"
            values.insert(place, text)
    if len(values) < 2:
        return None
    return Meaning("/".join(values[:2]), moment=Moment(clock=values[0]))


@action
def hours_on_day(parts: Parts) -> Meaning | None:
    """Read "from 5 to 6 next Sunday", if what follows is one day."""
    inner, first, last = parts.inner(), hour_in(parts, "a"), hour_in(parts, "b")
    day = inner[0].moment if inner else None
    if day is None or first is None or last is None or first >= last:
        return None
    is_day = day.weekday or day.day or (day.shift is not None and day.shift[1] == "D")
    if not is_day:
        return None
    ends = (day.at(f"T{hour:02d}:00").value(parts.reference) for hour in (first, last))
    return Meaning("/".join(ends), moment=day.at(f"T{first:02d}:00"))


def _same_half(hour: int, values: list[str]) -> int:
    """An hour without a.m. or p.m. is in the same half of the day as the other end."""
    other = values[0][1:3] if values and values[0][1:3].isdigit() else ""
    return (
        hour + 12 if other and int(other) > 12 and hour < 12 and hour + 12 <= int(other) else hour
    )
