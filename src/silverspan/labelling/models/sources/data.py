"""Labelled files become sentences, some of them held out."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from silverspan.corpus.reading import read_records
from silverspan.errors import InputError
from silverspan.labelling.models.sources.cleaning import CLEANERS, Sentence, rename_labels

#: With fewer documents than this, a file is held out by runs of sentences.
_FEWEST_DOCUMENTS = 20
_RUN = 20


def read_sentences(paths: Iterable[str | Path], source: str = "") -> list[Sentence]:
    """Return the labelled sentences of files, cleaned as the source of that name needs.

    Raises:
        InputError: a file cannot be read, or holds no entities.
    """
    paths = list(paths)
    sentences = list(rename_labels(_sentences(paths)))
    if source in CLEANERS:
        sentences = list(CLEANERS[source](sentences))
    if not any(sentence.spans for sentence in sentences):
        names = ", ".join(Path(path).name for path in paths) or "no file"
        raise InputError(f"{names}: no labelled entity in it; give files with gold, such as CoNLL")
    return sentences


def _sentences(paths: Iterable[str | Path]) -> Iterator[Sentence]:
    for path in paths:
        for record in read_records([path]):
            if record.tokens is None or record.gold is None:
                raise InputError("has no tokens with gold entities", path=path, line=record.line)
            starts = sorted({0, *(record.sentence_starts or ())})
            for start, end in zip(starts, [*starts[1:], len(record.tokens)], strict=True):
                spans = tuple(
                    (first - start, last - start, label)
                    for first, last, label in record.gold
                    if start <= first and last <= end
                )
                if start < end:
                    yield Sentence(
                        record.tokens[start:end], spans, f"{Path(path).name}:{record.id}"
                    )


def by_document(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """Return the sentences of each document."""
    return [list(group) for _, group in groupby(sentences, key=lambda one: one.document)]


def split(
    sentences: Sequence[Sentence], share: float, seed: int
) -> tuple[list[Sentence], list[Sentence]]:
    """Return sentences to learn from and sentences held out, by whole documents.

    A file of few documents is held out by runs of twenty sentences.

    >>> some = [Sentence(("Oslo",), ((0, 1, "LOC"),), str(number)) for number in range(40)]
    >>> kept, held = split(some, 0.1, seed=0)
    >>> len(kept), len(held)
    (36, 4)
    """
    groups = by_document(sentences)
    if len(groups) < _FEWEST_DOCUMENTS:
        groups = [list(sentences[i : i + _RUN]) for i in range(0, len(sentences), _RUN)]
    chosen = set(random.Random(seed).sample(range(len(groups)), round(share * len(groups))))
    kept = [one for i, group in enumerate(groups) if i not in chosen for one in group]
    held = [one for i, group in enumerate(groups) if i in chosen for one in group]
    return kept, held
