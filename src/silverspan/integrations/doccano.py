"""doccano: JSON lines for a "sequence labeling" project; import them as its format JSONL."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.corpus.document import original_id
from silverspan.integrations.export import found_spans, write_lines

if TYPE_CHECKING:
    from spacy.tokens import Doc


def write(docs: "Iterable[Doc]", path: Path) -> None:
    """Write ``text`` and ``label``, a list of ``[start, end, label]`` in characters.

    Raises:
        InputError: the file cannot be written.
    """
    rows = (
        {
            "id": original_id(doc),
            "text": doc.text,
            "label": [[s.first_character, s.last_character, s.label] for s in found_spans(doc)],
        }
        for doc in docs
    )
    write_lines(rows, path)
