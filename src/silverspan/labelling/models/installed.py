"""What a spaCy pipeline on disk says of itself, read without loading it."""

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from thinc.api import Config

from silverspan.corpus.pipelines import resolve_pipeline, unloadable
from silverspan.errors import ModelError

#: Components whose entities a function reads; anything else may depend on more than tokens.
_RECOGNISERS = ("ner", "beam_ner")
_EMBEDDERS = ("tok2vec", "transformer", "curated_transformer")
#: Components that entities do not depend on.
_ASIDE = {
    "tagger",
    "morphologizer",
    "parser",
    "senter",
    "sentencizer",
    "attribute_ruler",
    "lemmatizer",
    "trainable_lemmatizer",
    "textcat",
    "textcat_multilabel",
}


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A pipeline: where it is, what it is called, what it labels, what of it need not run."""

    source: str
    name: str
    version: str
    labels: tuple[str, ...]
    unneeded: tuple[str, ...]
    language: str = ""
    licence: str = ""
    #: Of a folder, which may be written anew under the same version: what is in it.
    digest: str = ""


@cache
def describe(model: str) -> InstalledModel:
    """Return what the pipeline of that name, or in that folder, says of itself.

    Raises:
        ModelError: nothing of that name is installed, or it finds no entities.
    """
    source = resolve_pipeline(model)
    folder = _folder(source)
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        labels = _labels(meta)
        unneeded = _unneeded(meta, folder)
    # What stands in a damaged file comes out as any exception at all.
    except Exception as error:
        raise unloadable(model, error) from error
    if not labels:
        raise ModelError(
            f"the spaCy pipeline {model!r} has no entity labels, so it finds no entities; "
            f"its components are: {', '.join(meta.get('pipeline', ())) or 'none'}"
        )
    return InstalledModel(
        source=source,
        name=source if source.isidentifier() else str(meta.get("name", folder.name)),
        version=str(meta.get("version", "")),
        labels=labels,
        unneeded=unneeded,
        language=str(meta.get("lang", "")),
        licence=str(meta.get("license", "")),
        digest="" if source.isidentifier() else _digest(folder),
    )


def _folder(source: str) -> Path:
    """Return the folder with meta.json: the given one, or the one inside an installed package."""
    folder = Path(source)
    if not (folder / "meta.json").is_file():
        found = importlib.util.find_spec(source) if source.isidentifier() else None
        package = Path(found.origin).parent if found and found.origin else folder
        inner = sorted(path.parent for path in package.glob("*/config.cfg"))
        folder = inner[0] if inner else package
    if not (folder / "meta.json").is_file():
        raise ModelError(f"{source!r} is not a spaCy pipeline: there is no meta.json in it")
    return folder


def _digest(folder: Path) -> str:
    """Return a fingerprint of what a folder holds."""
    together = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        together.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return together.hexdigest()[:16]


def _labels(meta: dict[str, Any]) -> tuple[str, ...]:
    components = meta.get("labels", {})
    return tuple(
        dict.fromkeys(
            str(label)
            for component in (*_RECOGNISERS, "entity_ruler")
            for label in components.get(component, ())
        )
    )


def _unneeded(meta: dict[str, Any], folder: Path) -> tuple[str, ...]:
    """Return the components that do not help to find entities.

    A recogniser needs the embedding component it listens to, if it listens to one. Rules may look
    at tags and lemmas, so a pipeline with components of another kind runs whole.
    """
    pipeline = [str(component) for component in meta.get("pipeline", ())]
    if not set(pipeline) <= {*_ASIDE, *_RECOGNISERS, *_EMBEDDERS}:
        return ()
    components = Config().from_disk(folder / "config.cfg", interpolate=False)["components"]
    listens = any("Listener" in str(components.get(name, "")) for name in _RECOGNISERS)
    aside = _ASIDE if listens else {*_ASIDE, *_EMBEDDERS}
    return tuple(component for component in pipeline if component in aside)
