"""What addresses and forms carry, checked: names that are known, numbers, places in a document."""

import re

from silverspan.view.guard import RefusedError

#: Documents of one page of a list.
PAGE = 50
PLACE = re.compile(r"(\d{1,7})-(\d{1,7})")


def one_of(value: str, known: tuple[str, ...], what: str) -> str:
    """Return a value that is one of those known.

    Raises:
        RefusedError: it is none of them.
    """
    if value not in known:
        raise RefusedError(f"no such {what}")
    return value


def whole(value: str) -> int:
    """Return a whole number of up to nine digits.

    Raises:
        RefusedError: it is none.
    """
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise RefusedError("no such page or document")
    return int(value)


def place(value: str, size: int) -> tuple[int, int]:
    """Return the place of a span, written as "3-5", in a document of so many tokens.

    Raises:
        RefusedError: it is none, or not in this document.
    """
    found = PLACE.fullmatch(value) if value.isascii() else None
    if found is None or not 0 <= int(found[1]) < int(found[2]) <= size:
        raise RefusedError("no such place in this document")
    return int(found[1]), int(found[2])


def paging(asked: str, total: int) -> tuple[int, int]:
    """Return the page to show, and how many there are."""
    pages = max(1, -(-total // PAGE))
    return min(max(whole(asked), 1), pages), pages
