"""Entities with probabilities, from a beam of parses of a transition-based spaCy recogniser."""

from typing import TYPE_CHECKING

from spacy.pipeline import EntityRecognizer
from spacy.tokens import Doc

from silverspan.errors import ModelError
from silverspan.labelling.function import Proposal

if TYPE_CHECKING:
    from spacy.language import Language

#: Parses less likely than the best by this factor are not followed.
_DENSITY = 0.001
_RECOGNISER = "ner"


def beam_entities(nlp: "Language", docs: list[Doc], width: int) -> list[list[Proposal]]:
    """Return the spans of each sentence's best parse, with the distribution of their labels.

    A probability is the share that parses with the span have of all parses kept. Sentence by
    sentence: the beam of a whole article would hold variants of one sentence only.

    Raises:
        ModelError: the pipeline has no transition-based recogniser.
    """
    recogniser = nlp.get_pipe(_RECOGNISER) if nlp.has_pipe(_RECOGNISER) else None
    if not isinstance(recogniser, EntityRecognizer):
        raise ModelError(
            f"the pipeline {nlp.meta.get('name', '')!r} has no transition-based component "
            f"{_RECOGNISER!r}, so it cannot parse with a beam; use beam_width = 1"
        )
    answers: list[list[Proposal]] = []
    for doc in docs:
        sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
        sentences = [sentence for sentence in sentences if len(sentence)]
        if not sentences:
            answers.append([])
            continue
        parts = [sentence.as_doc() for sentence in sentences]
        for name, component in nlp.pipeline:
            if name != _RECOGNISER:
                parts = [component(part) for part in parts]
        beams = recogniser.beam_parse(parts, beam_width=width, beam_density=_DENSITY)
        answers.append(
            [
                (start + sentence.start, end + sentence.start, label, probability)
                for sentence, beam in zip(sentences, beams, strict=True)
                for start, end, label, probability in shares(recogniser.moves.get_beam_parses(beam))
            ]
        )
    return answers


def shares(parses: list[tuple[float, list[tuple[int, int, str]]]]) -> list[Proposal]:
    """Return the best parse's spans with every label that a parse gives them.

    >>> shares([(0.6, [(0, 1, "ORG")]), (0.2, [(0, 1, "LOC")]), (0.2, [(0, 2, "ORG")])])
    [(0, 1, 'LOC', 0.2), (0, 1, 'ORG', 0.6)]
    """
    total = sum(weight for weight, _ in parses)
    if not total:
        return []
    best = max(parses, key=lambda parse: parse[0])[1]
    kept = {(start, end) for start, end, _ in best}
    shared: dict[tuple[int, int, str], float] = {}
    for weight, spans in parses:
        for start, end, label in spans:
            if (start, end) in kept:
                key = (start, end, str(label))
                shared[key] = shared.get(key, 0.0) + weight / total
    return [(*key, min(share, 1.0)) for key, share in sorted(shared.items()) if share > 0]
