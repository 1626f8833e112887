"""The meanings of years and other periods of the calendar: decades, quarters, seasons, holidays."""

from silverspan.labelling.values.date_pieces import (
    told,
    year_in,
)
from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.moments import Moment


@action
def year(parts: Parts) -> Meaning | None:
    """Read "1998"."""
    value = year_in(parts)
    if value is None or not 1 <= value <= 9999:
        return None
    # "nineteen hundred" counts things as often as years; "nineteen ninety-five" does not.
    counted = parts.get("year", "NW") is not None and parts.get("year", "YEARPAIR") is None
    return told(parts, Moment(year=value), -1.5 if counted else 0.0)


@action
def era(parts: Parts) -> Meaning | None:
    """Read "44 BC"."""
    number = parts.get("year", "NUM")
    if not isinstance(number, int) or number <= 0:
        return None
    return told(parts, Moment(year=number, bc=parts.get("era", "ERA") == "BC"))


@action
def fiscal(parts: Parts) -> Meaning | None:
    """Read "FY2018"."""
    value = year_in(parts)
    return None if value is None else Meaning(f"FY{value:04d}", moment=Moment(year=value))


@action
def fiscal_years(parts: Parts) -> Meaning | None:
    """Read "fiscal year 2018-19"."""
    first, last = year_in(parts), year_in(parts, "end")
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
    return told(parts, Moment(year=year_in(parts), period=str(parts.get("q", "QUARTER"))))


@action
def ordinal_quarter(parts: Parts) -> Meaning | None:
    """Read "the third quarter of 2019"."""
    nth = parts.get("n", "ORD")
    if nth is None:
        shift = parts.get("n", "RELATIVE")
        return told(parts, Moment(shift=(int(shift), "Q")))
    if not 1 <= nth <= 4:
        return None
    return told(parts, Moment(year=year_in(parts), period=f"Q{nth}"))


@action
def ordinal_half(parts: Parts) -> Meaning | None:
    """Read "the first half of 2019"."""
    nth = parts.get("n", "ORD") or (2 if parts.get("n", "RELATIVE") == -1 else None)
    if nth not in (1, 2):
        return None
    return told(parts, Moment(year=year_in(parts), period=f"H{nth}"))


@action
def season(parts: Parts) -> Meaning | None:
    """Read "summer 2019", "last spring"."""
    name = str(parts.get("s", "SEASON", "SEASONA"))
    shift = parts.get(None, "RELATIVE", "THIS")
    if isinstance(shift, int) and not isinstance(shift, bool):
        return told(parts, Moment(shift=(shift, "Y"), period=name))
    return told(parts, Moment(year=year_in(parts), period=name))


@action
def holiday(parts: Parts) -> Meaning | None:
    """Read "Christmas 2019"."""
    return told(parts, Moment(year=year_in(parts), holiday=str(parts.get("h", "HOLIDAY"))))


@action
def weekend(parts: Parts) -> Meaning | None:
    """Read "the weekend"."""
    return told(parts, Moment(shift=(0, "W"), period="WE"))
