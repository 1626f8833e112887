"""Gazetteers as labelling functions, made from files and combined.

``gazetteer_functions`` makes the functions of one gazetteer, ``combine`` puts functions that were
made apart into one family, so that all are searched in one pass (family.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.labelling.gazetteers.family import GazetteerFamily, Variant
from silverspan.labelling.gazetteers.index import Gazetteer, labels_of
from silverspan.labelling.gazetteers.sieve import Sieve
from silverspan.labelling.gazetteers.tokens import TokenizerIdentity

#: What stands for the file of a gazetteer that comes with the package.
SHIPPED_FILE = "shipped"

#: The ways to search a gazetteer, as {pattern of the function's name: (cased, multitoken)}.
VARIANTS = {
    "{}_cased": (True, False),
    "{}_uncased": (False, False),
    "multitoken_{}_cased": (True, True),
    "multitoken_{}_uncased": (False, True),
}


def check_tokenizers(
    functions: Iterable[LabellingFunction], pipeline: Callable[[], Any], name: str = "PIPELINE"
) -> None:
    """Refuse functions whose gazetteer file was compiled for another tokenizer than a pipeline's.

    ``pipeline`` is called only if there is such a file: loading one takes its time; ``name`` is
    what the message calls it.

    Raises:
        GazetteerError: with the command that rebuilds the file.
    """
    given = dict.fromkeys(
        variant.gazetteer
        for function in functions
        if isinstance(function.family, GazetteerFamily)
        for variant in function.family.variants
        if variant.file not in {"", SHIPPED_FILE}
    )
    if given:
        loaded = pipeline()
        for gazetteer in given:
            gazetteer.check_tokenizer(loaded, name)


@dataclass(frozen=True, slots=True)
class _Member:
    """One function of a family, asked about a single document."""

    name: str
    family: GazetteerFamily

    def __call__(self, doc: Doc) -> list[Proposal]:
        return self.family.propose([doc])[0][self.name]


def gazetteer_functions(
    name: str,
    source: str | Path | Gazetteer,
    *,
    subset: str | None = None,
    sieve: Sieve | None = None,
    variants: Sequence[str] = tuple(VARIANTS),
    pipeline: Any = None,
    file: str = "",
) -> list[LabellingFunction]:
    """Return the labelling functions of one gazetteer, computed together.

    ``source`` is a compiled file or an open gazetteer, ``subset`` one of the gazetteers in it (the
    first), ``variants`` patterns of ``VARIANTS``. With ``pipeline`` given, a file compiled for
    another tokenizer is refused. ``file`` is how the functions name their source in their options.

    >>> import spacy
    >>> from silverspan.labelling.gazetteers.build import build_in_memory
    >>> from silverspan.labelling.gazetteers.entries import Entry
    >>> nlp = spacy.blank("en")
    >>> cities = build_in_memory([Entry("New York", "GPE")], tokenizer=nlp)
    >>> cased, *others = gazetteer_functions("city", cities)
    >>> [function.name for function in others]
    ['city_uncased', 'multitoken_city_cased', 'multitoken_city_uncased']
    >>> cased(nlp("She left New York."))
    [(2, 4, 'GPE', 1.0)]

    Raises:
        GazetteerError: the file cannot be opened, lacks the subset, or is for another tokenizer.
    """
    gazetteer = source if isinstance(source, Gazetteer) else Gazetteer.open(source)
    if pipeline is not None:
        gazetteer.check_tokenizer(pipeline)
    number = gazetteer.subset(subset)
    family = GazetteerFamily(
        Variant(
            name=pattern.format(name),
            gazetteer=gazetteer,
            subset=number,
            cased=VARIANTS[pattern][0],
            multitoken=VARIANTS[pattern][1],
            sieve=sieve or Sieve(),
            file=file or ("" if isinstance(source, Gazetteer) else str(source)),
        )
        for pattern in variants
    )
    return _functions(family)


def _functions(family: GazetteerFamily) -> list[LabellingFunction]:
    return [
        LabellingFunction(
            name=variant.name,
            labels=labels_of(variant.gazetteer, variant.subset),
            propose=_Member(variant.name, family),
            group="gazetteers",
            family=family,
            options={
                "file": variant.file,
                "subset": variant.gazetteer.header.subsets[variant.subset],
                "cased": variant.cased,
                "multitoken": variant.multitoken,
                "sieve": variant.sieve.options(),
            },
            version=variant.gazetteer.header.checksum,
        )
        for variant in family.variants
    ]


def combine(functions: Iterable[LabellingFunction]) -> list[LabellingFunction]:
    """Return the same functions with those of gazetteers put into one family.

    Functions that are no gazetteer's stay as they are, and so does the order. Gazetteers compiled
    for different tokenizers get a family for each tokenizer.
    """
    functions = list(functions)
    variants: dict[str, Variant] = {}
    for function in functions:
        if isinstance(function.family, GazetteerFamily):
            for variant in function.family.variants:
                if variant.name == function.name:
                    variants[function.name] = variant
    one_open: dict[str, Gazetteer] = {}
    families: dict[TokenizerIdentity, list[Variant]] = {}
    for variant in variants.values():
        # The same file opened twice is searched once.
        gazetteer = variant.gazetteer
        if gazetteer.path is not None:
            gazetteer = one_open.setdefault(str(gazetteer.path), gazetteer)
        families.setdefault(gazetteer.header.tokenizer, []).append(
            replace(variant, gazetteer=gazetteer)
        )
    combined = {
        function.name: function
        for members in families.values()
        for function in _functions(GazetteerFamily(members))
    }
    return [combined.get(function.name, function) for function in functions]
