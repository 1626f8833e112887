"""Fingerprints: what a result was made from, as one short text. Equal fingerprints, equal results.

A labelling function's fingerprint covers its options, its code, and the code and constants that
this code names. What no fingerprint can see, such as a file the function opens by itself, its
author states as ``version``.
"""

import ast
import hashlib
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from silverspan import __version__
from silverspan.labelling.function import LabellingFunction


def fingerprint(*parts: Any) -> str:
    """Return a fingerprint of JSON-like values; the order of mappings does not matter.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    True
    >>> fingerprint("a", "b") == fingerprint("ab")
    False
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@cache
def of_code(*names: str) -> str:
    """Return the fingerprint of parts of this package: modules, or folders of modules.

    >>> of_code("labels") != of_code("labels", "tagging")
    True
    """
    root = Path(__file__).parents[1]
    files = [
        file
        for name in names
        for file in (sorted((root / name).rglob("*.py")) or [root / f"{name}.py"])
    ]
    return fingerprint(__version__, [[str(f.relative_to(root)), _file_hash(str(f))] for f in files])


def of_function(function: LabellingFunction) -> str:
    """Return the fingerprint of a labelling function by itself, without what it reads."""
    return fingerprint(
        function.name,
        function.labels,
        function.reads,
        function.needs,
        function.version,
        _value(dict(function.options), set()),
        _code(function.propose, set()),
        None if function.asked is None else _code(function.asked, set()),
        None if function.family is None else _home(type(function.family)),
    )


def of_functions(
    functions: tuple[LabellingFunction, ...], reads: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Return fingerprints that also cover what each function reads; ``functions`` are in order."""
    prints: dict[str, str] = {}
    for function in functions:
        read = {name: prints[name] for name in reads[function.name]}
        prints[function.name] = fingerprint(of_function(function), read)
    return prints


def _code(target: Callable[..., Any], seen: set[int]) -> Any:
    """Return what a callable does, as JSON-like data."""
    if isinstance(target, partial):
        return [
            _code(target.func, seen),
            _value(target.args, seen),
            _value(dict(target.keywords), seen),
        ]
    if isinstance(target, LabellingFunction):
        return of_function(target)
    if isinstance(target, MethodType):
        return [_code(target.__func__, seen), _home(type(target.__self__))]
    if not isinstance(target, FunctionType):
        return _home(target if isinstance(target, type) else type(target))
    if id(target) in seen:
        return target.__qualname__
    seen.add(id(target))
    if _is_installed(target):
        return [
            _home(target),
            # Two closures of one factory differ in what they hold.
            [_value(cell, seen) for cell in _cells(target)],
            _value(target.__defaults__, seen),
        ]
    names = sorted(_names(target.__code__))
    named = {
        name: _value(target.__globals__[name], seen) for name in names if name in target.__globals__
    }
    return [
        _source(target),
        named,
        [_value(cell, seen) for cell in _cells(target)],
        _value(target.__defaults__, seen),
        _value(target.__kwdefaults__, seen),
    ]


def _cells(target: FunctionType) -> list[Any]:
    found = []
    for cell in target.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # a name that is bound later
            found.append(None)
    return found


def _value(value: Any, seen: set[int]) -> Any:
    """Return a value that code refers to, as JSON-like data that is the same in every process."""
    if value is None or isinstance(value, (str, int, float, bytes, bool)):
        return repr(value)
    if isinstance(value, re.Pattern):
        return [value.pattern, value.flags]
    if isinstance(value, Mapping):
        return [[_value(k, seen), _value(v, seen)] for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return [_value(item, seen) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(json.dumps(_value(item, seen)) for item in value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, ModuleType):
        return _module(value)
    if isinstance(value, type):
        return _home(value)
    if callable(value):
        return _code(value, seen)
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _names(code: CodeType) -> set[str]:
    """Return every global name that the code, and the code inside it, may look up."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _source(target: Any) -> str:
    """Return the source without comments and layout; the byte code where there is no source."""
    try:
        return ast.dump(ast.parse(textwrap.dedent(inspect.getsource(target))))
    except (OSError, TypeError, SyntaxError):
        code = target.__code__
        return f"{code.co_code.hex()} {_value(code.co_consts, set())}"


def _home(target: Any) -> str:
    """Return where installed code comes from: its module and the version of it; or its source."""
    module = sys.modules.get(getattr(target, "__module__", "") or "")
    name = getattr(target, "__qualname__", repr(target))
    if module is None or not _is_installed(target):
        return f"{name} {_source(target)}" if isinstance(target, type) else str(name)
    return f"{_module(module)} {name}"


def _module(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    package = module.__name__.partition(".")[0]
    if package == "silverspan":
        return f"{module.__name__} {__version__} {_file_hash(file) if file else ''}"
    if file and not _installed_file(file):
        return f"{module.__name__} {_file_hash(file)}"
    version = getattr(sys.modules.get(package), "__version__", "")
    return f"{module.__name__} {version}"


def _is_installed(target: Any) -> bool:
    module = sys.modules.get(getattr(target, "__module__", "") or "")
    if module is None:
        return False
    if module.__name__.partition(".")[0] == "silverspan":
        return True
    file = getattr(module, "__file__", None)
    return file is None or _installed_file(file)


def _installed_file(file: str) -> bool:
    parts = Path(file).parts
    return "site-packages" in parts or file.startswith((sys.base_prefix, sys.prefix))


@cache
def _file_hash(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
