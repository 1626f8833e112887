"""How the label model does on the documents that people have judged, right now."""

from silverspan.evaluation.normalisation import normalise
from silverspan.evaluation.scores import Evaluation, evaluate_spans
from silverspan.view.library import Library


def scores(library: Library) -> Evaluation | None:
    """Return strict scores over all documents with gold, as the project file says; None: none."""

    def compute() -> Evaluation | None:
        settings = library.project.settings.evaluation
        gold, found, lengths = [], [], []
        for number in library.finished():
            words, judgement = library.judged(number)
            gold.append(normalise(judgement.gold, words.tokens, settings.normalise))
            found.append(normalise(library.silver_of(number), words.tokens, settings.normalise))
            lengths.append(len(words.tokens))
        if not gold:
            return None
        return evaluate_spans(
            gold,
            found,
            lengths=lengths,
            labels=settings.labels or library.labels,
            mapping={**library.project.space.finer, **settings.map},
            views=("strict",),
        )

    return library.once("scores", library.gold.revision, compute)
