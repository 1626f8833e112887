"""A selection becomes a rule: a table appended to the project file, which stays as it was above it.

The file is only ever longer: comments and formatting are kept. What it would become is checked
before it is written, and once more after; if anything is wrong then, the old file comes back.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from silverspan.corpus.files import atomic_write_bytes
from silverspan.errors import InputError, SilverspanError
from silverspan.labelling.kit import from_settings
from silverspan.project import Project

Kind = Literal["phrase", "phrase in any case", "regular expression"]
KINDS: tuple[str, ...] = get_args(Kind)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
LONGEST = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A phrase or pattern that stands for a label."""

    name: str
    kind: str
    text: str
    label: str

    def settings(self) -> dict[str, object]:
        """Return the rule as its table of the project file.

        >>> Rule(name="fleets", kind="phrase", text="Color Line", label="ORG").settings()
        {'kind': 'phrases', 'entries': ['Color Line'], 'label': 'ORG'}
        """
        if self.kind == "regular expression":
            return {"kind": "regex", "pattern": self.text, "label": self.label}
        table: dict[str, object] = {"kind": "phrases", "entries": [self.text], "label": self.label}
        return table if self.kind == "phrase" else table | {"cased": False}

    def toml(self) -> str:
        """Return the rule as lines of TOML.

        >>> print(Rule(name="fleets", kind="phrase", text="Color Line", label="ORG").toml())
        [functions.rules.fleets]
        kind = "phrases"
        entries = ["Color Line"]
        label = "ORG"
        """
        lines = [f"[functions.rules.{self.name}]"]
        lines += [f"{key} = {_toml(value)}" for key, value in self.settings().items()]
        return "\n".join(lines)


def free_name(text: str, taken: Collection[str]) -> str:
    """Return a name for a rule that finds a text, which no function has.

    >>> free_name("Color Line", {"color_line"})
    'color_line_2'
    """
    words = re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")[:30]
    base = words if _NAME.fullmatch(words) else f"rule_{words}".rstrip("_")
    number = 1
    while (name := base if number == 1 else f"{base}_{number}") in taken:
        number += 1
    return name


def add(project: Project, rule: Rule, taken: Collection[str]) -> None:
    """Append a rule to the project file.

    Raises:
        InputError: the rule is none, its name is taken, or the file would no longer be right; then
            it is as before.
    """
    _check(project, rule, taken)
    path = project.file
    try:
        before = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    end = b"\r\n" if b"\r\n" in before else b"\n"
    gap = end if before.endswith(b"\n") else end + end
    added = end.join(line.encode() for line in rule.toml().split("\n"))
    with atomic_write_bytes(path) as out:
        out.write(before + gap + added + end)
    try:
        found = Project(path).settings.functions.rules.get(rule.name)
        if found != rule.settings():
            raise InputError("the project file has another rule of this name", path=path)
    except SilverspanError:
        with atomic_write_bytes(path) as out:
            out.write(before)
        raise


def _check(project: Project, rule: Rule, taken: Collection[str]) -> None:
    if not _NAME.fullmatch(rule.name):
        raise InputError(
            "the name of a rule is a letter, then up to 39 letters, digits, _ or -; "
            f"it is {rule.name[:60]!r}"
        )
    if rule.name in taken:
        raise InputError(f"there is a function {rule.name!r} already; choose another name")
    if rule.kind not in KINDS:
        raise InputError(f"a rule is one of: {', '.join(KINDS)}")
    if not rule.text.strip() or len(rule.text) > LONGEST:
        raise InputError(f"a rule needs a text of 1 to {LONGEST} characters")
    if project.space.id_of(rule.label) is None:
        raise InputError(f"the project has no label {rule.label[:60]!r}")
    try:
        from_settings(rule.name, rule.settings(), directory=project.directory)
    except SilverspanError:
        raise
    except Exception as error:  # whatever a pattern may do to the parser
        raise InputError(f"rule {rule.name!r}: {error}") from None


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # JSON escapes are TOML escapes; DEL alone JSON leaves as it is and TOML forbids.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
