"""Annotated documents as votes: each annotator of a file, or layer of a DocBin, is a function."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from silverspan.corpus.in_tokens import read_in_tokens
from silverspan.observations.jsonl import VotedRecord


def read(path: str | Path, format: str | None = None) -> Iterator[VotedRecord]:
    """Yield the documents of a file with what each annotator said.

    An annotator without a name goes by that of the file. Who annotated a document was asked about
    it, others were not; the layers of a DocBin were asked about all.

    Raises:
        InputError: the file is missing or damaged.
        UnknownNameError: there is no such format.
    """
    unnamed = Path(path).name.split(".")[0]
    for record in read_in_tokens(path, format):
        said = {name or unnamed: tuple(spans) for name, spans in record.layers.items()}
        yield VotedRecord(
            record=replace(record, found=None, layers={}, doc=None),
            said=said,
            asked=None if record.doc is not None else tuple(said),
        )
