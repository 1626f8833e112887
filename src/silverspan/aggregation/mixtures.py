"""The paper's mixtures of multinomials: ACC, CV, CM (Dawid and Skene), SEQ, and DCM with a chain.

Each function says its most probable symbol, tokens are states of a mixture, and label matching
(matching.py) settles what the states stand for. Types are modelled and boundaries voted on
("apart"), or the tags are the states ("joint"). The equations are in confusions.py.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float64, Int64
from numpy import ndarray

from silverspan.aggregation import storage
from silverspan.aggregation.aggregator import Fitted, aggregators
from silverspan.aggregation.confusions import UPDATES, right_symbols
from silverspan.aggregation.decoding import by_label
from silverspan.aggregation.indicators import Indicators, most_probable_symbols
from silverspan.aggregation.matching import Reference, match, renamed
from silverspan.aggregation.mixture_em import (
    Expected,
    Parameters,
    Sequence,
    climb,
    dense_counts,
    expect,
    guess,
    log_prior,
    maximise,
)
from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.reliability import most_reliable
from silverspan.aggregation.tallies import label_totals, tag_tally, with_boundaries
from silverspan.labels import LabelSpace
from silverspan.observations.align import align
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes
from silverspan.tagging import legal_moves, prefixes

# The chance of the right symbol when all that is known is how common the labels are.
_FIRST_GUESS = 0.8


@dataclass(frozen=True, kw_only=True, slots=True)
class MixtureSettings:
    """What all mixtures can be told.

    ``silence`` "o" reads a silent function as one that says "O"; "abstain" leaves it out, and
    every token that somebody voted for is part of a name.
    ``frequencies`` counts how common each state is over "all" tokens, as the paper does, or over
    the "voted" ones: with few votes a token, the sea of unvoted "O" drowns every name.
    ``start`` begins at the "votes", or at label frequencies of the "reliable" function (named by
    ``reliable``, or found). ``matching`` is explained in matching.py.
    """

    scheme: str = "bio"
    boundaries: Literal["apart", "joint"] = "apart"
    silence: Literal["o", "abstain"] = "o"
    frequencies: Literal["voted", "all"] = "voted"
    start: Literal["votes", "reliable"] = "votes"
    reliable: str | None = None
    matching: Reference = "majority"
    rounds: int = 50
    tolerance: float = 1e-7
    smoothing: float = 0.01

    @property
    def states(self) -> str:
        """The scheme whose tags are the states."""
        return self.scheme if self.boundaries == "joint" else "io"


@dataclass(frozen=True, kw_only=True, slots=True)
class AccuracyModel(MixtureSettings):
    """ACC: one accuracy for each function. Silence abstains: it would be an error most times."""

    silence: Literal["o", "abstain"] = "abstain"

    def fit(self, votes: Votes) -> "FittedMixture":
        """Return the fitted model."""
        return _fit("acc", self, votes)

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfusionVector(MixtureSettings):
    """CV: one accuracy for each function and label; silence abstains as in ACC."""

    silence: Literal["o", "abstain"] = "abstain"

    def fit(self, votes: Votes) -> "FittedMixture":
        """Return the fitted model."""
        return _fit("cv", self, votes)

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfusionMatrix(MixtureSettings):
    """CM: the model of Dawid and Skene, with the constraint that a state must be voted for."""

    def fit(self, votes: Votes) -> "FittedMixture":
        """Return the fitted model."""
        return _fit("cm", self, votes)

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True)
class SequentialConfusionMatrix(MixtureSettings):
    """SEQ: CM with the covariate that the function's symbol has not changed."""

    def fit(self, votes: Votes) -> "FittedMixture":
        """Return the fitted model."""
        return _fit("seq", self, votes)

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True)
class DependentConfusionMatrix(MixtureSettings):
    """DCM: CM with a Markov chain over the states, which are the tags."""

    boundaries: Literal["apart", "joint"] = "joint"

    def fit(self, votes: Votes) -> "FittedMixture":
        """Return the fitted model."""
        return _fit("dcm", self, votes)

    @classmethod
    def restore(cls, stored: storage.Stored) -> Fitted:
        """Return the fitted model that was saved."""
        return _restore(stored, cls(**stored.settings))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FittedMixture:
    """A mixture with its parameters, and the label each state stands for."""

    model: str
    functions: tuple[str, ...]
    space: LabelSpace
    settings: MixtureSettings
    parameters: Parameters
    meaning: Int64[ndarray, " states"]
    counts: Float64[ndarray, "functions states symbols"]  # expected, at the votes of the fit
    likelihoods: tuple[float, ...]
    common: Float64[ndarray, " labels"]  # votes for each label in the fit: they break ties

    def posterior(self, votes: Votes) -> Posterior:
        """Return the probability of every tag at every voted token."""
        votes = align(votes, functions=self.functions, space=self.space)
        tokens = TokenVotes.of(votes)
        expected = expect(
            self.parameters,
            _indicators(self.model, self.settings, tokens, self.common),
            Sequence.of(tokens) if self.parameters.move is not None else None,
        )
        probability = renamed(expected.state, self.meaning)
        scheme = self.settings.scheme
        if self.settings.boundaries == "apart":
            probability = with_boundaries(probability, tag_tally(tokens, scheme), scheme)
        return Posterior.build(
            labels=self.space.outputs,
            scheme=scheme,
            documents=votes.documents,
            lengths=votes.lengths,
            position=tokens.position,
            probability=probability,
        )

    def describe(self) -> dict[str, Any]:
        """Return what was learned, estimated without gold, for each function and label.

        ``recall`` is how often the function says the label where the model believes it to be,
        ``precision`` how often the model believes it where the function says it.
        """
        size = len(prefixes(self.settings.states))
        outputs, names = self.space.outputs, self.space.names
        said = self.counts[:, 1:, 1:].reshape(len(self.functions), len(outputs), size, -1)
        said = said.reshape(len(self.functions), len(outputs), size, len(names), size)
        together = said.sum(axis=(2, 4))
        present = self.counts[:, 1:].sum(axis=2).reshape(len(self.functions), len(outputs), size)
        present = present.sum(axis=2)
        spoken = self.counts[:, :, 1:].sum(axis=1).reshape(len(self.functions), len(names), size)
        spoken = spoken.sum(axis=2)
        table = [
            {
                "function": function,
                "label": label,
                "precision": _ratio(together[f, k, k], spoken[f, k]),
                "recall": _ratio(together[f, k, k], present[f, k]),
                "votes": round(float(spoken[f, k]), 3),
            }
            for f, function in enumerate(self.functions)
            for k, label in enumerate(outputs)
            if spoken[f, k] > 0
        ]
        return {
            "model": self.model,
            "settings": asdict(self.settings),
            "estimated": "without gold",
            "rounds": len(self.likelihoods),
            "log_likelihood": [round(value, 3) for value in self.likelihoods],
            "states": self.meaning.tolist(),
            "functions": table,
        }

    def save(self, directory: str | Path) -> None:
        """Write the parameters into a directory."""
        arrays = {
            "start": self.parameters.start,
            "said": self.parameters.said,
            "meaning": self.meaning,
            "counts": self.counts,
            "likelihoods": np.array(self.likelihoods),
            "common": self.common,
        }
        if self.parameters.move is not None:
            arrays["move"] = self.parameters.move
        storage.save(
            directory,
            storage.Stored(
                model=self.model,
                functions=self.functions,
                space=self.space,
                settings=asdict(self.settings),
                arrays=arrays,
            ),
        )


