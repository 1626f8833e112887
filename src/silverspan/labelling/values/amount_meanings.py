"""The meanings of amounts: money, percents, quantities, ages and bare numbers."""

from decimal import Decimal
from fractions import Fraction

from silverspan.labelling.values.meanings import Meaning, Parts, action
from silverspan.labelling.values.numbers import Number, plus, show, times

#: "$ 2 million and 50": from here on nobody counts cents.
_SPOKEN = 100_000


def _scaled(parts: Parts, group: str = "n") -> Number | None:
    number = parts.number(group)
    letter = parts.get(None, "MAGLETTER")
    if number is not None and letter is not None:
        return times(number, int(letter))
    return number


def _amount(number: Number, unit: str) -> Meaning:
    return Meaning(f"{show(number)} {unit}", number=number, unit=unit)


@action
def money(parts: Parts) -> Meaning | None:
    """Read "$5", "20 euros", "GBP 3m": the amount and the code of its currency."""
    number = _scaled(parts)
    currency = parts.get("cur", "CURRENCY", "CODE", "SYMBOL")
    if number is None:
        return None
    return _amount(times(number, -1) if parts.has("sign") else number, str(currency))


@action
def money_sum(parts: Parts) -> Meaning | None:
    """Read "20 dollars 43", "$ 20 and fifty": the cents are not named."""
    whole, cents_ = next(iter(parts.inner()), None), parts.number("cents")
    if whole is None or not isinstance(whole.number, int) or not isinstance(cents_, int):
        return None
    if not 0 < cents_ < 100 or not 0 < whole.number < _SPOKEN:
        return None
    return _amount(plus(whole.number, Fraction(cents_, 100)), str(whole.unit))


@action
def cents(parts: Parts) -> Meaning | None:
    """Read "50 cents", as a part of the whole currency."""
    number = parts.number()
    if number is None:
        return None
    return _amount(times(number, Fraction(1, 100)), str(parts.get("cur", "CENT", "CENT1")))


@action
def percent(parts: Parts) -> Meaning | None:
    """Read "5 %", per mille as tenths of a percent."""
    number = parts.number()
    if number is None:
        return None
    if parts.get("u", "PERMIL") is not None:
        number = times(number, Fraction(1, 10))
    return Meaning(f"{show(number)}%", number=number, unit="%")


@action
def percent_of(parts: Parts) -> Meaning | None:
    """Read "percent of twenty", as people say who mean twenty percent."""
    return percent(parts)


@action
def points(parts: Parts) -> Meaning | None:
    """Read "3 percentage points", "25 basis points"."""
    number = parts.number()
    if number is None:
        return None
    if parts.get("u", "BASIS") is not None:
        return Meaning(f"{show(times(number, Fraction(1, 100)))} pp", number=number, unit="bp")
    return Meaning(f"{show(number)} pp", number=number, unit="pp")


@action
def quantity(parts: Parts) -> Meaning | None:
    """Read "3 km", "5 mg per day", "2 degrees below zero"."""
    number = parts.number()
    unit = parts.get("u", "TEMPERATURE", "UNIT", "UNIT1", "UNITTIGHT", "INCHWORD", "BELOWZERO")
    if number is None:
        return None
    if unit == "degree-below-zero":
        number, unit = times(number, -1), "degree"
    if parts.has("sign"):
        number = times(number, -1)
    if parts.get(None, "BELOW") is not None and parts.get(None, "BELOW") != "above":
        number = times(number, -1)
    per = parts.get("per", "UNIT", "UNITTIME", "UNITTIME1", "UNITDAY", "UNIT1", "UNITDAY1")
    name = f"{unit}-per-{per}" if per is not None else str(unit)
    return _amount(number, name)


@action
def one_unit(parts: Parts) -> Meaning | None:
    """Read "a mile", "half a cup": like quantity(), but often no value at all ("a bar")."""
    return quantity(parts)


@action
def part_unit(parts: Parts) -> Meaning | None:
    """Read "tenth of a gallon"."""
    whole = parts.get("n", "ORD")
    if not isinstance(whole, int) or whole < 3:
        return None
    return _amount(Fraction(1, whole), str(parts.get("u", "UNIT")))


@action
def inches(parts: Parts) -> Meaning | None:
    """Read "5 in", which is inches only where nothing follows that one can be in."""
    number = parts.number()
    return None if number is None or not parts.is_last() else _amount(number, "inch")


@action
def weight(parts: Parts) -> Meaning | None:
    """Read "two pounds of butter", "a 100-pound dog", where the pound is no money."""
    return quantity(parts)


@action
def prefixed(parts: Parts) -> Meaning | None:
    """Read "Mach 2": the unit stands first."""
    number = parts.number()
    return None if number is None else _amount(number, str(parts.get("u", "UNIT")))


