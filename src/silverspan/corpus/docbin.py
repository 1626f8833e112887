"""spaCy's DocBin: documents with everything spaCy knows of them, layers in ``doc.spans[name]``.

Probabilities of a layer are kept in ``doc.spans[name].attrs["probabilities"]``. The format is one
compressed block: a file is read and written whole, so large corpora are kept in many.
"""

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.corpus.files import LONGEST, atomic_write_bytes, read_bytes
from silverspan.corpus.record import Problem, Record, stop
from silverspan.errors import InputError

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

# A block of 64-bit numbers with many zeros shrinks more than text does.
_SUSPICIOUS_RATIO = 1000


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the documents of a file as records that carry them.

    Raises:
        InputError: the file is no DocBin.
    """
    from spacy.vocab import Vocab  # noqa: PLC0415 (heavy)

    from silverspan.corpus.document import ID, gold_spans  # noqa: PLC0415

    for doc in read_docs(path, Vocab()):
        identifier = doc.user_data.get(ID, "")
        yield Record(
            id=str(identifier),
            number=identifier if isinstance(identifier, int) else None,
            gold=None if (gold := gold_spans(doc)) is None else tuple(gold),
            doc=doc,
            path=str(path),
        )


def read_docs(path: str | Path, vocab: "Vocab") -> Iterator["Doc"]:
    """Yield the documents of a file.

    Raises:
        InputError: the file is no DocBin.
    """
    yield from from_bytes(read_bytes(path), vocab, path)


def from_bytes(content: bytes, vocab: "Vocab", path: str | Path) -> Iterator["Doc"]:
    """Yield the documents in the content of a DocBin file; ``path`` is for the message.

    Raises:
        InputError: it is no DocBin.
    """
    from spacy.tokens import DocBin  # noqa: PLC0415 (heavy)

    try:
        _check_size(content)
        docs = DocBin(store_user_data=True).from_bytes(content).get_docs(vocab)
        while True:
            doc = next(docs, None)
            if doc is None:
                return
            yield doc
    # Whatever stands in a damaged file comes out of spaCy as any exception at all.
    except (GeneratorExit, InputError):
        raise
    except Exception as error:
        raise InputError(f"is no spaCy DocBin, or damaged ({error})", path=path) from error


def write_docs(docs: Iterable["Doc"], path: str | Path) -> None:
    """Write documents with their annotation, layers and ids; equal documents give equal bytes.

    Raises:
        InputError: the file cannot be written.
    """
    content = to_bytes(docs)
    with atomic_write_bytes(path) as out:
        out.write(content)


def to_bytes(docs: Iterable["Doc"]) -> bytes:
    """Return the content of a DocBin file; equal documents give equal bytes."""
    from spacy.tokens import DocBin  # noqa: PLC0415 (heavy)

    block = DocBin(store_user_data=True)
    for doc in docs:
        block.add(doc)
    content: bytes = block.to_bytes()
    return content


def _check_size(content: bytes) -> None:
    unpacker = zlib.decompressobj()
    size = 0
    rest = content
    while rest:
        size += len(unpacker.decompress(rest, 1 << 20))
        rest = unpacker.unconsumed_tail
        if size > LONGEST and size > _SUSPICIOUS_RATIO * len(content):
            raise ValueError("it unpacks to more than documents do")
