"""Named parts, found through entry points or registered by a decorator; imported only when named.

Each kind of part (labelling functions, aggregators, trainers ...) has one ``Registry``, made in
the module of its contract. A package adds parts under the registry's entry-point group, a script
with ``@registry.register("mine")``.
"""

from collections.abc import Callable
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from silverspan.errors import UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """Parts of one kind by name.

    >>> shapes: Registry[type] = Registry("shape", "silverspan.test_shapes")
    >>> @shapes.register("round")
    ... class Circle: ...
    >>> shapes["round"] is Circle
    True
    >>> shapes.names()
    ('round',)
    """

    def __init__(self, kind: str, group: str) -> None:
        self.kind = kind
        self.group = group
        self._registered: dict[str, T] = {}

    @cached_property
    def _entry_points(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self.group)}

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files its argument under ``name``; the newest wins."""

        def file(part: T) -> T:
            self._registered[name] = part
            return part

        return file

    def names(self) -> tuple[str, ...]:
        """Every known name, sorted; importing nothing."""
        return tuple(sorted({*self._registered, *self._entry_points}))

    def __contains__(self, name: object) -> bool:
        return name in self._registered or name in self._entry_points

    def __getitem__(self, name: str) -> T:
        """Return the part called ``name``, importing its module now.

        Raises:
            UnknownNameError: there is none; the message lists the known names.
        """
        if name not in self._registered:
            if name not in self._entry_points:
                raise UnknownNameError(self.kind, name, self.names())
            self._registered[name] = cast(T, self._entry_points[name].load())
        return self._registered[name]
