"""Names and texts in any number for the gazetteer benchmarks, the same ones every time.

Words follow Zipf's law over an invented vocabulary; lengths of names are those of Wikidata's labels
of people, places and organisations: mostly two tokens, few of more than four.
"""

from pathlib import Path

import numpy as np

_ONSETS = [*"bdfgklmnprstvz", "ch", "sh", "br", "st", "tr"]
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in "aeiou"]
_LENGTHS = np.array([0.22, 0.46, 0.19, 0.08, 0.03, 0.015, 0.005])


def words(count: int, seed: int = 0) -> list[str]:
    """Return distinct capitalised words."""
    rng = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        for size in rng.integers(2, 5, 10_000).tolist():
            syllables = rng.integers(0, len(_SYLLABLES), size)
            found["".join(_SYLLABLES[i] for i in syllables).title()] = None
    return list(found)[:count]


def names(count: int, seed: int = 1, vocabulary: int = 1_000_000) -> list[str]:
    """Return distinct names."""
    rng = np.random.default_rng(seed)
    known = np.array(words(vocabulary), dtype=object)
    found: dict[str, None] = {}
    while len(found) < count:
        lengths = rng.choice(np.arange(1, 8), size=500_000, p=_LENGTHS)
        # A log-uniform rank is Zipf's law with exponent one.
        ranks = np.exp(rng.random(int(lengths.sum())) * np.log(vocabulary)).astype(np.int64) - 1
        flat = known[ranks]
        start = 0
        for length in lengths.tolist():
            found[" ".join(flat[start : start + length])] = None
            start += length
    return list(found)[:count]


def write_names(path: Path, count: int) -> list[str]:
    """Write names to a file, one to a line, and return them."""
    made = names(count)
    path.write_text("\n".join(made) + "\n")
    return made
