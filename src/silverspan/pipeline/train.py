"""The fourth stage: a student is trained on the posterior."""

from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.pipelines import load_pipeline
from silverspan.pipeline import aggregate
from silverspan.pipeline.state import TAGGER, Outcome, Run
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
    """Train the student on the posterior of all documents."""
    settings = run.project.settings
    if settings.training.trainer is False:
        return Outcome(stage="train", was_fresh=True, summary="switched off")
    trainer = make_trainer(settings.training.trainer, **settings.training.options)
    made = made_from(run)
    fresh = run.output.is_fresh(TAGGER, made)
    if not fresh:
        posterior = Posterior.concatenate([run.posterior(n) for n in range(len(run.shards))])
        checkpoint = run.kept.root / f"training-{made}.checkpoint"
        student = trainer.train(
            posterior,
            run.docs(),
            seed=settings.project.seed,
            nlp=load_pipeline(run.pipeline),
            checkpoint=checkpoint,
        )
        run.output.write_folder(TAGGER, made, student.to_disk)
    return Outcome(
        stage="train",
        was_fresh=fresh,
        summary=f"{settings.training.trainer}, {run.output.path(TAGGER)}",
        details={"trainer": settings.training.trainer, "path": str(run.output.path(TAGGER))},
    )
