"""Votes: the one table that aggregation reads, one row per span and label that a function proposed.

Goes in: what labelling functions said (apply.py) or a votes file (jsonl.py, parquet.py). Comes
out: flat arrays. Nothing here knows text, except for the optional table of token-feature ids.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from jaxtyping import Bool, Float32, Int16, Int32
from numpy import ndarray

from silverspan.errors import InputError, UnknownNameError
from silverspan.labels import LabelSpace

Span = tuple[int, int, str, float]
#: What a function says of tokens that are in no entity.
OUTSIDE = "O"


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
    with several labels are a distribution; no row stands twice. ``label`` counts ``space.names``:
    output labels first, then coarse ones. Rows are sorted by document, start, end, function, label.
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
        are left out. Where several labels of one function on one span map onto the same one,
        their probabilities are added up (to no more than 1). A function that declares only "O"
        says where no entity is: whatever others propose across such a token loses that much of
        its probability, and goes where none is left.

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
        number_of = {name: i for i, name in enumerate(names)}
        label_id = {name: i for i, name in enumerate(space.names)}
        label_id.update({fine: label_id[target] for fine, target in space.finer.items()})
        flat: list[Span] = []
        blocks: list[tuple[int, int, int]] = []  # document, function, how many spans
        count = 0
        for document, said in enumerate(proposals):
            count += 1
            for name, spans in said.items():
                if name not in number_of:
                    raise InputError(f"votes of a function that was not announced: {name!r}")
                blocks.append((document, number_of[name], len(spans)))
                flat.extend(spans)
        sizes = np.array(lengths, dtype=np.int32)
        table = np.array(blocks, dtype=np.int64).reshape(len(blocks), 3)
        document_of, function_of = np.repeat(table[:, :2], table[:, 2], axis=0).T
        starts, ends, labels, probabilities = zip(*flat, strict=True) if flat else ((),) * 4
        start, end = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
        _check_bounds(start, end, document_of, function_of, sizes, names)
        covers = np.zeros((len(names), len(space.names)), dtype=bool)
        denies = np.zeros(len(names), dtype=bool)
        for name, declared in functions.items():
            denies[number_of[name]] = set(declared) == {OUTSIDE}
            for label in declared:
                if label in label_id:
                    covers[number_of[name], label_id[label]] = True
        rows = {
            "document": document_of,
            "start": start,
            "end": end,
            "function": function_of,
            "label": np.array([label_id.get(label, -1) for label in labels], dtype=np.int64),
            "probability": np.array(probabilities, dtype=np.float64),
        }
        if denies[function_of].any():
            rows = _denied(rows, denies[function_of], sizes)
        return cls._sorted(
            rows=rows,
            space=space,
            functions=names,
            covers=covers,
            documents=tuple(map(str, range(count) if documents is None else documents)),
            lengths=sizes,
            asked=np.ones((count, len(names)), dtype=bool) if asked is None else asked,
            features=features,
        )

    @classmethod
    def _sorted(cls, rows: dict[str, ndarray], **others: Any) -> "Votes":
        """Return the votes of unsorted rows; label or function -1 leaves a row out."""
        keep = np.flatnonzero((rows["label"] >= 0) & (rows["function"] >= 0))
        keys = [rows[name][keep] for name in _ORDER]
        order = np.lexsort(keys[::-1])
        probability = rows["probability"][keep[order]].astype(np.float64)
        sorted_keys = np.array([key[order] for key in keys], dtype=np.int64)
        is_new = np.ones(len(order), dtype=bool)
        is_new[1:] = (sorted_keys[:, 1:] != sorted_keys[:, :-1]).any(axis=0)
        first = np.flatnonzero(is_new)
        if len(first) < len(order):
            probability = np.minimum(np.add.reduceat(probability, first), 1.0)
        columns = dict(zip(_ORDER, sorted_keys[:, first], strict=True))
        return cls(
            **others,
            document=columns["document"].astype(np.int32),
            start=columns["start"].astype(np.int32),
            end=columns["end"].astype(np.int32),
            function=columns["function"].astype(np.int16),
            label=columns["label"].astype(np.int16),
            probability=probability.astype(np.float32),
        )

    def _rows(self) -> dict[str, ndarray]:
        return {name: getattr(self, name) for name in (*_ORDER, "probability")}

    def select(self, functions: Iterable[str]) -> "Votes":
        """Return the votes of some functions, in that order; ``*`` and ``?`` match many names.

        >>> votes = Votes.build(
        ...     [{}], lengths=[1], space=LabelSpace(outputs=("LOC",)),
        ...     functions={"geo_cased": [], "geo_uncased": [], "crowd": []},
        ... )
        >>> votes.select(["geo_*"]).functions
        ('geo_cased', 'geo_uncased')

        Raises:
            UnknownNameError: no function is called so.
        """
        chosen = list(dict.fromkeys(i for name in functions for i in self._numbers_of(name)))
        renumber = np.full(len(self.functions), -1)
        renumber[chosen] = np.arange(len(chosen))
        return self._sorted(
            rows={**self._rows(), "function": renumber[self.function]},
            space=self.space,
            functions=tuple(self.functions[i] for i in chosen),
            covers=self.covers[chosen],
            documents=self.documents,
            lengths=self.lengths,
            asked=self.asked[:, chosen],
            features=self.features,
        )

    def without(self, functions: Iterable[str]) -> "Votes":
        """Return the votes of all functions but some; names as in ``select``.

        Raises:
            UnknownNameError: no function is called so.
        """
        dropped = {i for name in functions for i in self._numbers_of(name)}
        return self.select(name for i, name in enumerate(self.functions) if i not in dropped)

    def _numbers_of(self, name: str) -> list[int]:
        if name in self.functions:
            return [self.functions.index(name)]
        found = [i for i, known in enumerate(self.functions) if fnmatchcase(known, name)]
        if not found:
            raise UnknownNameError("function of these votes", name, self.functions)
        return found

    def relabelled(self, space: LabelSpace) -> "Votes":
        """Return the same votes in another label space; labels without a place in it are left out.

        >>> votes = Votes.build(
        ...     [{"geo": [(0, 1, "GPE", 0.5), (0, 1, "FAC", 0.25)]}], lengths=[1],
        ...     space=LabelSpace(outputs=("GPE", "FAC")), functions={"geo": ["GPE"]},
        ... )
        >>> coarser = LabelSpace(outputs=("LOC",), finer={"GPE": "LOC", "FAC": "LOC"})
        >>> votes.relabelled(coarser).probability.tolist()
        [0.75]
        """
        targets = [space.id_of(name) for name in self.space.names]
        renumber = np.array([-1 if target is None else target for target in targets])
        covers = np.zeros((len(self.functions), len(space.names)), dtype=bool)
        for label, target in enumerate(targets):
            if target is not None:
                covers[:, target] |= self.covers[:, label]
        return self._sorted(
            rows={**self._rows(), "label": renumber[self.label]},
            space=space,
            functions=self.functions,
            covers=covers,
            documents=self.documents,
            lengths=self.lengths,
            asked=self.asked,
            features=self.features,
        )

    def slice(self, start: int, stop: int) -> "Votes":
        """Return the documents from ``start`` to before ``stop``, with their votes and features."""
        low, high = np.searchsorted(self.document, [start, stop])
        columns: dict[str, Any] = {name: rows[low:high] for name, rows in self._rows().items()}
        columns["document"] = columns["document"] - np.int32(start)
        features = self.features
        if features is not None:
            offsets = np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)])
            features = replace(features, ids=features.ids[offsets[start] : offsets[stop]])
        return replace(
            self,
            documents=self.documents[start:stop],
            lengths=self.lengths[start:stop],
            asked=self.asked[start:stop],
            features=features,
            **columns,
        )

    @classmethod
    def concatenate(cls, parts: Sequence["Votes"]) -> "Votes":
        """Return the documents of all parts, in order.

        A function that a part does not know is absent there. Features are kept if all parts have
        the same ones.

        Raises:
            InputError: there are no parts, or they differ in their label space.
        """
        if not parts:
            raise InputError("there are no votes to concatenate")
        space = parts[0].space
        if any(part.space != space for part in parts):
            raise InputError("the votes have different label spaces; use relabelled() first")
        functions = tuple(dict.fromkeys(name for part in parts for name in part.functions))
        total = sum(len(part.documents) for part in parts)
        covers = np.zeros((len(functions), len(space.names)), dtype=bool)
        asked = np.zeros((total, len(functions)), dtype=bool)
        rows: dict[str, list[ndarray]] = {name: [] for name in (*_ORDER, "probability")}
        first = 0
        for part in parts:
            renumber = np.array([functions.index(name) for name in part.functions], dtype=np.int64)
            covers[renumber] |= part.covers
            asked[first : first + len(part.documents), renumber] = part.asked
            own = part._rows()
            own["document"] = own["document"] + first
            own["function"] = renumber[own["function"]]
            for name, column in own.items():
                rows[name].append(column)
            first += len(part.documents)
        return cls._sorted(
            rows={name: np.concatenate(columns) for name, columns in rows.items()},
            space=space,
            functions=functions,
            covers=covers,
            documents=tuple(name for part in parts for name in part.documents),
            lengths=np.concatenate([part.lengths for part in parts]),
            asked=asked,
            features=_joined_features([part.features for part in parts]),
        )


_ORDER = ("document", "start", "end", "function", "label")


def _denied(
    rows: dict[str, ndarray], denies: Bool[ndarray, " rows"], lengths: Int32[ndarray, " documents"]
) -> dict[str, ndarray]:
    """Return the rows that propose something, weakened where other rows say that nothing is.

    The most confident denial across a span counts; a span of which nothing is left is no vote.
    """
    offset = np.cumsum(lengths, dtype=np.int64) - lengths
    first, last = offset[rows["document"]] + rows["start"], offset[rows["document"]] + rows["end"]
    doubt = np.zeros(int(lengths.sum()))
    for row in np.flatnonzero(denies):
        tokens = slice(first[row], last[row])
        doubt[tokens] = np.maximum(doubt[tokens], rows["probability"][row])
    kept = np.flatnonzero(~denies)
    # Most spans meet no denial; the others are few and short.
    doubted = np.concatenate([[0], np.cumsum(doubt > 0)])
    met = kept[doubted[last[kept]] > doubted[first[kept]]]
    probability, label = rows["probability"].copy(), rows["label"].copy()
    for row in met:
        probability[row] *= 1.0 - doubt[first[row] : last[row]].max()
    label[met[probability[met] <= 0.0]] = -1
    rows = {**rows, "probability": probability, "label": label}
    return {name: values[kept] for name, values in rows.items()}


def _check_bounds(
    start: ndarray,
    end: ndarray,
    document: ndarray,
    function: ndarray,
    lengths: ndarray,
    names: tuple[str, ...],
) -> None:
    wrong = np.flatnonzero((start < 0) | (start >= end) | (end > lengths[document]))
    if len(wrong):
        i = wrong[0]
        raise InputError(
            f"function {names[function[i]]!r} proposed span ({start[i]}, {end[i]}) in document "
            f"{document[i]}, which has {lengths[document[i]]} tokens"
        )


def _joined_features(parts: Sequence[TokenFeatures | None]) -> TokenFeatures | None:
    known = [part for part in parts if part is not None]
    first = known[0] if known else None
    if first is None or len(known) < len(parts):
        return None
    if any(part.names != first.names or part.sizes != first.sizes for part in known):
        return None
    return replace(first, ids=np.concatenate([part.ids for part in known]))
