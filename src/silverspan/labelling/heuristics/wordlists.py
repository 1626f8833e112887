"""The word lists that detectors read: the package's own, by language code, or a folder of a user's.

A list is a TOML file of named word lists, or a text file with one entry a line and comments after
"#". A language has ``numeric.toml``, ``names.toml``, ``world.toml``, ``first_names.txt`` and
``frequent_words.txt``; what a folder does not hold is an empty list, so a port can begin with one
file.
"""

import hashlib
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from silverspan.errors import InputError

_SHIPPED = Path(__file__).parent / "words"


def folder_of(words: str | Path) -> Path:
    """Return the folder of a language code, or the folder itself if a path is given.

    >>> folder_of("en").name
    'en'

    Raises:
        InputError: it is neither a language that ships nor a folder.
    """
    shipped = _SHIPPED / words
    if shipped.is_dir():
        return shipped
    if Path(words).is_dir():
        return Path(words)
    languages = ", ".join(sorted(p.name for p in _SHIPPED.iterdir() if p.name != "common"))
    raise InputError(
        f"no word lists for {str(words)!r}: give one of {languages}, or a folder that holds "
        "numeric.toml, names.toml, world.toml or first_names.txt"
    )


@lru_cache(maxsize=16)
def version_of(words: str | Path) -> str:
    """Return a digest of a language's lists, the version of the functions that read them.

    Raises:
        InputError: there is no such language or folder.
    """
    digest = hashlib.sha256()
    for folder in (folder_of(words), _SHIPPED / "common"):
        for path in sorted(folder.iterdir()):
            if path.suffix in (".toml", ".txt"):
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=64)
def sections(words: str | Path, name: str) -> dict[str, Any]:
    """Return the named lists of one TOML file of a language; empty if it has no such file.

    >>> sections("en", "numeric")["one"]
    ['one']
    """
    path = folder_of(words) / f"{name}.toml"
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not a TOML file of word lists: {error}", path=path) from error


@lru_cache(maxsize=64)
def entries(words: str | Path, name: str) -> frozenset[str]:
    """Return the lines of one text file of a language, comments and blank lines left out.

    >>> "Ingrid" in entries("en", "first_names")
    True
    """
    path = folder_of(words) / f"{name}.txt"
    return frozenset(read_entries(path)) if path.exists() else frozenset()


def read_entries(path: str | Path) -> Iterable[str]:
    """Yield the entries of a text file in order: one a line, comments after "#" left out."""
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            entry = line.split("#", 1)[0].strip()
            if entry:
                yield entry
