"""The corpus on disk: parsed documents in shards, parsed again only where the input changed.

Records stream in and are cut into shards by count; a shard whose records and pipeline have not
changed is left alone. So appended documents cost only themselves and the shard they join. An engine
parses and writes the shards; here are never more records in memory than those few it works at.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from silverspan.corpus.record import Record
from silverspan.engines import Engine
from silverspan.progress import Task
from silverspan.workspace.fingerprint import fingerprint
from silverspan.workspace.store import Store

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

_FOLDER = "corpus/"


@dataclass(frozen=True, kw_only=True, slots=True)
class CorpusShard:
    """Some documents of the corpus; ``annotation`` is what the pipeline set on them."""

    number: int
    fingerprint: str
    documents: int
    tokens: int
    annotation: frozenset[str]
    has_gold: bool
    language: str

    @property
    def name(self) -> str:
        """The name of its file in the store."""
        return shard_name(self.number)


def shard_name(number: int) -> str:
    """Return the name of a shard's file in the store."""
    return f"{_FOLDER}{number:05d}.spacy"


@dataclass(frozen=True, kw_only=True, slots=True)
class Chunk:
    """Records that become one shard."""

    store: Store
    number: int
    fingerprint: str
    records: Sequence[Record]


def refresh(
    store: Store,
    records: Iterable[Record],
    *,
    pipeline: str,
    shard_size: int,
    parse: Callable[[Chunk], int],
    engine: Engine,
) -> tuple[list[CorpusShard], int]:
    """Parse the shards whose records changed and drop those that are no more.

    Returns all shards, and how many documents were parsed. ``pipeline`` identifies the pipeline
    with its version; ``parse``, called only where needed, makes documents of records, writes them
    with ``write_shard``, and tells how many.
    """
    expected: list[tuple[int, str]] = []
    with Task("corpus") as task:

        def stale() -> Iterator[Chunk]:
            for number, chunk, made_from in _expected(records, pipeline, shard_size):
                expected.append((number, made_from))
                if store.is_fresh(shard_name(number), made_from):
                    task.advance(len(chunk))
                else:
                    yield Chunk(store=store, number=number, fingerprint=made_from, records=chunk)

        parsed = 0
        for size in engine.map(parse, stale()):
            parsed += size
            task.advance(size)
    shards = [
        _shard(number, made_from, store.note(shard_name(number))) for number, made_from in expected
    ]
    for name in {*store.names(_FOLDER)} - {shard.name for shard in shards}:
        store.remove(name)
    return shards, parsed


def write_shard(chunk: Chunk, docs: "Sequence[Doc]") -> None:
    """Write the documents of a chunk, and note what they hold."""
    # Both import spaCy, which a run that finds all fresh does not need.
    from silverspan.corpus.docbin import to_bytes  # noqa: PLC0415
    from silverspan.labelling.apply import annotation_of  # noqa: PLC0415

    note = {
        "documents": len(docs),
        "tokens": sum(map(len, docs)),
        "annotation": sorted(annotation_of(docs)),
        "has_gold": any(record.gold is not None for record in chunk.records),
        "language": docs[0].lang_ if docs else "xx",
        "ids": [record.id for record in chunk.records],
    }
    chunk.store.write(shard_name(chunk.number), chunk.fingerprint, to_bytes(docs), note)


def ids_of(store: Store, shard: CorpusShard) -> list[str]:
    """Return the ids of the documents of a shard, without reading the documents."""
    return list(store.note(shard.name)["ids"])


def inspect(
    store: Store, records: Iterable[Record], *, pipeline: str, shard_size: int
) -> list[str]:
    """Return the state of every shard that there should be, and change nothing."""
    return [
        store.state(shard_name(number), made_from)
        for number, _, made_from in _expected(records, pipeline, shard_size)
    ]


def _expected(
    records: Iterable[Record], pipeline: str, shard_size: int
) -> Iterator[tuple[int, list[Record], str]]:
    """Yield number, records and fingerprint of every shard."""
    for number, chunk in enumerate(_chunks(records, shard_size)):
        yield number, chunk, fingerprint(pipeline, [record.digest() for record in chunk])


def _shard(number: int, made_from: str, note: dict[str, object]) -> CorpusShard:
    return CorpusShard(
        number=number,
        fingerprint=made_from,
        documents=int(str(note["documents"])),
        tokens=int(str(note["tokens"])),
        annotation=frozenset(map(str, note["annotation"])),  # type: ignore[call-overload]  # a list
        has_gold=bool(note["has_gold"]),
        language=str(note["language"]),
    )


def read_shard(store: Store, shard: CorpusShard) -> list["Doc"]:
    """Return the documents of a shard.

    Raises:
        WorkspaceError: the file is missing or damaged.
    """
    from silverspan.corpus.docbin import from_bytes  # noqa: PLC0415 (imports spaCy)

    content = store.read(shard.name)
    return list(from_bytes(content, _vocab(shard.language), store.path(shard.name)))


@cache
def _vocab(language: str) -> "Vocab":
    """Return the vocabulary of a language, which knows its numbers and stop words."""
    import spacy  # noqa: PLC0415 (heavy)

    return spacy.blank(language).vocab


def _chunks(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    iterator = iter(records)
    while chunk := list(islice(iterator, size)):
        yield chunk
