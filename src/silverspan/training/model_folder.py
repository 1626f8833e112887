"""A trained pipeline on disk: written beside its target and renamed into place."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.errors import TrainingError
from silverspan.training.model_card import ModelCard

if TYPE_CHECKING:
    from spacy.language import Language


def check_target(directory: Path) -> None:
    """Refuse what ``write_model`` would refuse; for before a long training.

    Raises:
        TrainingError: something that is no spaCy model stands there.
    """
    if directory.exists() and not (directory / "meta.json").is_file():
        is_empty_folder = directory.is_dir() and not any(directory.iterdir())
        if not is_empty_folder:
            raise TrainingError(
                f"{directory} is there already and is no spaCy model; choose another folder"
            )


def write_model(nlp: "Language", directory: Path, card: ModelCard) -> int:
    """Write a pipeline and its card to a folder, in place of an older model; return its bytes.

    Raises:
        TrainingError: something that is no spaCy model stands there, or it cannot be written.
    """
    check_target(directory)
    target = Path(os.path.realpath(directory))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise TrainingError(f"{directory} cannot be written: {error.strerror}") from error
    try:
        made = beside / "new"
        nlp.to_disk(made)
        card.write(made)
        if target.exists():
            target.rename(beside / "old")
        made.rename(target)
    except OSError as error:
        raise TrainingError(f"{directory} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
