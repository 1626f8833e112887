"""Points and stretches of time as ISO 8601 or TIMEX strings, with or without a reference date.

Parts that are not said stay X ("XXXX-05-12"); what is relative stays relative to REF ("REF-P3D")
unless a reference date is given, which then resolves it.
"""

import calendar
from dataclasses import dataclass, replace
from datetime import date, timedelta

from silverspan.labelling.values.numbers import Number, show, times


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time, a period, as far as it is said."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    period: str | None = None  # "Q3", "SU", "W05", "199X", "WE": a part of a year, or a raw value
    holiday: str | None = None
    shift: tuple[Number, str] | None = None  # from the reference, in a unit of time
    clock: str | None = None  # "T15:30"
    edge: str | None = None
    bc: bool = False

    def at(self, clock: str | None) -> "Moment":
        """Return the same day at a time of day."""
        return replace(self, clock=clock)

    def value(self, reference: date | None = None) -> str:
        """Return the moment as a string.

        >>> Moment(month=5, day=12).value(), Moment(shift=(-3, "D")).value()
        ('XXXX-05-12', 'REF-P3D')
        >>> Moment(shift=(-3, "D")).value(date(2020, 1, 1))
        '2019-12-29'
        """
        text = self._date(reference)
        if self.clock is not None:
            text += self.clock
        return f"{text} {self.edge}" if self.edge else text

    def _date(self, reference: date | None) -> str:
        if self.shift is not None:
            if reference is not None:
                return self._shifted(reference)
            base = _shift_text(*self.shift)
            return base + (f"-{self._suffix()}" if self._suffix() else "")
        if self.holiday is not None:
            year = self.year if self.year is not None else (reference.year if reference else None)
            return holiday_date(self.holiday, year)
        if self.period is not None and self.year is None and self.month is None:
            if self.period[0].isdigit() or self.period == "WE":
                return self.period
            year_text = f"{reference.year:04d}" if reference else "XXXX"
            return f"{year_text}-{self.period}"
        if self.weekday is not None and self.day is None:
            if reference is not None:
                ahead = (self.weekday - reference.isoweekday()) % 7
                return (reference + timedelta(ahead)).isoformat()
            return f"XXXX-WXX-{self.weekday}"
        if self.year is None and self.month is None and self.day is None:
            return "" if self.clock is not None else "XXXX"
        year_text = f"{self.year:04d}" if self.year is not None else "XXXX"
        if self.year is None and reference is not None and self.month is not None:
            year_text = f"{self._nearest_year(reference):04d}"
        if self.bc:
            year_text = "-" + year_text
        if self.period is not None:
            return f"{year_text}-{self.period}"
        if self.month is None and self.day is None:
            return year_text
        month_text = f"{self.month:02d}" if self.month is not None else "XX"
        if self.day is None:
            return f"{year_text}-{month_text}"
        return f"{year_text}-{month_text}-{self.day:02d}"

    def _nearest_year(self, reference: date) -> int:
        """The year in which this day or month comes next."""
        month, day = self.month or 1, self.day or calendar.monthrange(2000, self.month or 1)[1]
        return (
            reference.year
            if (month, day) >= (reference.month, reference.day)
            else (reference.year + 1)
        )

    def _suffix(self) -> str:
        if self.period is not None:
            return self.period
        if self.month is not None:
            return f"{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")
        if self.weekday is not None:
            return f"WD{self.weekday}"
        return f"{self.day:02d}" if self.day is not None else ""

    def _shifted(self, reference: date) -> str:
        assert self.shift is not None
        amount, unit = self.shift
        if unit in ("H", "M+", "S") or not isinstance(amount, int) or abs(amount) > 50_000:
            return f"{reference.isoformat()}{_shift_text(amount, unit)[3:]}"
        if self.weekday is not None:
            monday = reference - timedelta(reference.isoweekday() - 1)
            return _safe(monday, 7 * amount + self.weekday - 1)
        if unit == "D":
            return _safe(reference, amount)
        if unit in ("W", "2W", "WE"):
            text = _safe(reference, amount * (14 if unit == "2W" else 7))
            if not text[0].isdigit() or self.day is not None:
                return text
            year, week, _ = date.fromisoformat(text).isocalendar()
            return f"{year:04d}-W{week:02d}" + ("-WE" if unit == "WE" else "")
        months = {"M": 1, "Q": 3, "6M": 6, "Y": 12, "10Y": 120, "100Y": 1200}.get(unit)
        if months is None:
            return _shift_text(amount, unit)
        total = reference.year * 12 + reference.month - 1 + months * amount
        year, month = total // 12, total % 12 + 1
        if not 1 <= year <= 9999:
            return _shift_text(amount, unit)
        if unit == "M":
            return f"{year:04d}-{month:02d}" + (f"-{self.day:02d}" if self.day else "")
        if unit == "Q":
            return f"{year:04d}-Q{(month - 1) // 3 + 1}"
        if unit == "10Y":
            return f"{year // 10}"
        if unit == "100Y":
            return f"{year // 100:02d}"
        suffix = self._suffix()
        return f"{year:04d}" + (f"-{suffix}" if suffix else "")


