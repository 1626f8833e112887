"""Numbers in digits and Roman numerals: their value, and the classes that their shape allows."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

_VULGAR = {
    **{"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5)},
    **{"⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8)},
    **{"⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)},
}
ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}


def digit_values(token: str, *, comma: bool = False) -> dict[str, Any]:
    """Return the classes and value of a number in digits.

    >>> digit_values("1,234.50")["NUM"]
    Decimal('1234.50')
    >>> sorted(set(digit_values("1998")) - {"NUM", "DIGITS", "INT"})
    ['HHMMX', 'Y4', 'YEAR', 'YNUM']
    """
    last = token[-1]
    if last in _VULGAR:
        part = Fraction(*_VULGAR[last])
        value = part + int(token[:-1]) if len(token) > 1 else part
        return {"NUM": value, "DIGITS": True, "FRAC": True, "SIMPLEFRACTION": True}
    if token.isdecimal():
        return _integer_values(token)
    if (times_sign := next((sign for sign in "xX\u00d7" if sign in token), None)) is not None:
        head, _, exponent = token.partition(f"{times_sign}10")
        digits = exponent.removeprefix("^").replace("−", "-")
        return {"NUM": _plain(Decimal(f"{head}e{digits}")), "DIGITS": True, "DEC": True}
    if "e" in token.lower():
        return {"NUM": _plain(Decimal(token)), "DIGITS": True, "DEC": True}
    values: dict[str, Any] = {"DIGITS": True}
    body = re.sub(r"[ \u00a0\u202f\u2009'’]", "", token)
    dots, commas = body.count("."), body.count(",")
    if dots and commas:
        mark = "." if body.rfind(".") > body.rfind(",") else ","
    elif dots + commas > 1:
        mark = ""
    elif dots or commas:
        sign = "." if dots else ","
        tail = len(body) - body.index(sign) - 1
        mark = sign
        if tail == 3 and 0 < len(body) - 4 <= 3 and (sign == ".") == comma:
            mark = ""
    else:
        mark = ""
    if not mark:
        values["NUM"] = int(re.sub(r"[.,]", "", body))
        values["GROUPED"] = True
        return values
    other = "," if mark == "." else "."
    values["NUM"] = Decimal(body.replace(other, "").replace(mark, "."))
    values["DEC"] = True
    whole, _, tail_digits = body.partition(mark)
    if whole.isdecimal() and len(whole) <= 2 and len(tail_digits) == 2:
        if int(whole) <= 24 and int(tail_digits) < 60:
            values["CLOCKDOT"] = (int(whole), int(tail_digits))
        if 1 <= int(whole) <= 12 and 1 <= int(tail_digits) <= 31:
            values["DATEDOT"] = (int(whole), int(tail_digits))
    return values


def _plain(value: Decimal) -> int | Decimal:
    return int(value) if value == value.to_integral_value() and value.adjusted() < 40 else value


def _integer_values(token: str) -> dict[str, Any]:
    value = int(token)
    values: dict[str, Any] = {"NUM": value, "DIGITS": True, "INT": True}
    size = len(token)
    if size <= 2:
        if 1 <= value <= 31:
            values["DAY"] = value
        if 1 <= value <= 12:
            values["MONTHNUMBER"] = value
        if value <= 24:
            values["HOUR"] = value
        if size == 2:
            values["Y2"] = value
            values["TWO"] = value
            if value < 60:
                values["MIN"] = value
    if size == 3:
        values["THREE"] = value
        if value >= 100 and value % 100 < 60:
            values["HMM"] = value
    if 1 <= size <= 4 and value:
        values["YNUM"] = value
    if size == 4:
        if 1000 <= value < 2200:
            values["Y4"] = value
        if 1900 <= value < 2050:
            values["YEAR"] = value
        if value // 100 < 25 and value % 100 < 60:
            values["HHMM"] = value
            if token[0] == "0":
                values["ZEROLED"] = value
        elif value // 100 < 25:
            values["HHMMX"] = value
    if (
        size == 8
        and 1900 <= value // 10000 < 2100
        and 1 <= value // 100 % 100 <= 12
        and (1 <= value % 100 <= 31)
    ):
        values["YYYYMMDD"] = value
    return values


def roman(token: str) -> int:
    """Return the value of a Roman numeral.

    >>> roman("XIX")
    19
    """
    total = 0
    for sign, after in zip(token, [*token[1:], ""], strict=True):
        value = _ROMAN_VALUES[sign]
        total += -value if value < _ROMAN_VALUES.get(after, 0) else value
    return total
