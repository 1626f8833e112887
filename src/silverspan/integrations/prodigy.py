"""Prodigy: JSON lines of tasks for ``ner.manual`` and the like, with tokens, so that they match."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from silverspan.corpus.document import original_id
from silverspan.integrations.export import found_spans, write_lines

if TYPE_CHECKING:
    from spacy.tokens import Doc


def write(docs: "Iterable[Doc]", path: Path) -> None:
    """Write one task for each document; ``token_end`` is the last token, not the one after.

    Raises:
        InputError: the file cannot be written.
    """
    write_lines(map(_task, docs), path)


def _task(doc: "Doc") -> dict[str, Any]:
    return {
        "text": doc.text,
        "tokens": [
            {
                "text": token.text,
                "start": token.idx,
                "end": token.idx + len(token),
                "id": token.i,
                "ws": bool(token.whitespace_),
            }
            for token in doc
        ],
        "spans": [
            {
                "start": span.first_character,
                "end": span.last_character,
                "token_start": span.start,
                "token_end": span.end - 1,
                "label": span.label,
                "score": span.probability,
            }
            for span in found_spans(doc)
        ],
        "meta": {"id": original_id(doc), "source": "silverspan"},
    }
