"""One JSON object of lists: ``{label: [name, ...]}``. Keys that start with ``_`` are remarks."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers.entries import Damage, Entry
from silverspan.labelling.gazetteers.formats.source import read_json, take_options


class LabelledReader:
    """Format ``labels``."""

    source = ""
    licence = ""

    def __init__(self, options: Mapping[str, str]) -> None:
        take_options(options, {}, "labels")

    def entries(self, path: Path, damage: Damage, *, skip: int = 0) -> Iterator[tuple[int, Entry]]:
        """Yield every name; records count from 1 over all labels."""
        data = read_json(path, damage)
        if not isinstance(data, dict):
            raise GazetteerError(f"{path}: expected an object {{label: [names]}}")
        record = 0
        for label, names in data.items():
            if label.startswith("_"):
                continue
            if not isinstance(names, list):
                raise GazetteerError(f"{path}: the names of {label!r} are not a list")
            for name in names:
                record += 1
                if not isinstance(name, str):
                    damage.add(path, record, "a name that is no text")
                elif record > skip:
                    yield record, Entry(name, label)

    def label_of(self, kind: str) -> str | None:
        """Return the kind: it is the label."""
        return kind
