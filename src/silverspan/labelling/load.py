"""Labelling functions from a Python file of the user's."""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from silverspan.errors import InputError
from silverspan.labelling.function import LabellingFunction


def load_file(path: str | Path) -> list[LabellingFunction]:
    """Run a Python file and return the labelling functions it defines, in their order.

    Lists and tuples of functions at the top of the file count too. The file can import its
    neighbours.

    Raises:
        InputError: there is no such file, or it fails; the message names the line.
    """
    found: list[LabellingFunction] = []
    for name, value in vars(load_module(path)).items():
        if isinstance(value, LabellingFunction) and not name.startswith("_"):
            found.append(value)
        elif isinstance(value, list | tuple) and not name.startswith("_"):
            found += [item for item in value if isinstance(item, LabellingFunction)]
    return list({function.name: function for function in found}.values())


def load_module(path: str | Path) -> ModuleType:
    """Run a Python file of the user's and return it as a module.

    Raises:
        InputError: there is no such file, or it fails; the message names the line.
    """
    path = Path(path).resolve()
    if not path.is_file():
        raise InputError("there is no such file of labelling functions", path=path)
    spec = importlib.util.spec_from_file_location(f"silverspan_functions_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError("is no Python file (.py)", path=path)
    module = importlib.util.module_from_spec(spec)
    # Registered before it runs: the source of its functions is looked up by module.
    sys.modules[spec.name] = module
    _forget_neighbours(path.parent)
    known = set(sys.modules)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise InputError(f"this is no Python: {error.msg}", path=path, line=error.lineno) from error
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == str(path)), None)
        raise InputError(f"{type(error).__name__}: {error}", path=path, line=line) from error
    finally:
        sys.path.remove(str(path.parent))
        for name in sys.modules.keys() - known:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(path.parent):
                _neighbours[name] = path.parent
    return module


#: Modules that files of labelling functions imported from beside them, and from where.
_neighbours: dict[str, Path] = {}


def _forget_neighbours(folder: Path) -> None:
    """Let a file import its own neighbours, not those of the same name beside another file."""
    for name in [name for name, home in _neighbours.items() if home != folder]:
        sys.modules.pop(name, None)
        del _neighbours[name]
