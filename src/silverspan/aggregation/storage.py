"""A fitted label model on disk: ``model.json``, with a format version, and ``arrays.npz``.

Every label model of the package is stored through here, so that one ``load`` opens any of them.
No pickle: arrays are plain, the rest is JSON. A checksum of both finds any byte that changed.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy import ndarray

from silverspan.corpus.files import atomic_write, atomic_write_bytes, read_text
from silverspan.errors import AggregationError
from silverspan.labels import LabelSpace

#: Raised whenever what is written can no longer be read by older code.
FORMAT_VERSION: Final = 2
_FORMAT: Final = "silverspan label model"
_HEADER, _ARRAYS = "model.json", "arrays.npz"
#: The most bytes that arrays may unpack to; those of a label model have some megabytes.
LARGEST: Final = 1024**3
#: What reading anything else than what was written ends in.
_DAMAGE: Final = (ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Stored:
    """What any fitted label model consists of."""

    model: str  # the aggregator's name in the registry
    functions: tuple[str, ...]
    space: LabelSpace
    settings: Mapping[str, Any]  # what JSON can hold
    arrays: Mapping[str, ndarray] = field(default_factory=dict)

    def array(self, name: str, shape: tuple[int, ...]) -> ndarray:
        """Return one array.

        Raises:
            AggregationError: it is missing, or its shape does not fit the rest.
        """
        if name not in self.arrays:
            raise AggregationError(f"the saved {self.model!r} model has no array {name!r}")
        found = self.arrays[name]
        if found.shape != shape:
            raise AggregationError(
                f"the array {name!r} of the saved {self.model!r} model has shape {found.shape}, "
                f"where its functions and labels ask for {shape}; it is damaged"
            )
        return found


def save(directory: str | Path, stored: Stored) -> None:
    """Write a fitted model into a directory, made if it is not there; same model, same bytes."""
    folder = Path(directory)
    header = {
        "format": _FORMAT,
        "version": FORMAT_VERSION,
        "model": stored.model,
        "functions": list(stored.functions),
        "space": {
            "outputs": list(stored.space.outputs),
            "finer": dict(stored.space.finer),
            "coarse": {name: list(members) for name, members in stored.space.coarse.items()},
        },
        "settings": dict(stored.settings),
    }
    # numpy.savez would write the time of day into the file.
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in sorted(stored.arrays.items()):
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w") as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
    with atomic_write_bytes(folder / _ARRAYS) as file:
        file.write(packed.getvalue())
    # The header last: a directory with one is complete.
    signed = {**header, "checksum": checksum(header, packed.getvalue())}
    with atomic_write(folder / _HEADER) as text:
        json.dump(signed, text, ensure_ascii=False, indent=2, allow_nan=False)
        text.write("\n")


def checksum(header: Mapping[str, Any], arrays: bytes) -> str:
    """Return what tells a whole model from a damaged one."""
    text = json.dumps(header, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode() + hashlib.sha256(arrays).digest()).hexdigest()


def read(directory: str | Path) -> Stored:
    """Read what ``save`` wrote.

    Raises:
        InputError: there is no such file.
        AggregationError: it is no saved label model, or of another format version.
    """
    folder = Path(directory)
    path = folder / _HEADER
    try:
        header = json.loads(read_text(path))
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            raise AggregationError(f"{path}: this is not a saved label model")
        if header["version"] != FORMAT_VERSION:
            raise AggregationError(
                f"{path}: format version {header['version']}, this release reads version "
                f"{FORMAT_VERSION}; fit the model again, or use the release that saved it"
            )
        packed = (folder / _ARRAYS).read_bytes()
        if header.pop("checksum") != checksum(header, packed):
            raise ValueError("the checksum differs")
        arrays = _unpack(packed)
        return Stored(
            model=str(header["model"]),
            functions=tuple(map(str, header["functions"])),
            space=LabelSpace(
                outputs=tuple(header["space"]["outputs"]),
                finer=header["space"]["finer"],
                coarse={name: tuple(of) for name, of in header["space"]["coarse"].items()},
            ),
            settings=dict(header["settings"]),
            arrays=arrays,
        )
    except (*_DAMAGE, zipfile.BadZipFile) as error:
        raise AggregationError(
            f"{folder}: the saved label model is damaged ({error}); fit it again"
        ) from error
    except OSError as error:
        raise AggregationError(
            f"{folder}: the saved label model cannot be read ({error.strerror or error})"
        ) from error


def _unpack(packed: bytes) -> dict[str, ndarray]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        size = sum(member.file_size for member in archive.infolist())
        if size > LARGEST:
            raise ValueError(f"its arrays unpack to {size} bytes, more than {LARGEST}")
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}
