"""The gazetteers that come with the package: small, openly licensed lists.

They are kept as lists (data/NAME.json.gz; scripts/make_gazetteers.py makes them) and compiled at
first use for the tokenizer at hand, into the user's cache folder, so that another version of spaCy
or another pipeline gets a file of its own. All processes then share that file.
"""

import gzip
import hashlib
import json
import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import spacy

from silverspan.corpus.files import atomic_write_bytes
from silverspan.errors import GazetteerError, InputError
from silverspan.labelling.gazetteers.build import Recipe, build_in_memory
from silverspan.labelling.gazetteers.entries import Entry
from silverspan.labelling.gazetteers.index import Gazetteer
from silverspan.labelling.gazetteers.tokens import TokenizerIdentity

#: The gazetteers that ship.
SHIPPED = ("company", "geo", "product", "wiki", "wiki_small")

#: Changes when names are compiled in another way: older files in caches are then left alone.
_COMPILER = 2


def shipped_lists(name: str) -> dict[str, list[str]]:
    """Return the names of a shipped gazetteer by label; under ``_sources`` where they come from.

    >>> "Oslo" in shipped_lists("geo")["GPE"]
    True

    Raises:
        GazetteerError: it does not ship; says how to build it.
    """
    return _read(name)[0]


@cache
def _read(name: str) -> tuple[dict[str, list[str]], str]:
    if name not in SHIPPED:
        raise GazetteerError(
            f"no gazetteer {name!r} ships with silverspan (shipped: {', '.join(SHIPPED)}). Build "
            f"it from its source with: silverspan gazetteer build FORMAT SOURCE -o {name}.gaz, and "
            "give the functions the option file"
        )
    packed = files("silverspan.labelling.gazetteers").joinpath(f"data/{name}.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed)), hashlib.sha256(packed).hexdigest()


def open_shipped(name: str, tokenizer: Any = None) -> Gazetteer:
    """Return a shipped gazetteer, compiled for a tokenizer or a pipeline (spaCy's English one).

    Raises:
        GazetteerError: it does not ship.
    """
    _, digest = _read(name)
    tokenizer = tokenizer if tokenizer is not None else _english()
    identity = TokenizerIdentity.of(tokenizer)
    key = hashlib.sha256(f"{_COMPILER} {digest} {identity}".encode()).hexdigest()[:16]
    if key not in _open:
        path = cache_folder() / f"{name}-{key}.gaz"
        try:
            _open[key] = Gazetteer.open(path)
        except GazetteerError:  # not compiled yet, or cut off
            _open[key] = _keep(compile_shipped(name, tokenizer), path)
    return _open[key]


#: Gazetteers opened by this process: opened again, they are the same.
_open: dict[str, Gazetteer] = {}


def compile_shipped(name: str, tokenizer: Any) -> Gazetteer:
    """Return a shipped gazetteer compiled for a tokenizer, without looking into the cache."""
    lists = shipped_lists(name)
    recipe = Recipe(
        subsets=(name,),
        sources=tuple(lists["_sources"]),
        licence="open; see each source",
        command=f"silverspan gazetteer build shipped {name} -o {name}.gaz",
    )
    entries = [
        Entry(text, label)
        for label, names in lists.items()
        if not label.startswith("_")
        for text in names
    ]
    return build_in_memory(entries, tokenizer=tokenizer, recipe=recipe)


def _keep(compiled: Gazetteer, path: Path) -> Gazetteer:
    """Write a gazetteer to the cache and map it from there."""
    data = compiled.to_bytes()
    try:
        with atomic_write_bytes(path) as file:
            file.write(data)
        return Gazetteer.open(path)
    except (InputError, OSError):
        # No folder to write to: this process keeps its own copy.
        return Gazetteer.from_bytes(data)


def cache_folder() -> Path:
    """Return where compiled gazetteers are kept: ``SILVERSPAN_CACHE``, or the user's cache."""
    given = os.environ.get("SILVERSPAN_CACHE")
    if given:
        return Path(given) / "gazetteers"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "silverspan" / "gazetteers"


@cache
def _english() -> Any:
    return spacy.blank("en").tokenizer
