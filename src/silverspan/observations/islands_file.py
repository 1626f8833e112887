"""Tables of islands as bytes: what is kept on disk, or sent, between gathering and fitting.

Plain numpy arrays (``.npz``, never a pickle); equal tables give equal bytes.
"""

import zipfile
from dataclasses import fields
from io import BytesIO

import numpy as np
from numpy import ndarray

from silverspan.errors import WorkspaceError
from silverspan.observations.distinct import Between, Distinct

_SUMS = ("tokens", "voted", "starts", "moves")


def to_bytes(table: Distinct) -> bytes:
    """Return a table as a file."""
    return _packed({item.name: getattr(table, item.name) for item in fields(Distinct)})


def from_bytes(content: bytes, name: str) -> Distinct:
    """Return the table that a file holds.

    Raises:
        WorkspaceError: it holds none; ``name`` says which file in the message.
    """
    arrays = _arrays(content, name)
    try:
        return Distinct(**arrays)
    except TypeError as error:
        raise WorkspaceError("is no table of islands of this version", path=name) from error


def between_to_bytes(between: Between) -> bytes:
    """Return what lies between islands as a file."""
    sums = np.array([getattr(between, name) for name in _SUMS], dtype=np.int64)
    features = {f"feature_{i}": counts for i, counts in enumerate(between.features)}
    return _packed({"sums": sums, "units": between.units, **features})


def between_from_bytes(content: bytes, name: str) -> Between:
    """Return what such a file holds.

    Raises:
        WorkspaceError: it holds nothing of the kind.
    """
    arrays = _arrays(content, name)
    try:
        sums = dict(zip(_SUMS, arrays["sums"].tolist(), strict=True))
        features = tuple(arrays[f"feature_{i}"] for i in range(len(arrays) - 2))
        return Between(**sums, units=arrays["units"], features=features)
    except (KeyError, ValueError, TypeError) as error:
        raise WorkspaceError("is no table of islands of this version", path=name) from error


def _packed(arrays: dict[str, ndarray]) -> bytes:
    # Not compressed: keys are random, and the rest is read again and again. numpy.savez would write
    # the time of day into the file.
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w") as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def _arrays(content: bytes, name: str) -> dict[str, ndarray]:
    try:
        with np.load(BytesIO(content), allow_pickle=False) as found:
            return dict(found)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise WorkspaceError(f"is no table of islands ({error})", path=name) from error
