"""Numbers in words and digits: merges what belongs together into one lexeme with a value.

"three hundred and twenty-one thousand", "2.5 million", "half a dozen", "two thirds", "1 1/2",
"minus ten", "twenty-first", "nineteen ninety-five". Lexemes in, the merged lexeme out; a single
left-to-right pass. What a number counts (money, days, metres) is the grammar's business.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from silverspan.labelling.values.lexicon import Entry

Number = int | Decimal | Fraction


class Lexeme(NamedTuple):
    """A token, or several merged, with a meaning; ``entry`` None breaks every value."""

    entry: Entry | None
    start: int
    end: int
    tight: bool  # no space before it


class Merged(NamedTuple):
    """What a run of lexemes is as a number: where it ends, its classes, its values."""

    stop: int
    classes: frozenset[str]
    values: dict[str, Any]


def show(value: Number) -> str:
    """Return a number as a string: decimals plain, other fractions as such.

    >>> show(Decimal("2.50")), show(Fraction(1, 2)), show(Fraction(2, 3)), show(1000)
    ('2.5', '0.5', '2/3', '1000')
    """
    if isinstance(value, Fraction):
        rest = value.denominator
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        if rest != 1:
            return f"{value.numerator}/{value.denominator}"
        value = Decimal(value.numerator) / Decimal(value.denominator)
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") or "0" if "." in text else text
    return str(value)


def times(left: Number, right: Number) -> Number:
    """Return a product, exact whatever the kinds of its factors."""
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if isinstance(left, Fraction) or isinstance(right, Fraction):
        return Fraction(left) * Fraction(right)
    return Decimal(left) * Decimal(right)


def plus(left: Number, right: Number) -> Number:
    """Return a sum, exact whatever the kinds of its terms."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return Fraction(left) + Fraction(right)


#: "million million million" goes on to here.
_LARGEST = 10**30
#: After these a fraction is no date: "1/2 cup", "3/4 percent".
_COUNTED = frozenset({"UNIT", "PERCENT", "POINTS", "MAGW", "CURRENCY", "CENT", "UNITTIME"})
_NONE: dict[str, Any] = {}


