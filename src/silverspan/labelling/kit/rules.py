"""Rules of a project file: a table with a ``kind`` becomes labelling functions of that kind."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from silverspan.errors import InputError, UnknownNameError
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.kit import matching, spans
from silverspan.labelling.kit.annotations import annotations
from silverspan.labelling.kit.crowd import crowd
from silverspan.labelling.load import load_module


def call(
    name: str,
    function: str | Callable[..., Any],
    labels: Iterable[str],
    *,
    reads: Iterable[str] = (),
    needs: Iterable[str] = (),
) -> LabellingFunction:
    """Return a function that calls a callable from a ``Doc`` to spans, given or as "module:name".

    >>> import spacy
    >>> first = call("first", lambda doc: [(0, 1, "ORG")], ["ORG"])
    >>> list(first(spacy.blank("en")("Oslo")))
    [(0, 1, 'ORG')]

    Raises:
        InputError: there is no such module, or nothing of that name in it.
    """
    path = function if isinstance(function, str) else ""
    if isinstance(function, str):
        module, _, attribute = function.partition(":")
        try:
            function = getattr(import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as error:
            raise InputError(
                f"function {name!r}: nothing to call at {path!r} (write module:name): {error}"
            ) from None
    if not callable(function):
        raise InputError(f"function {name!r}: {path or function!r} cannot be called")
    return LabellingFunction(
        name=name,
        labels=tuple(labels),
        propose=function,
        reads=tuple(reads),
        needs=tuple(needs),
        options={"function": path},
    )


def _crowd(name: str, path: str, annotators: Iterable[str] = ()) -> list[LabellingFunction]:
    """Return the annotators' functions, which go by the names of the annotators."""
    return crowd(path, annotators=annotators)


#: What ``kind`` may say.
KINDS: Mapping[str, Callable[..., LabellingFunction | list[LabellingFunction]]] = {
    "annotations": annotations,
    "call": call,
    "constrain": spans.constrain,
    "crowd": _crowd,
    "exclude": spans.exclude,
    "extend": spans.extend,
    "negate": spans.negate,
    "patterns": matching.patterns,
    "phrases": matching.phrases,
    "regex": matching.regex,
    "relabel": spans.relabel,
    "trim": spans.trim,
    "vicinity": spans.vicinity,
}
# Keys whose text is a file's path, if it is one: relative to the project.
_PATHS = {"phrases": "entries", "patterns": "patterns", "crowd": "path", "annotations": "path"}


def from_settings(
    name: str, settings: Mapping[str, Any], *, directory: str | Path = "."
) -> list[LabellingFunction]:
    """Return the functions of one rule: ``{kind = "regex", pattern = "...", label = "ORG"}``.

    Paths are relative to ``directory``, and a Python file there goes before an installed module.

    >>> rule = {"kind": "phrases", "entries": ["Color Line"], "label": "ORG"}
    >>> [function.name for function in from_settings("fleets", rule)]
    ['fleets']

    Raises:
        UnknownNameError: there is no such kind.
        InputError: a key is missing, or the kind has no such key.
    """
    given = dict(settings)
    kind = given.pop("kind", None)
    if kind not in KINDS:
        raise UnknownNameError("kind of rule", str(kind), KINDS)
    build = KINDS[kind]
    known = [key for key in inspect.signature(build).parameters if key != "name"]
    for key in given:
        if key not in known:
            raise InputError(
                f"rule {name!r}: a rule of kind {kind!r} has no key {key!r}; "
                f"its keys are: {', '.join(known)}"
            )
    for key, parameter in inspect.signature(build).parameters.items():
        if parameter.default is inspect.Parameter.empty and key != "name" and key not in given:
            raise InputError(f"rule {name!r}: a rule of kind {kind!r} needs {key!r}")
    if kind == "call" and isinstance(given["function"], str):
        given["function"] = _beside(name, given["function"], Path(directory))
    path = given.get(_PATHS.get(kind, ""))
    if isinstance(path, str):
        given[_PATHS[kind]] = str(Path(directory) / path)
    elif kind == "annotations" and isinstance(path, list):
        given["path"] = [str(Path(directory) / each) for each in path]
    try:
        made = build(name, **given)
    except (TypeError, ValueError, KeyError) as error:
        raise InputError(f"rule {name!r}: {error}") from None
    return made if isinstance(made, list) else [made]


def _beside(name: str, path: str, directory: Path) -> str | Callable[..., Any]:
    """Return what "module:name" means in a Python file of the project, or the text if in none."""
    module, _, attribute = path.partition(":")
    file = directory.joinpath(*module.split(".")).with_suffix(".py") if module else directory
    if not file.is_file():
        return path
    found: Callable[..., Any] | None = getattr(load_module(file), attribute, None)
    if found is None:
        raise InputError(f"rule {name!r}: {file.name} has no {attribute!r} to call")
    return found
