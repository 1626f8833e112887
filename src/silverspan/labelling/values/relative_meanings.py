"""The meanings of what is counted from another day: "two days ago", "the first week of May"."""

from dataclasses import replace
from typing import Any

from silverspan.labelling.values.date_pieces import (
    day_in,
    hour_in,
    told,
    unit_in,
    year_in,
)
from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import Moment, period
from silverspan.labelling.values.numbers import Number


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
            return told(parts, Moment(shift=(shift, "W"), weekday=moment.weekday))
        if moment.period == "WE":
            return told(parts, Moment(shift=(shift, "WE")))
        return told(parts, replace(moment, shift=(shift, "Y"), holiday=None))
    if inner:
        return Meaning(f"{'-' if shift < 0 else '+'}{inner[0].value}", moment=Moment(period="XXXX"))
    count_ = parts.number() if parts.has("n") else None
    unit = unit_in(parts)
    if unit is not None and unit in ("D", "BD") and abs(shift) <= 2 and count_ is None:
        return told(parts, Moment(shift=(shift, "D")))
    if unit is not None:
        amount: Number = shift if count_ is None else (count_ if shift >= 0 else -count_)
        return told(parts, Moment(shift=(amount, unit)))
    for values in parts.words():
        if "MONTHA" in values:
            return told(parts, Moment(shift=(shift, "Y"), month=int(values["MONTHA"])))
        if "WEEKDAYA" in values or "WEEKDAY" in values:
            day = int(values["WEEKDAYA"] if "WEEKDAYA" in values else values["WEEKDAY"])
            return told(parts, Moment(shift=(shift, "W"), weekday=day))
        if "SEASONA" in values:
            return told(parts, Moment(shift=(shift, "Y"), period=values["SEASONA"]))
        if "QWORD" in values:
            return told(parts, Moment(shift=(shift, "Q")))
    return told(parts, Moment(shift=(shift, "Y")))


@action
def the_unit(parts: Parts) -> Meaning | None:
    """Read "the year", "the day before"."""
    unit = unit_in(parts)
    if unit is None:
        return None
    likely = 0.0 if parts.has("next") else -2.0
    return told(parts, Moment(shift=(_shift(parts), unit)), likely)


@action
def the_after(parts: Parts) -> Meaning | None:
    """Read "the day after", where "the day" was found first."""
    inner = parts.inner()
    if not inner or inner[0].moment is None or inner[0].moment.shift is None:
        return None
    if inner[0].moment.shift[0] or inner[0].moment.weekday:
        return None  # not "the day", but "next Monday"
    sign = -1 if parts.get("next", "BEFORE") is not None else 1
    return told(parts, Moment(shift=(sign, inner[0].moment.shift[1])))


def _signed(parts: Parts, sign: int) -> Meaning | None:
    inner = parts.inner()
    if not inner:
        unit = unit_in(parts)
        return None if unit is None else Meaning(f"PAST_REF {unit}", moment=Moment(period="XXXX"))
    number, unit = inner[0].number, inner[0].unit
    if isinstance(number, int) and unit is not None:
        return told(parts, Moment(shift=(sign * number, unit)))
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
    return told(parts, Moment(shift=(amount, "W"), weekday=inner[0].moment.weekday))


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
    unit = unit_in(parts)
    moment = Moment(shift=(0, unit or "Y"), edge=side)
    month = parts.get("u", "MONTHA")
    if month is not None:
        moment = Moment(month=int(month), edge=side)
    return told(parts, moment)


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
    unit = step.unit if step is not None else unit_in(parts)
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
        return told(parts, Moment(year=moved.year, month=moved.month, day=moved.day))
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
        return told(parts, full)
    shifted = next((m for m in moments if m.shift is not None), None)
    if shifted is None:
        return told(parts, moments[0])
    other = next((m for m in moments if m is not shifted), None)
    day = day_in(parts, "day")
    if day is not None:
        return told(parts, replace(shifted, day=day))
    if other is None:
        return told(parts, shifted)
    if other.weekday is not None:
        amount = shifted.shift[0] if shifted.shift is not None else 0
        return told(parts, Moment(shift=(amount, "W"), weekday=other.weekday))
    return told(parts, replace(shifted, month=other.month, day=other.day, period=other.period))


@action
def nth(parts: Parts) -> Meaning | None:
    """Read "the first week of May"."""
    inner = parts.inner()
    which: Any = parts.get("n", "ORD", "RELATIVE")
    days = [part.moment.weekday for part in inner if part.moment is not None]
    if len(days) == len(inner) == 1 and days[0] and (parts.get("n", "ORD") or 0) > 5:
        return None  # a month has no sixth Sunday
    unit = unit_in(parts) or "D"
    anchor = inner[-1].value if inner else "XXXX"
    return Meaning(
        f"{anchor} #{which}{unit}", moment=Moment(period="XXXX"), likely=0.0 if inner else -1.0
    )


@action
def numbered(parts: Parts) -> Meaning | None:
    """Read "week 12", "day 3"."""
    number, unit = parts.get("n", "NUM"), unit_in(parts)
    if not isinstance(number, int) or unit is None or number > 366:
        return None
    inner = parts.inner()
    base = inner[0].value if inner else (f"{year_in(parts):04d}" if year_in(parts) else "XXXX")
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


@action
def night_before(parts: Parts) -> Meaning | None:
    """Read "the night before", "the morning after"."""
    sign = -1 if parts.get("side", "BEFORE") is not None else 1
    return told(parts, Moment(shift=(sign, "D"), clock=f"T{parts.get('p', 'PART')}"))


@action
def this_part(parts: Parts) -> Meaning | None:
    """Read "last night", "8 this morning"."""
    shift = int(parts.get("r", "RELATIVE", "THIS"))
    name = str(parts.get("p", "PART"))
    if not parts.has("h"):
        return told(parts, Moment(shift=(shift, "D"), clock=f"T{name}"))
    hour = hour_in(parts)
    if hour is None or (hour > 12 and name == "MO"):
        return None
    late = 12 if name in ("AF", "EV") and hour < 12 else 0
    return told(parts, Moment(shift=(shift, "D"), clock=f"T{hour + late:02d}:00"))
