"""A compiled gazetteer: arrays in one file, mapped into memory and shared by every process.

build.py writes the file and search.py searches the arrays. Layout: the arrays, each on a 64-byte
border; a JSON header with their places, the labels, sources and the tokenizer; 32 bytes that
end the file: where the header begins, its length, its checksum, the magic. A file cut off has no
magic. The header is checked when a file is opened; the arrays, which may be large, by ``verify``.
"""

import hashlib
import json
import math
import mmap
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from jaxtyping import Float32, UInt8, UInt16, UInt32, UInt64
from numpy import ndarray

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.tokens import TokenizerIdentity

_MAGIC = b"SSPANGZ2"
_TAIL = struct.Struct("<QQ8s8s")
_BORDER = 64

#: What a name may mean: labels with probabilities that sum to one.
Meaning = tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """What a compiled gazetteer says of itself.

    ``subsets`` are the gazetteers it holds: every name is in the first, names whose entry was
    marked also in the second. ``names`` counts distinct spellings, ``per_label`` those of each
    subset that may have a label.
    """

    subsets: tuple[str, ...]
    labels: tuple[str, ...]
    tokenizer: TokenizerIdentity
    names: int
    longest: int
    per_label: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    licence: str = ""
    command: str = ""
    checksum: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the file."""
        return {
            "subsets": list(self.subsets),
            "labels": list(self.labels),
            "tokenizer": {
                "language": self.tokenizer.language,
                "fingerprint": self.tokenizer.fingerprint,
            },
            "names": self.names,
            "longest": self.longest,
            "per_label": {subset: dict(counts) for subset, counts in self.per_label.items()},
            "sources": list(self.sources),
            "licence": self.licence,
            "command": self.command,
            "checksum": self.checksum,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Header":
        """Return the header that ``as_json`` wrote."""
        return cls(
            subsets=tuple(data["subsets"]),
            labels=tuple(data["labels"]),
            tokenizer=TokenizerIdentity(**data["tokenizer"]),
            names=data["names"],
            longest=data["longest"],
            per_label=data["per_label"],
            sources=tuple(data["sources"]),
            licence=data["licence"],
            command=data["command"],
            checksum=data["checksum"],
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Gazetteer:
    """Names and what they mean, compiled; ``open`` maps a file, whatever its size, at once.

    One row per spelling, sorted by ``keys`` (see search.py); ``cased`` and ``uncased`` are the
    meanings of the spelling and of all spellings that differ only in case, as numbers into the
    table of meanings: meaning ``m`` of subset ``s`` are the items ``meaning_bounds[m, s]`` to
    ``meaning_bounds[m, s + 1]``.
    """

    path: Path | None
    header: Header
    filters: UInt8[ndarray, " bytes"]
    keys: UInt64[ndarray, " names"]
    variants: UInt32[ndarray, " names"]
    cased: UInt16[ndarray, " names"]
    uncased: UInt16[ndarray, " names"]
    bounds: UInt32[ndarray, " buckets"]
    meaning_bounds: UInt32[ndarray, "meanings bounds"]
    meaning_labels: UInt16[ndarray, " items"]
    meaning_probabilities: Float32[ndarray, " items"]

    @classmethod
    def open(cls, path: str | Path) -> "Gazetteer":
        """Map the compiled gazetteer at ``path``.

        Raises:
            GazetteerError: there is none, or it is cut off or of another format.
        """
        path = Path(path).absolute()
        try:
            with path.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise GazetteerError(
                f"{path}: no compiled gazetteer can be read here ({error}). "
                "Make one with: silverspan gazetteer build FORMAT SOURCE -o FILE"
            ) from error
        return cls._from_buffer(mapped, path)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Gazetteer":
        """Return the gazetteer a compiled file's bytes hold."""
        return cls._from_buffer(data, None)

    @classmethod
    def _from_buffer(cls, data: Any, path: Path | None) -> "Gazetteer":
        where = path or "the given bytes"
        tail = data[-_TAIL.size :]
        if len(tail) < _TAIL.size or tail[-8:] != _MAGIC:
            raise GazetteerError(
                f"{where}: not a compiled gazetteer, or cut off, or made by another release. "
                "Build it again with: silverspan gazetteer build FORMAT SOURCE -o FILE"
            )
        start, length, check, _ = _TAIL.unpack(tail)
        try:
            text = bytes(data[start : start + length])
            if hashlib.sha256(text).digest()[:8] != check:
                raise ValueError("the checksum of its header differs")
            described = json.loads(text)
            places = described["arrays"]
            arrays = {
                name: np.frombuffer(
                    data,
                    dtype=places[name]["dtype"],
                    count=math.prod(places[name]["shape"]),
                    offset=places[name]["at"],
                ).reshape(places[name]["shape"])
                for name in ARRAYS
            }
            _check_shapes(arrays)
            return cls(path=path, header=Header.from_json(described["header"]), **arrays)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise GazetteerError(f"{where}: damaged ({error}). Build it again.") from error

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Another process maps the same file instead of getting a copy.
        if self.path is None:
            return Gazetteer.from_bytes, (self.to_bytes(),)
        return Gazetteer.open, (str(self.path),)

    def __len__(self) -> int:
        return len(self.keys)

    def to_bytes(self) -> bytes:
        """Return what the file of this gazetteer holds."""
        import io  # noqa: PLC0415 (rarely wanted)

        file = io.BytesIO()
        write(file, self.header, {name: getattr(self, name) for name in ARRAYS})
        return file.getvalue()

    @cached_property
    def meanings(self) -> tuple[tuple[Meaning, ...], ...]:
        """What each numbered meaning is, for each subset: labels by falling probability."""
        labels = self.header.labels
        items = [
            # Kept as single precision: its noise is not shown.
            (labels[label], round(probability, 6))
            for label, probability in zip(
                self.meaning_labels.tolist(), self.meaning_probabilities.tolist(), strict=True
            )
        ]
        bounds = self.meaning_bounds.tolist()
        return tuple(
            tuple(tuple(items[row[s] : row[s + 1]]) for row in bounds)
            for s in range(len(self.header.subsets))
        )

    @contextmanager
    def searched(self) -> Iterator[None]:
        """Name this file as damaged if a search in it ends outside its arrays.

        Raises:
            GazetteerError: it did.
        """
        try:
            yield
        except IndexError as error:
            raise GazetteerError(
                f"{self.path}: damaged ({error}). Build it again; "
                "silverspan gazetteer info --verify FILE checks it all"
            ) from error

    @cached_property
    def means_something(self) -> UInt8[ndarray, "subsets meanings"]:
        """Which meanings are not empty, for each subset."""
        counts = np.diff(self.meaning_bounds.astype(np.int64), axis=1)
        return (counts > 0).T.astype(np.uint8)

    def subset(self, name: str | None = None) -> int:
        """Return the number of a subset; of the first if no name is given.

        Raises:
            GazetteerError: the file has no such subset.
        """
        if name is None:
            return 0
        if name not in self.header.subsets:
            raise GazetteerError(
                f"{self.path}: holds no gazetteer {name!r}; it holds: "
                + ", ".join(self.header.subsets)
            )
        return self.header.subsets.index(name)

    def check_tokenizer(self, tokenizer: Any, pipeline: str = "PIPELINE") -> None:
        """Refuse a tokenizer, or a pipeline, other than the one the names were cut with.

        ``pipeline`` is its name, for the message.

        Raises:
            GazetteerError: its rules differ: names would be missed silently.
        """
        identity, mine = TokenizerIdentity.of(tokenizer), self.header.tokenizer
        if identity.fingerprint != mine.fingerprint:
            raise GazetteerError(
                f"{self.path}: compiled for the tokenizer {mine.language}:{mine.fingerprint}, and "
                f"the documents are cut by {identity.language}:{identity.fingerprint}; names would "
                f"be missed. Rebuild it for this pipeline: {self.rebuild_command(pipeline)}"
            )

    def rebuild_command(self, pipeline: str) -> str:
        """Return the command that compiles this gazetteer for another pipeline."""
        command = self.header.command or "silverspan gazetteer build FORMAT SOURCE -o FILE"
        return f"{command} --tokenizer {pipeline}"

    def verify(self) -> None:
        """Read the whole file and compare its checksum; opening does not, being constant-time.

        Raises:
            GazetteerError: the arrays are not those that were written.
        """
        if _checksum({name: getattr(self, name) for name in ARRAYS}) != self.header.checksum:
            raise GazetteerError(f"{self.path}: damaged (its checksum differs). Build it again.")