@action
def feet_inches(parts: Parts) -> Meaning | None:
    """Read "5 foot 11", in inches."""
    feet, inches = parts.number(), parts.number("inches")
    if feet is None or inches is None or not 0 <= inches < 12:
        return None
    return _amount(plus(times(feet, 12), inches), "inch")


@action
def age(parts: Parts) -> Meaning | None:
    """Read "37 years old", "two-year-old"."""
    inner = parts.inner()
    if inner:
        return Meaning(inner[0].value)
    number = parts.number()
    unit = parts.get("u", "UNITDAY") or "Y"
    return None if number is None else Meaning(f"P{show(number)}{unit}", number=number, unit="Y")


@action
def aged(parts: Parts) -> Meaning | None:
    """Read "aged 37", "aged between 20 and 30"."""
    numbers = parts.numbers()
    if not numbers or not 0 <= numbers[0] <= 130:
        return None
    return Meaning("/".join(f"P{show(number)}Y" for number in numbers), number=numbers[0])


@action
def sum_(parts: Parts) -> Meaning | None:
    """3 dollars and 50 cents", "6 feet 2 inches", "2 years and 3 months"."""
    inner = parts.inner()
    if not inner:
        return None
    first = inner[0]
    if parts.node.rule.label == "MONEY":
        extra = parts.numbers()
        total = first.number or 0
        for part in inner[1:]:
            total = plus(total, part.number or 0)
        for number in extra:
            total = plus(total, times(number, Fraction(1, 100)))
        return _amount(total, str(first.unit))
    if parts.node.rule.label == "QUANTITY":
        amount, unit = first.number or 0, first.unit
        for part in inner[1:]:
            factor = _SMALLER.get((unit, part.unit))
            if factor is None:
                return None
            amount, unit = plus(times(amount, factor), part.number or 0), part.unit
        return _amount(amount, str(unit))
    dates = "".join(p.value[1:] for p in inner if not p.value.startswith("PT"))
    clock = "".join(p.value[2:] for p in inner if p.value.startswith("PT"))
    if len({p.unit for p in inner}) < len(inner):
        return None
    extra = parts.numbers()
    if extra:
        if inner[0].unit != "H" or not 0 < extra[0] < 60:
            return None
        clock += f"{show(extra[0])}M"
    return Meaning(f"P{dates}" + (f"T{clock}" if clock else ""))


_SMALLER: dict[tuple[str | None, ...], int] = {
    ("foot", "inch"): 12,
    ("yard", "foot"): 3,
    ("yard", "inch"): 36,
    ("pound", "ounce"): 16,
    ("stone", "pound"): 14,
    ("mile", "yard"): 1760,
    ("mile", "foot"): 5280,
    ("mile", "inch"): 63360,
    ("kilometer", "centimeter"): 100_000,
    ("meter", "centimeter"): 100,
    ("meter", "millimeter"): 1000,
    ("kilometer", "meter"): 1000,
    ("kilogram", "gram"): 1000,
    ("gallon", "quart"): 4,
    ("gallon", "pint"): 8,
    ("quart", "pint"): 2,
    ("liter", "milliliter"): 1000,
    ("degree", "arcminute"): 60,
}


def _both(parts: Parts, suffix: str) -> Meaning | None:
    """The two ends of a range of amounts; the unit of one is the unit of both."""
    inner = parts.inner()
    if not inner:
        return None
    ends: list[Number] = [part.number for part in inner if part.number is not None]
    unit = inner[-1].unit or inner[0].unit
    if len({part.unit for part in inner}) > 1:
        return None
    if len(ends) < 2:
        number = _scaled(parts) if parts.has("n") else None
        if number is None or not ends:
            return None
        ends = [number, ends[0]] if _bare_first(parts) else [ends[0], number]
        # "2 to 3 million": the smaller end borrows the magnitude of the larger.
        if _bare_first(parts) and 0 < ends[0] < 1000 <= ends[1]:
            scale = 1000
            while scale * 1000 <= ends[1]:
                scale *= 1000
            if ends[0] * scale <= ends[1] and isinstance(ends[0], (int, Decimal)):
                ends[0] = times(ends[0], scale)
    return Meaning("/".join(show(end) for end in ends) + suffix.format(unit), unit=unit)


def _bare_first(parts: Parts) -> bool:
    """Whether the number without a unit stands before the one that has it."""
    start = parts.node.groups["n"][0]
    nodes = [i for i, item in enumerate(parts.node.items) if not isinstance(item, int)]
    return bool(nodes) and start < nodes[0]


@action
def money_range(parts: Parts) -> Meaning | None:
    """Read "$2 to $3 million"."""
    return _both(parts, " {}")


@action
def quantity_range(parts: Parts) -> Meaning | None:
    """Read "3 to 5 km"."""
    return _both(parts, " {}")


