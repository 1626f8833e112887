"""The fourth stage: a student is trained on the posterior."""

from pathlib import Path

from silverspan.corpus.pipelines import load_pipeline
from silverspan.pipeline import aggregate
from silverspan.pipeline.card import card
from silverspan.pipeline.lesson import lesson
from silverspan.pipeline.state import TAGGER, Outcome, Run
from silverspan.training.model_card import today
from silverspan.training.trainer import make_trainer
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


def train(run: Run) -> Outcome:
    """Train the student on the posterior of all documents, or of a sample if they are many."""
    settings = run.project.settings
    if settings.training.trainer is False:
        return Outcome(stage="train", was_fresh=True, summary="switched off")
    trainer = make_trainer(settings.training.trainer, **settings.training.options)
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
