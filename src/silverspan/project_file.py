"""Reads a project file so that what is wrong can be named: key, line, and what is allowed.

TOML text goes in, a validated table comes out. Which keys there are is the business of project.py.
"""

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from silverspan.errors import ProjectError

FILE_NAME = "silverspan.toml"

S = TypeVar("S", bound=BaseModel)

_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_ASSIGNMENT = re.compile(rf"({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_HEADER = re.compile(r"\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?")


def read_table(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text and the TOML table of a project file.

    Raises:
        ProjectError: the file is missing, cannot be read, or is no TOML.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ProjectError(
            f"there is no {FILE_NAME} here; make a project with: silverspan init {path.parent}",
            path=path,
        ) from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise ProjectError("not UTF-8 text", path=path, line=line) from None
    except NotADirectoryError:
        raise ProjectError(
            f"is no project; name a folder that has a {FILE_NAME}, or that file", path=path.parent
        ) from None
    except OSError as error:
        raise ProjectError(f"cannot be read: {error.strerror}", path=path) from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        # Without a position the parser means the end of the document.
        number = int(found[1]) if found else text.count("\n") + 1
        raise ProjectError(f"not TOML: {error}", path=path, line=number) from None
    except (RecursionError, ValueError) as error:
        # Deep nesting; a number with more digits than Python converts.
        raise ProjectError(f"not usable TOML: {error}", path=path) from None


def validate(settings: type[S], table: dict[str, Any], text: str, path: Path) -> S:
    """Return the settings that a table holds.

    Raises:
        ProjectError: a key is unknown, missing, or has a value it may not have.
    """
    try:
        return settings.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys = tuple(str(part) for part in first["loc"])
        key = _shorten(keys, table)
        raise ProjectError(
            _explain(settings, first, key), key=".".join(key), path=path, line=line_of(text, key)
        ) from None
    except RecursionError:
        raise ProjectError("nested too deeply", path=path) from None


def _shorten(keys: tuple[str, ...], table: Any) -> tuple[str, ...]:
    """Return the keys without the parts that name an alternative type rather than a place."""
    real: list[str] = []
    for part in keys:
        if isinstance(table, dict) and part in table:
            table = table[part]
        elif isinstance(table, list) and part.isdigit():
            table = table[int(part)]
        elif part != keys[-1] or not isinstance(table, dict):
            continue
        real.append(part)
    return tuple(real)


def _explain(settings: type[BaseModel], error: Any, keys: tuple[str, ...]) -> str:
    """Return one sentence on what is wrong with a key, and what is allowed."""
    dotted = ".".join(keys)
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        known = _known_keys(settings, keys[:-1])
        near = difflib.get_close_matches(keys[-1], known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return f"unknown key {dotted!r}; {hint}known here: {', '.join(known)}"
    if kind == "missing":
        return f"the key {dotted!r} is missing"
    if kind == "literal_error":
        return f"{dotted} = {_short(error['input'])}: allowed are {context['expected']}"
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{dotted} = {_short(error['input'])}: {message[0].lower()}{message[1:]}"


def _known_keys(model: type[BaseModel], tables: tuple[str, ...]) -> list[str]:
    for name in tables:
        inner = model.model_fields[name].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def line_of(text: str, keys: tuple[str, ...]) -> int | None:
    """Return the line where a key, or the nearest table around it, stands."""
    best: tuple[int, int] | None = None
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if header := _HEADER.fullmatch(stripped):
            table = _dotted(header[1])
            here = table
        elif assignment := _ASSIGNMENT.match(stripped):
            here = table + _dotted(assignment[1])
        else:
            continue
        if here == keys[: len(here)] and (best is None or len(here) > best[0]):
            best = (len(here), number)
    return best[1] if best else None


def _dotted(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))
