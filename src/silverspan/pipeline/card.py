"""The model card of a project's student: written with it, and again when it has been scored."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from silverspan.pipeline.state import TAGGER, Run
from silverspan.training.model_card import CARD, ModelCard

#: The systems that are scored, as the card calls them.
_SYSTEMS = {"silver": "label model", "student": "this model"}


def card(
    run: Run, trained: str, scores: Mapping[str, tuple[float, float, float]] | None = None
) -> ModelCard:
    """Return the card of the student of a run."""
    settings = run.project.settings
    path = settings.corpus.path
    labels = run.project.space.outputs
    return ModelCard(
        name=settings.project.name,
        trainer=str(settings.training.trainer),
        options=settings.training.options,
        seed=settings.project.seed,
        labels=labels,
        documents=sum(shard.documents for shard in run.shards),
        tokens=sum(shard.tokens for shard in run.shards),
        trained=trained,
        sources=[path] if isinstance(path, str) else path,
        pipeline=run.pipeline,
        language=run.shards[0].language if run.shards else "en",
        label_model=settings.model.name,
        functions=[function.name for function in run.functions],
        gold=settings.evaluation.gold or "the gold of the corpus",
        scores=scores or {},
    )


def add_scores(run: Run, made: str, scores: Mapping[str, Any]) -> None:
    """Put the scores on the card of the trained student, if they are not there already.

    ``made`` is the fingerprint of the student, ``scores`` what the file of scores says. The folder
    is written anew, whole or not at all.
    """
    old = run.output.path(TAGGER)
    note = run.output.note(TAGGER)
    told = {_SYSTEMS[name]: _micro(each["entity"]) for name, each in scores.items()}
    new = card(run, note["trained"], told)
    if (old / CARD).read_text(encoding="utf-8") == new.markdown():
        return

    def fill(folder: Path) -> None:
        shutil.copytree(old, folder, dirs_exist_ok=True)
        new.write(folder)

    run.output.write_folder(TAGGER, made, fill, note=note)


def _micro(entities: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the strict scores, or those of the first view if the project has no strict one."""
    counts = (entities.get("strict") or next(iter(entities.values())))["micro"]
    return counts["precision"], counts["recall"], counts["f1"]
