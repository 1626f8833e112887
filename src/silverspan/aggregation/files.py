"""From votes files to a predictions file: read, fit or load, apply, write.

What ``silverspan aggregate`` does, for programs. The model is fitted on the votes it is applied to,
on others (``fit_on``), or was fitted before (``load``).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from silverspan.aggregation import storage
from silverspan.aggregation.aggregator import Fitted, restored
from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.predictions import write_predictions
from silverspan.aggregation.settings import configured
from silverspan.corpus.files import check_output
from silverspan.corpus.reading import Paths, expand
from silverspan.errors import AggregationError, InputError
from silverspan.labels import LabelSpace
from silverspan.observations.overlaps import resolve_overlaps
from silverspan.observations.votes import Votes
from silverspan.observations.votes_file import VotesFile, read_votes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Aggregation:
    """What came of it."""

    file: VotesFile
    fitted: Fitted
    posterior: Posterior
    overlapping: int  # spans of one function left out because they overlap a better one of it

    def to_json(self) -> dict[str, Any]:
        """Return the counts, and what the model learned."""
        spans = self.posterior.spans
        counts = Counter(spans.labels[label] for label in spans.label.tolist())
        return {
            "documents": len(self.posterior.documents),
            "tokens": int(self.posterior.lengths.sum()),
            "voted_tokens": len(self.posterior.position),
            "functions": len(self.file.votes.functions),
            "votes": len(self.file.votes),
            "overlapping": self.overlapping,
            "left_out": dict(self.file.left_out),
            "spans": {label: counts[label] for label in self.posterior.labels},
            "model": self.fitted.describe(),
        }


def aggregate_files(
    paths: Paths,
    output: str | Path,
    *,
    model: str = "hmm",
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    fit_on: Paths | None = None,
    load: str | Path | None = None,
    save: str | Path | None = None,
    functions: Iterable[str] | None = None,
    without: Iterable[str] = (),
    labels: Iterable[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    probs: bool = False,
    format: str | None = None,
) -> Aggregation:
    """Aggregate the votes of files and write the posterior; ``save`` keeps the fitted model.

    ``format`` is that of all votes files, where their endings do not tell it.

    A function that the model knows and the files do not name was silent, except in documents that
    list who was ``asked``.

    Raises:
        InputError: a file is missing or damaged, or the output would replace an input.
        AggregationError: settings the model does not have, or a model that cannot be loaded.
        UnknownNameError: no aggregator or function is called so.
    """
    sources = expand(paths)
    check_output(output, [*sources, *(expand(fit_on) if fit_on is not None else [])])
    read = partial(
        read_votes,
        functions=None if functions is None else list(functions),
        without=list(without),
        format=format,
    )
    if load is not None:
        stored = storage.read(load)
        fitted = restored(stored)
        space = _space_of(stored.space, labels, mapping)
        file = read(sources, space=space, announced=stored.functions)
    elif fit_on is not None:
        aggregator = configured(model, settings, seed=seed)
        first = read(fit_on, labels=labels, mapping=mapping)
        fitted = aggregator.fit(_learnable(first.votes, fit_on))
        file = read(sources, space=first.votes.space, announced=first.votes.functions)
    else:
        aggregator = configured(model, settings, seed=seed)
        file = read(sources, labels=labels, mapping=mapping)
        fitted = aggregator.fit(_learnable(file.votes, paths))
    posterior = fitted.posterior(file.votes)
    if save is not None:
        fitted.save(save)
    write_predictions(posterior, file.tokens, output, ids=file.ids, probs=probs)
    return Aggregation(
        file=file,
        fitted=fitted,
        posterior=posterior,
        overlapping=resolve_overlaps(file.votes)[1],
    )


def _learnable(votes: Votes, paths: Paths) -> Votes:
    """Return the votes if there is anything to learn from."""
    place = expand(paths)[0]
    if not votes.functions:
        raise InputError(
            "these votes are of no function; there is nothing to learn from", path=place
        )
    if not votes.space.outputs:
        raise InputError(
            "no function says a label here; there is nothing to learn from, unless you name the "
            "output labels",
            path=place,
        )
    return votes


def _space_of(
    space: LabelSpace, labels: Iterable[str] | None, mapping: Mapping[str, str] | None
) -> LabelSpace:
    """Return the label space of a loaded model, with more names for its labels."""
    if labels is not None and set(labels) != set(space.outputs):
        raise AggregationError(
            "a loaded model keeps its labels, which are: "
            f"{', '.join(space.outputs)}; fit another model for others"
        )
    return replace(space, finer={**space.finer, **(mapping or {})})
