"""Gazetteers: names by the million, compiled to one file and found in documents in one pass."""

from silverspan.labelling.gazetteers.build import Built, Recipe, build, build_in_memory
from silverspan.labelling.gazetteers.entries import Damage, Entry, Reader, readers
from silverspan.labelling.gazetteers.family import GazetteerFamily, Variant
from silverspan.labelling.gazetteers.function import (
    check_tokenizers,
    combine,
    gazetteer_functions,
)
from silverspan.labelling.gazetteers.index import Gazetteer, Header, Meaning
from silverspan.labelling.gazetteers.lookup import Found, look_up
from silverspan.labelling.gazetteers.names import Cleaning
from silverspan.labelling.gazetteers.shipped import SHIPPED, open_shipped
from silverspan.labelling.gazetteers.sieve import Sieve

__all__ = [
    "SHIPPED",
    "Built",
    "Cleaning",
    "Damage",
    "Entry",
    "Found",
    "Gazetteer",
    "GazetteerFamily",
    "Header",
    "Meaning",
    "Reader",
    "Recipe",
    "Sieve",
    "Variant",
    "build",
    "build_in_memory",
    "check_tokenizers",
    "combine",
    "gazetteer_functions",
    "look_up",
    "open_shipped",
    "readers",
]
