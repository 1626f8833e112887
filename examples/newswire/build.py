"""Turn the annotated articles into ``corpus.jsonl`` and ``gold.jsonl``.

In: ``articles/NNN-slug.txt``, plain text with entities marked ``[surface text](LABEL)``. Out: the
bare text and, apart from it, the gold spans in characters. Nothing is written while an article has
a problem; all problems are listed, each with its file and line.

    python examples/newswire/build.py            # check, then write both files
    python examples/newswire/build.py --check    # check only, and that both files are up to date
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import spacy
from spacy.language import Language

HERE = Path(__file__).parent
ARTICLES = HERE / "articles"
CORPUS = HERE / "corpus.jsonl"
GOLD = HERE / "gold.jsonl"

LABELS = frozenset(
    {
        "CARDINAL",
        "DATE",
        "EVENT",
        "FAC",
        "GPE",
        "LANGUAGE",
        "LAW",
        "LOC",
        "MONEY",
        "NORP",
        "ORDINAL",
        "ORG",
        "PERCENT",
        "PERSON",
        "PRODUCT",
        "QUANTITY",
        "TIME",
        "WORK_OF_ART",
    }
)
FEWEST_WORDS, MOST_WORDS = 150, 300

_NAME = re.compile(r"\d{3}-[a-z0-9]+(-[a-z0-9]+)*")
_MARK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\n]*)\)")


@dataclass(frozen=True, slots=True)
class Article:
    """One article without its markup; an entity is (start, end, label), in characters."""

    id: str
    text: str
    entities: tuple[tuple[int, int, str], ...]


def parse(identifier: str, marked: str) -> Article:
    """Take the markup out of one article; what is not well-formed markup stays in the text.

    >>> parse("000-x", "[Oslo](GPE) wins")
    Article(id='000-x', text='Oslo wins', entities=((0, 4, 'GPE'),))
    """
    pieces: list[str] = []
    entities: list[tuple[int, int, str]] = []
    length = copied = 0
    marked = marked.strip()
    for mark in _MARK.finditer(marked):
        surface, label = mark.groups()
        before = marked[copied : mark.start()]
        start = length + len(before)
        length = start + len(surface)
        entities.append((start, length, label))
        pieces += (before, surface)
        copied = mark.end()
    pieces.append(marked[copied:])
    return Article(identifier, "".join(pieces), tuple(entities))


def problems_of(article: Article, tokenizer: Language) -> Iterator[str]:
    """Yield what is wrong with one article, as ``FILE:LINE: what``."""

    def at(offset: int) -> str:
        return f"{article.id}.txt:{article.text.count(chr(10), 0, offset) + 1}"

    if not _NAME.fullmatch(article.id):
        yield f"{at(0)}: the file must be named like 001-lower-case-slug.txt"
    # Surface texts hold no bracket: one that is left belongs to nested or broken markup, the only
    # way for spans to overlap.
    for bracket in re.finditer(r"[\[\]]", article.text):
        yield f"{at(bracket.start())}: a bracket outside markup, or markup inside markup"
    words = len(article.text.split())
    if not FEWEST_WORDS <= words <= MOST_WORDS:
        yield f"{at(0)}: {words} words; an article has {FEWEST_WORDS} to {MOST_WORDS}"
    headline, _, rest = article.text.partition("\n")
    if not headline or not rest.startswith("\n"):
        yield f"{at(0)}: the headline must be followed by an empty line"

    document = tokenizer.make_doc(article.text)
    for start, end, label in article.entities:
        surface = article.text[start:end]
        if label not in LABELS:
            yield f"{at(start)}: unknown label {label!r} on {surface!r}"
        if not surface.strip():
            yield f"{at(start)}: an empty span labelled {label}"
        elif document.char_span(start, end) is None:
            around = document.char_span(start, end, alignment_mode="expand")
            shown = " ".join(token.text for token in around or ())
            yield f"{at(start)}: {surface!r} cuts a token; the tokens there are: {shown}"


def read_articles(folder: Path = ARTICLES) -> list[Article]:
    """Read every article of a folder, in the order of their names."""
    return [parse(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.txt"))]


def check(articles: Sequence[Article]) -> list[str]:
    """Return every problem in the articles, one line each."""
    tokenizer = spacy.blank("en")
    problems = [problem for article in articles for problem in problems_of(article, tokenizer)]
    numbers = [article.id.partition("-")[0] for article in articles]
    problems += [
        f"{article.id}.txt:1: the number {number} is taken by an earlier article"
        for position, (article, number) in enumerate(zip(articles, numbers, strict=True))
        if number in numbers[:position]
    ]
    return problems


def rendered(articles: Sequence[Article]) -> dict[Path, str]:
    """Return what the two output files must hold."""
    corpus = ({"id": article.id, "text": article.text} for article in articles)
    gold = (
        {"id": article.id, "text": article.text, "entities": article.entities}
        for article in articles
    )
    return {
        path: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        for path, rows in ((CORPUS, corpus), (GOLD, gold))
    }


def stale(articles: Sequence[Article]) -> list[str]:
    """Return the names of the output files that do not match the articles."""
    return [
        path.name
        for path, content in rendered(articles).items()
        if not path.exists() or path.read_bytes() != content.encode("utf-8")
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Check the articles, then write the two files (or, with ``--check``, compare them)."""
    parser = argparse.ArgumentParser(description="build corpus.jsonl and gold.jsonl")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    articles = read_articles()
    if problems := check(articles):
        sys.exit("\n".join(problems))
    if options.check:
        if outdated := stale(articles):
            sys.exit(f"not up to date: {', '.join(outdated)}; run examples/newswire/build.py")
        return
    for path, content in rendered(articles).items():
        path.write_bytes(content.encode("utf-8"))
    spans = sum(len(article.entities) for article in articles)
    sys.stdout.write(f"{len(articles)} articles, {spans} entities\n")


if __name__ == "__main__":
    main()