class _Reader:
    """Reads one number from a position on; never looks back past it."""

    def __init__(self, lexemes: Sequence[Lexeme], compounds: bool) -> None:
        self.lexemes = lexemes
        self.compounds = compounds

    def values(self, i: int) -> Any:
        if i < len(self.lexemes) and (entry := self.lexemes[i].entry) is not None:
            return entry.values
        return _NONE

    def small(self, i: int) -> int | None:
        """The value of a number word under a hundred."""
        values = self.values(i)
        for name in ("UNITW", "TEENW", "TENW"):
            if name in values:
                return int(values[name])
        if "COMPOUND" in values and values["NUM"] < 100:
            return int(values["NUM"])
        return None

    def joined(self, i: int) -> int:
        """The index after a hyphen at ``i``, or ``i``."""
        tight = self.lexemes[i].tight if i < len(self.lexemes) else False
        return i + 1 if tight and "DASH" in self.values(i) else i

    def hyphened(self, i: int) -> int:
        """The index after a hyphen inside a number: "fifty-two", "fifty - two"."""
        is_hyphen = self.values(i).get("DASH") == "-"
        return i + 1 if is_hyphen and self.small(i + 1) is not None else self.joined(i)

    def group(self, i: int) -> tuple[int, int | None, bool]:
        """Read words under a thousand: where they end, their value, whether it is ordinal."""
        total = 0
        j = i
        small = self.small(i)
        if small is not None:
            total, j = small, i + 1
            if "TENW" in self.values(i):
                k = self.hyphened(j)
                ones = self.values(k)
                if "UNITW" in ones:
                    total, j = total + int(ones["UNITW"]), k + 1
                elif self.is_ordinal(k) and int(ones["ORDW"]) < 10:
                    return k + 1, total + int(ones["ORDW"]), True
            elif self.compounds is False and "UNITW" in self.values(i):
                pass
        elif "HUNDW" not in self.values(i):
            return i, None, False
        k = self.joined(j)
        if "HUNDW" in self.values(k) and (total < 100):
            total, j = (total or 1) * int(self.values(k)["HUNDW"]), k + 1
            k = self.joined(j)
            k = self.joined(k + 1) if "AND" in self.values(k) else k
            tail = self.small(k)
            if self.is_ordinal(k) and int(self.values(k)["ORDW"]) < 100:
                return k + 1, total + int(self.values(k)["ORDW"]), True
            if tail is not None:
                stop, rest, ordinal = self.group_under_hundred(k)
                return stop, total + rest, ordinal
        elif self.is_ordinal(k) and int(self.values(k)["ORDW"]) == 100 and 0 < total < 100:
            return k + 1, total * 100, True
        return j, total, False

    def group_under_hundred(self, i: int) -> tuple[int, int, bool]:
        total, j = self.small(i) or 0, i + 1
        if "TENW" in self.values(i):
            k = self.hyphened(j)
            if "UNITW" in self.values(k):
                return k + 1, total + int(self.values(k)["UNITW"]), False
            if self.is_ordinal(k) and int(self.values(k)["ORDW"]) < 10:
                return k + 1, total + int(self.values(k)["ORDW"]), True
        return j, total, False

    def is_ordinal(self, i: int) -> bool:
        return "ORDW" in self.values(i)

    def magnitude(self, i: int) -> tuple[int, int]:
        """The index after a magnitude at ``i`` (a hyphen before it aside), and its value or 0."""
        k = self.joined(i)
        values = self.values(k)
        if "MAGW" in values:
            return k + 1, int(values["MAGW"])
        if "MAGABBR" in values and k == i:
            return k + 1, int(values["MAGABBR"])
        if "MAGPL" in values and k == i and int(values["MAGPL"]) >= 1000:
            return k + 1, int(values["MAGPL"])
        return i, 0

    def cardinal(self, i: int) -> tuple[int, Number | None, bool]:
        """Read a cardinal in words or digits with magnitudes: end, value, whether it is ordinal."""
        total: Number = 0
        last = 0
        j = i
        found = joined_by_and = False
        in_digits = "DIGITS" in self.values(i)
        while True:
            values = self.values(j)
            stop, part, ordinal = self.group(j)
            if part is None and "DIGITS" in values and not (found and values["DIGITS"] is None):
                part_number: Number = values["NUM"]
                stop = j + 1
                if found and not 0 < self.magnitude(stop)[1] < last:
                    break
                k = self.joined(stop)
                if "HUNDW" in self.values(k):
                    part_number, stop = times(part_number, 100), k + 1
            elif part is None:
                if "COMPOUND" in values and not found:
                    part_number, stop = values["NUM"], j + 1
                elif "MAGW" in values and not found:
                    part_number, stop = 1, j
                else:
                    break
            else:
                part_number = part
            if ordinal:
                if found and last <= 100:
                    break
                return stop, plus(total, part_number), True
            end, mag = self.magnitude(stop)
            if found and not mag and (last <= 100 or stop == j):
                break
            if found and not mag and in_digits and part_number < 100 and not joined_by_and:
                break  # "$ 100 million three years ago"
            if mag and last and mag >= last:
                break
            if mag:
                part_number = times(part_number, mag)
                j = end
                while (
                    part_number < _LARGEST
                    and (more := self.magnitude(j))[1]
                    and self.values(more[0] - 1).keys() & {"MAGW", "MAGPL"}
                ):
                    part_number, j, mag = times(part_number, more[1]), more[0], more[1]
                k = self.joined(j)
                if self.is_ordinal(k) and int(self.values(k)["ORDW"]) >= 1000:
                    return k + 1, times(part_number, self.values(k)["ORDW"]), True
            else:
                k = self.joined(stop)
                if self.is_ordinal(k) and int(self.values(k)["ORDW"]) >= 1000 and not found:
                    return k + 1, times(part_number, int(self.values(k)["ORDW"])), True
                total, j, found = plus(total, part_number), stop, True
                break
            total, found, last = plus(total, part_number), True, mag
            # Go on after "and" or a comma only when a smaller group surely follows.
            k = j
            joined_by_and = "AND" in self.values(k)
            if joined_by_and:
                k += 1
            elif "COMMA" in self.values(k) and self.small(k + 1) is not None:
                after = self.group(k + 1)[0]
                if not ("HUNDW" in self.values(after - 1) or self.magnitude(after)[1]) and not any(
                    "HUNDW" in self.values(n) for n in range(k + 1, after)
                ):
                    break
                k += 1
            else:
                k = self.joined(k)
            if self.is_ordinal(k) and int(self.values(k)["ORDW"]) <= 100 and not in_digits:
                return k + 1, plus(total, self.values(k)["ORDW"]), True
            if (
                self.small(k) is None
                and "HUNDW" not in self.values(k)
                and not ("DIGITS" in self.values(k) and k == j)
            ):
                break
            probe_stop, probe, _ = self.group(k)
            if probe is not None and self.magnitude(probe_stop)[1] >= last:
                break
            j_before, j = j, k
            if probe is None and not 0 < self.magnitude(k + 1)[1] < last:
                j = j_before
                break
        if not found:
            return i, None, False
        return j, total, False

    def fraction_tail(self, i: int, whole: Number) -> tuple[int, Number] | None:
        """Read "and a half", "and three quarters", "1/2" after a whole number."""
        k = self.joined(i)
        if "AND" not in self.values(k):
            k = i
        else:
            k = self.joined(k + 1)
            if "A" in self.values(k):
                after_article = self.joined(k + 1)
                if "FRACW" in self.values(after_article):
                    half = Fraction(1, int(self.values(after_article)["FRACW"]))
                    return after_article + 1, plus(whole, half)
            if "A" in self.values(k) and "FRACW" in self.values(k + 1):
                return k + 2, plus(whole, Fraction(1, int(self.values(k + 1)["FRACW"])))
            if "HALFPART" in self.values(k):
                return k + 1, plus(whole, Fraction(1, 2))
            if "A" in self.values(k) and self.is_ordinal(k + 1) and self.values(k + 1)["ORDW"] > 2:
                return k + 2, plus(whole, Fraction(1, int(self.values(k + 1)["ORDW"])))
            top = self.small(k)
            bottom = self.joined(k + 1)
            if top is not None and "FRACW" in self.values(bottom):
                return bottom + 1, plus(whole, Fraction(top, int(self.values(bottom)["FRACW"])))
            if top == 1 and self.is_ordinal(bottom) and self.values(bottom)["ORDW"] > 2:
                return bottom + 1, plus(whole, Fraction(1, int(self.values(bottom)["ORDW"])))
        k = self.joined(k)
        values = self.values(k)
        if "SIMPLEFRACTION" in values:
            return k + 1, plus(whole, values["NUM"])
        part = self.slashed(k)
        if part is not None and part < 1 and int(self.values(k + 2)["NUM"]) <= 16:
            return k + 3, plus(whole, part)
        return None

    def denominator(self, i: int, top: int) -> tuple[int, int] | None:
        """Read the lower half of a fraction of several words: "twenty-fifth", "thirty-firsts"."""
        if top == 1 and (self.small(i) is not None or "HUNDW" in self.values(i)):
            stop, value, is_ordinal = self.cardinal(i)
            if is_ordinal and isinstance(value, int) and value > 2:
                return stop, value
        if top > 1 and "TENW" in self.values(i):
            k = self.joined(i + 1)
            ones = self.values(k).get("FRACW", self.values(k).get("ORDPL", 0))
            if 0 < int(ones) < 10 and "UNITDAY" not in self.values(k):
                return k + 1, int(self.values(i)["TENW"]) + int(ones)
        return None

    def slashed(self, i: int) -> Fraction | None:
        """The value of "3/4" at ``i``, unless it goes on as a date does."""
        bottom = self.values(i + 2)
        if (
            "INT" in self.values(i)
            and "SLASH" in self.values(i + 1)
            and self.lexemes[i + 1].tight
            and "INT" in bottom
            and self.lexemes[i + 2].tight
            and bottom["NUM"]
            and "SLASH" not in self.values(i + 3)
        ):
            return Fraction(self.values(i)["NUM"], bottom["NUM"])
        return None


