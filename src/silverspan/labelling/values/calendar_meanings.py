"""The meanings of dates, periods, durations and times of day."""

import calendar
from dataclasses import replace
from fractions import Fraction
from typing import Any

from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import Moment, period
from silverspan.labelling.values.numbers import Number, plus, show

#: Two digits below this are of this century, the others of the last one.
_PIVOT = 50


def _full_year(year: int | None) -> int | None:
    if year is None or year > 99:
        return year
    return year + (2000 if year < _PIVOT else 1900)


def _year(parts: Parts, group: str = "year") -> int | None:
    """The year in a group: four digits as they are, two by the pivot."""
    for values in parts.words(group):
        if "APOSTROPHEYEAR" in values:
            return _full_year(values["APOSTROPHEYEAR"])
        if "Y2" in values and "Y4" not in values:
            return _full_year(values["Y2"])
        if isinstance(values.get("NUM"), int):
            return int(values["NUM"])
    return None


def _day(parts: Parts, group: str = "day") -> int | None:
    for values in parts.words(group):
        value = values.get("ORD", values.get("NUM"))
        if isinstance(value, int):
            return value
    return None


def _moment(parts: Parts, moment: Moment, likely: float = 0.0) -> Meaning:
    return Meaning(moment.value(parts.reference), moment=moment, likely=likely)


def _calendar(
    parts: Parts, year: int | None, month: int, day: int, likely: float = 0.0
) -> Meaning | None:
    leap = 2000 if year is None or not 1 <= year <= 9999 else year
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(leap, month)[1]:
        return None
    return _moment(parts, Moment(year=year, month=month, day=day), likely)


@action
def iso(parts: Parts) -> Meaning | None:
    """Read "2020-01-31T10:00Z"."""
    text = str(parts.get(None, "ISO"))
    day, _, clock = text.partition("T")
    if not day:
        return Meaning(text, moment=Moment(clock=text)) if clock[:2] <= "24" else None
    year, month, number = (int(part) for part in day.split("-"))
    if _calendar(parts, year, month, number) is None or clock[:2] > "24":
        return None
    return _moment(parts, Moment(year=year, month=month, day=number, clock=f"T{clock}"))


@action
def dotted(parts: Parts) -> Meaning | None:
    """Read "31.1.2020", or the American order where only that one is a date."""
    first, second, third = parts.get(None, "DOTTED")
    if first > 31:
        return _calendar(parts, first, second, third)
    year = _full_year(third)
    if second > 12 >= first:
        return _calendar(parts, year, first, second)
    if not parts.day_first and first <= 12 and third < 100:
        return _calendar(parts, year, first, second, -0.5)
    return _calendar(parts, year, second, first)


