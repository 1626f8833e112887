"""Hmm and FittedHmm: the paper's aggregation model, its settings and what comes of fitting it.

Joins its neighbours: islands and evidence, priors, Baum-Welch, decoding; reads votes only.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from silverspan.aggregation import aggregator, storage
from silverspan.aggregation.hmm import channel, em, priors
from silverspan.aggregation.hmm.channel import Looks
from silverspan.aggregation.hmm.dirichlet import Dirichlet
from silverspan.aggregation.hmm.em import Counts, Parameters, Weighing
from silverspan.aggregation.hmm.emissions import Categorical, Emission
from silverspan.aggregation.hmm.findings import Findings, describe, dropped_share
from silverspan.aggregation.hmm.frame import Evidence, Frame
from silverspan.aggregation.hmm.gathered import Gathered
from silverspan.aggregation.hmm.sums import Sums
from silverspan.aggregation.hmm.transitions import Transitions
from silverspan.aggregation.posterior import Decoding, Posterior
from silverspan.aggregation.voting import FittedVote, MajorityVote
from silverspan.engines import Engine
from silverspan.errors import AggregationError
from silverspan.labels import LabelSpace
from silverspan.observations.align import align
from silverspan.observations.islands import Islands
from silverspan.observations.votes import TokenFeatures, Votes
from silverspan.tagging import prefixes

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Hmm:
    """Settings of the hidden Markov model; the defaults serve dense and sparse functions alike.

    ``emission`` "dirichlet" reads whole probability vectors, "categorical" fractional votes.
    ``start`` says where Baum-Welch begins: at the "vote", at the "table" of rough precision and
    recall by function and label in ``reliabilities`` (the paper's formula), or "uninformative".
    ``anchor`` is how much of the start stays as pseudo-counts. ``silence`` is how much silence
    counts as evidence, from 0 (an abstention) to 1 (all that the learned coverage says); None
    measures it. ``redundancy`` weighs functions down that repeat others. ``features`` are the
    powers of the token channel. ``reliable`` names the function whose starts and moves are the
    prior (the paper's); "auto" finds it. Without ``constraint`` any state may be anywhere; with
    ``coarse`` a vote for a coarse label allows every label it stands for. ``fallback`` uses the
    vote where the model collapses against it.

    >>> votes = Votes.build(
    ...     [{"a": [(0, 2, "LOC", 1.0)], "b": [(0, 2, "LOC", 1.0)]}] * 10, lengths=[4] * 10,
    ...     space=LabelSpace(outputs=("LOC",)), functions={"a": ["LOC"], "b": ["LOC"]},
    ... )
    >>> model = Hmm().fit(votes)
    >>> [span[:3] for span in model.posterior(votes).spans.of(0)]
    [(0, 2, 'LOC')]
    """

    scheme: str = "bio"
    emission: Literal["categorical", "dirichlet"] = "categorical"
    start: Literal["vote", "table", "uninformative"] = "vote"
    anchor: float = 0.2
    silence: float | None = None
    redundancy: bool = True
    features: Mapping[str, float] = field(default_factory=lambda: dict(channel.POWERS))
    reliable: str | None = None
    reliabilities: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    constraint: bool = True
    coarse: bool = False
    fallback: bool = True
    decoding: Decoding = "tokens"
    rounds: int = 10
    tolerance: float = 1e-7

    def __post_init__(self) -> None:
        prefixes(self.scheme)
        if self.silence is not None and not 0 <= self.silence <= 1:
            raise AggregationError(
                f"silence must be between 0 and 1, or None; it is {self.silence}"
            )
        if self.rounds < 1:
            raise AggregationError(f"rounds must be 1 at least; it is {self.rounds}")

    def fit(self, votes: Votes, *, engine: Engine | None = None) -> "FittedHmm":
        """Return the model fitted to the votes alone.

        ``engine`` holds and counts the islands: this process, or others. The result is the same
        to the last bit.

        Raises:
            AggregationError: no label is proposed at all, or ``reliable`` is no function.
        """
        votes, frame = self.prepare(votes)
        return self.fit_gathered(Gathered.of(votes, frame, engine), frame)

    def prepare(self, votes: Votes) -> tuple[Votes, Frame]:
        """Return the votes with the features that count, and the frame they are read in."""
        votes = replace(votes, features=_chosen(votes.features, self.features))
        return votes, make_frame(self, votes.space, votes.functions, Looks.of(votes.features))

    def fit_gathered(self, votes: Gathered, frame: Frame) -> "FittedHmm":
        """Return the model fitted to votes that were gathered for it.

        Raises:
            AggregationError: no label is proposed at all, or ``reliable`` is no function.
        """
        if not votes.space.outputs:
            raise AggregationError("the votes propose no label; there is nothing to fit")
        evidence = votes.sums
        between = em.between_counts(votes.between, frame)
        found = priors.survey(evidence, frame)
        start = self._start(evidence, found, between, votes, frame)
        prior = priors.prior_counts(start, found, frame, anchor=self.anchor)
        weighing = Weighing(
            trust=priors.trust(evidence, found, frame)
            if self.redundancy
            else np.ones(frame.functions),
            silence=priors.silence_weights(found, frame, self.silence),
            powers=channel.powers(votes.looks, self.features),
        )
        fitted = em.fit(
            evidence,
            between,
            start=start,
            prior=prior,
            frame=frame,
            weighing=weighing,
            rounds=self.rounds,
            tolerance=self.tolerance,
        )
        weights = frame.emission.estimate(fitted.counts.plus(prior).emission, frame.functions)
        findings = Findings(
            confusion=frame.emission.confusion(weights, frame.functions),
            mass=_mass(fitted.counts, frame),
            common=found.common,
            history=fitted.history,
            dropped=dropped_share(evidence, found, fitted.parameters, frame),
            tokens=votes.between.tokens,
            voted=votes.between.voted,
        )
        model = FittedHmm(
            settings=self,
            functions=votes.functions,
            space=votes.space,
            features=None if votes.looks is None else (votes.looks.names, votes.looks.sizes),
            parameters=fitted.parameters,
            weighing=weighing,
            findings=findings,
        )
        if findings.collapsed:
            _log.warning("%s", model.reason)
        return model

    def _start(
        self,
        evidence: Sums,
        found: priors.Survey,
        between: Counts,
        votes: Gathered,
        frame: Frame,
    ) -> Counts:
        start = priors.vote_counts(evidence, found, between)
        if self.reliable is not None:
            number = _reliable(self.reliable, found, votes.functions)
            own = priors.function_counts(evidence, number, between)
            start = replace(start, start=own.start, move=own.move)
        if self.start == "table":
            table = {
                function: {label: (float(p), float(r)) for label, (p, r) in known.items()}
                for function, known in self.reliabilities.items()
            }
            return priors.table_counts(table, votes.functions, start, frame)
        if self.start == "uninformative":
            return priors.uniform_counts(start)
        return start

    @classmethod
    def restore(cls, stored: storage.Stored) -> "FittedHmm":
        """Return the fitted model that was saved."""
        return FittedHmm.restore(stored)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FittedHmm:
    """A fitted hidden Markov model: applies to any votes of the functions it knows."""

    settings: Hmm
    functions: tuple[str, ...]
    space: LabelSpace
    features: tuple[tuple[str, ...], tuple[int, ...]] | None  # names and sizes
    parameters: Parameters
    weighing: Weighing
    findings: Findings

    @property
    def used(self) -> Literal["hmm", "mv"]:
        """What ``posterior`` gives: the model, or the vote where the model has collapsed."""
        return "mv" if self.findings.collapsed and self.settings.fallback else "hmm"

    @property
    def reason(self) -> str:
        """Why the model is used, or the vote."""
        share = 100 * self.findings.dropped
        if not self.findings.collapsed:
            return (
                f"the model keeps {100 - share:.0f} % of the tokens that the vote and functions "
                "confirmed by others take for names"
            )
        used = "the vote is used" if self.used == "mv" else "fallback is off: the model is used"
        return (
            f'the model calls {share:.0f} % of the tokens "O" that the vote and functions '
            f"confirmed by others take for names: it has collapsed; {used}"
        )

    def posterior(self, votes: Votes) -> Posterior:
        """Return P(tag | votes) for every voted token; functions unseen in fit are ignored.

        Raises:
            AggregationError: the token features are not those the model was fitted with.
        """
        if self.used == "mv":
            return self.vote.posterior(votes)
        votes = self.seen(votes)
        settings = self.settings
        islands = Islands.of(
            votes, settings.scheme, constrained=settings.constraint, coarse=settings.coarse
        )
        frame = make_frame(settings, self.space, self.functions, Looks.of(votes.features))
        parameters = self.parameters
        if votes.features is None:
            parameters = replace(parameters, channel=())
        rows = [
            em.posterior(parameters, Evidence(frame=frame, block=block))[0]
            for block in islands.blocks
        ]
        states = len(frame.kind)
        probability = np.concatenate([np.zeros((0, states)), *rows])[islands.row]
        return Posterior.build(
            labels=self.space.outputs,
            scheme=settings.scheme,
            documents=votes.documents,
            lengths=votes.lengths,
            position=islands.position,
            probability=probability,
            decoding=settings.decoding,
        )

    @property
    def vote(self) -> FittedVote:
        """The vote beside the model, over the same functions."""
        return FittedVote(
            model="mv",
            functions=self.functions,
            space=self.space,
            weights=np.ones(len(self.functions)),
            common=self.findings.common,
            settings=MajorityVote(scheme=self.settings.scheme),
        )

    def seen(self, votes: Votes) -> Votes:
        """Return the votes as the model reads them: its functions, labels and token features.

        Raises:
            AggregationError: the token features are not those the model was fitted with.
        """
        votes = align(votes, functions=self.functions, space=self.space)
        features = _chosen(votes.features, self.settings.features)
        if self.features is None:
            features = None
        elif features is None:
            _log.info("no token features: the token channel stays silent")
        elif (features.names, features.sizes) != self.features:
            raise AggregationError(
                "the votes carry other token features than the model was fitted with: "
                f"{dict(zip(features.names, features.sizes, strict=True))} instead of "
                f"{dict(zip(*self.features, strict=True))}; make them with this release"
            )
        return replace(votes, features=features)

    def describe(self) -> dict[str, Any]:
        """Return what was learned: estimated, without gold."""
        frame = make_frame(self.settings, self.space, self.functions, None)
        return {
            "model": "hmm",
            "note": "estimated, without gold",
            "used": self.used,
            "reason": self.reason,
            "settings": asdict(self.settings),
            **describe(self.findings, self.parameters, frame, self.functions, self.weighing.trust),
        }

    def save(self, directory: str | Path) -> None:
        """Write the model into a directory."""
        transitions, findings = self.parameters.transitions, self.findings
        arrays = {
            "start": transitions.start,
            "move": transitions.move,
            "end": transitions.end,
            "emission": self.parameters.emission,
            "boundary": self.parameters.boundary,
            "trust": self.weighing.trust,
            "silence": self.weighing.silence,
            "confusion": findings.confusion,
            "mass": findings.mass,
            "common": findings.common,
        }
        arrays |= {f"channel_{i}": table for i, table in enumerate(self.parameters.channel)}
        storage.save(
            directory,
            storage.Stored(
                model="hmm",
                functions=self.functions,
                space=self.space,
                settings={
                    "hmm": asdict(self.settings),
                    "features": None if self.features is None else [list(x) for x in self.features],
                    "powers": list(self.weighing.powers),
                    "history": list(findings.history),
                    "dropped": findings.dropped,
                    "tokens": findings.tokens,
                    "voted": findings.voted,
                },
                arrays=arrays,
            ),
        )

    @classmethod
    def load(cls, directory: str | Path) -> "FittedHmm":
        """Return the model saved in a directory.

        Raises:
            AggregationError: it is no saved HMM, damaged, or of another format version.
        """
        model = aggregator.load(directory)
        if not isinstance(model, cls):
            raise AggregationError(
                f"{directory}: this is a saved {type(model).__name__}, not an HMM; "
                "silverspan.aggregation.load opens any model"
            )
        return model

    @classmethod
    def restore(cls, stored: storage.Stored) -> "FittedHmm":
        """Return the fitted model that was saved.

        Raises:
            AggregationError: an array is missing or does not fit the others.
        """
        try:
            settings = Hmm(**stored.settings["hmm"])
            known = stored.settings["features"]
            features = None if known is None else (tuple(known[0]), tuple(known[1]))
            about = {key: stored.settings[key] for key in ("dropped", "tokens", "voted")}
            history = tuple(stored.settings["history"])
            powers = tuple(stored.settings["powers"])
        except (KeyError, TypeError, IndexError) as error:
            raise AggregationError(
                f"the saved 'hmm' model lacks a setting, or has one of another release: {error}"
            ) from error
        frame = make_frame(settings, stored.space, stored.functions, None)
        states, kinds, functions = len(frame.kind), frame.kinds, frame.functions
        sizes = features[1] if features else ()
        shapes: dict[str, tuple[int, ...]] = {
            "start": (states,),
            "move": (states, states),
            "end": (states,),
            "emission": (frame.columns, kinds),
            "boundary": (frame.spots, frame.places + 1 if frame.spots else 0),
            "trust": (functions,),
            "silence": (functions, kinds),
            "confusion": (functions, kinds, 1 + len(stored.space.names)),
            "mass": (kinds,),
            "common": (len(stored.space.names),),
        }
        shapes |= {f"channel_{i}": (size, kinds) for i, size in enumerate(sizes)}
        found = {name: stored.array(name, shape) for name, shape in shapes.items()}
        return cls(
            settings=settings,
            functions=stored.functions,
            space=stored.space,
            features=features,
            parameters=Parameters(
                transitions=Transitions(start=found["start"], move=found["move"], end=found["end"]),
                emission=found["emission"],
                boundary=found["boundary"],
                channel=tuple(found[f"channel_{i}"] for i in range(len(sizes))),
            ),
            weighing=Weighing(trust=found["trust"], silence=found["silence"], powers=powers),
            findings=Findings(
                confusion=found["confusion"],
                mass=found["mass"],
                common=found["common"],
                history=history,
                **about,
            ),
        )


def make_frame(
    settings: Hmm, space: LabelSpace, functions: tuple[str, ...], looks: Looks | None
) -> Frame:
    """Return the states and the shapes of all tables."""
    names = len(space.names)
    emission: Emission = Categorical()
    columns = len(functions) * (1 + names)
    if settings.emission == "dirichlet":
        members = tuple(space.stands_for(name) for name in range(names))
        emission = Dirichlet(stands_for=members, outputs=len(space.outputs))
        columns = len(functions) * (3 + len(space.outputs))
    elif settings.emission != "categorical":
        raise AggregationError(
            f"no emission is called {settings.emission!r}; there are: categorical, dirichlet"
        )
    return Frame(
        space=space,
        scheme=settings.scheme,
        functions=len(functions),
        emission=emission,
        columns=columns,
        sizes=() if looks is None else looks.sizes,
        constrained=settings.constraint,
        coarse=settings.coarse,
    )


def _chosen(features: TokenFeatures | None, powers: Mapping[str, float]) -> TokenFeatures | None:
    """Return the features that have a power, or none."""
    if features is None:
        return None
    columns = [i for i, name in enumerate(features.names) if powers.get(name, 0.0) > 0]
    if not columns:
        return None
    return TokenFeatures(
        names=tuple(features.names[i] for i in columns),
        sizes=tuple(features.sizes[i] for i in columns),
        ids=np.ascontiguousarray(features.ids[:, columns]),
    )


def _mass(counts: Counts, frame: Frame) -> np.ndarray:
    """Return the expected tokens of every kind."""
    into = counts.move.sum(axis=0) + counts.start
    return np.bincount(frame.kind, weights=into, minlength=frame.kinds)


def _reliable(name: str, found: priors.Survey, functions: tuple[str, ...]) -> int:
    if name == "auto":
        return int(np.argmax(found.speaking * found.rate))
    if name not in functions:
        raise AggregationError(
            f"reliable names {name!r}, which is no function; the functions are: "
            f"{', '.join(functions)}"
        )
    return functions.index(name)
