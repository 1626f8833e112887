"""Records become spaCy documents: tokens, whatever the pipeline adds, the id and the gold layer.

A pipeline needs memory for all it sees at once, so it never sees much: a longer document is cut
where a paragraph, a sentence or a word ends, and the parsed pieces are put together again. Its text
does not change. Batches end early when they hold many tokens.
"""

import logging
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING

from silverspan.corpus.document import GROUP, set_document_id, set_gold_spans, span_from_characters
from silverspan.corpus.json_lines import Span
from silverspan.corpus.record import Record
from silverspan.errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

#: A document with more characters, or more tokens if it comes cut, is parsed in pieces.
_PIECE = 100_000
_TOKENS_IN_PIECE = 20_000
_BREAKS = ("\n\n", "\n", ". ", " ")
#: Marks without a letter or a blank between them. spaCy's tokenizer takes them off one by one, and
#: looks at all that is left each time: a hundred thousand quotation marks would take an hour.
_RUN_OF_MARKS = re.compile(r"[^\w\s]{300}")

_log = logging.getLogger(__name__)


def parse(records: Iterable[Record], nlp: "Language", *, batch_size: int = 64) -> Iterator["Doc"]:
    """Yield the document of every record, in order, run through the pipeline in batches.

    Documents of a DocBin that carry tags or dependencies keep what they have.

    Raises:
        InputError: a text that is no text (half a surrogate pair), or an error of the reader.
    """
    for annotated, run in groupby(records, _is_annotated):
        if annotated:
            for record in run:
                yield _finish(record, _own(record, nlp))
        else:
            yield from _parse_run(run, nlp, batch_size)


def _parse_run(records: Iterable[Record], nlp: "Language", batch_size: int) -> Iterator["Doc"]:
    from spacy.tokens import Doc  # noqa: PLC0415 (heavy)

    waiting: deque[tuple[Record, int]] = deque()

    def pieces() -> Iterator[Doc]:
        for record in records:
            cut = list(_pieces(record, nlp))
            waiting.append((record, len(cut)))
            yield from cut

    batches = _batches(pieces(), batch_size)
    parsed = chain.from_iterable(nlp.pipe(batch, batch_size=batch_size) for batch in batches)
    for first in parsed:
        record, count = waiting.popleft()
        if count == 1:
            yield _finish(record, first)
            continue
        parts = [first, *(next(parsed) for _ in range(count - 1))]
        whole = Doc.from_docs(parts, ensure_whitespace=False)
        if whole is None:  # spaCy's answer to an empty list
            raise InputError(f"document {record.id!r} came apart", path=record.path)
        yield _finish(record, whole)


def _batches(docs: "Iterable[Doc]", batch_size: int) -> "Iterator[list[Doc]]":
    batch: list[Doc] = []
    tokens = 0
    for doc in docs:
        batch.append(doc)
        tokens += len(doc)
        if len(batch) == batch_size or tokens >= _TOKENS_IN_PIECE:
            yield batch
            batch, tokens = [], 0
    if batch:
        yield batch


def _finish(record: Record, doc: "Doc") -> "Doc":
    set_document_id(doc, record.original_id)
    if record.group is not None:
        doc.user_data[GROUP] = record.group
    if record.gold is not None and record.doc is None:
        set_gold_spans(doc, list(_gold_in_tokens(record, doc)))
    return doc


def _gold_in_tokens(record: Record, doc: "Doc") -> Iterator[Span]:
    if record.gold_unit == "tokens":
        yield from record.gold or ()
        return
    moved = 0
    for start, end, label in record.gold or ():
        span = span_from_characters(doc, start, end)
        if span is None:
            moved += 1
            continue
        moved += doc[span[0] : span[1]].text != record.text[start:end] if record.text else 0
        yield *span, label
    if moved:
        _log.warning(
            "document %r: %d gold spans do not begin and end with tokens; they were widened, "
            "or left out where they hold no token",
            record.id,
            moved,
        )


def _is_annotated(record: Record) -> bool:
    return record.doc is not None and any(
        record.doc.has_annotation(attribute) for attribute in ("TAG", "DEP", "POS")
    )


def _own(record: Record, nlp: "Language") -> "Doc":
    """Return the document of a record over the vocabulary of the pipeline."""
    from spacy.tokens import Doc  # noqa: PLC0415 (heavy)

    if record.doc is None:
        raise InputError(f"document {record.id!r} holds no spaCy document", path=record.path)
    return Doc(nlp.vocab).from_bytes(record.doc.to_bytes())


def _pieces(record: Record, nlp: "Language") -> Iterator["Doc"]:
    from spacy.tokens import Doc  # noqa: PLC0415 (heavy)

    if record.doc is not None:
        yield _own(record, nlp)
        return
    if record.tokens is None:
        text = record.text or ""
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"document {record.id!r} holds a character that does not exist (half a surrogate "
                f"pair) at {error.start}",
                path=record.path or None,
                line=record.line,
            ) from error
        for start, end in _cuts(text, nlp.max_length):
            yield nlp.make_doc(text[start:end])
        return
    starts = None if record.sentence_starts is None else set(record.sentence_starts)
    size = len(record.tokens)
    bounds = [0, *_token_cuts(size, record.sentence_starts), size]
    for start, end in pairwise(bounds):
        yield Doc(
            nlp.vocab,
            words=list(record.tokens[start:end]),
            spaces=None if record.spaces is None else list(record.spaces[start:end]),
            sent_starts=None if starts is None else [i in starts for i in range(start, end)],
        )


def _cuts(text: str, max_length: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a text: the whole, or pieces that end where a paragraph or word ends."""
    size = min(_PIECE, max_length)
    start = 0
    while len(text) - start > size:
        limit = end = start + size
        for mark in _BREAKS:
            found = text.rfind(mark, start + size // 2, limit)
            if found >= 0:
                end = found + len(mark)
                break
        # Blanks that follow belong to the same token.
        while end < limit and text[end].isspace():
            end += 1
        yield from _without_runs(text, start, end)
        start = end
    yield from _without_runs(text, start, len(text))


def _without_runs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a part of a text; each long run of marks is a piece of its own."""
    for run in _RUN_OF_MARKS.finditer(text, start, end):
        if run.start() > start:
            yield start, run.start()
        yield run.start(), run.end()
        start = run.end()
    if start < end or not text:
        yield start, end


def _token_cuts(size: int, starts: tuple[int, ...] | None) -> list[int]:
    """Return where to cut tokens that are too many for one pass; before a sentence if possible."""
    cuts = [0]
    for start in range(0, size, _TOKENS_IN_PIECE) if starts is None else starts:
        if start - cuts[-1] >= _TOKENS_IN_PIECE and size > _TOKENS_IN_PIECE:
            cuts.append(start)
    return cuts[1:]
