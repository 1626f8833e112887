"""Shows the doctests of docstrings as code in the reference pages; mkdocs.yml names this file."""

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"(?:^>>> .*\n?(?:^(?!$).*\n?)*)", flags=re.M)


class FenceDoctests(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **rest: Any) -> None:
        if obj.docstring:
            obj.docstring.value = _DOCTEST.sub(
                lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", obj.docstring.value
            )