def read_number(lexemes: Sequence[Lexeme], i: int, *, compounds: bool = False) -> Merged | None:
    """Return the number that begins at lexeme ``i``, or None if none does."""
    reader = _Reader(lexemes, compounds)
    values = reader.values(i)
    if "NEG" in values:
        inner = read_number(lexemes, i + 1, compounds=compounds)
        if inner is None and "DIGITS" in (digits := reader.values(i + 1)):
            return _number(i + 2, times(digits["NUM"], -1), "SIGNED")
        if inner is None or "NUM" not in inner.values or "SIGNED" in inner.classes:
            return None
        return _number(inner.stop, times(inner.values["NUM"], -1), "SIGNED")
    if "VAGUE" in values or ("A" in values and "VAGUE" in reader.values(i + 1)):
        return _vague(reader, i)
    if "MAGPL" in values or ("VAGUE" in values and "MAGPL" in reader.values(i + 1)):
        return _plural(reader, i)
    if "A" in values:
        after = reader.values(i + 1)
        if "HUNDW" in after or "MAGW" in after:
            stop, total, ordinal = reader.cardinal(i + 1)
            if total is not None and not ordinal:
                return _finish(reader, stop, total, "NW")
        if "DOZENW" in after:
            return _dozens(reader, i + 1, 1)
        if "HALFPART" in after and reader.magnitude(i + 2)[1]:
            stop, mag = reader.magnitude(i + 2)
            return _number(stop, times(Fraction(1, 2), mag), "NW")
        if "FRACW" in after and "HALFPART" not in after:
            return _fraction(reader, i + 2, Fraction(1, int(after["FRACW"])), "AFRAC")
        bottom = reader.denominator(i + 1, 1) if "HUNDW" not in after else None
        if bottom is not None and bottom[0] > i + 2 and bottom[0] == len(lexemes):
            return _fraction(reader, bottom[0], Fraction(1, bottom[1]), "AFRAC")
        if (
            reader.is_ordinal(i + 1)
            and after["ORDW"] > 2
            and ("OF" in reader.values(i + 2) or i + 2 == len(lexemes))
        ):
            return _fraction(reader, i + 2, Fraction(1, int(after["ORDW"])), "AFRAC")
        return None
    if "HALFPART" in values:
        k = i + 1
        if "A" in reader.values(k):
            k += 1
        k = reader.joined(k)
        if "DOZENW" in reader.values(k):
            return _number(k + 1, int(reader.values(k)["DOZENW"]) // 2, "NW")
        stop, mag = reader.magnitude(k)
        if mag:
            return _number(stop, times(Fraction(1, 2), mag), "NW")
        if "HUNDW" in reader.values(k):
            return _number(k + 1, 50, "NW")
        return None
    if "ZEROW" in values:
        if "POINTW" in reader.values(i + 1):
            return _point(reader, i + 1, 0)
        return _number(i + 1, 0, "NW")
    if "POINTW" in values and (
        reader.small(i + 1) is not None or (i == 0 and "INT" in reader.values(i + 1))
    ):
        return _point(reader, i, 0)
    if "FRACW" in values and "HALFPART" not in values:
        stop, mag = reader.magnitude(i + 1)
        return _number(stop, Fraction(mag, int(values["FRACW"])), "NW") if mag else None
    if "DOZENW" in values:
        return _dozens(reader, i, 1)
    if "ONEHALFW" in values:
        stop, mag = reader.magnitude(i + 1)
        kind = "NW" if mag else "FRAC"
        return _number(stop, times(Fraction(3, 2), mag) if mag else Fraction(3, 2), kind)
    if reader.is_ordinal(i):
        return _ordinal(i + 1, values["ORDW"], values)
    year = _year_words(reader, i)
    if year is not None:
        return year
    stop, total, ordinal = reader.cardinal(i)
    if total is None:
        return None
    if ordinal:
        # "one third", "twenty-fifth": a lone small number before an ordinal is a fraction.
        return _ordinal(stop, int(total), reader.values(stop - 1))
    is_digit = "DIGITS" in values
    part = reader.slashed(i) if is_digit and stop == i + 1 else None
    if part is not None and reader.values(i + 3).keys() & _COUNTED:
        end, mag = reader.magnitude(i + 3)
        return _number(end, times(part, mag), "FRAC") if mag else _number(i + 3, part, "FRAC")
    if "INT" in values and stop == i + 1 and "POINTW" in reader.values(stop):
        after = reader.values(stop + 1)
        if "INT" in after or "ZEROW" in after or reader.small(stop + 1) is not None:
            return _point(reader, stop, total)
    if is_digit and stop == i + 1:
        tail = reader.fraction_tail(stop, total) if isinstance(total, int) else None
        if tail is None or "SIMPLEFRACTION" in values:
            if "DOZENW" in reader.values(stop) and isinstance(total, int) and total < 1000:
                return _dozens(reader, stop, total)
            k = reader.joined(stop)
            if (
                "FRACW" in reader.values(k)
                and k == stop
                and isinstance(total, int)
                and ("UNITDAY" not in reader.values(k) and "CENT" not in reader.values(k))
            ):
                return _number(k + 1, Fraction(total, int(reader.values(k)["FRACW"])), "FRAC")
            return None  # the lexeme as it is, with its own finer classes
        end, mag = reader.magnitude(tail[0])
        if mag:
            return _number(end, times(tail[1], mag), "MAGD")
        return _number(tail[0], tail[1], "FRAC")
    return _finish(reader, stop, total, "MAGD" if is_digit else "NW")


def _finish(reader: _Reader, stop: int, total: Number, kind: str) -> Merged:
    if "POINTW" in reader.values(stop) and (
        reader.small(stop + 1) is not None or "ZEROW" in reader.values(stop + 1)
    ):
        return _point(reader, stop, total)
    k = reader.joined(stop)
    values = reader.values(k)
    if isinstance(total, int):
        if (
            "FRACW" in values
            and not ("HALFPART" in values and total != 1)
            and ("UNITDAY" not in values or k > stop or total in (1, 3))
        ):
            return _fraction(reader, k + 1, Fraction(total, int(values["FRACW"])), "FRAC")
        if total == 1 and "ORDW" in values and values["ORDW"] > 2:
            return _fraction(reader, k + 1, Fraction(1, int(values["ORDW"])), "FRAC")
        bottom = reader.denominator(k, total) if 0 < total < 100 else None
        if bottom is not None:
            return _fraction(reader, bottom[0], Fraction(total, bottom[1]), "FRAC")
        if "DOZENW" in values and total < 1000:
            return _dozens(reader, k, total)
    tail = reader.fraction_tail(stop, total)
    if tail is not None:
        stop, total = tail
        end, mag = reader.magnitude(stop)
        if mag:
            return _number(end, times(total, mag), "NW")
        return _number(stop, total, "FRAC")
    return _number(stop, total, kind)


def _fraction(reader: _Reader, stop: int, value: Fraction, kind: str) -> Merged:
    """A fraction, or one of a magnitude: "three quarters of a million", "a quarter million"."""
    end, mag = reader.magnitude(stop)
    if mag and end == stop + 1:
        return _number(end, times(value, mag), "NW")
    k = stop
    if "OF" in reader.values(k):
        k += 1
        if "A" in reader.values(k):
            k += 1
            end, mag = reader.magnitude(k)
            if mag:
                return _number(end, times(value, mag), "NW")
    return _number(stop, value, kind)


def _number(stop: int, value: Number, kind: str) -> Merged:
    classes = {"NUM", kind}
    if isinstance(value, int) and kind == "NW":
        if 0 < value <= 12:
            classes.add("HOURW")
        if 0 < value < 60:
            classes.add("MINW")
        if 0 < value <= 31:
            classes.add("DAYW")
        if 1900 <= value < 2100:
            classes.add("YEARW")
        if value == 1:
            classes.add("ONE")
    if isinstance(value, int) and value > 1000:
        classes.add("BIG")
    return Merged(stop, frozenset(classes), {"NUM": value})


def number_kinds() -> set[frozenset[str]]:
    """Return the sets of classes that merged numbers can have, whatever the language."""
    kinds = ("NW", "FRAC", "AFRAC", "MAGD", "DOZEN", "SIGNED")
    values: tuple[Number, ...] = (0, 1, 5, 20, 40, 75, 1500, 1950, 2150, Fraction(1, 2))
    found = {_number(0, value, kind).classes for kind in kinds for value in values}
    found |= {_ordinal(0, value, {}).classes for value in (1, 45)}
    found |= {frozenset(["NUM", "VAGUENUM"]), frozenset(["NUM", "PLURAL"])}
    return found | {frozenset(["VAGUEAMOUNT"]), frozenset(["NUM", "NW", "YEARW", "YEARPAIR"])}


def _ordinal(stop: int, value: int, values: Any) -> Merged:
    classes = {"ORD", "ORDWORD"}
    if value <= 31:
        classes.add("ORDDAY")
    merged: dict[str, Any] = {"ORD": value}
    if "UNITTIME" in values:
        classes.add("UNITTIME")
        merged["UNITTIME"] = values["UNITTIME"]
    return Merged(stop, frozenset(classes), merged)


def _dozens(reader: _Reader, i: int, count: Number) -> Merged:
    value = times(count, int(reader.values(i)["DOZENW"]))
    tail = reader.fraction_tail(i + 1, count)
    if tail is not None:
        return _number(tail[0], times(tail[1], int(reader.values(i)["DOZENW"])), "NW")
    return _number(i + 1, value, "DOZEN")


def _point(reader: _Reader, i: int, whole: Number) -> Merged:
    """Read "point five two" after a whole number."""
    digits = ""
    k = i + 1
    while True:
        small = reader.small(k)
        if small is None and ("ZEROW" in reader.values(k) or "OHW" in reader.values(k)):
            small = 0
        if small is None and not digits and "INT" in reader.values(k):
            digits, k = str(reader.values(k)["NUM"]), k + 1
            break
        if small is None:
            break
        stop, pair, _ = reader.group_under_hundred(k) if small else (k + 1, 0, False)
        digits += str(pair)
        k = stop
    if not digits:
        return _number(i, whole, "NW")
    value: Number = plus(whole, Fraction(int(digits), 10 ** len(digits)))
    stop, mag = reader.magnitude(k)
    if mag:
        return _number(stop, times(value, mag), "NW")
    return _number(k, value, "FRAC")


def _vague(reader: _Reader, i: int) -> Merged | None:
    """Read "a few", "several hundred", "a couple of million"."""
    k = i + 1 if "A" in reader.values(i) and "VAGUE" not in reader.values(i) else i
    count = int(reader.values(k)["VAGUE"])
    k += 1
    value: Number = count
    stop, is_large = k, False
    if "HUNDW" in reader.values(k):
        value, k, stop, is_large = times(value, 100), k + 1, k + 1, True
    end, mag = reader.magnitude(k)
    if mag:
        value, stop, is_large = times(value, mag), end, True
    elif "DOZENW" in reader.values(k):
        value, stop, is_large = times(value, 12), k + 1, True
    if is_large:
        return Merged(stop, frozenset({"NUM", "VAGUENUM"}), {"NUM": value})
    return Merged(stop, frozenset({"VAGUEAMOUNT"}), {"NUM": value})


def _plural(reader: _Reader, i: int) -> Merged:
    """Read "millions", "hundreds of thousands", "dozens"."""
    value: Number = int(reader.values(i)["MAGPL"])
    k = i + 1
    while value < _LARGEST and "OF" in reader.values(k) and "MAGPL" in reader.values(k + 1):
        value = times(value, int(reader.values(k + 1)["MAGPL"]))
        k += 2
    return Merged(k, frozenset({"NUM", "PLURAL"}), {"NUM": value})


def _year_words(reader: _Reader, i: int) -> Merged | None:
    """Read "nineteen ninety-five", "twenty twenty", "nineteen oh five", "eighteen hundred"."""
    high = reader.small(i)
    if high is None or not 10 <= high <= 20:
        return None
    k = reader.joined(i + 1)
    low = reader.small(k)
    if reader.values(k).keys() & {"OHW", "ZEROW"} and 0 < (reader.small(k + 1) or 0) < 10:
        value, stop = high * 100 + (reader.small(k + 1) or 0), k + 2
    elif low is not None and low >= 10:
        stop, tail, ordinal = reader.group_under_hundred(k)
        if ordinal:
            return None
        value = high * 100 + tail
    else:
        return None
    if high <= 12 and value % 100 < 60:
        return None  # "ten thirty" is a time of day; "ten sixty-six" is none
    if "HUNDW" in reader.values(stop) or reader.magnitude(stop)[1]:
        return None
    if (after := reader.values(stop)).keys() & {"FRACW", "ORDPL"} and "UNITDAY" not in after:
        return None  # "twenty twenty-fifths"
    return Merged(stop, frozenset({"NUM", "NW", "YEARW", "YEARPAIR"}), {"NUM": value})
