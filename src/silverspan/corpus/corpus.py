"""Corpus: spaCy documents as a stream that can be gone through again and again, in shards.

Documents are made anew on every pass, so a corpus of any size needs the memory of one batch. What
a caller sets on a document of one pass is gone in the next, unless the corpus is ``in_memory()``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from silverspan.corpus.document import ID, set_document_id
from silverspan.corpus.parsing import parse
from silverspan.corpus.reading import OnError, Paths, expand, read_records, reader_of
from silverspan.corpus.record import Problem, Record
from silverspan.errors import InputError
from silverspan.progress import track

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


class Corpus:
    """Documents with ids, as often as they are asked for.

    >>> import spacy
    >>> corpus = Corpus.from_texts(["Oslo is old.", "Rome is older."], spacy.blank("en"))
    >>> [doc[0].text for doc in corpus]
    ['Oslo', 'Rome']
    """

    def __init__(self, stream: "Callable[[], Iterator[Doc]]", size: int | None = None) -> None:
        """Make a corpus of a callable that starts a new pass; the class methods do it for you."""
        self._stream = stream
        self._size = size

    @classmethod
    def from_texts(
        cls, texts: Iterable[str], nlp: "Language", *, ids: Iterable[str | int] | None = None
    ) -> "Corpus":
        """Return the corpus of texts, run through ``nlp``; without ``ids`` they are numbered.

        Raises:
            InputError: there are more or fewer ids than texts, or an id stands twice.
        """
        kept = texts if isinstance(texts, Sequence) and not isinstance(texts, str) else list(texts)
        names = list(range(len(kept)) if ids is None else ids)
        if len(names) != len(kept):
            raise InputError(f"there are {len(kept)} texts and {len(names)} ids")
        if len(set(map(str, names))) < len(names):
            raise InputError("an id stands twice; ids must be unique")

        def records() -> Iterator[Record]:
            for name, text in zip(names, kept, strict=True):
                number = name if isinstance(name, int) else None
                yield Record(id=str(name), number=number, text=text)

        return cls(lambda: parse(records(), nlp), len(kept))

    @classmethod
    def from_docs(cls, docs: "Iterable[Doc]") -> "Corpus":
        """Return the corpus of documents as they are; those without an id are numbered."""
        kept = docs if isinstance(docs, Sequence) else list(docs)
        for number, doc in enumerate(kept):
            if ID not in doc.user_data:
                set_document_id(doc, number)
        return cls(lambda: iter(kept), len(kept))

    @classmethod
    def read(
        cls,
        paths: Paths,
        nlp: "Language",
        format: str | None = None,
        *,
        on_error: OnError = "raise",
        problem: Problem | None = None,
    ) -> "Corpus":
        """Return the corpus of files: text, lines, JSONL, CSV, CoNLL or DocBin, plain or gzip.

        The files are read, as a stream, on every pass; settings are as in ``read_records``.

        Raises:
            InputError: a file is missing; later, when going through the corpus, one is damaged.
        """
        files = expand(paths)
        for path in files:
            reader_of(path, format)
            if not path.exists():
                raise InputError("there is no such file", path=path)
        return cls(
            lambda: parse(read_records(files, format, on_error=on_error, problem=problem), nlp)
        )

    def __iter__(self) -> "Iterator[Doc]":
        """Start a new pass."""
        return track(self._stream(), "documents", total=self._size)

    def shards(self, size: int) -> "Iterator[list[Doc]]":
        """Yield the documents in lists of ``size``, the last one shorter.

        >>> import spacy
        >>> corpus = Corpus.from_texts("abc", spacy.blank("en"))
        >>> [len(shard) for shard in Corpus.from_texts(list("abc"), spacy.blank("en")).shards(2)]
        [2, 1]
        """
        if size < 1:
            raise InputError(f"a shard holds one document at least, not {size}")
        documents = iter(self)
        while shard := list(islice(documents, size)):
            yield shard

    def in_memory(self) -> "Corpus":
        """Return the same corpus, parsed once and kept: for corpora that fit."""
        return Corpus.from_docs(list(self))
