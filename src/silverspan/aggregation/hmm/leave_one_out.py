"""What each function changes: the model fitted again without it.

Two changes are told of each function. Of the output: the spans that only one of the two models
finds. Of the likelihood: how many nats the votes of all gain because the function and the others
speak of the same things, which is log P(its votes | the others') - log P(its votes), per token
it votes for. A function that the others confirm gains much; one that speaks of what nobody else
sees gains nothing, or loses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from silverspan.aggregation.hmm.model import FittedHmm, Hmm
from silverspan.aggregation.posterior import Posterior
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes
from silverspan.progress import Task, listening

#: A probability that is never met still counts as this much.
_LEAST = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """What becomes of the model without one function."""

    function: str
    changed: float  # of the spans that either model finds, those that only one does
    lost: int  # spans found only with the function
    gained: int  # spans found only without it
    gain: float  # nats of likelihood by token it votes for; 0 if it never votes


def leave_one_out(
    votes: Votes, settings: Hmm, functions: Sequence[str] | None = None
) -> list[LeftOut]:
    """Return what becomes of the model without each of some functions, or of all.

    The cost is one fit a function; ``settings.rounds`` bounds it.

    >>> from silverspan.labels import LabelSpace
    >>> both = {"a": [(0, 1, "LOC", 1.0)], "b": [(0, 1, "LOC", 1.0)]}
    >>> votes = Votes.build(
    ...     [both, {}] * 10, lengths=[3] * 20,
    ...     space=LabelSpace(outputs=("LOC",)), functions={"a": ["LOC"], "b": ["LOC"]},
    ... )
    >>> [(one.function, one.lost, one.gain > 0) for one in leave_one_out(votes, Hmm())]
    [('a', 0, True), ('b', 0, True)]

    Raises:
        AggregationError: no label is proposed at all.
    """
    whole = settings.fit(votes)
    found = _spans(whole.posterior(votes))
    said = TokenVotes.of(votes)
    result = []
    chosen = votes.functions if functions is None else functions
    with Task("leaving functions out", total=len(chosen)) as task:
        for name in chosen:
            number = votes.functions.index(name)
            own = said.function == number
            if not own.any() or len(votes.functions) == 1:
                result.append(LeftOut(function=name, changed=0.0, lost=0, gained=0, gain=0.0))
                task.advance()
                continue
            rest = votes.without([name])
            posterior = _refit(rest, settings, name)
            others = set() if posterior is None else _spans(posterior)
            either = len(found | others)
            result.append(
                LeftOut(
                    function=name,
                    changed=len(found ^ others) / either if either else 0.0,
                    lost=len(found - others),
                    gained=len(others - found),
                    gain=0.0 if posterior is None else _gain(whole, posterior, said, number),
                )
            )
            task.advance()
    return result


def _refit(rest: Votes, settings: Hmm, left_out: str) -> Posterior | None:
    if not len(rest):
        return None
    if settings.reliable == left_out:
        settings = replace(settings, reliable="auto")
    with listening(None):  # one bar for all of them is enough
        return settings.fit(rest).posterior(rest)


def _gain(whole: FittedHmm, rest: Posterior, said: TokenVotes, number: int) -> float:
    asked = np.repeat(said.votes.asked[:, number], said.votes.lengths)
    position = np.flatnonzero(asked)
    own = np.flatnonzero(said.function == number)
    place = np.searchsorted(position, said.position[said.token[own]])
    answers = np.zeros((len(position), 1 + len(said.votes.space.names)))
    answers[:, 0] = 1.0
    np.subtract.at(answers[:, 0], place, said.probability[own])
    answers[place, 1 + said.label[own]] = said.probability[own]
    kinds = _kinds(rest, position.astype(np.int64))
    return explained(kinds, answers, whole.findings.confusion[number]) / len(np.unique(place))


def explained(
    kinds: Float64[ndarray, "tokens kinds"],
    answers: Float64[ndarray, "tokens silence_and_labels"],
    confusion: Float64[ndarray, "kinds silence_and_labels"],
) -> float:
    """Return log P(answers | kinds) - log P(answers), summed over tokens.

    ``kinds`` are what others make of each token, ``confusion`` is P(answer | kind). On its own a
    function gives each answer as often as it does. Answers may be fractional.
    """
    known = np.log(np.maximum(kinds @ confusion, _LEAST))
    alone = np.log(np.maximum(answers.mean(axis=0), _LEAST))
    return float((answers * (known - alone)).sum())


def _kinds(posterior: Posterior, position: Int64[ndarray, " tokens"]) -> ndarray:
    """Return P(kind) at some tokens; "O" for certain where the posterior has none."""
    kinds = np.zeros((len(position), 1 + len(posterior.labels)))
    kinds[:, 0] = 1.0
    is_there = np.isin(position, posterior.position, assume_unique=True)
    row = np.searchsorted(posterior.position, position[is_there])
    kinds[is_there] = posterior.by_label()[row]
    return kinds


def _spans(posterior: Posterior) -> set[tuple[int, int, int, int]]:
    spans = posterior.spans
    columns = (spans.document, spans.start, spans.end, spans.label)
    return set(zip(*(column.tolist() for column in columns), strict=True))


def quick(settings: Hmm, rounds: int) -> Hmm:
    """Return the same settings with no more rounds than these.

    >>> quick(Hmm(), 3).rounds
    3
    """
    return replace(settings, rounds=min(rounds, settings.rounds))
