"""The meanings of days and months: "May 5, 2020", "12/11", "Monday", "the 21st", "tomorrow"."""

from silverspan.labelling.values.date_pieces import (
    day_in,
    full_year,
    month_in,
    on_calendar,
    told,
    year_in,
)
from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import Moment


@action
def iso(parts: Parts) -> Meaning | None:
    """Read "2020-01-31T10:00Z"."""
    text = str(parts.get(None, "ISO"))
    day, _, clock = text.partition("T")
    if not day:
        return Meaning(text, moment=Moment(clock=text)) if clock[:2] <= "24" else None
    year, month, number = (int(part) for part in day.split("-"))
    if on_calendar(parts, year, month, number) is None or clock[:2] > "24":
        return None
    return told(parts, Moment(year=year, month=month, day=number, clock=f"T{clock}"))


@action
def dotted(parts: Parts) -> Meaning | None:
    """Read "31.1.2020", or the American order where only that one is a date."""
    first, second, third = parts.get(None, "DOTTED")
    if first > 31:
        return on_calendar(parts, first, second, third)
    year = full_year(third)
    if second > 12 >= first:
        return on_calendar(parts, year, first, second)
    if not parts.day_first and first <= 12 and third < 100:
        return on_calendar(parts, year, first, second, -0.5)
    return on_calendar(parts, year, second, first)


@action
def compact(parts: Parts) -> Meaning | None:
    """Read "20200131"."""
    number = int(parts.get(None, "NUM"))
    return on_calendar(parts, number // 10000, number // 100 % 100, number % 100)


@action
def numeric(parts: Parts) -> Meaning | None:
    """Read "2020-01-31"."""
    return on_calendar(parts, year_in(parts), int(parts.get("month", "NUM")), day_in(parts) or 0)


@action
def slashes(parts: Parts) -> Meaning | None:
    """Read "1/31/2020", in the order of the language."""
    first, second = day_in(parts, "a") or 0, day_in(parts, "b") or 0
    month, day = (second, first) if parts.day_first else (first, second)
    if month > 12:
        month, day = day, month
    year = year_in(parts)
    if year is None and (first, second) == (24, 7):
        return None  # all day, every day
    # "1/2" and "3/4" are fractions sooner than days.
    small = year is None and first < second <= 10
    return on_calendar(parts, year, month, day, -2.5 if small else 0.0)


@action
def dot_day(parts: Parts) -> Meaning | None:
    """Read "4.22", a month and a day."""
    month, day = parts.get("d", "DATEDOT")
    return on_calendar(parts, None, month, day)


@action
def dashes(parts: Parts) -> Meaning | None:
    """Read "4-22", a date if it is no score: hardly ever."""
    first, second = day_in(parts, "a") or 0, day_in(parts, "b") or 0
    month, day = (second, first) if parts.day_first else (first, second)
    return on_calendar(parts, None, *((day, month) if month > 12 else (month, day)), -3.0)


@action
def month_slash_spaced(parts: Parts) -> Meaning | None:
    """Read "11 / 2016"."""
    return month_slash_year(parts)


@action
def month_slash_year(parts: Parts) -> Meaning | None:
    """Read "05/2020"."""
    return told(parts, Moment(year=year_in(parts), month=int(parts.get("month", "NUM"))))


@action
def month_day(parts: Parts) -> Meaning | None:
    """Read "May 5, 2020"."""
    month, day = month_in(parts), day_in(parts)
    if month is None or day is None:
        return None
    return on_calendar(parts, year_in(parts), month, day)


@action
def month_day_low(parts: Parts) -> Meaning | None:
    """Read "may 5", where the month may be another word."""
    return month_day(parts)


@action
def day_month(parts: Parts) -> Meaning | None:
    """Read "5 May 2020"."""
    return month_day(parts)


@action
def month_year(parts: Parts) -> Meaning | None:
    """Read "May 2020", "May"."""
    month = month_in(parts)
    if month is None:
        return None
    return told(parts, Moment(year=year_in(parts), month=month))


@action
def weekday(parts: Parts) -> Meaning | None:
    """Read "Monday"."""
    return told(parts, Moment(weekday=int(parts.get("weekday", "WEEKDAY", "WEEKDAYA"))))


@action
def weekday_day(parts: Parts) -> Meaning | None:
    """Read "Monday the 21st"."""
    day = day_in(parts)
    return None if day is None else told(parts, Moment(day=day))


@action
def day_of_month(parts: Parts) -> Meaning | None:
    """Read "the 21st"."""
    return weekday_day(parts)


@action
def on_day(parts: Parts) -> Meaning | None:
    """Read "on 15", "the 27": a number that may be a day of the month."""
    return weekday_day(parts)


@action
def on_ordinal(parts: Parts) -> Meaning | None:
    """Read "on the second"."""
    return weekday_day(parts)


@action
def the_ordinal(parts: Parts) -> Meaning | None:
    """Read "the second", seldom a day."""
    return weekday_day(parts)


@action
def day_relative(parts: Parts) -> Meaning | None:
    """Read "tomorrow"."""
    return told(parts, Moment(shift=(int(parts.get("day", "DAYREL")), "D")))


@action
def phrase(parts: Parts) -> Meaning | None:
    """Read "the other day", "year to date"."""
    return Meaning(str(parts.get(None, "DAYPHRASE")), moment=Moment(period="XXXX"))


@action
def now(parts: Parts) -> Meaning | None:
    """Read "now"."""
    return Meaning("PRESENT_REF", moment=Moment(shift=(0, "D")))
