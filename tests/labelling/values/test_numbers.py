from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.labelling.values import parse
from silverspan.labelling.values.numbers import plus, show, times

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
ONES += "fifteen sixteen seventeen eighteen nineteen"
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"
numbers = st.one_of(
    st.integers(-(10**9), 10**9), st.decimals(-1000, 1000, places=3), st.fractions(-50, 50)
)


def spell(value: int) -> str:
    """Numbers in words, the slow and obvious way."""
    if value < 20:
        return ONES.split()[value]
    if value < 100:
        rest = f"-{spell(value % 10)}" if value % 10 else ""
        return TENS.split()[value // 10] + rest
    if value < 1000:
        rest = f" and {spell(value % 100)}" if value % 100 else ""
        return f"{spell(value // 100)} hundred{rest}"
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if value >= size:
            rest = value % size
            joint = " and " if 0 < rest < 100 else " " if rest else ""
            return f"{spell(value // size)} {name}{joint}{spell(rest) if rest else ''}"
    raise AssertionError(value)


@given(st.integers(0, 10**12 - 1))
def test_a_number_in_words_is_read_as_spelt(value):
    text = spell(value)
    found = [v for v in parse(text) if v.label == "CARDINAL" and v.text == text]
    assert [v.value for v in found] == [str(value)]


@given(st.integers(0, 10**15))
def test_groups_of_thousands_do_not_change_a_number(value):
    text = f"{value:,}"
    assert any(
        v.text == text and v.value == str(value) for v in parse(text) if v.label == "CARDINAL"
    )


@given(numbers, numbers)
def test_sums_and_products_are_exact(left, right):
    assert Fraction(plus(left, right)) == Fraction(left) + Fraction(right)
    assert Fraction(times(left, right)) == Fraction(left) * Fraction(right)


@pytest.mark.parametrize(
    ("value", "text"),
    [(5, "5"), (Decimal("2.50"), "2.5"), (Fraction(3, 4), "0.75"), (Fraction(1, 3), "1/3")],
)
def test_numbers_are_shown_without_padding(value, text):
    assert show(value) == text


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("einundzwanzig", "de", "21"),
        ("zweitausenddreihundertfünfundvierzig", "de", "2345"),
        ("quatre-vingt-dix-neuf", "fr", "99"),
        ("trescientos cuarenta y cinco", "es", "345"),
        ("tjueen", "nb", "21"),
        ("1.234,5", "de", "1234.5"),
        ("1,234.5", "en", "1234.5"),
        ("1.234", "de", "1234"),
        ("half a million", "en", "500000"),
        ("two and a half million", "en", "2500000"),
        ("minus three quarters", "en", "-0.75"),
        ("1 3/4", "en", "1.75"),
    ],
)
def test_values_of_numbers(text, language, value):
    assert parse(text, language)[0].value == value
