"""Names to token hashes, with the pipeline's own tokenizer.

A token is known by two 64-bit hashes, of its normalised text and of its folded text; they are the
hashes spaCy itself gives strings, so that no vocabulary has to be stored. spaCy's tokenizer cuts
at white space first, so each blank-separated piece of a name is tokenised once and remembered.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import srsly  # type: ignore[import-untyped]  # ships no types
from jaxtyping import Int64, UInt64
from numpy import ndarray
from spacy.language import Language
from spacy.strings import hash_string  # type: ignore[attr-defined]  # compiled, not in its stub
from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]  # compiled, without a stub

from silverspan.labelling.gazetteers.names import fold

#: Pieces remembered before the memory is emptied: bounds what a build of any size keeps.
_REMEMBERED = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenizerIdentity:
    """Which tokenizer cut the names: the language it is for and a fingerprint of its rules."""

    language: str
    fingerprint: str

    @classmethod
    def of(cls, tokenizer: Any) -> "TokenizerIdentity":
        """Return the identity of a tokenizer, or of a pipeline's tokenizer.

        Two tokenizers with the same rules are the same, whatever their vocabulary has seen.
        """
        if isinstance(tokenizer, Language):
            tokenizer = tokenizer.tokenizer
        kind = f"{type(tokenizer).__module__}.{type(tokenizer).__qualname__}"
        language = getattr(getattr(tokenizer, "vocab", None), "lang", "") or ""
        rules: Any = ""
        if isinstance(tokenizer, Tokenizer):
            rules = srsly.msgpack_loads(tokenizer.to_bytes(exclude=["vocab"]))
        text = json.dumps([kind, rules], sort_keys=True, default=str)
        return cls(language=language, fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16])


class NameTokens:
    """Cuts names into tokens and keeps the hashes of every token met."""

    def __init__(self, tokenizer: Any) -> None:
        if isinstance(tokenizer, Language):
            tokenizer = tokenizer.tokenizer
        self._tokenizer = tokenizer
        # Other tokenizers may look across white space: they see whole names.
        self._by_piece = isinstance(tokenizer, Tokenizer)
        self._vocab = tokenizer.vocab if self._by_piece else None
        self.clear()

    def clear(self) -> None:
        """Forget every piece and token."""
        self._pieces: dict[str, tuple[int, ...]] = {}
        self._ids: dict[str, int] = {}
        self._cased: list[int] = []
        self._folded: list[int] = []

    def _cut(self, piece: str) -> tuple[int, ...]:
        found = []
        for token in self._tokenizer(piece):
            text = token.text
            if text.isspace():
                continue
            number = self._ids.get(text)
            if number is None:
                number = self._ids[text] = len(self._cased)
                self._cased.append(hash_string(text))
                self._folded.append(hash_string(fold(text)))
            found.append(number)
        pieces = self._pieces[piece] = tuple(found)
        return pieces

    def split(
        self, names: Sequence[str]
    ) -> tuple[Int64[ndarray, " names"], UInt64[ndarray, " tokens"], UInt64[ndarray, " tokens"]]:
        """Return how many tokens each name has, and the cased and folded hashes of all of them."""
        if len(self._pieces) > _REMEMBERED:
            self.clear()
        # What the tokenizer adds to its vocabulary is given back: a dump has millions of words.
        with self._vocab.memory_zone() if self._vocab is not None else nullcontext():
            return self._split(names)

    def _split(
        self, names: Sequence[str]
    ) -> tuple[Int64[ndarray, " names"], UInt64[ndarray, " tokens"], UInt64[ndarray, " tokens"]]:
        known, cut = self._pieces, self._cut
        lengths: list[int] = []
        flat: list[int] = []
        before = 0
        for name in names:
            pieces: Iterable[str] = name.split(" ") if self._by_piece else (name,)
            for piece in pieces:
                ids = known.get(piece)
                flat.extend(cut(piece) if ids is None else ids)
            lengths.append(len(flat) - before)
            before = len(flat)
        ids_of_all = np.array(flat, dtype=np.int64)
        cased = np.array(self._cased, dtype=np.uint64)[ids_of_all]
        folded = np.array(self._folded, dtype=np.uint64)[ids_of_all]
        return np.array(lengths, dtype=np.int64), cased, folded
