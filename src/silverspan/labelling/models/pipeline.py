"""Any spaCy pipeline that sets entities, as a labelling function.

The tokens stay the corpus's own: the model sees a fresh document made of them and runs only the
components that find entities, so its tokenizer, tagger and parser cost nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from spacy.tokens import Doc

from silverspan.corpus.pipelines import unloadable
from silverspan.labelling.function import LabellingFunction, LooseProposal, Proposal
from silverspan.labelling.models.beam import beam_entities
from silverspan.labelling.models.corrections import CORRECTED_LABELS, correct
from silverspan.labelling.models.installed import InstalledModel, describe
from silverspan.labelling.models.truecase import truecase as in_true_case

if TYPE_CHECKING:
    from spacy.language import Language

#: Documents parsed at a time; larger batches gain nothing.
_BATCH = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class PipelineFamily:
    """What one model says, raw under ``name`` and corrected under ``name + "+c"``."""

    name: str
    model: InstalledModel
    labels: tuple[tuple[str, str], ...] = ()
    beam_width: int = 1
    truecase: bool = False

    def propose(self, docs: Sequence[Doc]) -> list[dict[str, list[Proposal]]]:
        """Return, for each document, the model's entities and the corrected ones."""
        nlp = _load(self.model)
        copies = [_copy(doc, nlp, in_true_case(doc) if self.truecase else None) for doc in docs]
        width = self.beam_width
        raw = beam_entities(nlp, copies, width) if width > 1 else _greedy(nlp, copies)
        renamed = dict(self.labels)
        answers = []
        for doc, proposals in zip(docs, raw, strict=True):
            proposals = [(s, e, renamed.get(label, label), p) for s, e, label, p in proposals]
            answers.append({self.name: proposals, f"{self.name}+c": correct(doc, proposals)})
        return answers


def spacy_model(
    model: str,
    *,
    name: str | None = None,
    labels: Mapping[str, str] | None = None,
    corrected: bool = False,
    beam_width: int = 1,
    truecase: bool = False,
    group: str = "neural",
) -> LabellingFunction:
    """Return the labelling function of a spaCy pipeline: an installed package, or a folder.

    ``labels`` renames the model's labels, ``corrected`` gives the ``+c`` form. The probability of
    a greedy parse is 1. With ``beam_width`` above 1 it is the share of the probability of the best
    parses of a sentence that has the span, at some cost in time. With ``truecase`` the model sees
    headlines in capitals as a sentence would have them.

    >>> function = spacy_model("en", corrected=True)  # doctest: +SKIP
    >>> function.name  # doctest: +SKIP
    'en_core_web_md+c'

    Raises:
        ModelError: nothing of that name is installed, or it finds no entities.
    """
    installed = describe(model)
    pairs = tuple(sorted((labels or {}).items()))
    family = _family(name or installed.name, installed, pairs, beam_width, truecase)
    spoken = tuple(dict.fromkeys(dict(pairs).get(label, label) for label in installed.labels))
    if corrected:
        spoken = tuple(dict.fromkeys((*spoken, *CORRECTED_LABELS)))
    full_name = family.name + ("+c" if corrected else "")
    return LabellingFunction(
        name=full_name,
        labels=spoken,
        propose=_alone(family, full_name),
        group=group,
        family=family,
        options={"labels": dict(pairs), "beam_width": beam_width, "truecase": truecase},
        version=" ".join(filter(None, (installed.name, installed.version, installed.digest))),
    )


@cache
def _family(
    name: str,
    model: InstalledModel,
    labels: tuple[tuple[str, str], ...],
    beam_width: int,
    truecase: bool,
) -> PipelineFamily:
    """Return one family for the raw function and the corrected one, so that the model runs once."""
    return PipelineFamily(
        name=name, model=model, labels=labels, beam_width=beam_width, truecase=truecase
    )


def _alone(family: PipelineFamily, name: str) -> Callable[[Doc], Iterable[LooseProposal]]:
    def propose(doc: Doc) -> Iterable[LooseProposal]:
        return family.propose([doc])[0][name]

    return propose


@cache
def _load(model: InstalledModel) -> "Language":
    """Return the pipeline with the components that find entities; once a process."""
    import spacy  # noqa: PLC0415 (slow)

    try:
        return spacy.load(model.source, exclude=list(model.unneeded))
    except Exception as error:  # whatever a damaged folder makes of spaCy's readers
        raise unloadable(model.name, error) from error


def _copy(doc: Doc, nlp: "Language", words: list[str] | None) -> Doc:
    """Return the same tokens in the model's vocabulary, with sentence starts if there are any.

    The model was used to them in training: an entity does not cross one.
    """
    starts: list[bool | int | None] = []
    if doc.has_annotation("SENT_START"):
        starts.extend(token.is_sent_start for token in doc)
    return Doc(
        nlp.vocab,
        words=[token.text for token in doc] if words is None else words,
        spaces=[bool(token.whitespace_) for token in doc],
        sent_starts=starts or None,
    )


def _greedy(nlp: "Language", docs: list[Doc]) -> list[list[Proposal]]:
    return [
        [(span.start, span.end, span.label_, 1.0) for span in doc.ents]
        for doc in nlp.pipe(docs, batch_size=_BATCH)
    ]