@action
def compact(parts: Parts) -> Meaning | None:
    """Read "20200131"."""
    number = int(parts.get(None, "NUM"))
    return _calendar(parts, number // 10000, number // 100 % 100, number % 100)


@action
def numeric(parts: Parts) -> Meaning | None:
    """Read "2020-01-31"."""
    return _calendar(parts, _year(parts), int(parts.get("month", "NUM")), _day(parts) or 0)


@action
def slashes(parts: Parts) -> Meaning | None:
    """Read "1/31/2020", in the order of the language."""
    first, second = _day(parts, "a") or 0, _day(parts, "b") or 0
    month, day = (second, first) if parts.day_first else (first, second)
    if month > 12:
        month, day = day, month
    year = _year(parts)
    if year is None and (first, second) == (24, 7):
        return None  # all day, every day
    # "1/2" and "3/4" are fractions sooner than days.
    small = year is None and first < second <= 10
    return _calendar(parts, year, month, day, -2.5 if small else 0.0)


@action
def dot_day(parts: Parts) -> Meaning | None:
    """Read "4.22", a month and a day."""
    month, day = parts.get("d", "DATEDOT")
    return _calendar(parts, None, month, day)


@action
def dashes(parts: Parts) -> Meaning | None:
    """Read "4-22", a date if it is no score: hardly ever."""
    first, second = _day(parts, "a") or 0, _day(parts, "b") or 0
    month, day = (second, first) if parts.day_first else (first, second)
    return _calendar(parts, None, *((day, month) if month > 12 else (month, day)), -3.0)


@action
def month_slash_spaced(parts: Parts) -> Meaning | None:
    """Read "11 / 2016"."""
    return month_slash_year(parts)


@action
def month_slash_year(parts: Parts) -> Meaning | None:
    """Read "05/2020"."""
    return _moment(parts, Moment(year=_year(parts), month=int(parts.get("month", "NUM"))))


def _month(parts: Parts) -> int | None:
    value = parts.get("month", "MONTH", "MONTHA")
    return None if value is None else int(value)


@action
def month_day(parts: Parts) -> Meaning | None:
    """Read "May 5, 2020"."""
    month, day = _month(parts), _day(parts)
    if month is None or day is None:
        return None
    return _calendar(parts, _year(parts), month, day)


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
    month = _month(parts)
    if month is None:
        return None
    return _moment(parts, Moment(year=_year(parts), month=month))


@action
def weekday(parts: Parts) -> Meaning | None:
    """Read "Monday"."""
    return _moment(parts, Moment(weekday=int(parts.get("weekday", "WEEKDAY", "WEEKDAYA"))))


@action
def weekday_day(parts: Parts) -> Meaning | None:
    """Read "Monday the 21st"."""
    day = _day(parts)
    return None if day is None else _moment(parts, Moment(day=day))


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
    return _moment(parts, Moment(shift=(int(parts.get("day", "DAYREL")), "D")))


@action
def phrase(parts: Parts) -> Meaning | None:
    """Read "the other day", "year to date"."""
    return Meaning(str(parts.get(None, "DAYPHRASE")), moment=Moment(period="XXXX"))


@action
def now(parts: Parts) -> Meaning | None:
    """Read "now"."""
    return Meaning("PRESENT_REF", moment=Moment(shift=(0, "D")))


@action
def year(parts: Parts) -> Meaning | None:
    """Read "1998"."""
    value = _year(parts)
    if value is None or not 1 <= value <= 9999:
        return None
    # "nineteen hundred" counts things as often as years; "nineteen ninety-five" does not.
    counted = parts.get("year", "NW") is not None and parts.get("year", "YEARPAIR") is None
    return _moment(parts, Moment(year=value), -1.5 if counted else 0.0)


@action
def era(parts: Parts) -> Meaning | None:
    """Read "44 BC"."""
    number = parts.get("year", "NUM")
    if not isinstance(number, int) or number <= 0:
        return None
    return _moment(parts, Moment(year=number, bc=parts.get("era", "ERA") == "BC"))


@action
def fiscal(parts: Parts) -> Meaning | None:
    """Read "FY2018"."""
    value = _year(parts)
    return None if value is None else Meaning(f"FY{value:04d}", moment=Moment(year=value))


@action
def fiscal_years(parts: Parts) -> Meaning | None:
    """Read "fiscal year 2018-19"."""
    first, last = _year(parts), _year(parts, "end")
    return Meaning(f"FY{first}/FY{last}", moment=Moment(year=first))


@action
def decade(parts: Parts) -> Meaning | None:
    """Read "the 1990s", "nineteen nineties"."""
    digits = parts.get("d", "DECADE")
    value = int(parts.get("d", "DECADEW") if digits is None else digits)
    century = parts.number(None)
    if isinstance(century, int) and 10 <= century <= 20 and digits is None:
        value += century * 100
    if value < 100:
        value += 2000 if value < 20 else 1900
    if value % 10:
        return None
    return Meaning(f"{value // 10}", moment=Moment(year=value, period=f"{value // 10}"))


@action
def decade_years(parts: Parts) -> Meaning | None:
    """Read "80-tallet", "1980er", "les années 80": a decade, or a century where it ends in 00."""
    value = parts.get("d", "NUM")
    if not isinstance(value, int) or value % 10:
        return None
    if value < 100:
        value += 2000 if value < 20 else 1900
    elif value % 100 == 0:
        return Meaning(f"{value // 100}", moment=Moment(period=f"{value // 100}"))
    return Meaning(f"{value // 10}", moment=Moment(year=value, period=f"{value // 10}"))


@action
def century_of(parts: Parts) -> Meaning | None:
    """Read "siglo XIX": the number after the word."""
    number = parts.get("n", "ROMAN", "NUM")
    if not isinstance(number, int) or not 1 <= number <= 30:
        return None
    return Meaning(f"{number - 1:02d}", moment=Moment(period=f"{number - 1:02d}"))


@action
def century(parts: Parts) -> Meaning | None:
    """Read "the 19th century"."""
    inner = parts.inner()
    number = parts.get("n", "ORD")
    if inner:
        return Meaning(f"{inner[0].value} {parts.get('e', 'EDGE')}", moment=inner[0].moment)
    if not isinstance(number, int) or not 1 <= number <= 99:
        return None
    sign = "-" if parts.get(None, "ERA") == "BC" else ""
    value = f"{sign}{number - 1:02d}"
    return Meaning(value, moment=Moment(period=value))


@action
def quarter(parts: Parts) -> Meaning | None:
    """Read "Q3 2019"."""
    return _moment(parts, Moment(year=_year(parts), period=str(parts.get("q", "QUARTER"))))


@action
def ordinal_quarter(parts: Parts) -> Meaning | None:
    """Read "the third quarter of 2019"."""
    nth = parts.get("n", "ORD")
    if nth is None:
        shift = parts.get("n", "RELATIVE")
        return _moment(parts, Moment(shift=(int(shift), "Q")))
    if not 1 <= nth <= 4:
        return None
    return _moment(parts, Moment(year=_year(parts), period=f"Q{nth}"))


@action
def ordinal_half(parts: Parts) -> Meaning | None:
    """Read "the first half of 2019"."""
    nth = parts.get("n", "ORD") or (2 if parts.get("n", "RELATIVE") == -1 else None)
    if nth not in (1, 2):
        return None
    return _moment(parts, Moment(year=_year(parts), period=f"H{nth}"))


@action
def the_after(parts: Parts) -> Meaning | None:
    """Read "the day after", where "the day" was found first."""
    inner = parts.inner()
    if not inner or inner[0].moment is None or inner[0].moment.shift is None:
        return None
    if inner[0].moment.shift[0] or inner[0].moment.weekday:
        return None  # not "the day", but "next Monday"
    sign = -1 if parts.get("next", "BEFORE") is not None else 1
    return _moment(parts, Moment(shift=(sign, inner[0].moment.shift[1])))


@action
def night_before(parts: Parts) -> Meaning | None:
    """Read "the night before", "the morning after"."""
    sign = -1 if parts.get("side", "BEFORE") is not None else 1
    return _moment(parts, Moment(shift=(sign, "D"), clock=f"T{parts.get('p', 'PART')}"))


@action
def this_part(parts: Parts) -> Meaning | None:
    """Read "last night", "8 this morning"."""
    shift = int(parts.get("r", "RELATIVE", "THIS"))
    name = str(parts.get("p", "PART"))
    if not parts.has("h"):
        return _moment(parts, Moment(shift=(shift, "D"), clock=f"T{name}"))
    hour = _hour(parts)
    if hour is None or (hour > 12 and name == "MO"):
        return None
    late = 12 if name in ("AF", "EV") and hour < 12 else 0
    return _moment(parts, Moment(shift=(shift, "D"), clock=f"T{hour + late:02d}:00"))


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
def season(parts: Parts) -> Meaning | None:
    """Read "summer 2019", "last spring"."""
    name = str(parts.get("s", "SEASON", "SEASONA"))
    shift = parts.get(None, "RELATIVE", "THIS")
    if isinstance(shift, int) and not isinstance(shift, bool):
        return _moment(parts, Moment(shift=(shift, "Y"), period=name))
    return _moment(parts, Moment(year=_year(parts), period=name))


@action
def holiday(parts: Parts) -> Meaning | None:
    """Read "Christmas 2019"."""
    return _moment(parts, Moment(year=_year(parts), holiday=str(parts.get("h", "HOLIDAY"))))


@action
def weekend(parts: Parts) -> Meaning | None:
    """Read "the weekend"."""
    return _moment(parts, Moment(shift=(0, "W"), period="WE"))


def _unit(parts: Parts, group: str = "u") -> str | None:
    for values in parts.words(group):
        for name in ("UNITDAY", "UNITDAY1", "UNITTIME", "UNITTIME1"):
            if name in values:
                unit = str(values[name])
                return "M+" if unit == "M" and name.startswith("UNITTIME") else unit
        if "WEEKEND" in values:
            return "WE"
    return None


@action
def duration(parts: Parts) -> Meaning | None:
    """Read "three days", "2 hours"."""
    number, unit = parts.number(), _unit(parts)
    if number is None or unit is None:
        return None
    return Meaning(period(number, unit), number=number, unit=unit)


@action
def moment_unit(parts: Parts) -> Meaning | None:
    """Read "second" as the unit of time: hardly ever a value by itself."""
    unit = _unit(parts)
    return None if unit is None else Meaning(period(1, unit), number=1, unit=unit, likely=-2.0)


@action
def halves(parts: Parts) -> Meaning | None:
    """Read "a year and a half"."""
    unit = _unit(parts)
    if unit is None:
        return None
    number = plus((parts.number() if parts.has("n") else 1) or 1, Fraction(1, 2))
    return Meaning(period(number, unit), number=number, unit=unit)


@action
def all_of(parts: Parts) -> Meaning | None:
    """Read "all week"."""
    unit = _unit(parts)
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
    unit = _unit(parts)
    if unit is not None:
        return Meaning(f"SET {period(number if isinstance(number, int) else 1, unit)}")
    for values in parts.words():
        for name in ("WEEKDAY", "WEEKDAYA"):
            if name in values:
                return Meaning(f"SET XXXX-WXX-{values[name]}")
        if "MONTH" in values:
            return Meaning(f"SET XXXX-{int(values['MONTH']):02d}")
    return Meaning("SET")


# --- relative ---------------------------------------------------------------------------------


def _shift(parts: Parts) -> int:
    value = parts.get("r", "RELATIVE", "THIS", "RELATIVEAFTER")
    after = parts.get("next", "AFTERNEXT")
    if after is not None:
        return int(after)
    side = parts.get("next", "BEFORE", "AFTER")
    if side is not None:
        return -1 if parts.get("next", "BEFORE") is not None else 1
    return int(value) if value is not None else 0


@action
def relative(parts: Parts) -> Meaning | None:
    """Read "last week", "the next three months", "this Friday"."""
    shift = _shift(parts)
    inner = parts.inner()
    if inner and inner[0].number is not None and inner[0].unit is not None:
        count = inner[0].number
        return Meaning(
            f"{'-' if shift < 0 else '+'}{inner[0].value}",
            moment=Moment(
                shift=(
                    (1 if shift >= 0 else -1) * (count if isinstance(count, int) else 1),
                    inner[0].unit,
                )
            ),
        )
    if inner and inner[0].moment is not None:
        moment = inner[0].moment
        if moment.weekday is not None:
            return _moment(parts, Moment(shift=(shift, "W"), weekday=moment.weekday))
        if moment.period == "WE":
            return _moment(parts, Moment(shift=(shift, "WE")))
        return _moment(parts, replace(moment, shift=(shift, "Y"), holiday=None))
    if inner:
        return Meaning(f"{'-' if shift < 0 else '+'}{inner[0].value}", moment=Moment(period="XXXX"))
    count_ = parts.number() if parts.has("n") else None
    unit = _unit(parts)
    if unit is not None and unit in ("D", "BD") and abs(shift) <= 2 and count_ is None:
        return _moment(parts, Moment(shift=(shift, "D")))
    if unit is not None:
        amount: Number = shift if count_ is None else (count_ if shift >= 0 else -count_)
        return _moment(parts, Moment(shift=(amount, unit)))
    for values in parts.words():
        if "MONTHA" in values:
            return _moment(parts, Moment(shift=(shift, "Y"), month=int(values["MONTHA"])))
        if "WEEKDAYA" in values or "WEEKDAY" in values:
            day = int(values["WEEKDAYA"] if "WEEKDAYA" in values else values["WEEKDAY"])
            return _moment(parts, Moment(shift=(shift, "W"), weekday=day))
        if "SEASONA" in values:
            return _moment(parts, Moment(shift=(shift, "Y"), period=values["SEASONA"]))
        if "QWORD" in values:
            return _moment(parts, Moment(shift=(shift, "Q")))
    return _moment(parts, Moment(shift=(shift, "Y")))


@action
def the_unit(parts: Parts) -> Meaning | None:
    """Read "the year", "the day before"."""
    unit = _unit(parts)
    if unit is None:
        return None
    likely = 0.0 if parts.has("next") else -2.0
    return _moment(parts, Moment(shift=(_shift(parts), unit)), likely)


def _signed(parts: Parts, sign: int) -> Meaning | None:
    inner = parts.inner()
    if not inner:
        unit = _unit(parts)
        return None if unit is None else Meaning(f"PAST_REF {unit}", moment=Moment(period="XXXX"))
    number, unit = inner[0].number, inner[0].unit
    if isinstance(number, int) and unit is not None:
        return _moment(parts, Moment(shift=(sign * number, unit)))
    text = f"REF{'-' if sign < 0 else '+'}{inner[0].value}"
    return Meaning(text, moment=Moment(period="XXXX"))


@action
def ago(parts: Parts) -> Meaning | None:
    """Read "three days ago"."""
    return _signed(parts, -1)


@action
def hence(parts: Parts) -> Meaning | None:
    """Read "in three days", "two years later"."""
    return _signed(parts, 1)


@action
def nth_weekday(parts: Parts) -> Meaning | None:
    """Read "two Mondays ago"."""
    inner, number = parts.inner(), parts.number()
    if not inner or inner[0].moment is None or not isinstance(number, int):
        return None
    amount = -number if parts.get(None, "AGO") is not None else number
    return _moment(parts, Moment(shift=(amount, "W"), weekday=inner[0].moment.weekday))


@action
def edge(parts: Parts) -> Meaning | None:
    """Read "early 2019", "the end of last year"."""
    side = str(parts.get("e", "EDGE"))
    inner = parts.inner()
    if inner:
        moment = inner[0].moment
        if moment is None:
            return Meaning(f"{inner[0].value} {side}")
        return Meaning(f"{inner[0].value} {side}", moment=replace(moment, edge=side))
    unit = _unit(parts)
    moment = Moment(shift=(0, unit or "Y"), edge=side)
    month = parts.get("u", "MONTHA")
    if month is not None:
        moment = Moment(month=int(month), edge=side)
    return _moment(parts, moment)


# --- anchored and combined --------------------------------------------------------------------


@action
def anchored(parts: Parts) -> Meaning | None:
    """Read "two days after Christmas"."""
    inner = parts.inner()
    if not inner:
        return None
    sign = -1 if parts.get("side", "BEFORE") is not None else 1
    anchor = inner[-1]
    step = inner[0] if len(inner) > 1 else None
    number: Number = step.number if step is not None and step.number is not None else 1
    unit = step.unit if step is not None else _unit(parts)
    if unit is None:
        return Meaning(anchor.value, moment=anchor.moment)
    text = f"{anchor.value}{'-' if sign < 0 else '+'}{period(number, unit)}"
    known = anchor.moment
    if (
        parts.reference is not None
        and known is not None
        and unit in ("D", "W")
        and isinstance(number, int)
        and number < 10_000
    ):
        from datetime import date, timedelta  # noqa: PLC0415

        try:
            start = date.fromisoformat(known.value(parts.reference))
            moved = start + timedelta(sign * number * (7 if unit == "W" else 1))
        except (ValueError, OverflowError):
            return Meaning(text, moment=Moment(period="XXXX"))
        return _moment(parts, Moment(year=moved.year, month=moved.month, day=moved.day))
    return Meaning(text, moment=Moment(period="XXXX"))


@action
def combined(parts: Parts) -> Meaning | None:
    """Monday next week", "May of last year", "the 5th of next month"."""
    inner = parts.inner()
    moments = [part.moment for part in inner if part.moment is not None]
    if not moments:
        return None
    full = next((m for m in moments if m.day is not None and m.month is not None), None)
    if full is not None:
        return _moment(parts, full)
    shifted = next((m for m in moments if m.shift is not None), None)
    if shifted is None:
        return _moment(parts, moments[0])
    other = next((m for m in moments if m is not shifted), None)
    day = _day(parts, "day")
    if day is not None:
        return _moment(parts, replace(shifted, day=day))
    if other is None:
        return _moment(parts, shifted)
    if other.weekday is not None:
        amount = shifted.shift[0] if shifted.shift is not None else 0
        return _moment(parts, Moment(shift=(amount, "W"), weekday=other.weekday))
    return _moment(parts, replace(shifted, month=other.month, day=other.day, period=other.period))


@action
def nth(parts: Parts) -> Meaning | None:
    """Read "the first week of May"."""
    inner = parts.inner()
    which: Any = parts.get("n", "ORD", "RELATIVE")
    days = [part.moment.weekday for part in inner if part.moment is not None]
    if len(days) == len(inner) == 1 and days[0] and (parts.get("n", "ORD") or 0) > 5:
        return None  # a month has no sixth Sunday
    unit = _unit(parts) or "D"
    anchor = inner[-1].value if inner else "XXXX"
    return Meaning(
        f"{anchor} #{which}{unit}", moment=Moment(period="XXXX"), likely=0.0 if inner else -1.0
    )


@action
def numbered(parts: Parts) -> Meaning | None:
    """Read "week 12", "day 3"."""
    number, unit = parts.get("n", "NUM"), _unit(parts)
    if not isinstance(number, int) or unit is None or number > 366:
        return None
    inner = parts.inner()
    base = inner[0].value if inner else (f"{_year(parts):04d}" if _year(parts) else "XXXX")
    code = {"W": f"W{number:02d}", "D": f"D{number}", "M": f"{number:02d}"}.get(
        unit, f"{unit}{number}"
    )
    return Meaning(f"{base}-{code}", moment=Moment(period="XXXX"), likely=-1.0)


@action
def week_of(parts: Parts) -> Meaning | None:
    """Read "the week of May 5"."""
    inner = parts.inner()
    return Meaning(f"{inner[0].value} week", moment=inner[0].moment) if inner else None


@action
def half_of(parts: Parts) -> Meaning | None:
    """Read "the first half of next year"."""
    inner = parts.inner()
    which = parts.get("n", "ORD")
    if not inner or which not in (None, 1, 2):
        return None
    return Meaning(f"{inner[0].value} H{which or ''}", moment=inner[0].moment)


@action
def ended(parts: Parts) -> Meaning | None:
    """Read "the year ended March 31"."""
    inner = parts.inner()
    return Meaning("/".join(part.value for part in inner)) if inner else None


# --- clock ------------------------------------------------------------------------------------


def _hour(parts: Parts, group: str = "h") -> int | None:
    value = parts.get(group, "NUM")
    return int(value) if isinstance(value, int) else None


def _with_meridiem(hour: int, meridiem: str | None) -> int | None:
    if meridiem is None:
        return hour if hour <= 24 else None
    if hour > 12:
        return hour if meridiem == "PM" and hour < 24 else None
    if hour == 0:
        return 0 if meridiem == "AM" else None
    return hour % 12 + (12 if meridiem == "PM" else 0)


def _clock(
    parts: Parts,
    hour: int | None,
    minute: Number = 0,
    second: Number | None = None,
    likely: float = 0.0,
) -> Meaning | None:
    meridiem = parts.get("meridiem", "MERIDIEM", "MERIDIEM1")
    if hour is None:
        return None
    full = _with_meridiem(hour, meridiem)
    if full is None or not 0 <= minute < 60 or (full == 24 and minute):
        return None
    zone = parts.get("zone", "ZONE")
    text = f"T{full:02d}:{int(minute):02d}"
    if second is not None:
        text += f":{int(second):02d}"
    text += f" {zone}" if zone and str(zone)[0] not in "+-Z" else str(zone or "")
    return Meaning(text, moment=Moment(clock=text), likely=likely)


@action
def clock(parts: Parts) -> Meaning | None:
    """Read "3 pm", "8:30:15 EST", "eight thirty"."""
    minute = parts.get("m", "NUM")
    in_words = parts.get("h", "HOURW") is not None and not parts.has("meridiem")
    # "eight five" is two numbers, "eight oh five" a time.
    said = parts.get(None, "OHW") is not None or parts.get(None, "AT") is not None
    unsaid = minute is not None and minute < 10 and not said
    if in_words and unsaid:
        return None
    return _clock(parts, _hour(parts), minute or 0, parts.get("s", "NUM"))


@action
def clock_letter(parts: Parts) -> Meaning | None:
    """Read "9p", which may be pence."""
    meaning = clock(parts)
    return None if meaning is None else replace(meaning, likely=-0.5)


@action
def clock_dot(parts: Parts) -> Meaning | None:
    """Read "8.30 pm"."""
    hour, minute = parts.get("h", "CLOCKDOT")
    return _clock(parts, hour, minute)


@action
def military(parts: Parts) -> Meaning | None:
    """Read "1530 hours"."""
    value = parts.get("h", "HHMM", "HMM")
    if value is None:
        return None
    is_half = parts.has("meridiem") or parts.has("part")
    if is_half and not 100 <= value < 1300:
        return None
    late = parts.get("part", "PARTW") in ("AF", "EV") and value < 1200
    return _clock(parts, int(value) // 100 + 12 * late, int(value) % 100)


@action
def hour_sign(parts: Parts) -> Meaning | None:
    """Read "15h30", "15 Uhr 30"."""
    pair = parts.get("h", "CLOCKDOT")
    if pair is not None:
        return _clock(parts, *pair)
    minutes = [v["NUM"] for v in parts.words("h") if "NUM" in v][1:]
    minute = parts.get("m", "NUM") or (minutes[0] if minutes else 0)
    return _clock(parts, _hour(parts), minute)


@action
def hour_number(parts: Parts) -> Meaning | None:
    """Read "a las ocho y media", where hour and half were read as one number."""
    number = parts.number()
    if number is None or not 1 <= number < 25:
        return None
    return _clock(parts, int(number), int((number - int(number)) * 60))


@action
def hour_less(parts: Parts) -> Meaning | None:
    """Read "huit heures moins dix": the minutes are still to come."""
    hour, minutes = _hour(parts), parts.get("m", "NUM")
    if hour is None or not 1 <= hour <= 24 or not isinstance(minutes, int):
        return None
    if not -60 < minutes < 0:
        return None
    return _clock(parts, (hour - 1) or 12, 60 + minutes)


@action
def hour_half(parts: Parts) -> Meaning | None:
    """Read "dos y media": an hour and a part of the next."""
    rest = parts.get("rest", "NUM")
    if parts.get("rest", "QUARTERW") is not None:
        rest = 15
    if rest is None:
        denominator = parts.get("rest", "FRACW") or 2
        rest = 60 // int(denominator)
    return _clock(parts, _hour(parts), rest)


def _minutes(parts: Parts) -> Number | None:
    inner = parts.inner()
    if inner:
        return inner[0].number if inner[0].unit == "M+" else None
    if parts.get("m", "UNITTIME") == "S":
        return None
    number = parts.get("m", "NUM")
    if isinstance(number, Fraction) and number < 1:
        return int(number * 60)
    if number is not None:
        return number  # type: ignore[no-any-return]
    denominator = parts.get("m", "FRACW")
    return 60 // int(denominator) if denominator is not None else 30


def _noon_hour(parts: Parts) -> int | None:
    noon = parts.get("h", "NOON")
    return int(str(noon)[:2]) if noon is not None else _hour(parts)


@action
def past(parts: Parts) -> Meaning | None:
    """Read "half past six"."""
    minutes = _minutes(parts)
    return None if minutes is None else _clock(parts, _noon_hour(parts), minutes)


@action
def until(parts: Parts) -> Meaning | None:
    """Read "quarter to nine"."""
    minutes, hour = _minutes(parts), _noon_hour(parts)
    if minutes is None or hour is None or not 0 < minutes < 60:
        return None
    meridiem = parts.get("meridiem", "MERIDIEM", "MERIDIEM1")
    full = _with_meridiem(hour, meridiem)
    if full is None:
        return None
    before = full - 1 if full > 1 else (12 if full and not meridiem else (full - 1) % 24)
    text = f"T{before:02d}:{60 - int(minutes):02d}"
    return Meaning(text, moment=Moment(clock=text))


@action
def half_to(parts: Parts) -> Meaning | None:
    """German and Norwegian "halb sechs", "halv seks": half an hour before."""
    hour = _hour(parts)
    if hour is None or not 1 <= hour <= 24:
        return None
    text = f"T{(hour - 1) or 12:02d}:30"
    return Meaning(text, moment=Moment(clock=text))


@action
def noon(parts: Parts) -> Meaning | None:
    """Read "noon", "midnight"."""
    text = f"T{parts.get('n', 'NOON')}"
    return Meaning(text, moment=Moment(clock=text))


@action
def part(parts: Parts) -> Meaning | None:
    """Read "morning", "tonight"."""
    name = parts.get("p", "PART", "PARTW", "TONIGHT")
    likely = -3.0 if name in ("LUNCH", "DINNER", "BREAKFAST") else 0.0
    if parts.get("p", "TONIGHT") is not None:
        moment = Moment(shift=(0, "D"), clock="TNI")
        return Meaning(moment.value(parts.reference), moment=moment)
    return Meaning(f"T{name}", moment=Moment(clock=f"T{name}"), likely=likely)


@action
def clock_part(parts: Parts) -> Meaning | None:
    """Read "8 in the morning"."""
    inner = parts.inner()
    name = parts.get("p", "PARTW", "PART")
    if name is None:
        name = next((p.value[1:] for p in inner if p.value in ("TAF", "TEV")), None)
    if parts.has("h"):
        hour = _hour(parts)
        if hour is None or (hour > 12 and name == "MO"):
            return None
        return _clock(parts, hour % 12 + 12 if name in ("AF", "EV") and hour <= 12 else hour)
    clocks = [p for p in inner if p.moment is not None and p.moment.clock]
    if not clocks:
        return None
    best = next((p for p in clocks if p.value[1:2].isdigit()), clocks[0])
    text = best.value
    if name in ("AF", "EV") and text[1:3].isdigit() and int(text[1:3]) < 12:
        text = f"T{int(text[1:3]) + 12:02d}{text[3:]}"
    return Meaning(text, moment=Moment(clock=text))


@action
def at_hour(parts: Parts) -> Meaning | None:
    """Read "at 5"."""
    hour = _hour(parts)
    if hour is None or not 1 <= hour <= 24:
        return None
    return _clock(parts, hour, likely=0.0 if hour <= 12 else -2.0)


@action
def moment(parts: Parts) -> Meaning | None:
    """A day and a time of day, in either order."""
    inner = parts.inner()
    moments = [p.moment for p in inner if p.moment is not None]
    clock_text = next((m.clock for m in moments if m.clock), None)
    day = next((m for m in moments if not m.clock or m.shift or m.day or m.weekday), None)
    ranged = next((p for p in inner if "/" in p.value), None)
    if parts.has("h"):
        hour = _hour(parts)
        if hour is None:
            return None
        clock_text = f"T{hour:02d}:00"
    if clock_text is None and parts.has("p"):
        clock_text = f"T{parts.get('p', 'PART', 'PARTW')}"
    if ranged is not None and day is not None:
        return Meaning(
            "/".join(
                day.at(end if end.startswith("T") else f"T{end}").value(parts.reference)
                for end in ranged.value.split("/")
            )
        )
    if day is None:
        return Meaning(clock_text, moment=Moment(clock=clock_text)) if clock_text else None
    return _moment(parts, day.at(clock_text))


# --- ranges -----------------------------------------------------------------------------------


@action
def date_range(parts: Parts) -> Meaning | None:
    """Read "3 to 5 May", "Monday to Friday", "from 1990 until now"."""
    inner = parts.inner()
    moments = [p.moment for p in inner if p.moment is not None]
    first_day, last_day = _day(parts, "a"), _day(parts, "b")
    if parts.has("month") and (first_day is not None or last_day is not None):
        month = _month(parts)
        year_ = moments[0].year if moments else None
        ends = [Moment(year=year_, month=month, day=day) for day in (first_day, last_day)]
        return _pair(parts, *ends)
    if parts.has("month") and moments:
        return _pair(parts, Moment(month=_month(parts)), moments[0])
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
            and _calendar(parts, end.year, end.month, end.day) is None
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
    inner, first, last = parts.inner(), _hour(parts, "a"), _hour(parts, "b")
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
