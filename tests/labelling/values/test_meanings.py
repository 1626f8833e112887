from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.labelling.values import parse
from silverspan.labelling.values.moments import holiday_date, period

REFERENCE = date(2020, 1, 1)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("May 5, 2020", "2020-05-05"),
        ("5th of May", "2020-05-05"),
        ("12/25/2019", "2019-12-25"),
        ("25/12/2019", "2019-12-25"),
        ("tomorrow", "2020-01-02"),
        ("three days ago", "2019-12-29"),
        ("in two weeks", "2020-W03"),
        ("last year", "2019"),
        ("next month", "2020-02"),
        ("last Friday", "2019-12-27"),
        ("Friday", "2020-01-03"),
        ("the 1990s", "199"),
        ("the 19th century", "18"),
        ("Q3 2019", "2019-Q3"),
        ("44 BC", "-0044"),
        ("Christmas", "2020-12-25"),
        ("Thanksgiving 2020", "2020-11-26"),
        ("Easter Sunday 2021", "2021-04-04"),
        ("two days after May 5, 2020", "2020-05-07"),
        ("from 3 to 5 May 2020", "2020-05-03/2020-05-05"),
        ("1990-95", "1990/1995"),
        ("two years", "P2Y"),
        ("37 years old", "P37Y"),
        ("3 hours", "PT3H"),
        ("half past six", "T06:30"),
        ("quarter to nine", "T08:45"),
        ("3 pm", "T15:00"),
        ("12 am", "T00:00"),
        ("8:30 a.m. EST", "T08:30-05:00"),
        ("tomorrow at 3 pm", "2020-01-02T15:00"),
        ("3 to 5 pm", "T15:00/T17:00"),
        ("daily", "SET P1D"),
        ("$1.2bn", "1200000000 USD"),
        ("fifty cents", "0.5 USD"),
        ("2 to 3 million dollars", "2000000/3000000 USD"),
        ("25 bps", "0.25 pp"),
        ("10-20%", "10/20%"),
        ("6 feet 2 inches", "74 inch"),
        ("five degrees below zero", "-5 degree"),
        ("twenty-first", "21"),
    ],
)
def test_values_are_normalised(text, value):
    best = parse(text, "en", REFERENCE)[0]
    assert (best.text, best.value) == (text, value)


def test_without_a_reference_what_is_relative_stays_so():
    assert parse("three days ago")[0].value == "REF-P3D"
    assert parse("May 5")[0].value == "XXXX-05-05"


@given(st.dates(date(1000, 1, 1), date(2199, 12, 31)))
def test_a_date_is_read_as_written(day):
    for text in (f"{day:%B} {day.day}, {day.year:04d}", f"{day.day} {day:%B} {day.year:04d}"):
        assert any(v.value == day.isoformat() and v.text == text for v in parse(text))
    iso = day.isoformat()
    assert any(v.value == iso and v.text == iso for v in parse(iso))


@given(st.integers(-400, 400))
def test_days_from_the_reference_are_counted(days):
    text = f"{-days} days ago" if days < 0 else f"in {days} days"
    assert parse(text, "en", REFERENCE)[0].value == (REFERENCE + timedelta(days)).isoformat()


def test_no_date_is_made_of_days_that_are_none():
    assert not any(v.value.endswith(("-02-30", "-13-01")) for v in parse("February 30, 2020"))
    assert parse("13/13/2020")[0].label != "DATE"


def test_periods_and_holidays():
    assert period(2, "2W") == "P4W"
    assert holiday_date("WI-5-1--1", 2021) == "2021-05-31"
    assert holiday_date("EA-2", 2022) == "2022-04-15"
