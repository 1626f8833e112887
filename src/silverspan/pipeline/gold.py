"""Gold, which people annotated, laid over the documents of the corpus; read for scoring only."""

from dataclasses import dataclass

from spacy.tokens import Doc

from silverspan.corpus.document import document_id, gold_spans, span_from_characters
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record
from silverspan.errors import InputError
from silverspan.pipeline.state import Run
from silverspan.workspace import corpus_shards

Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Gold:
    """What a person said of a document; spans count its tokens.

    It is document ``number`` of a shard.
    """

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    shard: int = 0
    number: int = 0


def gold_of(run: Run) -> dict[str, Gold]:
    """Return the gold of the documents that have any, by id.

    It comes from the gold file that the project names, or from the corpus itself. All of it is in
    memory: some hundred bytes for each of its tokens. Shards without gold are not read.

    Raises:
        InputError: a gold document is not in the corpus, or has another text there.
    """
    path = run.project.gold_path
    records = {} if path is None else {r.id: r for r in read_records(path) if r.gold is not None}
    found: dict[str, Gold] = {}
    for shard in run.shards:
        if not (
            shard.has_gold
            if path is None
            else records.keys() & corpus_shards.ids_of(run.kept, shard)
        ):
            continue
        for number, doc in enumerate(corpus_shards.read_shard(run.kept, shard)):
            name = document_id(doc)
            if path is None:
                spans = gold_spans(doc)
            else:
                spans = laid_over(records.pop(name), doc) if name in records else None
            if spans is not None:
                tokens = tuple(token.text for token in doc)
                found[name] = Gold(tokens, tuple(spans), shard.number, number)
    if records:
        first = next(iter(records.values()))
        raise InputError(
            f"the corpus has no document {first.id!r}, nor {len(records) - 1} others of this file",
            path=first.path,
            line=first.line,
        )
    return found


def laid_over(record: Record, doc: Doc) -> list[Span]:
    """Return the gold of a record as spans of the tokens of its document.

    Raises:
        InputError: the document has another text.
    """
    same = (
        record.text == doc.text
        if record.tokens is None
        else list(record.tokens) == [token.text for token in doc]
    )
    if not same:
        raise InputError(
            f"document {record.id!r} has another text in the corpus",
            path=record.path,
            line=record.line,
        )
    spans = []
    for start, end, label in record.gold or ():
        place = (
            (start, end) if record.gold_unit == "tokens" else span_from_characters(doc, start, end)
        )
        if place is not None:
            spans.append((*place, label))
    return spans
