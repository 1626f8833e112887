"""Numbers written as one word of several: "einundzwanzig", "zweihundertste"."""

import re

from silverspan.labelling.values.lexicon import Entry, Lexicon


def compound_splitter(lexicon: Lexicon) -> re.Pattern[str]:
    """Return a pattern of words made of number words: "einundzwanzig", "zweihundertste"."""
    names = ("ZEROW", "UNITW", "TEENW", "TENW", "HUNDW", "MAGW", "ORDW", "LINKW")
    forms = {
        tokens[0]
        for tokens, entry in lexicon.forms()
        if len(tokens) == 1 and any(name in entry.values for name in names)
    }
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    return re.compile("(?:" + "|".join(map(re.escape, ordered)) + ")+")


def compound_value(entries: list[Entry]) -> tuple[int | None, bool]:
    """Return the value of the parts of a compound, and whether it is an ordinal."""
    total = group = 0
    ones_waiting = False
    for n, entry in enumerate(entries):
        values = entry.values
        if "LINKW" in values and not values.keys() & {"UNITW"}:
            ones_waiting = True
            continue
        if "ORDW" in values and n == len(entries) - 1:
            value = int(values["ORDW"])
            if value >= 100:
                return (total + (group or 1) * value, True)
            return total + group + value, True
        if "HUNDW" in values:
            group = (group or 1) * int(values["HUNDW"])
        elif "MAGW" in values:
            total += (group or 1) * int(values["MAGW"])
            group = 0
        else:
            for name in ("UNITW", "TEENW", "TENW", "ZEROW"):
                if name in values:
                    value = int(values[name])
                    if (
                        not ones_waiting
                        and group % 100
                        and not (group % 100 >= 20 and value < 10 and group % 10 == 0)
                    ):
                        return None, False
                    group += value
                    break
        ones_waiting = False
    return total + group, False
