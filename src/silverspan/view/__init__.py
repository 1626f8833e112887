"""The browser view: the documents of a finished run, with every layer under the text."""

from silverspan.view.library import DocumentPage, Library, Row
from silverspan.view.server import make_app, serve

__all__ = ["DocumentPage", "Library", "Row", "make_app", "serve"]
