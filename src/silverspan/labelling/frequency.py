"""How common an English word is: its rank in a list of words by falling frequency.

The list is data/word_frequencies_en.txt.gz; its header names the source (wordfreq) and the licence
(CC BY-SA 4.0), and ``scripts/make_word_frequencies.py`` makes it anew.
"""

import gzip
from functools import cache
from importlib.resources import files


@cache
def ranks() -> dict[str, int]:
    """Return the rank of every listed word, lower-case; the most frequent word has rank 1."""
    packed = files("silverspan.labelling").joinpath("data/word_frequencies_en.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    words = [line for line in lines if not line.startswith("#")]
    return {word: rank for rank, word in enumerate(words, 1)}


def rank(word: str) -> int | None:
    """Return the rank of a word whatever its case, or ``None`` if it is rarer than all listed.

    A word is what spaCy's English tokenizer makes a token, so "n't" and "'s" have ranks. Numbers
    and punctuation have none.

    >>> rank("The")
    1
    >>> rank("Kirkenes") is None
    True
    """
    return ranks().get(word.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
