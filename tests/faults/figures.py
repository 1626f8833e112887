"""Adds up the lines that the fault tests wrote: python tests/faults/figures.py FILE."""

import json
import sys
from collections import Counter
from pathlib import Path


def main(path: str) -> None:
    """Print a table of what was tried and what came of it."""
    rows: dict[str, Counter[str]] = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        counts = json.loads(line)
        rows.setdefault(counts.pop("what"), Counter()).update(counts)
    for what, counts in sorted(rows.items()):
        told = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items())
        sys.stdout.write(f"{what}: {told}\n")


if __name__ == "__main__":
    main(sys.argv[1])
