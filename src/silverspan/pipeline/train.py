"""The fourth stage: a student is trained on the posterior."""

from pathlib import Path

from silverspan.corpus.pipelines import load_pipeline
from silverspan.errors import ProjectError, TrainingError, UnknownNameError
from silverspan.pipeline import aggregate
from silverspan.pipeline.card import card
from silverspan.pipeline.lesson import lesson
from silverspan.pipeline.state import TAGGER, Outcome, Run
from silverspan.project import Project
from silverspan.training.model_card import today
from silverspan.training.trainer import Trainer, make_trainer
from silverspan.workspace.fingerprint import fingerprint, of_code


def made_from(run: Run) -> str:
    """Return the fingerprint of the student."""
    settings = run.project.settings
    return fingerprint(
        of_code("training"),
        settings.training.model_dump(),
        settings.project.seed,
        aggregate.made_from(run),
    )


def trainer_of(project: Project) -> Trainer | None:
    """Return the trainer that the project file describes, or none.

    Raises:
        ProjectError: there is no such trainer, or it has no such option.
    """
    settings = project.settings.training
    if settings.trainer is False:
        return None
    try:
        return make_trainer(settings.trainer, **settings.options)
    except (UnknownNameError, TrainingError) as error:
        key = "training.trainer" if isinstance(error, UnknownNameError) else "training.options"
        raise ProjectError(str(error), key=key, path=project.file) from None


def train(run: Run) -> Outcome:
    """Train the student on the posterior of all documents, or of a sample if they are many."""
    settings = run.project.settings
    trainer = trainer_of(run.project)
    if trainer is None:
        return Outcome(stage="train", was_fresh=True, summary="switched off")
    made = made_from(run)
    fresh = run.output.is_fresh(TAGGER, made)
    if not fresh:
        learnt = lesson(run)
        checkpoint = run.kept.root / f"training-{made}.checkpoint"
        student = trainer.train(
            learnt.posterior,
            learnt.docs(),
            seed=settings.project.seed,
            nlp=load_pipeline(run.pipeline),
            checkpoint=checkpoint,
        )
        trained = today()

        def fill(folder: Path) -> None:
            student.to_disk(folder)
            card(run, trained).write(folder)

        run.output.write_folder(TAGGER, made, fill, note={"trained": trained})
    return Outcome(
        stage="train",
        was_fresh=fresh,
        summary=f"{settings.training.trainer}, {run.output.path(TAGGER)}",
        details={"trainer": settings.training.trainer, "path": str(run.output.path(TAGGER))},
    )
