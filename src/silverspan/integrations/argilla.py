"""Argilla 2: JSON lines to log as records, with the spans as suggestions of a ``SpanQuestion``.

The dataset has a field ``text`` and a question ``spans``; each row then goes to
``dataset.records.log(rows, mapping={"score": "spans.suggestion.score",
"agent": "spans.suggestion.agent"})``.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from silverspan.corpus.document import original_id
from silverspan.integrations.export import found_spans, write_lines

if TYPE_CHECKING:
    from spacy.tokens import Doc


def write(docs: "Iterable[Doc]", path: Path) -> None:
    """Write one row for each document; ``score`` has a number for each span.

    Raises:
        InputError: the file cannot be written.
    """
    write_lines(map(_row, docs), path)


def _row(doc: "Doc") -> dict[str, Any]:
    spans = list(found_spans(doc))
    return {
        "id": str(original_id(doc)),
        "text": doc.text,
        "spans": [
            {"start": span.first_character, "end": span.last_character, "label": span.label}
            for span in spans
        ],
        "score": [span.probability for span in spans],
        "agent": "silverspan",
    }
