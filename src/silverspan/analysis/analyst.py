"""Analyst: is shown shards of votes, posteriors and texts, and tells what they say.

Counts add up and only the hardest is kept, so memory does not grow with the corpus. What is
costly, refits and examples, is done on documents spread evenly over the corpus, as many as
``EXAMPLES`` and ``REFIT`` tokens allow; the analysis says on how many.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from silverspan.aggregation.aggregator import Fitted
from silverspan.aggregation.hmm import Hmm
from silverspan.aggregation.hmm.leave_one_out import LeftOut, leave_one_out, quick
from silverspan.aggregation.posterior import Posterior
from silverspan.analysis.estimates import Estimates
from silverspan.analysis.findings import Analysis, Sample
from silverspan.analysis.gold import GoldTally, Span
from silverspan.analysis.hardest import Hardest
from silverspan.analysis.measured import Measured
from silverspan.analysis.rows import (
    examples_of,
    extra_rows,
    function_row,
    label_rows,
    matrices,
    pair_rows,
)
from silverspan.analysis.spread import Spread
from silverspan.analysis.suggestions import suggest
from silverspan.analysis.terms import Terms
from silverspan.errors import InputError
from silverspan.observations.analysis import (
    VoteCounts,
    compatible,
    contradicted,
    share,
    top_labels,
)
from silverspan.observations.meetings import top_rows
from silverspan.observations.pairs import PairCounts
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

#: Tokens of the documents from which examples of disagreement come.
EXAMPLES: Final = 200_000
#: Tokens of the documents on which the model is fitted again without each function.
REFIT: Final = 12_000
#: Rounds of each of these fits, and how many functions get one: those with most tokens.
ROUNDS: Final = 4
REFITS: Final = 100


class Analyst:
    """Gathers what an analysis says. ``documents`` and ``tokens`` are those of the whole corpus."""

    def __init__(
        self, *, documents: int, tokens: int, keep: int = 30, terms: Terms | None = None
    ) -> None:
        self._terms = terms or Terms()
        self._kept = Spread(documents, tokens, EXAMPLES)
        self._refit = Spread(documents, tokens, REFIT)
        self._keep = keep
        self._votes: VoteCounts | None = None
        self._pairs: PairCounts | None = None
        self._estimates: Estimates | None = None
        self._hardest: Hardest | None = None
        self._found: np.ndarray = np.zeros(0)
        self._sure: np.ndarray = np.zeros(0)
        self._gold: GoldTally | None = None
        self._measured: Measured | None = None
        self._texts: list[Sequence[str]] = []

    def add(
        self,
        votes: Votes,
        posterior: Posterior,
        tokens: Sequence[Sequence[str]],
        gold: Mapping[int, Sequence[Span]] | None = None,
    ) -> None:
        """Take in the documents of a shard; ``gold`` is by number of the document in the shard.

        Raises:
            InputError: votes, posterior and tokens are not of the same documents.
        """
        if not [*map(len, tokens)] == votes.lengths.tolist() == posterior.lengths.tolist():
            raise InputError("votes, posterior and tokens are not of the same documents")
        counts, pairs = VoteCounts.of(votes), PairCounts.of(votes)
        estimates = Estimates.of(votes, posterior)
        spans = posterior.spans
        labels = len(posterior.labels)
        found = np.bincount(spans.label, minlength=labels).astype(np.float64)
        sure = np.bincount(spans.label, weights=spans.probability, minlength=labels)
        if self._votes is None or self._pairs is None or self._estimates is None:
            self._votes, self._pairs, self._estimates = counts, pairs, estimates
            self._found, self._sure = found, sure
            self._hardest = Hardest(posterior.labels, keep=self._keep)
        else:
            self._votes, self._pairs = self._votes + counts, self._pairs + pairs
            self._estimates = self._estimates + estimates
            self._found, self._sure = self._found + found, self._sure + sure
        if self._hardest:
            self._hardest.add(posterior, contradictions(votes), tokens)
        self._take_gold(votes, posterior, tokens, gold or {})
        chosen = self._kept.of_next(votes)
        self._texts += [tokens[i] for i in chosen]
        self._refit.of_next(votes)

    def _take_gold(
        self,
        votes: Votes,
        posterior: Posterior,
        tokens: Sequence[Sequence[str]],
        gold: Mapping[int, Sequence[Span]],
    ) -> None:
        names = [self._terms.label(label) for label in posterior.labels]
        known = tuple(dict.fromkeys(name for name in names if name is not None))
        for number, spans in gold.items():
            if self._gold is None or self._measured is None:
                self._gold = GoldTally(known)
                self._measured = Measured(votes, self._terms)
            words = tokens[number]
            right = self._terms.spans(spans, words)
            said = {
                name: self._terms.spans(own, words)
                for name, own in spans_by_function(votes, number).items()
            }
            probability = posterior.probabilities(number).astype(np.float64)
            merged = np.zeros((len(words), 1 + len(known)))
            for column, name in enumerate((None, *names)):
                # What does not count is as good as nothing.
                merged[:, 0 if name is None else 1 + known.index(name)] += probability[:, column]
            found = self._terms.spans([span[:3] for span in posterior.spans.of(number)], words)
            self._gold.add(posterior.documents[number], words, right, found, merged, said)
            self._measured.add(votes.asked[number].tolist(), right, said)

    def result(self, model: Fitted | None = None, *, refit: bool = True) -> Analysis:
        """Return the analysis; ``refit`` tells what each function changes, at the cost of refits.

        Raises:
            InputError: nothing was shown.
        """
        if self._votes is None or self._pairs is None or not (self._estimates and self._hardest):
            raise InputError("there are no documents to analyse")
        told: dict[str, Any] = {} if model is None else model.describe()
        left_out = self._leave_one_out(told, self._votes) if refit else {}
        counts = self._votes, self._estimates, self._measured
        functions = [function_row(*counts, i, None) for i in range(len(self._votes.functions))]
        by_label = [
            function_row(*counts, function, label)
            for function in range(len(self._votes.functions))
            for label in range(len(self._votes.space.names))
            if self._votes.tokens[function, label]
        ]
        extras = extra_rows(self._votes, self._pairs, told, left_out)
        labels = label_rows(self._votes, self._found, self._sure)
        examples = examples_of(self._pairs, self._kept.votes(), self._texts)
        pairs = pair_rows(self._pairs, examples)
        entities = self._hardest.entities()
        gold = self._gold.findings() if self._gold else None
        density = share(self._votes.tokens.sum(), self._votes.voted)
        is_fallback = told.get("used", told.get("model")) != told.get("model")
        return Analysis(
            documents=self._hardest.shown,
            tokens=self._votes.total,
            voted=self._votes.voted,
            votes_per_voted_token=density,
            functions=tuple(functions),
            extras=tuple(extras),
            by_label=tuple(by_label),
            labels=tuple(labels),
            pairs=tuple(pairs),
            matrices=tuple(matrices(self._pairs)),
            hardest_documents=self._hardest.documents(),
            hardest_tokens=self._hardest.tokens(),
            entities=entities,
            suggestions=suggest(
                functions=functions,
                extras=extras,
                by_label=by_label,
                labels=labels,
                pairs=pairs,
                entities=entities,
                density=density,
                gold=gold,
                warning=told.get("reason") if is_fallback else None,
            ),
            gold=gold,
            sample=Sample(
                documents=self._kept.documents,
                tokens=self._kept.tokens,
                refit_documents=self._refit.documents if left_out else 0,
                refit_tokens=self._refit.tokens if left_out else 0,
                refits=len(left_out),
            ),
        )

    def _leave_one_out(self, told: Mapping[str, Any], counts: VoteCounts) -> dict[str, LeftOut]:
        votes = self._refit.votes()
        is_hmm = told.get("model") == "hmm"
        settings = Hmm(**told["settings"]) if is_hmm else Hmm()
        if not len(votes) or not votes.space.outputs:
            return {}
        order = np.argsort(-counts.tokens.sum(axis=1), kind="stable")[:REFITS]
        names = [votes.functions[i] for i in sorted(order.tolist())]
        return {one.function: one for one in leave_one_out(votes, quick(settings, ROUNDS), names)}


def analyse(
    votes: Votes,
    posterior: Posterior,
    tokens: Sequence[Sequence[str]],
    *,
    gold: Mapping[int, Sequence[Span]] | None = None,
    terms: Terms | None = None,
    model: Fitted | None = None,
    refit: bool = True,
) -> Analysis:
    """Return the analysis of votes, and of what a label model made of them.

    ``tokens`` are the words of each document, ``gold`` its spans where a person annotated it, by
    the document's number, compared on ``terms``; ``model`` tells the weights. ``refit`` fits an
    HMM again without each function, on a sample.

    >>> from silverspan.labels import LabelSpace
    >>> votes = Votes.build(
    ...     [{"a": [(1, 2, "LOC", 1.0)], "b": [(1, 2, "PER", 1.0)]}] * 12, lengths=[3] * 12,
    ...     space=LabelSpace(outputs=("LOC", "PER")), functions={"a": ["LOC"], "b": ["PER"]},
    ... )
    >>> model = Hmm().fit(votes)
    >>> found = analyse(votes, model.posterior(votes), [["In", "Paris", "."]] * 12, model=model)
    >>> [text.text for text in found.suggestions if text.topic == "pair"][0][:57]
    '`a` and `b` disagree on 100 % of their 12 common spans; m'

    Raises:
        InputError: votes, posterior and tokens are not of the same documents.
    """
    analyst = Analyst(documents=len(votes.documents), tokens=votes.tokens, terms=terms)
    analyst.add(votes, posterior, tokens, gold)
    return analyst.result(model, refit=refit)


def contradictions(votes: Votes) -> np.ndarray:
    """Return for every token of the corpus how many functions contradict its most common label."""
    tokens = TokenVotes.of(votes)
    dense = np.zeros(votes.tokens, dtype=np.int64)
    dense[tokens.position] = contradicted(top_labels(tokens), compatible(votes))
    return dense


def spans_by_function(votes: Votes, document: int) -> dict[str, list[Span]]:
    """Return what each function said of one document, its most probable label on every span."""
    low, high = np.searchsorted(votes.document, [document, document + 1])
    part = votes.slice(document, document + 1)
    said: dict[str, list[Span]] = {}
    for row in (low + top_rows(part)).tolist() if high > low else []:
        said.setdefault(votes.functions[votes.function[row]], []).append(
            (int(votes.start[row]), int(votes.end[row]), votes.space.names[votes.label[row]])
        )
    return said
