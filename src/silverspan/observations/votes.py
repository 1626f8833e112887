"""Votes: the one table that aggregation reads, one row per span and label that a function proposed.

Goes in: what labelling functions said (apply.py) or a votes file (jsonl.py, parquet.py). Comes
out: flat arrays. Nothing here knows text, except for the optional table of token-feature ids.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Bool, Float32, Int16, Int32
from numpy import ndarray

from silverspan.errors import InputError
from silverspan.labels import LabelSpace

Span = tuple[int, int, str, float]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TokenFeatures:
    """What each token looks like, as ids: column ``k`` counts from 0 to ``sizes[k] - 1``.

    Rows follow the tokens of the whole corpus, document after document.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    ids: Int32[ndarray, "tokens features"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Votes:
    """What every labelling function said, one row per span and label, sorted by document and start.

    Spans are half-open and count the tokens of their document. Rows of one function on one span
    with several labels are a distribution. ``label`` counts ``space.names``: output labels first,
    then coarse ones.
    """

    space: LabelSpace
    functions: tuple[str, ...]
    covers: Bool[ndarray, "functions labels"]  # what each function declares it can say
    documents: tuple[str, ...]
    lengths: Int32[ndarray, " documents"]
    asked: Bool[ndarray, "documents functions"]  # False: the function never saw the document
    document: Int32[ndarray, " votes"]
    function: Int16[ndarray, " votes"]
    start: Int32[ndarray, " votes"]
    end: Int32[ndarray, " votes"]
    label: Int16[ndarray, " votes"]
    probability: Float32[ndarray, " votes"]
    features: TokenFeatures | None = None

    def __post_init__(self) -> None:
        # Read-only views: nobody's own array is frozen.
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, ndarray):
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, item.name, view)

    def __len__(self) -> int:
        return len(self.document)

    @property
    def tokens(self) -> int:
        """How many tokens all documents have together."""
        return int(self.lengths.sum())

    @classmethod
    def build(
        cls,
        proposals: Iterable[Mapping[str, Sequence[Span]]],
        *,
        lengths: Sequence[int],
        space: LabelSpace,
        functions: Mapping[str, Iterable[str]],
        documents: Sequence[str] | None = None,
        asked: Bool[ndarray, "documents functions"] | None = None,
        features: TokenFeatures | None = None,
    ) -> "Votes":
        """Return the votes of documents given as ``{function: [span, ...]}``.

        ``functions`` names each function's declared labels. Labels without a place in ``space``
        are left out.

        >>> votes = Votes.build(
        ...     [{"geo": [(0, 2, "LOC", 1.0)]}],
        ...     lengths=[5], space=LabelSpace(outputs=("LOC",)), functions={"geo": ["LOC"]},
        ... )
        >>> votes.start.tolist(), votes.end.tolist()
        ([0], [2])

        Raises:
            InputError: a span lies outside its document, or a function was not announced.
        """
        names = tuple(functions)
        index = {name: i for i, name in enumerate(names)}
        label_id = {name: i for i, name in enumerate(space.names)}
        label_id.update({fine: label_id[coarse] for fine, coarse in space.finer.items()})
        rows: list[tuple[int, int, int, int, int, float]] = []
        count = 0
        for number, said in enumerate(proposals):
            count += 1
            length = lengths[number]
            for name, spans in said.items():
                if name not in index:
                    raise InputError(f"votes of a function that was not announced: {name!r}")
                for start, end, label, probability in spans:
                    if not 0 <= start < end <= length:
                        raise InputError(
                            f"function {name!r} proposed span ({start}, {end}) in document "
                            f"{number}, which has {length} tokens"
                        )
                    if label in label_id:
                        rows.append((number, start, end, index[name], label_id[label], probability))
        rows.sort()
        columns = np.array(rows, dtype=np.float64).reshape(len(rows), 6).T
        covers = np.zeros((len(names), len(space.names)), dtype=bool)
        for name, labels in functions.items():
            for label in labels:
                if label in label_id:
                    covers[index[name], label_id[label]] = True
        if asked is None:
            asked = np.ones((count, len(names)), dtype=bool)
        return cls(
            space=space,
            functions=names,
            covers=covers,
            documents=tuple(documents or map(str, range(count))),
            lengths=np.asarray(lengths, dtype=np.int32),
            asked=asked,
            document=columns[0].astype(np.int32),
            start=columns[1].astype(np.int32),
            end=columns[2].astype(np.int32),
            function=columns[3].astype(np.int16),
            label=columns[4].astype(np.int16),
            probability=columns[5].astype(np.float32),
            features=features,
        )
