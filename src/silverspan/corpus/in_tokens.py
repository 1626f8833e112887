"""Annotated records of any kind become records of tokens: what votes and predictions are made of.

A text that nobody has cut is cut into words and marks; its spans are laid over them.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from silverspan.corpus.alignment import over_tokens, spaces_of, words_of
from silverspan.corpus.document import SILVER, layer
from silverspan.corpus.json_lines import WeightedSpan
from silverspan.corpus.reading import reader_of
from silverspan.corpus.record import Record, layers_of, source_of

_log = logging.getLogger(__name__)


def read_in_tokens(path: str | Path, format: str | None = None) -> Iterator[Record]:
    """Yield the documents of a file with tokens, and all spans over these.

    How many spans did not begin and end with tokens is logged at the end.

    Raises:
        InputError: the file is missing or damaged.
        UnknownNameError: there is no such format.
    """
    misaligned = 0
    for record in reader_of(path, format)(path):
        cut, own = in_tokens(record)
        misaligned += own
        yield cut
    if misaligned:
        _log.warning(
            "%s: %d spans do not begin and end with tokens; they were widened, or left out where "
            "they hold no token",
            path,
            misaligned,
        )


def in_tokens(record: Record) -> tuple[Record, int]:
    """Return a record with tokens, and how many of its spans did not begin and end with them.

    >>> record = Record(text="In Oslo.", gold=((3, 7, "LOC"),), gold_unit="characters")
    >>> cut, misaligned = in_tokens(record)
    >>> cut.tokens, cut.gold, misaligned
    (('In', 'Oslo', '.'), ((1, 2, 'LOC'),), 0)
    """
    source = source_of(record)
    tokens = words_of(source) if isinstance(source, str) else source
    misaligned = 0

    def laid(spans: Sequence[WeightedSpan]) -> tuple[WeightedSpan, ...]:
        nonlocal misaligned
        moved = over_tokens(spans, source, tokens)
        if moved is None:  # its tokens are words of its own text
            return ()
        misaligned += moved.misaligned
        return moved.spans

    gold, found = record.gold, record.found
    if record.doc is not None:
        entities = tuple((e.start, e.end, e.label_, 1.0) for e in record.doc.ents)
        if SILVER in record.doc.spans:
            found = tuple(layer(record.doc, SILVER))
        elif record.doc.has_annotation("ENT_IOB"):
            found = entities
    cut = replace(
        record,
        text=None,
        tokens=tokens,
        spaces=spaces_of(source) if isinstance(source, str) else record.spaces,
        gold=None
        if gold is None
        else tuple(span[:3] for span in laid([(*span, 1.0) for span in gold])),
        gold_unit="tokens",
        found=None if found is None else laid(found),
        layers={name: laid(spans) for name, spans in layers_of(record).items()},
    )
    return cut, misaligned
