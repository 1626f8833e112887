"""A trained pipeline on disk: written beside its target and renamed into place."""

from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.corpus.files import atomic_folder
from silverspan.errors import InputError, TrainingError
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
    try:
        with atomic_folder(directory) as folder:
            nlp.to_disk(folder)
            card.write(folder)
    except InputError as error:
        raise TrainingError(str(error)) from error
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