def _safe(start: date, days: int) -> str:
    try:
        return (start + timedelta(days)).isoformat()
    except OverflowError:
        return _shift_text(days, "D")


def _shift_text(amount: Number, unit: str) -> str:
    return f"REF-{period(-amount, unit)}" if amount < 0 else f"REF+{period(amount, unit)}"


def period(amount: Number, unit: str) -> str:
    """Return a duration as ISO 8601 has it.

    >>> period(3, "D"), period(2, "10Y"), period(90, "M+"), period(1, "Q")
    ('P3D', 'P20Y', 'PT90M', 'P3M')
    """
    if unit in ("H", "M+", "S"):
        return f"PT{show(amount)}{unit[0]}"
    if unit in ("MS", "US", "NS"):
        return f"PT{show(amount)}{unit}"
    if unit == "Q":
        unit = "3M"
    if unit in ("WE", "NIGHT", "BD"):
        return f"P{show(amount)}{unit}"
    digits = unit[:-1]
    if digits:
        amount = times(amount, int(digits))
    return f"P{show(amount)}{unit[-1]}"


def holiday_date(rule: str, year: int | None) -> str:
    """Return the date of a holiday: "12-25", "WI-11-4-4" (nth weekday), "EA-2" (from Easter).

    >>> holiday_date("WI-11-4-4", 2020), holiday_date("EA+1", 2021), holiday_date("12-25", None)
    ('2020-11-26', '2021-04-05', 'XXXX-12-25')
    """
    if rule == "X":
        return "XXXX" if year is None else f"{year:04d}"
    if year is None or not 1 <= year <= 9999:
        return f"XXXX-{rule}"
    if rule.startswith("EA"):
        return _safe(_easter(year), int(rule[2:]))
    if rule.startswith("WI-"):
        month, weekday, nth = (int(part) for part in rule[3:].split("-", 2))
        first = date(year, month, 1)
        if nth > 0:
            day = 1 + (weekday - first.isoweekday()) % 7 + 7 * (nth - 1)
        else:
            last = calendar.monthrange(year, month)[1]
            day = last - (date(year, month, last).isoweekday() - weekday) % 7
        return f"{year:04d}-{month:02d}-{day:02d}"
    return f"{year:04d}-{rule}"


def _easter(year: int) -> date:
    """The Gregorian Easter Sunday (the anonymous algorithm, as in Meeus 1991)."""
    a, (b, c) = year % 19, divmod(year, 100)
    (d, e), f = divmod(b, 4), (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    length = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * length) // 451
    month, day = divmod(h + length - 7 * m + 114, 31)
    return date(year, month, day + 1)
