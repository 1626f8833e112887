"""Label Studio: a JSON list of tasks with predictions, for a labelling interface with ``Labels``.

The interface needs ``<Labels name="label" toName="text">`` with the labels, and ``<Text name="text"
value="$text"/>``; ``labelling_config`` makes it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from silverspan.corpus.document import original_id
from silverspan.corpus.files import atomic_write
from silverspan.corpus.json_lines import to_json
from silverspan.integrations.export import DECIMALS, found_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc


def write(docs: "Iterable[Doc]", path: Path) -> None:
    """Write one task for each document; a task's score is that of its least probable span.

    Raises:
        InputError: the file cannot be written.
    """
    with atomic_write(path) as out:
        out.write("[")
        for number, doc in enumerate(docs):
            out.write(",\n" if number else "\n")
            out.write(to_json(_task(doc)))
        out.write("\n]\n")


def labelling_config(labels: Sequence[str]) -> str:
    """Return the XML of a labelling interface that shows the predictions.

    >>> print(labelling_config(["PER"]))
    <View>
      <Labels name="label" toName="text">
        <Label value="PER"/>
      </Labels>
      <Text name="text" value="$text"/>
    </View>
    """
    values = "\n".join(f"    <Label value={quoteattr(label)}/>" for label in labels)
    return (
        f'<View>\n  <Labels name="label" toName="text">\n{values}\n  </Labels>\n'
        '  <Text name="text" value="$text"/>\n</View>'
    )


def _task(doc: "Doc") -> dict[str, Any]:
    spans = list(found_spans(doc))
    return {
        "data": {"text": doc.text, "id": original_id(doc)},
        "predictions": [
            {
                "model_version": "silverspan",
                "score": round(min((span.probability for span in spans), default=1.0), DECIMALS),
                "result": [
                    {
                        "id": f"span{number}",
                        "from_name": "label",
                        "to_name": "text",
                        "type": "labels",
                        "value": {
                            "start": span.first_character,
                            "end": span.last_character,
                            "text": span.text,
                            "labels": [span.label],
                        },
                        "score": span.probability,
                    }
                    for number, span in enumerate(spans)
                ],
            }
        ],
    }
