"""Annotated documents as votes: each annotator of a file, or layer of a DocBin, is a function.

Goes in: a file of any format that documents are read from. Comes out: ``VotedRecord``s. A text that
nobody has cut is cut into words and marks.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from silverspan.corpus.alignment import over_tokens, spaces_of, words_of
from silverspan.corpus.reading import reader_of
from silverspan.corpus.record import layers_of, source_of
from silverspan.observations.jsonl import VotedRecord

_log = logging.getLogger(__name__)


def read(path: str | Path, format: str | None = None) -> Iterator[VotedRecord]:
    """Yield the documents of a file with what each annotator said.

    An annotator without a name goes by that of the file. Who annotated a document was asked about
    it, others were not; the layers of a DocBin were asked about all.

    Raises:
        InputError: the file is missing or damaged.
        UnknownNameError: there is no such format.
    """
    misaligned = 0
    unnamed = Path(path).name.split(".")[0]
    for record in reader_of(path, format)(path):
        source = source_of(record)
        tokens = words_of(source) if isinstance(source, str) else source
        said = {}
        for name, spans in layers_of(record).items():
            laid = over_tokens(spans, source, tokens)
            if laid is not None:
                said[name or unnamed] = laid.spans
                misaligned += laid.misaligned
        gold = over_tokens([(*span, 1.0) for span in record.gold or ()], source, tokens)
        yield VotedRecord(
            record=replace(
                record,
                tokens=tokens,
                text=None,
                spaces=spaces_of(source) if isinstance(source, str) else record.spaces,
                gold=None
                if record.gold is None or gold is None
                else tuple(span[:3] for span in gold.spans),
                gold_unit="tokens",
                found=None,
                layers={},
                doc=None,
            ),
            said=said,
            asked=None if record.doc is not None else tuple(said),
        )
    if misaligned:
        _log.warning(
            "%s: %d spans do not begin and end with tokens; they were widened, or left out where "
            "they hold no token",
            path,
            misaligned,
        )
