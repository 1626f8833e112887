"""What must be put right in labelled corpora before a recogniser learns from them.

Sentences in, sentences out. One cleaner for each corpus whose flaws are known; a corpus without one
is taken as it is, but for the name of its person label.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens, and the entities a person marked in them; the document it is from."""

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    document: str = ""


#: What other functions call a person.
_RENAMED = {"PER": "PERSON"}


def rename_labels(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Call people PERSON, as the other labelling functions do."""
    for sentence in sentences:
        spans = tuple(
            (start, end, _RENAMED.get(label, label)) for start, end, label in sentence.spans
        )
        yield Sentence(sentence.tokens, spans, sentence.document)


def clean_tweets(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Mend the Broad Twitter Corpus: user mentions, hashtags, duplicates.

    A mention is cut into "@" and the name, and in four of six sections each of them is an entity of
    its own. Mentions become one token that is no entity, the rule of the other two sections: other
    text has none, and an "@" that is a person would be learned before anything else. A labelled
    hashtag loses its "#", as the name it is.
    """
    seen: set[tuple[str, ...]] = set()
    for sentence in sentences:
        if sentence.tokens in seen:
            continue
        seen.add(sentence.tokens)
        mentions = {
            place
            for place, token in enumerate(sentence.tokens[:-1])
            if token == "@" and sentence.tokens[place + 1][0].isalnum()
        }
        tokens: list[str] = []
        moved: list[int] = []
        skipped: set[int] = set()
        for place, token in enumerate(sentence.tokens):
            if place - 1 in mentions:
                tokens[-1] += token
                skipped |= {place - 1, place}
            else:
                tokens.append(token)
            moved.append(len(tokens) - 1)
        spans = []
        for start, end, label in sentence.spans:
            kept = [place for place in range(start, end) if place not in skipped]
            if kept:
                spans.append((moved[kept[0]], moved[kept[-1]] + 1, label))
        for start, _, _ in spans:
            if tokens[start].startswith("#") and len(tokens[start]) > 1:
                tokens[start] = tokens[start][1:]
        yield Sentence(tuple(tokens), _apart(spans), sentence.document)


#: The parties of a loan agreement by their part in it. FIN5 has "Borrower" as a person 574 times.
_ROLES = {
    "agent", "administrative agent", "bank", "banks", "borrower", "borrowers", "collateral agent",
    "company", "consultant", "debtor", "employee", "employer", "executive", "grantor", "guarantor",
    "guarantors", "holder", "issuer", "landlord", "lender", "lenders", "lessee", "lessor",
    "obligor", "parent", "purchaser", "secured party", "seller", "subsidiary", "tenant", "trustee",
}  # fmt: skip


def clean_agreements(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Mend the SEC filings: a role such as "Borrower", "Bank" or "Lender" is not a name."""
    for sentence in sentences:
        spans = []
        for start, end, label in sentence.spans:
            words = [token.lower() for token in sentence.tokens[start:end]]
            if words and words[0] in {"the", "such", "each"}:
                words = words[1:]
            if " ".join(words) not in _ROLES:
                spans.append((start, end, label))
        yield Sentence(sentence.tokens, tuple(spans), sentence.document)


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    """Return the spans sorted, without those that begin before the one ahead of them ends."""
    kept: list[Span] = []
    for span in sorted(spans):
        if not kept or kept[-1][1] <= span[0]:
            kept.append(span)
    return tuple(kept)


#: By the name of the source; what is not named here needs no cleaning.
CLEANERS: dict[str, Callable[[Iterable[Sentence]], Iterator[Sentence]]] = {
    "BTC": clean_tweets,
    "SEC": clean_agreements,
}
