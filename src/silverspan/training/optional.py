"""Packages that only some students need, imported when they are used."""

from importlib import import_module
from typing import Any

from silverspan.errors import MissingDependencyError


def optional(package: str, *, extra: str) -> Any:
    """Return a module, without its types: it may not be there.

    >>> optional("json", extra="none").dumps(1)
    '1'

    Raises:
        MissingDependencyError: it is not installed; the message has the command that mends it.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise MissingDependencyError(package.split(".")[0], extra=extra) from error
