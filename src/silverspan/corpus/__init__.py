"""Text comes in as spaCy documents, in shards; files are read as streams and written whole."""

from silverspan.corpus.corpus import Corpus
from silverspan.corpus.document import document_id, gold_spans, span_from_characters
from silverspan.corpus.parsing import parse
from silverspan.corpus.pipelines import installed_models, load_pipeline
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record

__all__ = [
    "Corpus",
    "Record",
    "document_id",
    "gold_spans",
    "installed_models",
    "load_pipeline",
    "parse",
    "read_records",
    "span_from_characters",
]
