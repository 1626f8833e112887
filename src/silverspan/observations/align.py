"""Votes seen through the functions and labels that a label model knows.

A model may be fitted on one set of votes and applied to another, whose functions stand in another
order, are fewer or more. What comes out has exactly the model's functions.
"""

import logging
from dataclasses import replace

import numpy as np

from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes

_log = logging.getLogger(__name__)


def align(votes: Votes, *, functions: tuple[str, ...], space: LabelSpace) -> Votes:
    """Return the votes of exactly these functions, in order, in this label space.

    Functions that are not known are ignored, and said so in the log; functions that gave no votes
    file a column are absent everywhere: absent is not silent.

    >>> votes = Votes.build(
    ...     [{"new": [(0, 1, "LOC", 1.0)]}], lengths=[1],
    ...     space=LabelSpace(outputs=("LOC",)), functions={"new": ["LOC"]},
    ... )
    >>> seen = align(votes, functions=("geo",), space=votes.space)
    >>> len(seen), seen.asked.tolist()
    (0, [[False]])
    """
    if votes.space != space:
        votes = votes.relabelled(space)
    if votes.functions == functions:
        return votes
    unknown = [name for name in votes.functions if name not in functions]
    if unknown:
        _log.info("ignored, for the model was fitted without them: %s", ", ".join(unknown))
    known = [name for name in functions if name in votes.functions]
    votes = votes.select(known)
    column = np.array([functions.index(name) for name in known], dtype=np.int64)
    covers = np.zeros((len(functions), len(space.names)), dtype=bool)
    covers[column] = votes.covers
    asked = np.zeros((len(votes.documents), len(functions)), dtype=bool)
    asked[:, column] = votes.asked
    return replace(
        votes,
        functions=functions,
        covers=covers,
        asked=asked,
        function=column[votes.function].astype(np.int16),
    )
