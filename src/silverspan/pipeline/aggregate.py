"""The third stage: a label model is fitted to all votes and applied to every document."""

from collections.abc import Iterator, Sequence

from silverspan.aggregation.aggregator import Aggregator, aggregators
from silverspan.aggregation.posterior_file import to_bytes
from silverspan.aggregation.predictions import Prediction, save_predictions
from silverspan.corpus.document import original_id
from silverspan.errors import ProjectError
from silverspan.observations.votes import Votes
from silverspan.pipeline.second_stage import second_votes
from silverspan.pipeline.state import PREDICTIONS, Outcome, Run, posterior_name
from silverspan.project import Project
from silverspan.workspace import corpus_shards
from silverspan.workspace.fingerprint import fingerprint, of_code

MODEL = "model"


def made_from(run: Run) -> str:
    """Return the fingerprint of the label model and all its posteriors."""
    settings = run.project.settings
    return fingerprint(
        of_code("aggregation", "observations", "labels", "tagging"),
        settings.model.model_dump(),
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
        _fit(run, made, names)
    note = run.kept.note(MODEL)
    return Outcome(
        stage="aggregate",
        was_fresh=fresh,
        summary=f"{settings.model.name}, {note['spans']:,} spans",
        details={"model": settings.model.name, **note},
    )


def _fit(run: Run, made: str, names: Sequence[str]) -> None:
    every = [run.votes(number) for number in range(len(run.shards))]
    model = label_model(run.project)
    fitted = model.fit(Votes.concatenate(every))
    if run.project.settings.functions.second_stage:
        every = [
            second_votes(run, number, votes, fitted.posterior(votes))
            for number, votes in enumerate(every)
        ]
        fitted = model.fit(Votes.concatenate(every))
    spans = 0
    for name, votes in zip(names, every, strict=True):
        posterior = fitted.posterior(votes)
        spans += len(posterior.spans)
        run.kept.write(name, made, to_bytes(posterior))
    for name in run.kept.names("posterior/"):
        if name not in names:
            run.kept.remove(name)
    run.output.write_file(
        PREDICTIONS,
        made,
        lambda path: save_predictions(_predictions(run), path),
    )
    # The model last: it is fresh only when every posterior is.
    run.kept.write_folder(MODEL, made, fitted.save, note={"spans": spans})


def _predictions(run: Run) -> Iterator[Prediction]:
    for number, shard in enumerate(run.shards):
        posterior = run.posterior(number)
        for i, doc in enumerate(corpus_shards.read_shard(run.kept, shard)):
            yield Prediction(
                id=original_id(doc),
                tokens=[token.text for token in doc],
                spans=posterior.spans.of(i),
            )


def label_model(project: Project) -> Aggregator:
    """Return the label model that the project file describes.

    Raises:
        ProjectError: it has no such setting.
    """
    settings = project.settings.model
    kind = aggregators[settings.name]
    known = getattr(kind, "__dataclass_fields__", {})
    for key in settings.options:
        if key not in known:
            raise ProjectError(
                f"the label model {settings.name!r} has no option {key!r}; "
                f"it has: {', '.join(known) or 'none'}",
                key=f"model.options.{key}",
                path=project.file,
            )
    options = dict(settings.options)
    if "seed" in known:
        options.setdefault("seed", project.settings.project.seed)
    return kind(**options)