def _fit(model: str, settings: MixtureSettings, votes: Votes) -> FittedMixture:
    tokens = TokenVotes.of(votes)
    common = label_totals(tokens)
    indicators = _indicators(model, settings, tokens, common)
    sequence = Sequence.of(tokens) if model == "dcm" else None
    history = model == "seq"
    right = _right(votes, settings.states)
    legal = legal_moves(len(votes.space.outputs), settings.states).move
    # Only what a function ever says is smoothed: one that never speaks makes no difference.
    prior = np.zeros((right.shape[0], right.shape[2]))
    prior[indicators.function, indicators.symbol] = settings.smoothing
    quiet = (0, 0)
    if settings.frequencies == "all":
        quiet = (indicators.unvoted, 0)
        if sequence is not None:
            quiet = (sequence.quiet_starts, sequence.quiet_moves)

    def following(expected: Expected) -> Parameters:
        return maximise(
            expected,
            indicators,
            update=UPDATES["cm" if model == "dcm" else model],
            right=right,
            legal=legal,
            prior=prior,
            smoothing=settings.smoothing,
            history=history,
            quiet=quiet,
        )

    def improve(parameters: Parameters) -> tuple[Parameters, float]:
        expected = expect(parameters, indicators, sequence)
        penalty = log_prior(
            parameters, legal=legal, prior=prior, smoothing=settings.smoothing, quiet=quiet
        )
        # SEQ smooths with pseudo-counts that are no prior: its likelihood is the plain one.
        penalty = 0.0 if history else penalty
        return following(expected), expected.log_likelihood + penalty

    first = following(guess(_vote_shares(tokens, settings.states), indicators, sequence))
    if settings.start == "reliable":
        first = _from_reliable(first, settings, tokens, right)
    parameters, likelihoods = climb(
        first, step=improve, rounds=settings.rounds, tolerance=settings.tolerance
    )
    expected = expect(parameters, indicators, sequence)
    reference = _reference(settings, tokens)
    meaning = np.arange(len(parameters.start))
    if reference is not None:
        meaning = match(expected.state, reference, votes.tokens)
    return FittedMixture(
        model=model,
        functions=votes.functions,
        space=votes.space,
        settings=settings,
        parameters=parameters,
        meaning=meaning,
        counts=dense_counts(expected.responsibility, indicators, right, history).sum(axis=2),
        likelihoods=tuple(likelihoods),
        common=common,
    )


