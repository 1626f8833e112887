"""The meanings of times of day: "3 pm", "half past six", "tomorrow at 8 in the morning"."""

from dataclasses import replace
from fractions import Fraction

from silverspan.labelling.values.date_pieces import (
    hour_in,
    told,
)
from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import Moment
from silverspan.labelling.values.numbers import Number


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
    return _clock(parts, hour_in(parts), minute or 0, parts.get("s", "NUM"))


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
    return _clock(parts, hour_in(parts), minute)


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
    hour, minutes = hour_in(parts), parts.get("m", "NUM")
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
    return _clock(parts, hour_in(parts), rest)


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
    return int(str(noon)[:2]) if noon is not None else hour_in(parts)


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
    hour = hour_in(parts)
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
        hour = hour_in(parts)
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
    hour = hour_in(parts)
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
        hour = hour_in(parts)
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
    return told(parts, day.at(clock_text))
