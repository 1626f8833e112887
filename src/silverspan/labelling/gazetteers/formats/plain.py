"""Plain lists: one name to a line, all of one label; a line that starts with ``#`` is a comment."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import read_lines, take_options


class PlainReader:
    """Format ``text``; option ``label``."""

    source = ""
    licence = ""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.label = take_options(options, {"label": None}, "text")["label"]

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield a name a line."""
        for number, line in read_lines(path, damage):
            if number > skip and line and not line.startswith("#"):
                yield number, Entry(line, self.label)

    def label_of(self, kind: str) -> str | None:
        """Return the kind: it is the label."""
        return kind
