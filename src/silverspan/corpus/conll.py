"""CoNLL columns: a token and its tag on each line, a blank line after each sentence.

The first column is the token, the last the tag (IO, IOB1, IOB2, BILUO and BIOES need not be told
apart); with one column only there is no gold. ``-DOCSTART-`` begins a document; in a file without
it, every sentence is a document. IOB2 is written. The format does not hold blanks between tokens.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path

from silverspan.corpus.files import atomic_write, read_lines
from silverspan.corpus.json_lines import Span, shown
from silverspan.corpus.record import Problem, Record, stop
from silverspan.errors import InputError, LabelError
from silverspan.tagging import read_tags, write_tags

_START = "-DOCSTART-"
_SEPARATOR = re.compile(r"[ \t]+")  # not \s: other blanks occur inside tokens
_FITS = re.compile(r"[^ \t\r\n]+")


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the documents of a file.

    Raises:
        InputError: a line has no tag where others have one, or something that is no tag.
    """
    has_marks = False
    rows: list[_Row] = []
    for number, line in read_lines(path):
        columns = _SEPARATOR.split(line.strip(" \t"))
        if columns[0] == _START:
            if rows or has_marks:
                yield from _document(rows, path, problem)
            rows, has_marks = [], True
        elif columns != [""]:
            rows.append((number, columns[0], columns[-1] if len(columns) > 1 else None))
        elif has_marks:
            rows.append(_SENTENCE_END)
        elif rows:
            yield from _document(rows, path, problem)
            rows = []
    if rows or has_marks:
        yield from _document(rows, path, problem)


def write(records: Iterable[Record], path: str | Path) -> None:
    """Write tokenised records with their gold as IOB2, ``-DOCSTART-`` before each.

    Raises:
        InputError: a record has no tokens, a token or label holds what the format cannot, gold
            spans overlap, or the file cannot be written.
    """
    with atomic_write(path) as out:
        for record in records:
            out.writelines(_lines(record))


#: Line, token, tag.
_Row = tuple[int, str, str | None]
_SENTENCE_END: _Row = (0, "", None)


def _document(rows: list[_Row], path: str | Path, problem: Problem) -> Iterator[Record]:
    tokens: list[str] = []
    starts: list[int] = []
    gold: list[Span] = []
    sentences = [list(group) for end, group in groupby(rows, _SENTENCE_END.__eq__) if not end]
    is_tagged = any(tag is not None for _, _, tag in rows)
    try:
        for sentence in sentences:
            starts.append(len(tokens))
            if is_tagged:
                gold += _spans(sentence, len(tokens), path)
            tokens += [token for _, token, _ in sentence]
    except InputError as error:
        problem(error)
        return
    yield Record(
        tokens=tuple(tokens),
        sentence_starts=tuple(starts),
        gold=tuple(gold) if is_tagged or not tokens else None,
        path=str(path),
        line=sentences[0][0][0] if sentences else None,
    )


def _spans(sentence: list[_Row], offset: int, path: str | Path) -> Iterator[Span]:
    tags: list[str] = []
    for line, token, tag in sentence:
        if tag is None:
            reason = f"the token {token!r} has no tag, others of its document have one"
            raise InputError(reason, path=path, line=line)
        try:
            read_tags([tag])
        except LabelError:
            reason = f"{shown(tag)} is no tag; a tag is O or like B-PER, and stands last"
            raise InputError(reason, path=path, line=line) from None
        tags.append(tag)
    for start, end, label in read_tags(tags):
        yield offset + start, offset + end, label


def _lines(record: Record) -> Iterator[str]:
    if record.tokens is None:
        raise InputError(f"document {record.id!r} is not cut into tokens, which CoNLL needs")
    gold = sorted(record.gold or ())
    for (_, end, _), (start, _, _) in pairwise(gold):
        if start < end:
            raise InputError(f"document {record.id!r} has spans that overlap; CoNLL cannot hold it")
    starts = set(record.sentence_starts or ())
    yield f"{_START} O\n\n"
    for place, (token, tag) in enumerate(
        zip(record.tokens, write_tags(gold, len(record.tokens)), strict=True)
    ):
        if token == _START or not _FITS.fullmatch(token) or not _FITS.fullmatch(tag):
            raise InputError(
                f"document {record.id!r}: token {shown(token)} with tag {shown(tag)} cannot "
                "be written as CoNLL columns"
            )
        yield f"\n{token} {tag}\n" if place in starts and place else f"{token} {tag}\n"
    if record.tokens:
        yield "\n"
