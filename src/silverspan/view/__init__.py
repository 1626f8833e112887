"""The browser view: the documents of a finished run, why each label, and what people decide."""

from silverspan.view.earlier import Earlier
from silverspan.view.finding import Filter
from silverspan.view.gold_file import GoldFile
from silverspan.view.library import DocumentPage, Library, Row, open_library
from silverspan.view.server import make_app, serve

__all__ = [
    "DocumentPage",
    "Earlier",
    "Filter",
    "GoldFile",
    "Library",
    "Row",
    "make_app",
    "open_library",
    "serve",
]
