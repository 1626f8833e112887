"""What the package promises is there, documented, and imported only when it is used."""

import importlib
import inspect
import pkgutil

import pytest

import silverspan


def packages():
    yield silverspan
    for info in pkgutil.iter_modules(silverspan.__path__, "silverspan."):
        if info.ispkg and info.name not in ("silverspan.cli",):
            yield importlib.import_module(info.name)


@pytest.mark.parametrize("package", list(packages()), ids=lambda package: package.__name__)
def test_every_exported_name_is_there_and_has_a_docstring(package):
    for name in getattr(package, "__all__", ()):
        value = getattr(package, name)
        if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
            assert value.__doc__, f"{package.__name__}.{name} has no docstring"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = silverspan.nothing


def test_dir_shows_the_lazy_names():
    assert {"Corpus", "annotate", "presets"} <= set(dir(silverspan))
