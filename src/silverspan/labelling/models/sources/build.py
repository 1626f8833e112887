"""From labelled files to a folder with a recogniser and its card: what ``train-source`` does."""

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.attrs import LOWER  # type: ignore[import-not-found]  # compiled, without stubs

from silverspan import __version__
from silverspan.errors import InputError, ModelError
from silverspan.labelling.models.sources.card import card
from silverspan.labelling.models.sources.cleaning import Sentence
from silverspan.labelling.models.sources.data import by_document, read_sentences, split
from silverspan.labelling.models.sources.origins import ORIGINS
from silverspan.labelling.models.sources.scoring import Score, score
from silverspan.labelling.models.sources.training import settings, train
from silverspan.labelling.models.sources.vectors import glove

#: Whatever version it was trained with, it loads without a warning in those we support.
_SPACY = ">=3.8.7,<3.9.0"


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """What a recogniser is made from; the same recipe gives the same weights."""

    name: str
    data: tuple[Path, ...]
    #: In-domain files to score on; without any, a share of the data is held out.
    held_out: tuple[Path, ...] = ()
    share: float = 0.1
    #: Files of other domains to score on, taken as they are.
    score_on: tuple[Path, ...] = ()
    seed: int = 0
    epochs: int = field(default_factory=lambda: int(settings()["epochs"]))
    words: int = 100_000
    rows: int = 10_000

    def __post_init__(self) -> None:
        if not self.name.replace("_", "").replace("-", "").isalnum():
            raise ModelError(f"{self.name!r} cannot name a model; use letters, digits, '_', '-'")
        if not 0 <= self.share < 1 or min(self.epochs, self.rows) < 1 or self.words < self.rows:
            raise ModelError(
                "a recogniser needs at least one epoch and one vector, no more vectors than "
                "words, and a held-out share of at least 0 and below 1"
            )


def build(recipe: Recipe, folder: Path) -> dict[str, dict[str, Score]]:
    """Train the recogniser, write it with its card, and return its scores by what it was scored on.

    Raises:
        InputError: the folder is there already, or a file cannot be read or has no entities.
        MissingDependencyError: the vectors are not installed.
    """
    if folder.exists():
        raise InputError("is there already; choose another folder", path=folder)
    sentences = read_sentences(recipe.data, recipe.name)
    if recipe.held_out:
        kept, held = sentences, read_sentences(recipe.held_out, recipe.name)
        how = ", ".join(path.name for path in recipe.held_out)
    else:
        kept, held = split(sentences, recipe.share, recipe.seed)
        how = f"{recipe.share:.0%} of the data, drawn with seed {recipe.seed}"
    others = {path.name: read_sentences([path]) for path in recipe.score_on}
    vectors = glove(recipe.words, recipe.rows)
    nlp = train(kept, vectors, seed=recipe.seed, epochs=recipe.epochs)
    origin = ORIGINS.get(recipe.name)
    nlp.meta.update(
        name=recipe.name,
        version="1.0.0",
        spacy_version=_SPACY,
        description=f"Entities as in {origin.corpus if origin else recipe.name}",
        license=origin.licence if origin else "",
    )
    with _beside(folder) as draft:
        nlp.to_disk(draft)
        # spaCy reads here what vectors are looked up by, but does not write it.
        looked_up = {"mode": "default", "attr": LOWER}
        (draft / "vocab" / "vectors.cfg").write_text(json.dumps(looked_up), encoding="utf-8")
        # Scored as written; and a vocabulary keeps the words it has met, so not before.
        written = spacy.load(draft)
        scores = {"held out": score(written, held)} if held else {}
        scores |= {name: score(written, other) for name, other in others.items()}
        facts = {
            "silverspan": __version__,
            "data": {path.name: _digest(path) for path in recipe.data},
            "learned_from": _counts(kept),
            "held_out": {"what": how, **_counts(held)},
            "scores": {name: _plain(of) for name, of in scores.items()},
            "command": command(recipe),
        }
        text = json.dumps(facts, indent=2) + "\n"
        (draft / "card.json").write_text(text, encoding="utf-8")
        text = card(recipe.name, origin, facts)
        (draft / "README.md").write_text(text, encoding="utf-8")
    return scores


def command(recipe: Recipe) -> str:
    """Return the command that carries out a recipe, files by their names only."""
    parts = [f"silverspan models train-source {recipe.name} --data"]
    parts += [path.name for path in recipe.data]
    for option, paths in (("--held-out", recipe.held_out), ("--score-on", recipe.score_on)):
        parts += [option, *(path.name for path in paths)] if paths else []
    if not recipe.held_out:
        parts.append(f"--share {recipe.share:g}")
    parts.append(f"--seed {recipe.seed} --epochs {recipe.epochs}")
    parts.append(f"--words {recipe.words} --rows {recipe.rows} -o {recipe.name}")
    return " ".join(parts)


def _counts(sentences: Sequence[Sentence]) -> dict[str, Any]:
    labels = Counter(label for one in sentences for _, _, label in one.spans)
    return {
        "documents": len(by_document(sentences)),
        "sentences": len(sentences),
        "tokens": sum(len(one.tokens) for one in sentences),
        "entities": dict(sorted(labels.items())),
    }


def _plain(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {
        label or "all": {
            "precision": round(of.precision, 3),
            "recall": round(of.recall, 3),
            "f1": round(of.f1, 3),
        }
        for label, of in scores.items()
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """Give a folder to fill that is then renamed: an interrupted command leaves no half model."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield draft
        draft.chmod(0o755)
        draft.replace(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