def _indicators(
    model: str, settings: MixtureSettings, tokens: TokenVotes, common: Float64[ndarray, " labels"]
) -> Indicators:
    is_heard = settings.silence == "o"
    found = Indicators.of(
        tokens, settings.states, common=common, silence=is_heard, history=model == "seq"
    )
    if is_heard or model == "dcm":  # a chain may need "O" to get from one token to the next
        return found
    # If silence says nothing, nobody ever says "O": what it emits cannot be learned.
    allowed = found.allowed.copy()
    allowed[:, 0] = ~allowed[:, 1:].any(axis=1)
    return replace(found, allowed=allowed)


def _right(votes: Votes, scheme: str) -> Bool[ndarray, "functions states symbols"]:
    stands_for = np.zeros((len(votes.space.names), len(votes.space.outputs)), dtype=bool)
    for label in range(len(stands_for)):
        stands_for[label, list(votes.space.stands_for(label))] = True
    return right_symbols(votes.covers, stands_for, len(prefixes(scheme)))


def _vote_shares(tokens: TokenVotes, scheme: str) -> Float64[ndarray, "voted states"]:
    """Return the votes for every state as shares, with one vote for "O" everywhere."""
    tally = tag_tally(tokens, scheme)
    tally[:, 0] = 1
    share: Float64[ndarray, "voted states"] = tally / tally.sum(axis=1, keepdims=True)
    return share


def _from_reliable(
    parameters: Parameters,
    settings: MixtureSettings,
    tokens: TokenVotes,
    right: Bool[ndarray, "functions states symbols"],
) -> Parameters:
    """Return a start that knows how common states are, and that functions are right mostly."""
    symbol = most_probable_symbols(tokens, settings.states)
    symbol = symbol[:, most_reliable(tokens, settings.reliable)]
    states = len(parameters.start)
    symbol = symbol[(symbol >= 0) & (symbol < states)]
    common = np.bincount(symbol, minlength=states).astype(np.float64)
    if settings.frequencies == "all":
        common[0] += tokens.votes.tokens - len(tokens.position)
    common += 1
    choices = right.sum(axis=2, keepdims=True)
    wrong = (1 - _FIRST_GUESS) / np.maximum(right.shape[2] - choices, 1)
    said = np.where(right, _FIRST_GUESS / choices, wrong)[:, :, None, :]
    return Parameters(
        start=common / common.sum(),
        move=parameters.move,
        said=np.broadcast_to(said, parameters.said.shape).copy(),
    )


def _reference(
    settings: MixtureSettings, tokens: TokenVotes
) -> Float64[ndarray, "voted states"] | None:
    """Return what the states are matched to: which state each voted token has there."""
    votes = tokens.votes
    if settings.matching == "none":
        return None
    if settings.matching == "hmm":
        hmm: Any = aggregators["hmm"]  # settings are not in the contract
        found = hmm(scheme=settings.scheme).fit(votes).posterior(votes)
        rows = by_label(found.probability, found.scheme)
        if settings.boundaries == "joint":
            rows = found.probability
        dense = np.zeros((len(tokens.position), rows.shape[1]))
        dense[np.searchsorted(tokens.position, found.position)] = rows
        return dense
    tally = tag_tally(tokens, settings.states)
    chosen = tally.argmax(axis=1)
    if settings.matching == "reliable":
        symbol = most_probable_symbols(tokens, settings.states)
        symbol = symbol[:, most_reliable(tokens, settings.reliable)]
        chosen = np.where((symbol >= 0) & (symbol < tally.shape[1]), symbol, 0)
    dense = np.zeros_like(tally)
    dense[np.arange(len(dense)), chosen] = 1
    return dense


def _ratio(part: float, whole: float) -> float:
    return round(float(part / whole), 4) if whole > 0 else 0.0


def _restore(stored: storage.Stored, settings: MixtureSettings) -> FittedMixture:
    functions, labels = len(stored.functions), len(stored.space.outputs)
    size = len(prefixes(settings.states))
    states, symbols = 1 + labels * size, 1 + len(stored.space.names) * size
    history = symbols if stored.model == "seq" else 1
    rounds = stored.arrays.get("likelihoods", np.zeros(0)).shape
    chain = stored.model == "dcm"
    return FittedMixture(
        model=stored.model,
        functions=stored.functions,
        space=stored.space,
        settings=settings,
        parameters=Parameters(
            start=stored.array("start", (states,)),
            move=stored.array("move", (states, states)) if chain else None,
            said=stored.array("said", (functions, states, history, symbols)),
        ),
        meaning=stored.array("meaning", (states,)),
        counts=stored.array("counts", (functions, states, symbols)),
        likelihoods=tuple(stored.array("likelihoods", rounds).tolist()),
        common=stored.array("common", (len(stored.space.names),)),
    )
