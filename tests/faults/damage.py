"""What a disk, a hand or an enemy does to a file: bytes in, bytes out, or the file is gone."""

from collections.abc import Callable
from random import Random


def _flip(content: bytearray, chance: Random) -> bytearray:
    place = chance.randrange(len(content))
    content[place] ^= 1 << chance.randrange(8)
    return content


def _cut(content: bytearray, chance: Random) -> bytearray:
    return content[: chance.randrange(len(content))]


def _zero(content: bytearray, chance: Random) -> bytearray:
    place = chance.randrange(len(content))
    lost = len(content[place : place + 512])
    content[place : place + 512] = bytes(lost)
    return content


def _insert(content: bytearray, chance: Random) -> bytearray:
    place = chance.randrange(len(content) + 1)
    content[place:place] = chance.randbytes(3)
    return content


KINDS: dict[str, Callable[[bytearray, Random], bytearray | None]] = {
    "flip": _flip,
    "cut": _cut,
    "zero": _zero,
    "insert": _insert,
    "append": lambda content, chance: content + chance.randbytes(20),
    "empty": lambda content, chance: bytearray(),
    "junk": lambda content, chance: bytearray(chance.randbytes(len(content))),
    "delete": lambda content, chance: None,
}
#: Flips and cuts are what happens most.
_OFTEN = ("flip", "flip", "flip", "cut", "cut", *KINDS)


def damaged(content: bytes, chance: Random) -> tuple[str, bytes | None]:
    """Return a kind of damage, and what it leaves: another content, or ``None`` for no file."""
    while True:
        kind = chance.choice(_OFTEN)
        if not content and kind not in ("insert", "append", "delete"):
            continue
        left = KINDS[kind](bytearray(content), chance)
        if left is None:
            return kind, None
        if bytes(left) != content:
            return kind, bytes(left)
