"""Gold, which people annotated, laid over the documents of the corpus; read for scoring only."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy.tokens import Doc

from silverspan.corpus.alignment import Moved, over_tokens, solid
from silverspan.corpus.document import GROUP, document_id, gold_spans
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record, source_of
from silverspan.errors import InputError
from silverspan.pipeline.state import Run
from silverspan.workspace import corpus_shards

Span = tuple[int, int, str]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Gold:
    """What a person said of a document; spans count its tokens.

    It is document ``number`` of a shard.
    """

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    shard: int = 0
    number: int = 0
    #: The larger document that this one, a sentence, belongs to.
    group: str | int | None = None


def gold_of(run: Run) -> dict[str, Gold]:
    """Return the gold of the documents that have any, by id.

    It comes from the gold file that the project names, or from the corpus itself. All of it is in
    memory: some hundred bytes for each of its tokens. Shards without gold are not read, unless the
    file has ids of its own, as annotation tools give them: then documents are found by their text.

    Raises:
        InputError: a gold document is not in the corpus, or has another text there.
    """
    path = run.project.gold_path
    if path is not None:
        return _of_file(run, path)
    found: dict[str, Gold] = {}
    for shard in run.shards:
        if shard.has_gold:
            for number, doc in enumerate(corpus_shards.read_shard(run.kept, shard)):
                spans = gold_spans(doc)
                if spans is not None:
                    tokens = tuple(token.text for token in doc)
                    found[document_id(doc)] = Gold(
                        tokens, tuple(spans), shard.number, number, doc.user_data.get(GROUP)
                    )
    return found


def laid_over(record: Record, doc: Doc) -> list[Span]:
    """Return the gold of a record as spans of the tokens of its document.

    Raises:
        InputError: the document has another text.
    """
    moved = _moved(record, doc)
    if moved is None:
        raise _other_text(record)
    return [span[:3] for span in moved.spans]


def _of_file(run: Run, path: Path) -> dict[str, Gold]:
    format = run.project.settings.evaluation.gold_format
    by_id = {r.id: r for r in read_records(path, format) if r.gold is not None}
    found: dict[str, Gold] = {}
    misaligned = 0

    def keep(shard: int, number: int, doc: Doc, moved: Moved) -> None:
        nonlocal misaligned
        misaligned += moved.misaligned
        spans = tuple(span[:3] for span in moved.spans)
        tokens = tuple(token.text for token in doc)
        found[document_id(doc)] = Gold(tokens, spans, shard, number, doc.user_data.get(GROUP))

    others: set[str] = set()
    for shard, number, doc in _documents(run, set(by_id)):
        name = document_id(doc)
        if name in by_id:
            moved = _moved(by_id[name], doc)
            if moved is None:
                others.add(name)
            else:
                del by_id[name]
                keep(shard, number, doc, moved)
    by_text: dict[str, list[Record]] = {}
    for record in by_id.values():
        by_text.setdefault(solid(source_of(record)), []).append(record)
    for shard, number, doc in _documents(run, None) if by_text else ():
        waiting = by_text.get(solid(doc.text))
        if waiting and document_id(doc) not in found:
            moved = _moved(waiting.pop(0), doc)
            if moved is not None:
                keep(shard, number, doc, moved)
    left = [record for same in by_text.values() for record in same]
    if left:
        first = left[0]
        if first.id in others:
            raise _other_text(first)
        raise InputError(
            f"the corpus has no document {first.id!r}, nor {len(left) - 1} others of this file",
            path=first.path,
            line=first.line,
        )
    if misaligned:
        _log.warning(
            "%s: %d gold spans do not begin and end with tokens; they were widened, or left out "
            "where they hold no token",
            path,
            misaligned,
        )
    return found


def _documents(run: Run, ids: set[str] | None) -> Iterator[tuple[int, int, Doc]]:
    """Yield the documents of all shards, or of those that have one of the ids, with their place."""
    for shard in run.shards:
        if ids is None or ids & set(corpus_shards.ids_of(run.kept, shard)):
            for number, doc in enumerate(corpus_shards.read_shard(run.kept, shard)):
                yield shard.number, number, doc


def _moved(record: Record, doc: Doc) -> Moved | None:
    spans = [(*span, 1.0) for span in record.gold or ()]
    return over_tokens(spans, source_of(record), [token.text for token in doc])


def _other_text(record: Record) -> InputError:
    return InputError(
        f"document {record.id!r} has another text in the corpus",
        path=record.path,
        line=record.line,
    )
