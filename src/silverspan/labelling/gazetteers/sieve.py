"""The paper's sieve: which names found are worth proposing. Each rule can be switched off.

Goes in: spans found and the batch they were found in. Comes out: which to keep, where they end.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Int32
from numpy import ndarray

from silverspan.labelling.gazetteers.lexicon import (
    COMMA,
    LEGAL,
    MIXED,
    STOP,
    TITLE,
    UPPER,
    WORD,
    Batch,
)

#: A sentence with more than this share of its words in capitals is a headline: its capitals say
#: nothing.
_SHOUTING = 0.6
#: Words up to this rank need more than a capital that any word may have. Rarer ones with a capital
#: are names more often than not, even in a headline or at the start of a sentence.
COMMON = 5_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Sieve:
    """Which rules hold.

    ``proper``: one token of a name looks like a proper name. ``compound``: a name does not start
    after a token that the parser makes part of the same compound. ``legal``: a legal form after a
    company's name is taken in. ``common``: a single word up to this rank is a name only where a
    tagger says so or where its capital is no accident, a stop word, a day or a month only as an
    acronym ("US"); 0 switches the rule off.
    ``gap``: the token after a name starts no other.

    >>> Sieve.off().options()
    {'proper': False, 'compound': False, 'legal': False, 'common': 0, 'gap': False}
    """

    proper: bool = True
    compound: bool = True
    legal: bool = True
    common: int = COMMON
    gap: bool = True

    @classmethod
    def off(cls) -> "Sieve":
        """Return the sieve that lets everything pass."""
        return cls(proper=False, compound=False, legal=False, common=0, gap=False)

    def options(self) -> dict[str, Any]:
        """Return the rules as plain data."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Evidence:
    """What the rules ask of each token of a batch; sums run over the tokens before it."""

    names_before: Int32[ndarray, " bounds"]
    words_before: Int32[ndarray, " bounds"]
    capital_is_meant: Bool[ndarray, " tokens"]

    @classmethod
    def of(cls, batch: Batch) -> "Evidence":
        """Look at every token once, whatever the number of gazetteers."""
        shape = batch.shape
        title, upper = (shape & TITLE) > 0, (shape & UPPER) > 0
        word = (shape & WORD) > 0
        sentence = np.cumsum(batch.starts_sentence)
        words = np.bincount(sentence, weights=word)
        shouted = np.bincount(sentence, weights=upper)
        # A line of one or two words may be an acronym and a verb: it takes three to shout.
        shouting = ((shouted > _SHOUTING * words) & (words > 2))[sentence]
        meant = (title & ~batch.starts_sentence & ~shouting) | (upper & ~shouting)
        meant |= (shape & MIXED) > 0
        accidental = (title | upper) & (batch.rank > COMMON)
        looks_proper = batch.proper_noun | meant | accidental
        ordinary = (shape & STOP) > 0
        return cls(
            names_before=_running(looks_proper),
            words_before=_running(word & ~ordinary),
            capital_is_meant=meant & ~ordinary | (upper & meant),
        )


def _running(flags: Bool[ndarray, " tokens"]) -> Int32[ndarray, " bounds"]:
    sums = np.zeros(len(flags) + 1, dtype=np.int32)
    np.cumsum(flags, out=sums[1:])
    return sums


def keep(
    sieve: Sieve,
    batch: Batch,
    evidence: Evidence,
    start: Int32[ndarray, " spans"],
    end: Int32[ndarray, " spans"],
) -> Bool[ndarray, " spans"]:
    """Return which spans pass the rules ``proper``, ``compound`` and ``common``."""
    kept = np.ones(len(start), dtype=bool)
    if sieve.proper:
        kept &= evidence.names_before[end] > evidence.names_before[start]
    if sieve.compound:
        inside = batch.compound[np.maximum(start - 1, 0)]
        # Particles and nouns before a name are no part of it: only what looks like a name is.
        kept &= ~(inside & batch.proper_noun[np.maximum(start - 1, 0)] & (start > 0))
    if sieve.common:
        single = end - start == 1
        common = single & (batch.rank[start] <= sieve.common)
        allowed = batch.proper_noun[start] | evidence.capital_is_meant[start]
        # Names of stop words alone: "It", "The The".
        empty = evidence.words_before[end] == evidence.words_before[start]
        acronym = ((batch.shape[start] & UPPER) > 0) & evidence.capital_is_meant[start]
        kept &= ~(common & ~allowed) & ~(empty & ~acronym)
    return kept


def take_legal_form(
    batch: Batch, end: Int32[ndarray, " spans"], company: Bool[ndarray, " spans"]
) -> Int32[ndarray, " spans"]:
    """Return the ends moved over a legal form, and a comma before it, that follows a company."""
    last = len(batch.shape) - 1
    first, second = np.minimum(end, last), np.minimum(end + 1, last)
    plain = company & ((batch.shape[first] & LEGAL) > 0)
    comma = company & ((batch.shape[first] & COMMA) > 0) & ((batch.shape[second] & LEGAL) > 0)
    return (end + np.where(plain, 1, np.where(comma, 2, 0))).astype(np.int32)
