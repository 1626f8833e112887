"""Results on disk, each with a manifest that says what it was made from and what it must look like.

A result is written beside its target; then its old manifest goes, it is renamed into place, and its
new manifest is written. Killed in between, the result is missing: it is made again, never half
trusted. A file that does not fit its manifest is damaged; it is named, and made again. A manifest
holds a checksum of itself too: one that is damaged is as good as none.
"""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from silverspan.corpus.files import atomic_folder, atomic_write_bytes
from silverspan.errors import WorkspaceError

#: Of manifests and of what they describe; another number means: made by another version.
FORMAT = 3

_MISSING = "is missing; run the project again to make it"

_log = logging.getLogger(__name__)


class Store:
    """Files and folders under ``root``, named by relative paths, with manifests of their own."""

    def __init__(self, root: Path, manifests: Path) -> None:
        self.root = root
        self.manifests = manifests

    def path(self, name: str) -> Path:
        """Return where a result lies."""
        return self.root / name

    def state(self, name: str, fingerprint: str) -> str:
        """Return "fresh", "stale" (made from something else), "damaged" or "missing"."""
        manifest = self._manifest(name)
        path = self.path(name)
        if manifest is None or not path.exists():
            return "missing"
        if manifest["sha256"] != digest(path):
            return "damaged"
        return "fresh" if manifest["fingerprint"] == fingerprint else "stale"

    def is_fresh(self, name: str, fingerprint: str) -> bool:
        """Tell whether a result is there, whole, and made from what the fingerprint says."""
        state = self.state(name, fingerprint)
        if state == "damaged":
            _log.warning("%s is damaged; it is made again", self.path(name))
        return state == "fresh"

    def is_whole(self, name: str) -> bool:
        """Tell whether a result is there as it was written, whatever it was made from."""
        manifest = self._manifest(name)
        path = self.path(name)
        return manifest is not None and path.exists() and manifest["sha256"] == digest(path)

    def note(self, name: str) -> Any:
        """Return what was noted with a result; ``None`` if there is no result."""
        manifest = self._manifest(name)
        return None if manifest is None else manifest["note"]

    def write(self, name: str, fingerprint: str, content: bytes, note: Any = None) -> None:
        """Write one file and its manifest."""
        with atomic_write_bytes(self.path(name)) as file:
            file.write(content)
            self._unsign(name)
        self._sign(name, fingerprint, note)

    def write_file(
        self, name: str, fingerprint: str, fill: Callable[[Path], Any], note: Any = None
    ) -> None:
        """Let ``fill`` write one file, whole or not at all, then its manifest."""
        self._unsign(name)
        fill(self.path(name))
        self._sign(name, fingerprint, note)

    def write_folder(
        self, name: str, fingerprint: str, fill: Callable[[Path], Any], note: Any = None
    ) -> None:
        """Let ``fill`` write into a new folder, then put it in the place of the old one."""
        with atomic_folder(self.path(name)) as folder:
            fill(folder)
            self._unsign(name)
        self._sign(name, fingerprint, note)

    def read(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            WorkspaceError: it is missing, or not what was written.
        """
        manifest = self._manifest(name)
        path = self.path(name)
        if manifest is None or not path.exists():
            raise WorkspaceError(_MISSING, path=path)
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != manifest["sha256"]:
            raise WorkspaceError("is damaged; run the project again to make it anew", path=path)
        return content

    def read_part(self, name: str, first: int, size: int, sha256: str) -> bytes:
        """Return some bytes of a file, without reading the others.

        Raises:
            WorkspaceError: they are missing, or not what was written.
        """
        path = self.path(name)
        try:
            with path.open("rb") as file:
                file.seek(first)
                content = file.read(size)
        except FileNotFoundError:
            raise WorkspaceError(
                "is missing; run the project again to make it", path=path
            ) from None
        if hashlib.sha256(content).hexdigest() != sha256:
            raise WorkspaceError("is damaged; run the project again to make it anew", path=path)
        return content

    def mark(self, name: str, content: bytes) -> None:
        """Write a note for whoever comes after a process that died: no result, no manifest."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def marked(self, name: str) -> bytes | None:
        """Return what ``mark`` wrote, or None."""
        try:
            return self.path(name).read_bytes()
        except FileNotFoundError:
            return None

    def unmark(self, name: str) -> None:
        """Take a mark away."""
        self.path(name).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what a killed process left half written; call it only while holding the lock."""
        for folder in (self.root, self.manifests):
            for path in sorted(folder.rglob(".*.part")) if folder.exists() else ():
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        """Forget a result."""
        self._unsign(name)
        path = self.path(name)
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def names(self, prefix: str) -> list[str]:
        """Return the names of all results whose name starts so, sorted."""
        found = self.manifests.rglob("*.json") if self.manifests.exists() else ()
        names = [str(path.relative_to(self.manifests))[: -len(".json")] for path in found]
        return sorted(name.replace(os.sep, "/") for name in names if name.startswith(prefix))

    def manifest_path(self, name: str) -> Path:
        """Return where the manifest of a result lies."""
        return self.manifests / f"{name}.json"

    def _unsign(self, name: str) -> None:
        self.manifest_path(name).unlink(missing_ok=True)

    def _sign(self, name: str, fingerprint: str, note: Any) -> None:
        manifest = {
            "format": FORMAT,
            "fingerprint": fingerprint,
            "sha256": digest(self.path(name)),
            "note": note,
        }
        with atomic_write_bytes(self.manifest_path(name)) as file:
            file.write(_json({**manifest, "check": _check(manifest)}))

    def _manifest(self, name: str) -> dict[str, Any] | None:
        """Return the manifest; one that is damaged or of another version counts as none."""
        try:
            manifest = json.loads(self.manifest_path(name).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            return None
        check = manifest.pop("check", None)
        return manifest if check == _check(manifest) else None


def _json(manifest: Mapping[str, Any]) -> bytes:
    return json.dumps(manifest, ensure_ascii=True, sort_keys=True).encode() + b"\n"


def _check(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(_json(manifest)).hexdigest()


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of all files in a folder with their names."""
    if path.is_dir():
        whole = hashlib.sha256()
        for inner in sorted(p for p in path.rglob("*") if p.is_file()):
            whole.update(f"{inner.relative_to(path).as_posix()}\0{digest(inner)}\n".encode())
        return whole.hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
