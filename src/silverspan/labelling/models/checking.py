"""Whether a recogniser works here: it loads, finds entities, says only its own labels; how fast."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import spacy
from spacy.tokens import Doc

from silverspan.errors import SilverspanError
from silverspan.labelling.apply import label_documents
from silverspan.labelling.function import LabellingFunction, Proposal

#: Invented; a recogniser of news finds something in it.
_TEXT = (
    "Angela Merkel flew from Berlin to London on Monday to meet Goldman Sachs bankers . "
    "Norway 's Equinor ASA said on 5 May it would pay $ 3 million to the United Nations ."
)
_COPIES = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """What came of running a recogniser over a short invented text."""

    function: str
    problem: str = ""
    found: tuple[tuple[str, str], ...] = ()
    tokens_per_second: float = 0.0


def check_model(function: LabellingFunction) -> Checked:
    """Run the function on invented text; whatever goes wrong is told in ``problem``."""
    docs = _documents()
    try:
        run(function, docs[:1])  # loads the model
        start = time.perf_counter()
        said = run(function, docs)
        seconds = time.perf_counter() - start
    except SilverspanError as error:
        return Checked(function=function.name, problem=str(error))
    found = tuple((docs[0][start:end].text, label) for start, end, label, _ in said[0])
    problem = "" if found else "found no entity in a text full of them"
    if any(other != said[0] for other in said):
        problem = "said different things of the same text"
    speed = sum(len(doc) for doc in docs) / seconds
    return Checked(
        function=function.name, problem=problem, found=found, tokens_per_second=round(speed)
    )


def run(function: LabellingFunction, docs: Sequence[Doc]) -> list[list[Proposal]]:
    """Return what the function says of each document, its contract checked."""
    names = [f"text {number}" for number in range(1, len(docs) + 1)]
    labelled = label_documents(docs, [function], document_ids=names)
    return [one.proposals.get(function.name, []) for one in labelled]


def _documents() -> list[Doc]:
    vocab = spacy.blank("en").vocab
    words = _TEXT.split(" ")
    starts: list[bool | int | None] = []
    starts.extend(i == 0 or words[i - 1] == "." for i in range(len(words)))
    return [Doc(vocab, words=words, sent_starts=starts) for _ in range(_COPIES)]
