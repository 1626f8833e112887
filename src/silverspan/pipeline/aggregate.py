"""The third stage: a label model is fitted to all votes and applied to every document.

The HMM is fitted without all votes in one memory (islands.py); any other label model reads them
all at once, and needs some hundred bytes for each.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from silverspan.aggregation.aggregator import Aggregator, Fitted, load
from silverspan.aggregation.hmm import Hmm
from silverspan.aggregation.settings import configured
from silverspan.corpus.files import atomic_write
from silverspan.errors import AggregationError, ProjectError, UnknownNameError
from silverspan.labelling.function import LabellingFunction
from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes
from silverspan.pipeline import islands
from silverspan.pipeline.annotated import Annotated, posterior_name
from silverspan.pipeline.posteriors import found_spans, write_posteriors
from silverspan.pipeline.second_stage import second_stage
from silverspan.pipeline.state import PREDICTIONS, Outcome, Run
from silverspan.project import Project
from silverspan.workspace.fingerprint import fingerprint, of_code

MODEL = "model"


def made_from(run: Run) -> str:
    """Return the fingerprint of the label model and all its posteriors."""
    settings = run.project.settings
    return fingerprint(
        of_code("aggregation", "observations", "labels", "tagging"),
        settings.model.model_dump(),
        declared_reliabilities(run.functions, run.project.space),
        settings.labels.model_dump(),
        settings.functions.second_stage,
        settings.project.seed,
        run.annotated,
    )


def aggregate(run: Run) -> Outcome:
    """Fit the label model on all votes and write the posterior of every shard."""
    settings = run.project.settings
    made = made_from(run)
    names = [posterior_name(number) for number in range(len(run.shards))]
    fresh = (
        run.kept.is_fresh(MODEL, made)
        and run.output.is_fresh(PREDICTIONS, made)
        and all(run.kept.is_fresh(name, made) for name in names)
    )
    if not fresh:
        _fit(run, made)
    spans = int(found_spans(run).sum())
    return Outcome(
        stage="aggregate",
        was_fresh=fresh,
        summary=f"{settings.model.name}, {spans:,} spans",
        details={"model": settings.model.name, "spans": spans},
    )


def _fit(run: Run, made: str) -> None:
    model = label_model(run.project, run.functions)
    shards = [run.shard(number) for number in range(len(run.shards))]
    if run.project.settings.functions.second_stage:
        first = _fitted(run, model, shards, f"{MODEL}-first", made)
        shards = second_stage(run, first, made)
    fitted = _fitted(run, model, shards, MODEL, made)

    def fill(path: Path) -> None:
        with atomic_write(path) as file:
            file.writelines(write_posteriors(run, fitted, shards, made))

    run.output.write_file(PREDICTIONS, made, fill)


def _fitted(
    run: Run, model: Aggregator, shards: Sequence[Annotated], name: str, made: str
) -> Fitted:
    """Return the fitted model, kept before it is used: a run that is stopped goes on from there."""
    if not run.kept.is_fresh(name, made):
        fitted = (
            islands.fit(run, model, shards, made)
            if isinstance(model, Hmm)
            else model.fit(Votes.concatenate([shard.votes() for shard in shards]))
        )
        run.kept.write_folder(name, made, fitted.save)
    return load(run.kept.path(name))


def label_model(project: Project, functions: Sequence[LabellingFunction] = ()) -> Aggregator:
    """Return the label model that the project file describes.

    One that takes ``reliabilities`` gets those that functions declare, under those of the file.

    Raises:
        ProjectError: it has no such setting.
    """
    settings = project.settings.model
    try:
        model = configured(settings.name, settings.options, seed=project.settings.project.seed)
    except UnknownNameError as error:
        raise ProjectError(str(error), key="model.name", path=project.file) from None
    except AggregationError as error:
        raise ProjectError(str(error), key="model.options", path=project.file) from None
    if isinstance(model, Hmm):
        declared = declared_reliabilities(functions, project.space)
        return replace(model, reliabilities=declared | dict(model.reliabilities))
    return model


def declared_reliabilities(
    functions: Iterable[LabellingFunction], space: LabelSpace
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the precision and recall that authors guess for their functions, by output label.

    >>> from silverspan.labelling.function import labelling_function
    >>> @labelling_function(labels=["COMPANY"], reliability={"COMPANY": (0.9, 0.3)})
    ... def listed(doc):
    ...     return []
    >>> space = LabelSpace(outputs=("ORG",), finer={"COMPANY": "ORG"})
    >>> declared_reliabilities([listed], space)
    {'listed': {'ORG': (0.9, 0.3)}}
    """
    return {
        function.name: {
            space.finer.get(label, label): (float(precision), float(recall))
            for label, (precision, recall) in function.reliability.items()
        }
        for function in functions
        if function.reliability
    }
