"""Which documents to list, and in what order: a filter over the index, in whole columns."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow.compute as pc
from jaxtyping import Bool, Int64
from numpy import ndarray

from silverspan.view.index import Index
from silverspan.view.review import value

Order = Literal["corpus", "value", "uncertainty", "conflict", "spans"]
State = Literal["", "open", "begun", "finished"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which documents to list."""

    text: str = ""
    label: str = ""
    function: str = ""
    state: State = ""
    uncertain: bool = False  # one wrong token or more is expected
    disputed: bool = False  # functions disagree on a token or more
    order: Order = "corpus"


def find(
    index: Index,
    wanted: Filter,
    labels: tuple[str, ...],
    functions: tuple[str, ...],
    begun: Bool[ndarray, " documents"],
    finished: Bool[ndarray, " documents"],
) -> Int64[ndarray, " found"]:
    """Return the numbers of the documents that pass a filter, in its order."""
    passes = np.ones(len(index), dtype=bool)
    if wanted.text:
        passes &= _holding(index, wanted.text)
    if wanted.label:
        passes &= index.has_label[:, labels.index(wanted.label)]
    if wanted.function:
        passes &= index.speaks[:, functions.index(wanted.function)]
    if wanted.uncertain:
        passes &= index.uncertainty >= 1.0
    if wanted.disputed:
        passes &= index.conflict > 0
    if wanted.state:
        states = {"open": ~finished, "begun": begun & ~finished, "finished": finished}
        passes &= states[wanted.state]
    numbers = np.flatnonzero(passes)
    if wanted.order == "corpus":
        return numbers
    return numbers[np.argsort(-_worth(index, wanted.order)[numbers], kind="stable")]


def _holding(index: Index, text: str) -> Bool[ndarray, " documents"]:
    found = pc.or_(
        pc.match_substring(index.texts, text, ignore_case=True),
        pc.match_substring(index.ids, text, ignore_case=True),
    )
    held: Bool[ndarray, " documents"] = found.to_numpy().astype(bool)
    return held


def _worth(index: Index, order: Order) -> ndarray:
    if order == "spans":
        return np.bincount(index.spans.document, minlength=len(index))
    if order == "conflict":
        return index.conflict
    if order == "uncertainty":
        return index.uncertainty
    return value(index.uncertainty.astype(np.float64), index.tokens.astype(np.float64))
