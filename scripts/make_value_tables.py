"""Make the tables of names that the value parser takes from CLDR: data/LANGUAGE.cldr.tsv.

    python scripts/make_value_tables.py en de fr es nb

Needs Babel, which carries the data of CLDR (the Unicode Common Locale Data Repository, Unicode
License v3); the library itself does not. A line is a class of the grammar, a value and a form.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import babel
from babel import Locale
from babel.core import get_global

DATA = Path(__file__).parent.parent / "src/silverspan/labelling/values/data"
DURATIONS = {
    **{"day": ("UNITDAY", "D"), "week": ("UNITDAY", "W"), "month": ("UNITDAY", "M")},
    **{"quarter": ("UNITDAY", "Q"), "year": ("UNITDAY", "Y"), "decade": ("UNITDAY", "10Y")},
    **{"century": ("UNITDAY", "100Y"), "hour": ("UNITTIME", "H"), "minute": ("UNITTIME", "M")},
    **{"second": ("UNITTIME", "S"), "millisecond": ("UNITTIME", "MS")},
}
#: Units whose names mean other things more often, or that other tables hold.
LEFT_OUT = re.compile(
    "concentr-|length-point|length-chain|length-rod|graphics-(dot|em)|angle-(revolution|degree)"
    "|volume-(drop|dram|jigger|pinch|cup-|pint-|.*-imperial)|mass-(grain|stone)|light-solar"
    "|-person$|energy-therm|speed-light|gasoline|scandinavian|-imperial|concentr|beaufort"
    "|acceleration|solar|earth-|pressure-bar$|acceleration-g|temperature-(generic|kelvin)|duration-night"
)
UNIT_NAMES = {
    "tonne": "ton",
    "metric-ton": "ton",
    "ounce-troy": "ounce",
    "nautical-mile": "nautical-mile",
}


def names(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield class, value and form of everything taken for a language."""
    locale = Locale(language)
    tender = get_global("territory_currencies").values()
    current = {
        code for rows in tender for code, _, until, is_legal in rows if not until and is_legal
    }
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                yield "MONTH", str(number), name if language == "en" else name.lower()
            for number, name in locale.days[context][width].items():
                yield "WEEKDAY", str(number + 1), name if language == "en" else name.lower()
    for code in sorted(locale.currencies):
        if code in current:
            yield "CODE", code, code
        plural = locale._data["currency_names_plural"].get(code, {})
        for name in [locale.currencies[code], *plural.values()]:
            if not re.search(r"[()\d]", name) and " " in name:
                yield "CURRENCY", code, name.lower()
    for key, widths in sorted(locale._data["unit_patterns"].items()):
        kind, _, unit = key.partition("-")
        if LEFT_OUT.search(key) or (kind == "duration" and unit not in DURATIONS):
            continue
        word_class, value = DURATIONS.get(unit, ("UNIT", UNIT_NAMES.get(unit, unit)))
        if kind == "temperature":
            word_class = "TEMPERATURE"
        for width in ("long",) if unit in ("decade", "century") else ("long", "short"):
            for pattern in _patterns(widths.get(width, {})):
                form = pattern.replace("{0}", "").strip().lower()
                if (
                    (len(form) > 2 or width == "long")
                    and form not in ("fur", "rad")
                    and "{" not in form
                    and not re.search(r"[\d()]", form)
                ):
                    yield word_class, value, form


def _patterns(forms: object) -> Iterable[str]:
    plural = ("zero", "one", "two", "few", "many", "other")
    items = getattr(forms, "items", dict)()
    return [text for name, text in items if name in plural and isinstance(text, str)]


def main() -> None:
    """Write one table per language named on the command line."""
    for language in sys.argv[1:]:
        lines = dict.fromkeys("\t".join(row) for row in names(language))
        head = (
            f"# Names in {language!r} from CLDR, by Babel {babel.__version__}; made by "
            "scripts/make_value_tables.py.\n# Unicode License v3, Unicode, Inc. "
            "Columns: class, value, form.\n"
        )
        path = DATA / f"{language}.cldr.tsv"
        path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
