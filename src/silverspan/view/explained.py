"""Why a span has its label: the witnesses in plain words, ready for the page.

The HMM is taken apart exactly (aggregation/hmm/explain.py). A vote is shares of weights. Of other
label models we only say who said what and how they are rated: more would be invented.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from silverspan.aggregation.hmm.explain import Explanation, Odds, explain
from silverspan.aggregation.hmm.model import FittedHmm
from silverspan.aggregation.voting import FittedVote
from silverspan.observations.votes import Votes
from silverspan.view.library import Library

_LOOKS = {
    "shape": "its shape",
    "word": "the word itself",
    "suffix": "its last letters",
}
#: What we take apart again may differ from what is stored by rounding; more needs a word.
_SAME = 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Voice:
    """One witness; ``adds`` is in natural logarithms, None where the model is not taken apart."""

    name: str
    says: str  # "LOC 0.90 on “New York”", or "silent"
    label: str = ""
    number: int | None = None  # of the function
    weight: float | None = None
    precision: float | None = None  # as the model estimates it, for what it says here
    adds: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """Why tokens ``start`` to before ``end`` are ``kind``, and not ``against``."""

    start: int
    end: int
    kind: str
    against: str
    chances: tuple[tuple[str, float], ...]  # most probable first
    speaking: tuple[Voice, ...]
    silent: tuple[Voice, ...] = ()
    others: tuple[Voice, ...] = ()  # looks and neighbours
    total: float | None = None
    unit: str = "log odds"
    notes: tuple[str, ...] = ()

    @property
    def silence(self) -> float:
        """What all silent functions add together."""
        return sum(voice.adds or 0.0 for voice in self.silent)

    @property
    def widest(self) -> float:
        """The largest amount that anything adds, for bars."""
        voices = (*self.speaking, *self.others)
        amounts = [abs(voice.adds or 0.0) for voice in voices] + [abs(self.silence)]
        return max(amounts, default=0.0) or 1.0


def why(library: Library, number: int, start: int, end: int, label: str = "") -> Why:
    """Return why tokens of a document are what the model says, or why they might be a label."""
    dense = library.posterior_of(number)[start:end].astype(np.float64).mean(axis=0)
    kinds = ("O", *library.labels)
    ranked = [int(i) for i in np.argsort(-dense, kind="stable")]
    kind = kinds.index(label) if label in kinds else ranked[0]
    against = next(i for i in ranked if i != kind)
    votes = library.votes_of(number)
    model = library.model
    plain = Why(
        start=start,
        end=end,
        kind=kinds[kind],
        against=kinds[against],
        chances=tuple((kinds[i], float(dense[i])) for i in ranked[:5] if dense[i] >= 5e-4),
        speaking=_speaking(library, votes, number, start, end),
    )
    if isinstance(model, FittedHmm) and model.used == "hmm":
        return _of_hmm(plain, library, explain(model, votes), (kind, against), dense)
    if isinstance(model, FittedHmm):
        fallback = f"The label model has collapsed, so the plain vote decides. {model.reason}."
        return replace(_of_vote(plain, library, model.vote, votes), notes=(fallback,))
    if isinstance(model, FittedVote):
        return _of_vote(plain, library, model, votes)
    return replace(
        plain,
        notes=(
            "This label model weighs all functions together; its belief does not divide into one "
            "part for each. Shown is who said what, and how the model rates them.",
        ),
    )


def _of_hmm(
    plain: Why, library: Library, found: Explanation, pair: tuple[int, int], dense: np.ndarray
) -> Why:
    kind, against = pair
    odds = found.odds(plain.start, plain.end, kind, against)
    if odds is None:
        voted = ((found.position >= plain.start) & (found.position < plain.end)).any()
        reason = (
            f"The model allows a label only where a function proposes it: nobody proposes both "
            f"{plain.kind} and {plain.against} here."
            if voted
            else "No function says anything here, so it is “O” for certain."
        )
        return replace(plain, notes=(reason,))
    spoke = {voice.name for voice in plain.speaking}
    weights = library.described["functions"]
    adds = dict(zip(found.functions, odds.functions.tolist(), strict=True))
    numbers = {name: i for i, name in enumerate(library.functions)}
    speaking = tuple(
        sorted(
            (replace(voice, adds=adds.get(voice.name, 0.0)) for voice in plain.speaking),
            key=lambda voice: -abs(voice.adds or 0.0),
        )
    )
    silent = tuple(
        Voice(
            name=name,
            says="silent",
            number=numbers.get(name),
            weight=weights[name]["weight"],
            adds=amount,
        )
        for name, amount in sorted(adds.items(), key=lambda item: -abs(item[1]))
        if name not in spoke and abs(amount) >= 1e-6
    )
    return replace(
        plain,
        speaking=speaking,
        silent=silent,
        others=tuple(_others(found, odds)),
        total=odds.total,
        notes=_differs(found, plain, dense),
    )


def _others(found: Explanation, odds: Odds) -> list[Voice]:
    looks = [
        Voice(name=_LOOKS.get(name, name), says="what the token looks like", adds=float(amount))
        for name, amount in zip(found.features, odds.features, strict=True)
    ]
    around = Voice(name="its neighbours", says="what comes before and after", adds=odds.neighbours)
    return [*looks, around]


def _differs(found: Explanation, plain: Why, dense: np.ndarray) -> tuple[str, ...]:
    rows = (found.position >= plain.start) & (found.position < plain.end)
    again = found.probability[rows].sum(axis=0)
    again[0] += (plain.end - plain.start) - rows.sum()
    if np.abs(again / (plain.end - plain.start) - dense).max() <= _SAME:
        return ()
    return (
        "These are the votes of the first stage. The second stage let the document-level functions "
        "read the first result, so its probabilities differ from what is explained here.",
    )


def _of_vote(plain: Why, library: Library, model: FittedVote, votes: Votes) -> Why:
    weights = dict(zip(model.functions, model.weights.tolist(), strict=True))
    return replace(
        plain,
        speaking=tuple(
            sorted(
                (
                    _weighed(voice, weights.get(voice.name, 0.0), plain.kind)
                    for voice in plain.speaking
                ),
                key=lambda voice: -(voice.adds or 0.0),
            )
        ),
        unit="weight of the vote",
        notes=(
            "A vote: what has the larger share of the weights wins. Silence counts for nothing.",
        ),
    )


def _weighed(voice: Voice, weight: float, kind: str) -> Voice:
    """Return a voice with what it adds to one kind: for it, or against it."""
    return replace(voice, weight=weight, adds=weight if voice.label == kind else -weight)


def _speaking(
    library: Library, votes: Votes, number: int, start: int, end: int
) -> tuple[Voice, ...]:
    """Return the functions that say something of these tokens, with what they say."""
    rated = ratings(library.described)
    said: dict[int, list[str]] = {}
    best: dict[int, str] = {}
    touching = np.flatnonzero((votes.start < end) & (votes.end > start))
    for row in touching:
        function = int(votes.function[row])
        label = votes.space.names[votes.label[row]]
        text = f"{label} {votes.probability[row]:.2f}"
        if (votes.start[row], votes.end[row]) != (start, end):
            span = library.snippet(number, int(votes.start[row]), int(votes.end[row]))[1]
            text += f" on “{span}”"
        said.setdefault(function, []).append(text)
        best.setdefault(function, label)
    voices = []
    for function, texts in said.items():
        name = votes.functions[function]
        weight, precision = rated.get(name, {}).get(best[function], (None, None))
        voices.append(
            Voice(
                name=name,
                says=", ".join(texts),
                label=best[function],
                number=library.functions.index(name),
                weight=weight,
                precision=precision,
            )
        )
    return tuple(voices)


def ratings(
    described: Mapping[str, Any],
) -> dict[str, dict[str, tuple[float | None, float | None]]]:
    """Return weight and estimated precision by function and label, as far as a model knows them."""
    functions = described.get("functions")
    found: dict[str, dict[str, tuple[float | None, float | None]]] = {}
    if isinstance(functions, Mapping):
        for name, known in functions.items():
            for label, row in (known.get("labels") or {}).items():
                found.setdefault(name, {})[label] = (known.get("weight"), row.get("precision"))
    elif isinstance(functions, Sequence):
        for row in functions:
            if isinstance(row, Mapping) and "function" in row and "label" in row:
                found.setdefault(row["function"], {})[row["label"]] = (None, row.get("precision"))
    return found
