"""doccano's exports of sequence labelling: JSON lines, one file for all or one for each annotator.

Spans are lists under ``label``, or objects under ``entities`` in projects with relations. Who
annotated is the name of the file, if there are several.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from silverspan.corpus import jsonl
from silverspan.corpus.record import Problem, Record, stop


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every line.

    Raises:
        InputError: a line is no such object.
    """
    for record in jsonl.read(path, problem):
        if record.gold is None:
            yield record
        else:
            said = tuple((*span, 1.0) for span in record.gold)
            yield replace(record, layers={"": said})