@action
def percent_range(parts: Parts) -> Meaning | None:
    """Read "10-20 %"."""
    return _both(parts, "{}")


@action
def dimensions(parts: Parts) -> Meaning | None:
    """Read "3 x 4 metres"."""
    inner = parts.inner()
    if not inner:
        return None
    numbers = [*parts.numbers(), *(part.number for part in inner if part.number is not None)]
    return Meaning("x".join(show(number) for number in numbers) + f" {inner[-1].unit}")


@action
def number(parts: Parts) -> Meaning | None:
    """A plain number."""
    value = parts.number()
    if value is None:
        return None
    return Meaning(show(value), number=value, likely=-1.5 if parts.get("n", "ONE") else 0.0)


@action
def half(parts: Parts) -> Meaning | None:
    """Read "a half", "half a year"."""
    unit = parts.get("u", "UNITDAY", "UNITTIME")
    if unit is None:
        return Meaning("0.5", number=Fraction(1, 2), likely=-2.0)
    from silverspan.labelling.values.moments import period  # noqa: PLC0415

    unit = "M+" if unit == "M" and parts.node.rule.label == "TIME" else str(unit)
    return Meaning(period(Fraction(1, 2), unit), number=Fraction(1, 2), unit=unit)


@action
def suffixed(parts: Parts) -> Meaning | None:
    """Read "20M": a number with a letter for its magnitude."""
    value = parts.number()
    letter = parts.get("u", "MAGLETTER")
    if value is None or letter is None:
        return None
    scaled = times(value, int(letter))
    return Meaning(show(scaled), number=scaled)


@action
def fraction(parts: Parts) -> Meaning | None:
    """Read "3/4"."""
    top, bottom = parts.number("a"), parts.number("b")
    if top is None or not bottom:
        return None
    value = Fraction(top) / Fraction(bottom)
    likely = 0.0 if value < 1 and (bottom <= 10 or bottom > 31) else -1.0
    return Meaning(show(value), number=value, likely=likely)


@action
def ratio(parts: Parts) -> Meaning | None:
    """Read "three out of five"."""
    return fraction(parts)


@action
def over(parts: Parts) -> Meaning | None:
    """Read "one over three"."""
    return fraction(parts)


@action
def hundreds(parts: Parts) -> Meaning | None:
    """Read "one twenty two" as a hundred and twenty-two."""
    high, low = parts.number("h"), parts.number("m")
    if not isinstance(high, int) or not isinstance(low, int) or not 10 <= low < 100 or high > 9:
        return None
    return Meaning(str(high * 100 + low), number=high * 100 + low, likely=-2.0)


@action
def vague(parts: Parts) -> Meaning | None:
    """Read "a few", "a couple", which seldom stand for a number."""
    value = parts.number()
    return None if value is None else Meaning(show(value), number=value, likely=-2.0)


@action
def power(parts: Parts) -> Meaning | None:
    """Read "10^6"."""
    base, exponent = parts.number("a"), parts.number("b")
    if base is None or exponent is None:
        return None
    if sum("DASH" in v or "MINUS" in v for v in parts.words("sign")) == 1:
        exponent = times(exponent, -1)
    if base and isinstance(exponent, int) and -30 <= exponent < 0 and -1000 < base < 1000:
        return Meaning(show(Fraction(base) ** exponent), number=Fraction(base) ** exponent)
    if isinstance(exponent, int) and 0 <= exponent <= 30 and -1000 < base < 1000:
        value = Fraction(base) ** exponent
        return Meaning(show(value), number=value)
    return Meaning(f"{show(base)}^{show(exponent)}")


@action
def number_range(parts: Parts) -> Meaning | None:
    """Read "10 to 20"; downwards it is no range."""
    first, second = parts.number("a"), parts.number("b")
    if first is None or second is None or first >= second:
        return None
    return Meaning(f"{show(first)}/{show(second)}")


@action
def score(parts: Parts) -> Meaning | None:
    """Read "3-1": two numbers and a hyphen."""
    first, second = parts.number("a"), parts.number("b")
    if first is None or second is None or max(first, second) > 999_999:
        return None
    return Meaning(f"{show(first)}-{show(second)}", likely=-1.0)


@action
def roman(parts: Parts) -> Meaning | None:
    """Read "IV"."""
    value = parts.get("n", "ROMAN")
    return Meaning(str(value), number=value)


@action
def ordinal(parts: Parts) -> Meaning | None:
    """Read "21st", "third"."""
    value = parts.get("n", "ORD")
    return None if value is None else Meaning(str(value), number=value)


@action
def ordinal_relative(parts: Parts) -> Meaning | None:
    """Read "penultimate", counted from the end."""
    return Meaning(str(parts.get("n", "ORDREL")))