#: The arrays of a compiled file, in their order.
ARRAYS = (
    "filters",
    "keys",
    "variants",
    "cased",
    "uncased",
    "bounds",
    "meaning_bounds",
    "meaning_labels",
    "meaning_probabilities",
)


def _check_shapes(arrays: Mapping[str, ndarray]) -> None:
    kinds = dict(zip(ARRAYS, ("u1", "u8", "u4", "u2", "u2", "u4", "u4", "u2", "f4"), strict=True))
    for name, array in arrays.items():
        if array.dtype != np.dtype(f"<{kinds[name]}"):
            raise ValueError(f"its array {name!r} is of {array.dtype}")
        if array.ndim != (2 if name == "meaning_bounds" else 1):
            raise ValueError(f"its array {name!r} has {array.ndim} axes")
    if len({len(arrays[name]) for name in ("keys", "variants", "cased", "uncased")}) > 1:
        raise ValueError("its arrays differ in length")


def _checksum(arrays: Mapping[str, ndarray]) -> str:
    digest = hashlib.sha256()
    for name in ARRAYS:
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()


def write(file: BinaryIO, header: Header, arrays: Mapping[str, ndarray]) -> None:
    """Write a compiled gazetteer; the header gets the checksum of the arrays."""
    places: dict[str, Any] = {}
    at = 0
    for name in ARRAYS:
        array = np.ascontiguousarray(arrays[name])
        gap = -at % _BORDER
        file.write(bytes(gap))
        at += gap
        places[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "at": at}
        file.write(array.data)
        at += array.nbytes
    described = {"header": {**header.as_json(), "checksum": _checksum(arrays)}, "arrays": places}
    text = json.dumps(described, ensure_ascii=False, sort_keys=True).encode()
    file.write(text)
    file.write(_TAIL.pack(at, len(text), hashlib.sha256(text).digest()[:8], _MAGIC))


def labels_of(gazetteer: Gazetteer, subset: int, only: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the labels that names of one subset may have, sorted."""
    counts = gazetteer.header.per_label[gazetteer.header.subsets[subset]]
    return tuple(sorted(label for label in counts if not only or label in only))
