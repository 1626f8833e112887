"""Documents to arrays for the search: each distinct token is looked at once, then known by number.

Goes in: spaCy documents. Comes out: a ``Batch`` of their tokens in a row, ``BOUNDARY`` between
documents. White-space tokens are left out, so a name may run over a line break. A token that the
gazetteers' tokenizer would cut further ("Coca-Cola" in a corpus cut at blanks) is taken apart;
a name then begins and ends only where a token of the document does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Int32, UInt8, UInt64
from numpy import ndarray
from spacy.attrs import (  # type: ignore[import-not-found]  # compiled, without a stub
    DEP,
    HEAD,
    ORTH,
    POS,
    SENT_START,
    TAG,
)
from spacy.strings import (  # type: ignore[attr-defined]  # hash_string is not in its stub
    get_string_id,
    hash_string,
)
from spacy.tokens import Doc

from silverspan.labelling.frequency import rank
from silverspan.labelling.gazetteers import search
from silverspan.labelling.gazetteers.index import Gazetteer
from silverspan.labelling.gazetteers.names import fold, normalise

#: What a token looks like, as bits.
TITLE, UPPER, MIXED, STOP, LEGAL, COMMA, WORD, STOPS_SENTENCE = (2**bit for bit in range(8))

#: The rank of words that no list has.
UNRANKED = 2**31 - 1

#: English names of days and months. Towns, people and companies bear them too, but a day or a month
#: is what they nearly always mean alone: they count as stop words.
CALENDAR = frozenset(
    (
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january"),
        *("february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december"),
    )
)

#: Forms that follow a company's name and belong to it, without their dots.
LEGAL_FORMS = frozenset(
    (
        *("inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "llc"),
        *("llp", "lp", "plc", "pty", "pte", "gmbh", "ag", "kg", "se", "sa", "sas", "sarl", "spa"),
        *("srl", "nv", "bv", "ab", "oy", "oyj", "as", "asa", "aps", "kk", "bhd", "sdn", "tbk"),
    )
)
#: Of these, the ones that are words as well: they count only with a capital letter.
_ALSO_WORDS = frozenset(("as", "co", "company", "limited", "se", "spa", "sa", "ab", "ag"))
_REMEMBERED = 2_000_000


def shape_of(text: str) -> int:
    """Return the bits that tell what a token looks like.

    >>> shape_of("Oslo") & TITLE > 0, shape_of("U.S.") & UPPER > 0, shape_of("iPad") & MIXED > 0
    (True, True, True)
    """
    bits = 0
    letters = [c for c in text if c.isalpha()]
    if letters:
        bits |= WORD
        upper = sum(c.isupper() for c in letters)
        if upper == len(letters) and len(letters) > 1:
            bits |= UPPER
        elif letters[0].isupper():
            bits |= TITLE
        elif upper:
            bits |= MIXED
        bare = text.lower().replace(".", "")
        if bare in LEGAL_FORMS and (bare not in _ALSO_WORDS or upper):
            bits |= LEGAL
    elif text == ",":
        bits |= COMMA
    elif text in {".", "!", "?"}:
        bits |= STOPS_SENTENCE
    return bits


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Batch:
    """The tokens of some documents in a row; parts of a token stand for it where it was cut.

    ``origin`` counts within the document; ``document`` is -1 at boundaries. ``compound`` marks
    tokens that the parser makes part of a compound that goes on after them.
    """

    token: Int32[ndarray, " tokens"]
    document: Int32[ndarray, " tokens"]
    origin: Int32[ndarray, " tokens"]
    opens: Bool[ndarray, " tokens"]
    closes: Bool[ndarray, " tokens"]
    starts_sentence: Bool[ndarray, " tokens"]
    proper_noun: Bool[ndarray, " tokens"]
    compound: Bool[ndarray, " tokens"]
    shape: UInt8[ndarray, " tokens"]
    rank: Int32[ndarray, " tokens"]
    folded: UInt64[ndarray, " tokens"]
    cased: UInt64[ndarray, " tokens"]


class Lexicon:
    """Every distinct token met so far, with what searching must know of it."""

    def __init__(
        self,
        gazetteers: Sequence[Gazetteer],
        *,
        cut: Callable[[str], Sequence[str]] | None = None,
        stop_words: frozenset[str] = frozenset(),
    ) -> None:
        self._gazetteers = tuple(gazetteers)
        self._cut = cut
        self._stop_words = stop_words
        self._longest = max((g.header.longest for g in gazetteers), default=1)
        self._forget()

    def _forget(self) -> None:
        self._by_orth: dict[int, int] = {}
        self._by_text: dict[str, int] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self._spaces: set[int] = set()
        self._new: list[tuple[int, int, int, int]] = []
        self._folded = np.empty(0, np.uint64)
        self._cased = np.empty(0, np.uint64)
        self._shape = np.empty(0, np.uint8)
        self._rank = np.empty(0, np.int32)
        self._special = np.empty(0, bool)
        self._first = [np.empty(0, np.uint8) for _ in self._gazetteers]
        # Number 0 is the boundary between documents.
        self._new.append((int(search.BOUNDARY), int(search.BOUNDARY), 0, UNRANKED))
        self._by_text["\0"] = 0

    def _number(self, text: str) -> int:
        number = self._by_text.get(text)
        if number is None:
            number = self._by_text[text] = len(self._by_text)
            plain = normalise(text)
            folded = fold(plain)
            stop = STOP if folded in self._stop_words else 0
            place = rank(folded)
            self._new.append(
                (
                    hash_string(folded),
                    hash_string(plain),
                    shape_of(plain) | stop,
                    UNRANKED if place is None else place,
                )
            )
        return number

    def _learn(self, orth: int, text: str) -> None:
        number = self._by_orth[orth] = self._number(text)
        if text.isspace() or not text:
            self._spaces.add(number)
        elif self._cut is not None and not text.isalnum():
            parts = self._cut(text)
            if len(parts) > 1:
                self._parts[number] = tuple(self._number(part) for part in parts)

    def _settle(self) -> None:
        """Move what was learned into the arrays."""
        if not self._new:
            return
        folded, cased, shape, ranks = zip(*self._new, strict=True)
        new = np.array(folded, dtype=np.uint64)
        known = len(self._folded)
        self._folded = np.concatenate([self._folded, new])
        self._cased = np.concatenate([self._cased, np.array(cased, dtype=np.uint64)])
        self._shape = np.concatenate([self._shape, np.array(shape, dtype=np.uint8)])
        self._rank = np.concatenate([self._rank, np.array(ranks, dtype=np.int32)])
        for place, gazetteer in enumerate(self._gazetteers):
            bits = search.filter_bits(new, gazetteer.filters)
            if not known:
                bits[0] = 0
            self._first[place] = np.concatenate([self._first[place], bits])
        special = np.zeros(len(self._folded), dtype=bool)
        special[list(self._parts)] = True
        special[list(self._spaces)] = True
        self._special = special
        self._new = []

    def first_bits(self, batch: Batch, place: int) -> UInt8[ndarray, " tokens"]:
        """Return the filter bits of each token as the first of a name of one gazetteer."""
        bits: ndarray = self._first[place][batch.token]
        if not batch.opens.all():
            bits = bits * batch.opens
        return bits

    def batch(self, docs: Sequence[Doc]) -> Batch:
        """Return the documents' tokens as arrays."""
        if len(self._by_text) > _REMEMBERED:
            self._forget()
        columns = [self._read(doc) for doc in docs]
        self._settle()
        lengths = np.array([len(column) for column in columns], dtype=np.int64)
        gap = self._longest
        # One row of zeros after each document, and as many at the end as a search may look ahead.
        at = np.cumsum(lengths + 1) - (lengths + 1)
        size = int((lengths + 1).sum()) + gap
        flat = np.zeros((size, 5), dtype=np.int32)
        document = np.full(size, -1, dtype=np.int32)
        origin = np.zeros(size, dtype=np.int32)
        for number, (column, begin) in enumerate(zip(columns, at.tolist(), strict=True)):
            end = begin + len(column)
            flat[begin:end] = column
            document[begin:end] = number
            origin[begin:end] = np.arange(len(column), dtype=np.int32)
        return self._arrange(flat, document, origin)

    def _read(self, doc: Doc) -> ndarray:
        """Return per token: number, starts a sentence, proper noun, compound, sentences unknown."""
        values = doc.to_array(_ATTRIBUTES)
        orths = values[:, 0].tolist()
        known = self._by_orth
        try:
            numbers = [known[orth] for orth in orths]
        except KeyError:
            for orth in set(orths).difference(known):
                self._learn(orth, doc.vocab.strings[orth])
            numbers = [known[orth] for orth in orths]
        column = np.zeros((len(orths), 5), dtype=np.int32)
        column[:, 0] = numbers
        if doc.has_annotation("SENT_START"):
            column[:, 1] = values[:, 1] == 1
        else:
            column[:, 4] = 1
        if len(column):
            column[0, 1] = 1
        tags, parts_of_speech = values[:, 2], values[:, 5]
        column[:, 2] = (parts_of_speech == _PROPN) | (tags == _NNP) | (tags == _NNPS)
        column[:, 3] = (values[:, 3] == _COMPOUND) & (values[:, 4].astype(np.int64) > 0)
        return column

    def _arrange(self, flat: ndarray, document: ndarray, origin: ndarray) -> Batch:
        token = flat[:, 0]
        opens = closes = np.ones(len(token), dtype=bool)
        special = np.flatnonzero(self._special[token])
        if len(special):
            counts = np.ones(len(token), dtype=np.int64)
            parts: list[tuple[int, ...]] = []
            for number in token[special].tolist():
                parts.append(() if number in self._spaces else self._parts[number])
            counts[special] = [len(part) for part in parts]
            which = np.repeat(np.arange(len(token)), counts)
            begins = np.cumsum(counts) - counts
            opens = np.zeros(len(which), dtype=bool)
            closes = opens.copy()
            some = counts > 0
            opens[begins[some]] = True
            closes[(begins + counts - 1)[some]] = True
            new = token[which]
            for begin, part in zip(begins[special].tolist(), parts, strict=True):
                new[begin : begin + len(part)] = part
            # A sentence that begins with white space begins at the word after it.
            blank = special[counts[special] == 0]
            moved = blank[(flat[blank, 1] == 1) & (blank + 1 < len(flat))] + 1
            flat[moved[document[moved] >= 0], 1] = 1
            flat, document, origin, token = flat[which], document[which], origin[which], new
        shape = self._shape[token]
        starts = (flat[:, 1] == 1) & opens
        guessed = np.flatnonzero(flat[:, 4])
        if len(guessed):
            # Without sentences: a sentence starts after a full stop.
            after = guessed[(guessed > 0)]
            starts[after] |= (shape[after - 1] & STOPS_SENTENCE) > 0
        return Batch(
            token=token,
            document=document,
            origin=origin,
            opens=opens,
            closes=closes,
            starts_sentence=starts,
            proper_noun=flat[:, 2] == 1,
            compound=flat[:, 3] == 1,
            shape=shape,
            rank=self._rank[token],
            folded=self._folded[token],
            cased=self._cased[token],
        )


_ATTRIBUTES: list[Any] = [ORTH, SENT_START, TAG, DEP, HEAD, POS]
# A string has the same number in every vocabulary.
_NNP, _NNPS, _PROPN, _COMPOUND = (
    np.uint64(get_string_id(name)) for name in ("NNP", "NNPS", "PROPN", "compound")
)
