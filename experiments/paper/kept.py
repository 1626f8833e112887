"""What is kept of every row: its posterior, and a JSON file that says what it was made from.

A row is made again only when that has changed. A row that failed is not kept.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.posterior_file import from_bytes, to_bytes
from silverspan.corpus.files import atomic_write, atomic_write_bytes
from silverspan.errors import SilverspanError


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """One kept row: a fingerprint of what went in, and the processor time it took."""

    row: str
    made_from: str
    seconds: float


class Kept:
    """The rows in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def find(self, row: str) -> Made | None:
        """Return what is kept of a row; None if there is nothing whole."""
        try:
            made = Made(**json.loads((self.folder / f"{row}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return made if (self.folder / f"{row}.npz").is_file() else None

    def is_fresh(self, row: str, made_from: str) -> bool:
        """Whether the row was made from just this."""
        made = self.find(row)
        return made is not None and made.made_from == made_from

    def posterior(self, row: str) -> Posterior:
        """Return the posterior of a kept row."""
        return from_bytes((self.folder / f"{row}.npz").read_bytes())

    def write(self, made: Made, posterior: Posterior) -> None:
        """Keep a row; the JSON file comes last, so that half a row is none."""
        self.forget(made.row)
        with atomic_write_bytes(self.folder / f"{made.row}.npz") as out:
            out.write(to_bytes(posterior))
        with atomic_write(self.folder / f"{made.row}.json") as out:
            out.write(json.dumps(asdict(made), indent=2) + "\n")

    def forget(self, row: str) -> None:
        """Drop a row."""
        (self.folder / f"{row}.json").unlink(missing_ok=True)


class NotRunError(SilverspanError):
    """A row cannot be made here; the message is what its line in the table says."""
