"""Text comes in as spaCy documents, in shards; files are read as streams and written whole."""
