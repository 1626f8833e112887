"""The paper's 24 gazetteer functions by name, for the registry of labelling functions.

Each name, such as ``multitoken_geo_uncased``, is a factory here. Its options: ``file`` (a compiled
gazetteer; left out, the shipped one), ``subset`` (which gazetteer of the file), and the rules of
the sieve, for example ``gap=False``. ``function.combine`` puts what they make into one family.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from silverspan.errors import GazetteerError
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.gazetteers.function import SHIPPED_FILE, VARIANTS, gazetteer_functions
from silverspan.labelling.gazetteers.index import Gazetteer
from silverspan.labelling.gazetteers.shipped import open_shipped
from silverspan.labelling.gazetteers.sieve import Sieve

#: The gazetteers of the paper.
GAZETTEERS = ("wiki", "wiki_small", "company", "crunchbase", "geo", "product")

#: Every function's name, with its gazetteer and its pattern in ``VARIANTS``.
NAMED = {
    pattern.format(gazetteer): (gazetteer, pattern)
    for gazetteer in GAZETTEERS
    for pattern in VARIANTS
}


def named_function(
    name: str, *, file: str | Path | None = None, subset: str | None = None, **rules: Any
) -> LabellingFunction:
    """Return one of the paper's gazetteer functions.

    >>> named_function("geo_cased").labels
    ('FAC', 'GPE', 'LOC')

    Raises:
        GazetteerError: the gazetteer does not ship and no file is given, the file cannot be opened,
        or a rule is unknown.
    """
    gazetteer, pattern = NAMED[name]
    return variant_function(gazetteer, pattern, file=file, subset=subset, **rules)


def variant_function(
    gazetteer: str,
    pattern: str,
    *,
    file: str | Path | None = None,
    subset: str | None = None,
    **rules: Any,
) -> LabellingFunction:
    """Return one variant, a pattern of ``VARIANTS``, of a gazetteer of any name.

    Raises:
        GazetteerError: as for ``named_function``.
    """
    known = Sieve().options()
    for rule in rules:
        if rule not in known:
            raise GazetteerError(
                f"function {pattern.format(gazetteer)!r} has no option {rule!r}; it has: "
                + ", ".join(("file", "subset", *known))
            )
    source = open_shipped(gazetteer) if file is None else Gazetteer.open(file)
    if subset is None and gazetteer in source.header.subsets:
        # ``wiki`` and ``wiki_small`` of one build are told apart by their names.
        subset = gazetteer
    (function,) = gazetteer_functions(
        gazetteer,
        source,
        subset=subset,
        sieve=Sieve(**rules),
        variants=[pattern],
        file=SHIPPED_FILE if file is None else str(file),
    )
    return function


def __getattr__(name: str) -> Callable[..., LabellingFunction]:
    if name in NAMED:
        return partial(named_function, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
