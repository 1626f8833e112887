"""Ablations: the label model fitted again on some of the functions, from the votes that are kept.

A finished run goes in, a row for each choice of functions comes out: its scores if there is gold,
and how much of the output changes. Nothing is annotated again: document-level functions keep the
votes that they gave when all functions ran, and a second stage is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Literal

import numpy as np
from jaxtyping import Int64
from numpy import ndarray

from silverspan.aggregation.posterior import Posterior
from silverspan.engines import opened
from silverspan.errors import InputError, SilverspanError, UnknownNameError
from silverspan.evaluation import Evaluation, compare
from silverspan.observations.votes import Votes
from silverspan.pipeline.aggregate import label_model
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.evaluate import score
from silverspan.pipeline.gold import Gold, gold_of
from silverspan.pipeline.state import Run
from silverspan.progress import track
from silverspan.project import Project
from silverspan.workspace.lock import locked

By = Literal["group", "function"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ablation:
    """One choice of functions, and what came of it."""

    name: str
    functions: tuple[str, ...]
    spans: int = 0
    #: Of the spans found here or with all functions, the share that only one of the two found.
    changed: float | None = None
    #: Of the votes of these functions, where the label model has one; a sum over all documents.
    log_likelihood: float | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    #: F1 less that of all functions, and how probable that is by chance.
    gain: float | None = None
    p_value: float | None = None
    #: Why there is nothing else, if so.
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what is known, ready for JSON."""
        return {**asdict(self), "functions": list(self.functions)}


def ablate(
    project: Project,
    *,
    by: By = "group",
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    n_process: int = 1,
    engine: str = "local",
    scheduler: str | None = None,
) -> list[Ablation]:
    """Return a row for all functions, and for each group or function alone and left out.

    ``only`` and ``without`` name groups, functions or patterns (``doc_*``), several of them with
    commas: one row for each, in the place of those of ``by``. What is not annotated is annotated,
    as by ``run``.

    Raises:
        SilverspanError: a stage failed, or no group or function is called so.
    """
    with locked(project.workspace):
        with opened(engine, n_process=n_process, scheduler=scheduler) as workers:
            run = Run(project, workers)
            corpus(run)
            annotate(run)
        votes = Votes.concatenate([run.votes(number) for number in range(len(run.shards))])
        groups = {function.name: function.group for function in run.functions}
        gold = gold_of(run)
        choices = list(_choices(groups, by, only, without))
        baseline = _Fitted.of(run, votes, gold)
        rows = [baseline.row("all functions", tuple(votes.functions), baseline)]
        for name, kept in track(choices, "ablations", total=len(choices)):
            try:
                if not kept:
                    raise InputError("no function is left")
                fitted = _Fitted.of(run, votes.select(kept), gold)
            except SilverspanError as error:
                rows.append(Ablation(name=name, functions=kept, problem=str(error)))
            else:
                rows.append(fitted.row(name, kept, baseline))
        return rows


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Fitted:
    """What the label model found with some functions."""

    keys: Int64[ndarray, " spans"]
    log_likelihood: float | None
    evaluation: Evaluation | None

    @classmethod
    def of(cls, run: Run, votes: Votes, gold: Mapping[str, Gold]) -> "_Fitted":
        fitted = label_model(run.project, run.functions).fit(votes)
        posterior = fitted.posterior(votes)
        history = fitted.describe().get("log_likelihood")
        found = {name: posterior.spans.of(i) for i, name in enumerate(posterior.documents)}
        return cls(
            keys=_keys(posterior),
            log_likelihood=history[-1] if history else None,
            evaluation=score(run, gold, found) if gold else None,
        )

    def row(self, name: str, functions: tuple[str, ...], baseline: "_Fitted") -> Ablation:
        common = len(np.intersect1d(self.keys, baseline.keys, assume_unique=True))
        either = len(self.keys) + len(baseline.keys) - common
        row = Ablation(
            name=name,
            functions=functions,
            spans=len(self.keys),
            changed=1 - common / either if either else 0.0,
            log_likelihood=self.log_likelihood,
        )
        if self.evaluation is None or baseline.evaluation is None:
            return row
        entities = self.evaluation.entities
        counts = (entities.get("strict") or next(iter(entities.values()))).micro
        gain = compare(self.evaluation, baseline.evaluation).micro
        return replace(
            row,
            precision=counts.precision,
            recall=counts.recall,
            f1=counts.f1,
            gain=gain.difference,
            p_value=gain.p_value,
        )


def _keys(posterior: Posterior) -> Int64[ndarray, " spans"]:
    """Return a number for each span, equal for equal spans of equal labels."""
    spans = posterior.spans
    start = posterior.offsets[spans.document] + spans.start
    longest = int(posterior.lengths.max(initial=0)) + 1
    size = (spans.end - spans.start).astype(np.int64)
    keys: Int64[ndarray, " spans"] = (start * longest + size) * len(spans.labels) + spans.label
    return keys


def _choices(
    groups: Mapping[str, str], by: By, only: Sequence[str], without: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what each row is called, and its functions."""
    if not only and not without:
        names = sorted(set(groups.values())) if by == "group" else list(groups)
        if len(names) > 1:
            # The functions alone say little of what they are worth beside the others.
            only, without = (names, names) if by == "group" else ((), names)
    for title, choices, is_kept in (("only", only, True), ("without", without, False)):
        for choice in choices:
            named = _named(groups, choice)
            kept = tuple(name for name in groups if (name in named) == is_kept)
            yield f"{title} {choice}", kept


def _named(groups: Mapping[str, str], choice: str) -> set[str]:
    found: set[str] = set()
    for part in (part.strip() for part in choice.split(",")):
        named = {
            name
            for name, group in groups.items()
            if part in (name, group) or fnmatchcase(name, part)
        }
        if not named:
            raise UnknownNameError(
                "group or function of this project", part, [*groups, *groups.values()]
            )
        found |= named
    return found
