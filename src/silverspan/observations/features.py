"""Token features: what every token looks like, as small ids that label models may condition on.

Goes in: the tokens of documents, as strings. Comes out: ``TokenFeatures``, ids by a hash that is
the same on every machine and in every release. Only the strings are read: no vocabulary, no model.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

import numpy as np

from silverspan.observations.votes import TokenFeatures

#: Ids per feature. Fewer ids let rare words share their evidence, which costs nothing measurable.
SIZE: Final = 4096

#: The shape ("Xxx.dd"), the lower-cased word, and its last three letters.
NAMES: Final = ("shape", "word", "suffix")

_RUN = re.compile(r"(.)\1{2,}")


def token_features(documents: Iterable[Sequence[str]]) -> TokenFeatures:
    """Return shape, word and suffix of every token of all documents.

    >>> features = token_features([["Ann", "saw", "Bob"], ["ANN"]])
    >>> shape, word, suffix = features.ids.T
    >>> bool(shape[0] == shape[2]), bool(word[0] == word[3])
    (True, True)
    """
    known: dict[str, int] = {}
    rows = [known.setdefault(token, len(known)) for document in documents for token in document]
    table = np.array([_ids(token) for token in known], dtype=np.int32).reshape(-1, len(NAMES))
    return TokenFeatures(
        names=NAMES, sizes=(SIZE,) * len(NAMES), ids=table[np.array(rows, dtype=np.int64)]
    )


def shape(token: str) -> str:
    """Return the token with letters as X or x and digits as d, runs cut to two.

    >>> shape("Berlin"), shape("B-52s"), shape("1,200")
    ('Xxx', 'X-ddx', 'd,dd')
    """
    letters = (
        "d" if c.isdigit() else "X" if c.isupper() else "x" if c.isalpha() else c for c in token
    )
    return _RUN.sub(r"\1\1", "".join(letters))


def _ids(token: str) -> tuple[int, int, int]:
    word = token.lower()
    return _hash("shape", shape(token)), _hash("word", word), _hash("suffix", word[-3:])


def _hash(name: str, value: str) -> int:
    return crc32(f"{name} {value}".encode("utf-8", "surrogatepass")) % SIZE
