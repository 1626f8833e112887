"""One search for every variant of every gazetteer: documents in, proposals of each function out.

A ``Variant`` is one function: which gazetteer, with or without case, all names or those of several
tokens only. ``GazetteerFamily`` searches for all of its variants at once. function.py makes
labelling functions of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import spacy
from numpy import ndarray
from spacy.tokens import Doc

from silverspan.errors import GazetteerError
from silverspan.labelling.function import Proposal
from silverspan.labelling.gazetteers import search
from silverspan.labelling.gazetteers.index import Gazetteer
from silverspan.labelling.gazetteers.lexicon import CALENDAR, Batch, Lexicon
from silverspan.labelling.gazetteers.sieve import Evidence, Sieve, keep, take_legal_form
from silverspan.labelling.gazetteers.tokens import TokenizerIdentity

#: Labels of things that a legal form may follow.
COMPANY_LABELS = frozenset(("ORG", "COMPANY", "CORPORATION", "ORGANIZATION", "ORGANISATION"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """One way to search one gazetteer, under the name of its labelling function."""

    name: str
    gazetteer: Gazetteer
    subset: int = 0
    cased: bool = True
    multitoken: bool = False
    sieve: Sieve = field(default_factory=Sieve)
    file: str = ""


class GazetteerFamily:
    """The gazetteer functions of a project, computed in one pass over the documents."""

    def __init__(self, variants: Iterable[Variant]) -> None:
        self.variants = tuple(variants)
        self.gazetteers = tuple(dict.fromkeys(v.gazetteer for v in self.variants))
        identities = {gazetteer.header.tokenizer for gazetteer in self.gazetteers}
        if len(identities) > 1:
            listing = "; ".join(
                f"{g.path}: {g.header.tokenizer.language}:{g.header.tokenizer.fingerprint}"
                for g in self.gazetteers
            )
            raise GazetteerError(
                f"gazetteers compiled for different tokenizers cannot be searched together: "
                f"{listing}. Rebuild one of them with: "
                f"{self.gazetteers[0].rebuild_command('PIPELINE')}"
            )
        # Made at the first document: a worker process makes its own.
        self._lexicon: Lexicon | None = None

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return GazetteerFamily, (self.variants,)

    def check_tokenizer(self, tokenizer: Any) -> None:
        """Refuse a pipeline whose tokenizer is not the one that cut the names.

        Raises:
            GazetteerError: with the command that rebuilds the gazetteer for it.
        """
        for gazetteer in self.gazetteers:
            gazetteer.check_tokenizer(tokenizer)

    def propose(self, docs: Sequence[Doc]) -> list[dict[str, list[Proposal]]]:
        """Return, for each document, what each variant says."""
        said: list[dict[str, list[Proposal]]] = [
            {variant.name: [] for variant in self.variants} for _ in docs
        ]
        if not docs or not self.variants:
            return said
        if self._lexicon is None:
            self._lexicon = _lexicon(self.gazetteers)
        batch = self._lexicon.batch(docs)
        evidence = Evidence.of(batch)
        for place, gazetteer in enumerate(self.gazetteers):
            # The multi-token variant of a search is a part of it.
            searches: dict[tuple[int, bool, Sieve], list[Variant]] = {}
            for variant in self.variants:
                if variant.gazetteer is gazetteer:
                    search_ = (variant.subset, variant.cased, variant.sieve)
                    searches.setdefault(search_, []).append(variant)
            with gazetteer.searched():
                hits = _hits(gazetteer, batch, self._lexicon.first_bits(batch, place))
                for (subset, cased, sieve), variants in searches.items():
                    spans = _spans(gazetteer, subset, cased, sieve, batch, evidence, hits)
                    _say(said, variants, gazetteer.meanings[subset], batch, *spans)
        return said


def find_all(gazetteer: Gazetteer, doc: Doc) -> list[tuple[int, int, int | None, int]]:
    """Return every span of a document that is a name: start, end, and its numbered meanings.

    The third says what the spelling means, ``None`` if only the case differs from a known one, the
    fourth what it means whatever its case.
    """
    lexicon = _lexicon([gazetteer])
    batch = lexicon.batch([doc])
    with gazetteer.searched():
        hits = _hits(gazetteer, batch, lexicon.first_bits(batch, 0))
    start, length, uncased, same_case, cased = hits
    return [
        (first, last + 1, with_case if row >= 0 else None, without)
        for first, last, with_case, row, without in zip(
            batch.origin[start].tolist(),
            batch.origin[start + length - 1].tolist(),
            cased.tolist(),
            same_case.tolist(),
            uncased.tolist(),
            strict=True,
        )
    ]


@cache
def _blank(language: str) -> tuple[Any, TokenizerIdentity, frozenset[str]]:
    try:
        blank = spacy.blank(language or "xx")
    except ImportError:
        blank = spacy.blank("xx")
    stop_words = frozenset(word.lower() for word in blank.Defaults.stop_words)
    if language == "en":
        stop_words |= CALENDAR
    return blank.tokenizer, TokenizerIdentity.of(blank), stop_words


def _lexicon(gazetteers: Sequence[Gazetteer]) -> Lexicon:
    """Return a lexicon that cuts tokens as the names were cut, if that tokenizer is known here."""
    identity = gazetteers[0].header.tokenizer
    tokenizer, of_blank, stop_words = _blank(identity.language)
    cut: Callable[[str], Sequence[str]] | None = None
    if of_blank.fingerprint == identity.fingerprint:

        def cut(text: str) -> Sequence[str]:
            return [token.text for token in tokenizer(text)]

    return Lexicon(gazetteers, cut=cut, stop_words=stop_words)


def _hits(gazetteer: Gazetteer, batch: Batch, first: ndarray) -> tuple[ndarray, ...]:
    start, length, row, same_case = search.find_names(
        batch.folded,
        batch.cased,
        first,
        filters=gazetteer.filters,
        keys=gazetteer.keys,
        bounds=gazetteer.bounds,
        variants=gazetteer.variants,
        longest=gazetteer.header.longest,
    )
    if not batch.closes.all():
        whole = np.flatnonzero(batch.closes[start + length - 1])
        start, length, row, same_case = start[whole], length[whole], row[whole], same_case[whole]
    return start, length, gazetteer.uncased[row], same_case, gazetteer.cased[same_case]


def _spans(
    gazetteer: Gazetteer,
    subset: int,
    cased: bool,
    sieve: Sieve,
    batch: Batch,
    evidence: Evidence,
    hits: tuple[ndarray, ...],
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return start, end, meaning and length as filed of the spans of one search."""
    start, length, uncased_meaning, same_case, cased_meaning = hits
    meaning = cased_meaning if cased else uncased_meaning
    allowed = gazetteer.means_something[subset][meaning] > 0
    if cased:
        allowed &= same_case >= 0
    chosen = search.longest_at_each_start(start, allowed)
    start, length, meaning = start[chosen], length[chosen], meaning[chosen]
    end = start + length
    good = np.flatnonzero(keep(sieve, batch, evidence, start, end))
    start, end, length, meaning = start[good], end[good], length[good], meaning[good]
    if sieve.legal:
        end = take_legal_form(batch, end, _is_company(gazetteer, subset)[meaning])
    taken = search.left_to_right(start, end, int(sieve.gap))
    return start[taken], end[taken], meaning[taken], length[taken]


def _is_company(gazetteer: Gazetteer, subset: int) -> ndarray:
    return np.array(
        [
            any(label.upper() in COMPANY_LABELS for label, _ in meaning)
            for meaning in gazetteer.meanings[subset]
        ]
    )


def _say(
    said: list[dict[str, list[Proposal]]],
    variants: Sequence[Variant],
    meanings: Sequence[Sequence[tuple[str, float]]],
    batch: Batch,
    start: ndarray,
    end: ndarray,
    meaning: ndarray,
    length: ndarray,
) -> None:
    everything = [variant.name for variant in variants if not variant.multitoken]
    multitoken = [variant.name for variant in variants if variant.multitoken]
    for document, first, last, number, tokens in zip(
        batch.document[start].tolist(),
        batch.origin[start].tolist(),
        batch.origin[end - 1].tolist(),
        meaning.tolist(),
        (batch.origin[start + length - 1] > batch.origin[start]).tolist(),
        strict=True,
    ):
        proposals = [
            (first, last + 1, label, probability) for label, probability in meanings[number]
        ]
        here = said[document]
        for name in everything:
            here[name] += proposals
        if tokens:
            for name in multitoken:
                here[name] += proposals
