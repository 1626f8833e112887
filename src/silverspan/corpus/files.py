"""Files on disk: lines in, whole files out; plain or gzip. Knows nothing of what the lines mean.

In: UTF-8 (a byte order mark is dropped), lines end in LF or CR LF; gzip is told by its first two
bytes. Out: UTF-8 and LF, gzip where the name ends in ``.gz``, the same bytes every time.
A file or folder is written beside its target and renamed into place, so that nobody sees half of
one. What a killed process left there is used again, so nothing piles up.
"""

import contextlib
import gzip
import io
import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from silverspan.errors import InputError

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows)
    fcntl = None  # type: ignore[assignment]  # checked where it is used

#: The longest line, and the longest document of a text file, in bytes.
LONGEST = 256 * 1024 * 1024
# Text shrinks three- to twentyfold. What shrinks 200-fold and is large is no text but a bomb.
_SUSPICIOUS_RATIO = 200
_SUSPICIOUS_SIZE = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class _Bounded:
    """Bytes of a plain or gzip file; raises where they outgrow what the file can honestly hold."""

    def __init__(self, path: Path, raw: io.BufferedReader) -> None:
        self._path, self._raw, self._taken = path, raw, 0
        magic = raw.peek(2)[:2]  # a pipe cannot be wound back
        self._packed = magic == b"\x1f\x8b"
        if path.suffix == ".gz" and not self._packed:
            raise InputError("is named .gz but is not a gzip file", path=path)
        if magic in _OTHER_MARKS:
            raise InputError(_not_utf8(_OTHER_MARKS[magic] + " text"), path=path, line=1)
        self._stream = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if self._packed else raw

    def take(self, line: int, *, whole_line: bool) -> bytes:
        """Return the next chunk: up to the end of the line, or whatever comes."""
        try:
            chunk = self._stream.readline(_CHUNK) if whole_line else self._stream.read(_CHUNK)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"damaged gzip file ({error})", path=self._path, line=line) from error
        except OSError as error:
            raise _unreadable(self._path, error) from error
        self._taken += len(chunk)
        if self._packed and self._taken > _SUSPICIOUS_SIZE and self._is_bomb():
            raise InputError(
                f"unpacks to more than {_SUSPICIOUS_RATIO} times its size, which text does "
                "not do; if it is meant, unpack it first",
                path=self._path,
                line=line,
            )
        return chunk

    def _is_bomb(self) -> bool:
        return self._raw.seekable() and self._taken > _SUSPICIOUS_RATIO * self._raw.tell()


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield every line without its end, with its number from 1.

    Raises:
        InputError: the file cannot be read, is not UTF-8, is a damaged gzip file, or has a line
            of more than ``LONGEST`` bytes; names the line.
    """
    path = Path(path)
    with _opened(path) as source:
        number = 0
        while chunk := source.take(number + 1, whole_line=True):
            number += 1
            if not chunk.endswith(b"\n"):
                chunk += b"".join(_rest_of_line(source, path, number, len(chunk)))
            if number == 1:
                chunk = chunk.removeprefix(_BYTE_ORDER_MARK)
            yield number, _decode(chunk, path, number).removesuffix("\n").removesuffix("\r")


def read_text(path: str | Path) -> str:
    """Return the whole file as text, with CR LF turned into LF.

    Raises:
        InputError: as ``read_lines``; also when the file has more than ``LONGEST`` bytes.
    """
    content = read_bytes(path, at_most=LONGEST).removeprefix(_BYTE_ORDER_MARK)
    return _decode(content, Path(path), 1).replace("\r\n", "\n")


def read_bytes(path: str | Path, *, at_most: int | None = None) -> bytes:
    """Return the whole file, unpacked if it is gzip.

    Raises:
        InputError: the file cannot be read, is a damaged gzip file, or is longer than ``at_most``.
    """
    path = Path(path)
    parts: list[bytes] = []
    size = 0
    with _opened(path) as source:
        while chunk := source.take(1, whole_line=False):
            size += len(chunk)
            if at_most is not None and size > at_most:
                raise InputError(f"is longer than {at_most} bytes; split it", path=path)
            parts.append(chunk)
    return b"".join(parts)


@contextlib.contextmanager
def open_text(path: str | Path) -> Iterator[Iterator[str]]:
    """Open a plain or gzip file for reading, as an iterator over lines that end in LF."""
    yield (line + "\n" for _, line in read_lines(path))


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Iterator[TextIO]:
    """Open a text file that takes its name only when the block ends well.

    Folders on the way are made. On an error, or when the process dies, the target stays as it was.

    Raises:
        InputError: the file cannot be written.
    """
    with atomic_write_bytes(path) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=False)
        yield text
        text.flush()
        text.detach()


@contextlib.contextmanager
def atomic_write_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Do the same for bytes.

    Raises:
        InputError: the file cannot be written.
    """
    path = Path(path)
    # A link is written through, and what is no regular file (/dev/null, a pipe) is never replaced.
    target = Path(os.path.realpath(path))
    with _as_input_error(path):
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        in_place = target.exists() and not stat.S_ISREG(target.stat().st_mode)
        if in_place:
            temporary, raw = target, cast(BinaryIO, target.open("wb"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary, raw = _beside(target)
    try:
        with raw:
            with _as_input_error(path), _packing(target, raw) as stream:
                yield stream
            if not in_place:
                raw.flush()
                os.fsync(raw.fileno())
        if not in_place:
            with _as_input_error(path):
                temporary.replace(target)
    except BaseException:
        if not in_place:
            temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Make a folder that takes its name, and the place of an older one, when the block ends well.

    Raises:
        InputError: the folder cannot be written.
    """
    path = Path(path)
    target = Path(os.path.realpath(path))
    with _as_input_error(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        beside, claim = _folder_beside(target)
    try:
        new = beside / "new"
        with _as_input_error(path):
            new.mkdir()
            yield new
            if target.exists():
                target.rename(beside / "old")
            new.rename(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        os.close(claim)


def check_output(output: str | Path, inputs: Iterable[str | Path]) -> None:
    """Refuse to write over what is read.

    Raises:
        InputError: the output is one of the inputs.
    """
    for path in inputs:
        if os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            raise InputError("is read, and would be replaced; write to another file", path=output)


def _part(target: Path) -> Path:
    """Return where a target is written first: a name of its own, so that leftovers are found."""
    return target.with_name(f".{target.name}.part")


def _beside(target: Path) -> tuple[Path, BinaryIO]:
    path = _part(target)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    if _is_claimed(handle, path):
        os.truncate(handle, 0)
        return path, cast(BinaryIO, os.fdopen(handle, "wb"))
    os.close(handle)
    # Another process is writing the same target: the last to end wins, neither spoils the other.
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    # mkstemp lets only the owner read; the finished file gets the rights any other new file has.
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(name, 0o666 & ~mask)
    return Path(name), cast(BinaryIO, os.fdopen(handle, "wb"))


def _folder_beside(target: Path) -> tuple[Path, int]:
    path = _part(target)
    path.mkdir(exist_ok=True)
    handle = os.open(path, os.O_RDONLY)
    if not _is_claimed(handle, path):
        os.close(handle)
        path = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
        handle = os.open(path, os.O_RDONLY)
    for left in path.iterdir():
        shutil.rmtree(left)
    return path, handle


def _is_claimed(handle: int, path: Path) -> bool:
    """Lock an open file for this process, and tell whether it is ours and still of that name."""
    if fcntl is None:
        return False
    try:
        # The system lets go when the process dies.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


@contextlib.contextmanager
def _packing(target: Path, raw: BinaryIO) -> Iterator[BinaryIO]:
    if target.suffix != ".gz":
        yield raw
        return
    # No name and no time inside, so that equal content gives equal bytes.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
        yield cast(BinaryIO, packed)


@contextlib.contextmanager
def _as_input_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from error


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[_Bounded]:
    try:
        raw = path.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise _unreadable(path, error) from error
    with raw:
        yield _Bounded(path, raw)


def _rest_of_line(source: _Bounded, path: Path, line: int, size: int) -> Iterator[bytes]:
    while chunk := source.take(line, whole_line=True):
        size += len(chunk)
        if size > LONGEST:
            raise InputError(f"a line of more than {LONGEST} bytes", path=path, line=line)
        yield chunk
        if chunk.endswith(b"\n"):
            return


def _decode(content: bytes, path: Path, line: int) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line += content.count(b"\n", 0, error.start)
        reason = _not_utf8(f"byte 0x{content[error.start]:02x}")
        raise InputError(reason, path=path, line=line) from error


def _not_utf8(found: str) -> str:
    return f"{found} where UTF-8 was expected; convert it, for example with iconv -t UTF-8"


def _unreadable(path: Path, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError("there is no such file", path=path)
    if isinstance(error, IsADirectoryError):
        return InputError(f"is a folder; name its files, such as {path / '*.txt'}", path=path)
    return InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path)
