"""The receipt of a finished run: what it read and wrote, to tell at once that nothing changed.

Imports nothing heavy: a run with a receipt that still holds needs no spaCy. Only content counts,
never a date: the project file, the files it names, the code of this package and of the project's
own modules, which packages are installed, and every result with its checksum. Whatever a receipt
cannot see, a full run does not see either.
"""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from silverspan import __version__
from silverspan.corpus.files import atomic_write_bytes
from silverspan.corpus.reading import expand
from silverspan.errors import SilverspanError
from silverspan.workspace.store import FORMAT, Store, digest

NAME: Final = "receipt.json"
_PACKAGE: Final = Path(__file__).parents[1]


def write(
    workspace: Path,
    inputs: Iterable[Path],
    patterns: Iterable[str],
    stores: Iterable[Store],
    outcome: Any,
) -> None:
    """Write the receipt of a run that has just ended.

    ``inputs`` are files and folders that it read, ``patterns`` those of the corpus; ``stores`` hold
    its results; ``outcome`` is any JSON.
    """
    own = sorted({*map(str, inputs), *map(str, _own())})
    content = {
        "read": own,
        "state": _state(own, list(patterns)),
        "results": [store.names("") for store in stores],
        "outcome": outcome,
    }
    with atomic_write_bytes(workspace / NAME) as file:
        file.write(json.dumps(content, ensure_ascii=True).encode())


def exists(workspace: Path) -> bool:
    """Return whether the last run ended and left a receipt."""
    return (workspace / NAME).is_file()


def read(workspace: Path, patterns: Iterable[str], stores: Sequence[Store]) -> Any:
    """Return the outcome of the last run if nothing has changed since, or None.

    ``stores`` hold its results, which must all be there and whole.
    """
    try:
        content = json.loads((workspace / NAME).read_bytes())
        same = content["state"] == _state(content["read"], list(patterns))
        same = same and content["results"] == [store.names("") for store in stores]
    except (OSError, ValueError, KeyError, TypeError, SilverspanError):
        return None
    whole = same and all(store.is_whole(name) for store in stores for name in store.names(""))
    return content["outcome"] if whole else None


def forget(workspace: Path) -> None:
    """Remove the receipt: something is about to change."""
    (workspace / NAME).unlink(missing_ok=True)


def _state(files: list[str], patterns: list[str]) -> str:
    """Return a fingerprint of all that a run depends on."""
    whole = hashlib.sha256(f"{FORMAT} {__version__} {platform.python_version()}".encode())
    for part in (*_code(), *_installed(), *_settings()):
        whole.update(part.encode("utf-8", "surrogateescape") + b"\0")
    for path in (*map(Path, files), *expand(patterns)):
        found = digest(path) if path.exists() else "missing"
        whole.update(f"{path} {found}".encode("utf-8", "surrogateescape") + b"\0")
    return whole.hexdigest()


def _code() -> Iterator[str]:
    """Yield this package: its code, and the names and sizes of its data."""
    for path in sorted(_PACKAGE.rglob("*")):
        if path.suffix == ".py":
            yield f"{path.relative_to(_PACKAGE)} {digest(path)}"
        elif path.is_file() and path.suffix != ".pyc":
            yield f"{path.relative_to(_PACKAGE)} {path.stat().st_size}"


def _installed() -> Iterator[str]:
    """Yield which packages are installed, with their versions."""
    for folder in sys.path:
        if os.path.isdir(folder):
            yield from sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))


def _settings() -> Iterator[str]:
    """Yield what the environment tells this package."""
    yield from sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("SILVERSPAN_"))


def _own() -> Iterator[Path]:
    """Yield the files of modules that are neither Python's, nor installed, nor of this package."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not file or not str(file).endswith(".py"):
            continue
        path = Path(file)
        installed = "site-packages" in path.parts or path.is_relative_to(sys.base_prefix)
        if not installed and not path.is_relative_to(_PACKAGE):
            yield path.resolve()
