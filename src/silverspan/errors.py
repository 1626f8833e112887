"""Every exception of the package, so that a caller can catch one family or all of them.

    SilverspanError
    ├── InputError              a file or a value from outside does not hold what it should
    │   ├── ProjectError        silverspan.toml, by key
    │   └── WorkspaceError      what a project keeps on disk
    ├── LabelError              a label or tag that the label space does not know
    ├── UnknownNameError        no part of that name in a registry
    ├── LabellingError          a labelling function raised, or proposed an impossible span
    ├── AggregationError        votes that a label model cannot work with
    ├── TrainingError           a student that cannot be trained or applied
    ├── GazetteerError          a gazetteer that cannot be built or opened
    ├── ModelError              an NER model that is missing or unusable
    ├── EngineError             workers that died, or a cluster that cannot be reached
    └── MissingDependencyError  an optional package that is not installed

Each message says what happened, where, and what to do next; the facts are attributes too. The
command line catches ``SilverspanError``, prints it and exits 1. Anything else is a bug and keeps
its traceback.
"""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class SilverspanError(Exception):
    """Base of every error a user can cause and can mend."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors come back from other processes whole, whatever their makers take.
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[SilverspanError], args: tuple[Any, ...], facts: dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class InputError(SilverspanError):
    """A file or value from outside does not hold what it should.

    >>> print(InputError("not a JSON object", path="news.jsonl", line=3))
    news.jsonl:3: not a JSON object
    """

    def __init__(
        self, message: str, *, path: str | Path | None = None, line: int | None = None
    ) -> None:
        self.path = None if path is None else str(path)
        self.line = line
        self.reason = message
        where = "" if self.path is None else self.path + (f":{line}" if line else "") + ": "
        super().__init__(where + message)


class ProjectError(InputError):
    """A project file has a wrong key or value; ``key`` is its dotted name."""

    def __init__(
        self,
        message: str,
        *,
        key: str | None = None,
        path: str | Path | None = None,
        line: int | None = None,
    ) -> None:
        self.key = key
        super().__init__(message, path=path, line=line)


class WorkspaceError(InputError):
    """What a project keeps on disk is damaged, locked, or from another version."""


class LabelError(SilverspanError):
    """A label or tag that the label space does not know."""


class UnknownNameError(SilverspanError):
    """No part of that name; lists the known ones and suggests the nearest.

    >>> print(UnknownNameError("aggregator", "hm", ["hmm", "mv"]))
    no aggregator is called 'hm'; did you mean 'hmm'? Known: hmm, mv
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        near = difflib.get_close_matches(name, self.known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        super().__init__(
            f"no {kind} is called {name!r}{hint} Known: {', '.join(self.known) or 'none'}"
        )


class LabellingError(SilverspanError):
    """A labelling function raised, or proposed a span that cannot be."""

    def __init__(
        self, message: str, *, function: str | None = None, document: str | None = None
    ) -> None:
        self.function, self.document = function, document
        super().__init__(message)


class AggregationError(SilverspanError):
    """Votes that a label model cannot work with, or a saved model that cannot be read."""


class TrainingError(SilverspanError):
    """A student that cannot be trained or applied."""


class GazetteerError(SilverspanError):
    """A gazetteer that cannot be built or opened."""


class ModelError(SilverspanError):
    """An NER model that is missing or unusable."""


class EngineError(SilverspanError):
    """Workers died, or a cluster cannot be reached."""


class MissingDependencyError(SilverspanError):
    """An optional package is not installed.

    >>> print(MissingDependencyError("dask", extra="dask"))
    the package 'dask' is not installed; run: pip install 'silverspan[dask]'
    """

    def __init__(self, package: str, *, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(
            f"the package {package!r} is not installed; run: pip install 'silverspan[{extra}]'"
        )
