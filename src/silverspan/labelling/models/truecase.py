"""Headlines in capitals, rewritten as a sentence would have them, for models that go by case."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from spacy.tokens import Doc

from silverspan.labelling.frequency import rank
from silverspan.labelling.gazetteers.shipped import shipped_lists
from silverspan.labelling.heuristics.wordlists import entries, sections

#: Words more frequent than this are written small, unless a list or the document knows better.
_COMMON = 12_000
_VOWELS = set("AEIOUY")
#: Places have the names of some of the most frequent words: Of, Most, Best.
_PLAIN = 500
#: A sentence in capitals: at least this many words, and hardly any of them otherwise.
_FEWEST_WORDS, _SHARE = 2, 0.8


def truecase(doc: Doc) -> list[str]:
    """Return the texts of a document's tokens, sentences in capitals rewritten.

    A word is written as elsewhere in the document; else a known place, first name, people, month or
    day has a capital, a frequent word none, and any other word a capital. What cannot be pronounced
    ("NHL"), or is cut by stops ("U.S."), stays.

    >>> import spacy
    >>> truecase(spacy.blank("en")("SWEDISH KING VISITS ZAGREB FOR THE U.N."))
    ['Swedish', 'king', 'visits', 'Zagreb', 'for', 'the', 'U.N.']
    """
    texts = [token.text for token in doc]
    shouted = [place for start, end in _shouted(doc) for place in range(start, end)]
    if shouted:
        elsewhere = _spellings(doc, set(shouted))
        for place in shouted:
            texts[place] = elsewhere.get(texts[place].lower()) or _usual(texts[place])
        for start, _ in _shouted(doc):
            texts[start] = _capital(texts[start][:1]) + texts[start][1:]
    return texts


def _capital(letter: str) -> str:
    """Return a letter's capital; itself where that would be two letters, as of "ß"."""
    capital = letter.upper()
    return capital if len(capital) == 1 else letter


def _shouted(doc: Doc) -> Iterator[tuple[int, int]]:
    """Yield the sentences in capitals."""
    sentences = doc.sents if doc.has_annotation("SENT_START") else [doc[:]] if len(doc) else []
    for sentence in sentences:
        words = [token for token in sentence if token.is_alpha]
        capital = sum(token.is_upper for token in words)
        if capital >= _FEWEST_WORDS and capital >= _SHARE * len(words):
            yield sentence.start, sentence.end


def _spellings(doc: Doc, shouted: set[int]) -> dict[str, str]:
    """Return how the document mostly writes each word inside its other sentences."""
    counts: dict[str, Counter[str]] = {}
    for token in doc:
        if token.is_alpha and token.i not in shouted and not token.is_sent_start and token.i:
            counts.setdefault(token.lower_, Counter())[token.text] += 1
    return {word: forms.most_common(1)[0][0] for word, forms in counts.items()}


def _usual(text: str) -> str:
    if not text.isalpha() or not text.isupper() or not _VOWELS & set(text):
        return text
    if text.capitalize() in _names():
        return text.capitalize()
    place = rank(text)
    return text.lower() if place is not None and place <= _COMMON else text.capitalize()


@cache
def _names() -> frozenset[str]:
    """Return words that mostly have a capital wherever they stand."""
    world, numeric = sections("en", "world"), sections("en", "numeric")
    places = {
        name
        for label, names in shipped_lists("geo").items()
        if not label.startswith("_")
        for name in names
        if name.isalpha() and (rank(name) or _PLAIN) >= _PLAIN
    }
    listed = {
        *world["nationalities"],
        *world["languages"],
        *numeric["months"],
        *numeric["weekdays"],
        *(entries("en", "first_names") - entries("en", "ambiguous_first_names")),
        *places,
    }
    return frozenset(listed - {*numeric["ambiguous_months"]})
