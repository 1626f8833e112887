"""How well a recogniser finds the entities of labelled text: spans of the same ends and label."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from silverspan.labelling.models.sources.cleaning import Sentence
from silverspan.labelling.models.sources.data import by_document
from silverspan.labelling.models.sources.training import as_document

if TYPE_CHECKING:
    from spacy.language import Language


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of entities: found rightly, found, and there; of one label, or of all.

    >>> round(Score(right=1, found=2, there=1).f1, 3)
    0.667
    """

    right: int
    found: int
    there: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of what is there that was found."""
        return self.right / self.there if self.there else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.found + self.there) if self.found + self.there else 0.0


def score(nlp: "Language", sentences: Sequence[Sentence]) -> dict[str, Score]:
    """Return the score of all labels together under ``""``, and of each label that occurs."""
    right: Counter[str] = Counter()
    found: Counter[str] = Counter()
    there: Counter[str] = Counter()
    gold = [as_document(nlp, group) for group in by_document(sentences)]
    bare = [as_document(nlp, [_bare(one) for one in group]) for group in by_document(sentences)]
    for wanted, answer in zip(gold, nlp.pipe(bare), strict=True):
        said = {(span.start, span.end, span.label_) for span in answer.ents}
        true = {(span.start, span.end, span.label_) for span in wanted.ents}
        for counter, spans in ((right, said & true), (found, said), (there, true)):
            counter.update(label for _, _, label in spans)
    labels = sorted({*found, *there})
    scores = {"": Score(right.total(), found.total(), there.total())}
    return scores | {name: Score(right[name], found[name], there[name]) for name in labels}


def _bare(sentence: Sentence) -> Sentence:
    return Sentence(sentence.tokens, (), sentence.document)
