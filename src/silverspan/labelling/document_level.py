"""Functions that read what other functions proposed, over a whole document.

``doc_majority_cased`` and ``doc_majority_uncased`` give every occurrence of a string the relative
frequency of its labels in the document (the paper's equation 1): one string, one kind of thing.
``doc_history`` gives a short name ("Komatsu", "Clinton") the labels of the longer name of a person
or company that introduced it earlier. All read ``proposals(doc)``: the votes of other functions,
or, with ``reads=("silver",)``, a posterior (the second stage). Values such as dates are left alone:
they recur by accident. One pass over the votes and one over the tokens, whatever the length of the
document.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from spacy.tokens import Doc

from silverspan.labelling.function import LabellingFunction, Proposal, proposals
from silverspan.labelling.heuristics.casing import names
from silverspan.labelling.heuristics.spelling import BREAK, Page, page
from silverspan.labelling.phrases import Key
from silverspan.labelling.phrases import occurrences as occurrences_of
from silverspan.labels import ENTITY

Span = tuple[int, int]
Distribution = dict[str, float]
Layers = Mapping[str, Sequence[Proposal]]

#: Labels of values, which say nothing about another occurrence of the same string.
VALUE_LABELS = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"})
PERSON_LABELS = frozenset({"PERSON", "PER"})
COMPANY_LABELS = frozenset({"COMPANY", "ORG"})
_PLACE_LABELS = frozenset({"GPE", "LOC", "NORP", "FAC"})
_SILENT = VALUE_LABELS | {ENTITY, "O"}
# Longer spans introduce nobody; the beginnings of one are as many as its tokens.
_LONGEST = 20
# Below this a label is noise, and not worth a row in the table of votes.
_LEAST = 0.05


def distributions(layers: Layers) -> dict[Span, tuple[Distribution, int]]:
    """Return, for every span, the mean of what functions say of it and how many say something.

    Coarse labels, values and confident non-entities are left out.

    >>> distributions({"a": [(0, 2, "ORG", 1.0)], "b": [(0, 2, "PERSON", 0.5)]})
    {(0, 2): ({'ORG': 0.5, 'PERSON': 0.25}, 2)}
    """
    sums: defaultdict[Span, Distribution] = defaultdict(dict)
    voters: defaultdict[Span, int] = defaultdict(int)
    for layer in layers.values():
        spoken: set[Span] = set()
        for start, end, label, probability in layer:
            if label in _SILENT:
                continue
            span = (start, end)
            labels = sums[span]
            labels[label] = labels.get(label, 0.0) + probability
            spoken.add(span)
        for span in spoken:
            voters[span] += 1
    return {
        span: ({label: total / voters[span] for label, total in labels.items()}, voters[span])
        for span, labels in sums.items()
    }


def majority(doc: Doc, layers: Layers, *, cased: bool = True) -> Iterator[Proposal]:
    """Yield every occurrence of every labelled string with its relative label frequencies.

    ``P(l) = sum over z in Z of P_label(z)(l) / |Z|``, where ``Z`` are the occurrences of the string
    that some function labels and ``P_label(z)`` is the mean of what functions say of ``z``. Of
    strings that overlap, the one whose tokens get the most votes stays.
    """
    opened = page(doc)
    words = opened.words if cased else opened.lower
    sums: defaultdict[Key, Distribution] = defaultdict(dict)
    occurrences: defaultdict[Key, int] = defaultdict(int)
    votes: defaultdict[Key, int] = defaultdict(int)
    written_small: defaultdict[Key, int] = defaultdict(int)
    for (start, end), (labels, voters) in distributions(layers).items():
        string = tuple(words[start:end])
        total = sums[string]
        for label, probability in labels.items():
            total[label] = total.get(label, 0.0) + probability
        occurrences[string] += 1
        votes[string] += voters
        if not cased:
            written_small[string] += opened.words[start:end] == opened.lower[start:end]
    scores = {string: votes[string] / occurrences[string] * len(string) for string in occurrences}
    found = list(occurrences_of(words, occurrences))
    if not cased:
        # "us" is no "US": small letters count only for strings that are labelled in small letters.
        found = [
            (start, end, string)
            for start, end, string in found
            if written_small[string] * 2 >= occurrences[string]
            or opened.words[start:end] != opened.lower[start:end]
        ]
    for start, end, string in _best(found, scores):
        count = occurrences[string]
        for label, total_probability in sorted(sums[string].items()):
            if total_probability / count >= _LEAST:
                yield start, end, label, min(1.0, total_probability / count)


def history(doc: Doc, layers: Layers, *, words: str = "en") -> Iterator[Proposal]:
    """Yield short names with the labels of the longer name that introduced them earlier.

    Of a person's name that is the surname or the first name, of a company's name its beginning.
    Generic words ("Group", "Bank"), and names that functions mostly take for places, are left out.
    """
    opened = page(doc)
    spelling = _letters(opened, words)
    said = distributions(layers)
    places = _places(opened, said)
    parts: dict[Key, tuple[int, Distribution]] = {}
    for (start, end), (labels, _) in sorted(said.items()):
        if not 2 <= end - start <= _LONGEST or not labels:
            continue
        top = max(labels, key=lambda label: (labels[label], label))
        if top in PERSON_LABELS:
            pieces = _parts_of_person(spelling, start, end)
        elif top in COMPANY_LABELS:
            pieces = _parts_of_company(spelling, start, end)
        else:
            continue
        for piece_start, piece_end in pieces:
            string = tuple(opened.words[piece_start:piece_end])
            if string not in places:
                parts.setdefault(string, (end, labels))
    introductions = {span for span in said if span[1] - span[0] >= 2}
    covered = {i for start, end in introductions for i in range(start, end)}
    found = [
        (start, end, string)
        for start, end, string in occurrences_of(opened.words, parts)
        if start >= parts[string][0] and covered.isdisjoint(range(start, end))
    ]
    for start, end, string in _best(found, {string: float(len(string)) for string in parts}):
        for label, probability in sorted(parts[string][1].items()):
            if probability >= _LEAST:
                yield start, end, label, min(1.0, probability)


def _letters(opened: Page, words: str) -> list[str]:
    letters = [BREAK] * len(opened.words)
    # White space between paragraphs is a token too, and spelt like the end of a sentence.
    for place, letter in enumerate(names(opened, words)):
        if letter != BREAK:
            letters[opened.token_at[place]] = letter
    return letters


def _parts_of_person(letters: Sequence[str], start: int, end: int) -> list[Span]:
    """Return the surname, with its particles, the last two words, and the first name."""
    while end > start and letters[end - 1] in "jd.,s":
        end -= 1
    surname = end - 1
    while surname - 1 > start and letters[surname - 1] in "pbPB-":
        surname -= 1
    pieces = [(surname, end)] if surname > start else []
    if end - surname > 1 and letters[end - 1] in "TFGUx":
        pieces.append((end - 1, end))
    if letters[start] == "F":
        pieces.append((start, start + 1))
    return [(a, b) for a, b in pieces if letters[b - 1] in "TFGUxNH" and b - a < end - start]


def _parts_of_company(letters: Sequence[str], start: int, end: int) -> list[Span]:
    """Return every beginning of the name that ends in a word of its own, no generic word."""
    pieces = []
    for stop in range(start + 1, end):
        if letters[stop - 1] in "TUxFI" and letters[start] in "TUxFGI":
            pieces.append((start, stop))
    return pieces


def _places(opened: Page, said: Mapping[Span, tuple[Distribution, int]]) -> set[Key]:
    """Return the strings that functions mostly take for places or peoples."""
    balance: defaultdict[Key, float] = defaultdict(float)
    for (start, end), (labels, voters) in said.items():
        for label, probability in labels.items():
            sign = 1 if label in _PLACE_LABELS else -1
            balance[tuple(opened.words[start:end])] += sign * probability * voters
    return {string for string, value in balance.items() if value > 0}


def _best(
    found: Iterable[tuple[int, int, Key]], scores: Mapping[Key, float]
) -> list[tuple[int, int, Key]]:
    """Return occurrences that do not overlap, those with the highest scores first in line."""
    taken: set[int] = set()
    kept = []
    for start, end, string in sorted(found, key=lambda item: (-scores[item[2]], item[0], item[1])):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            kept.append((start, end, string))
    return sorted(kept)


def doc_majority_cased(
    reads: Iterable[str] = ("*",), labels: Iterable[str] = ("*",)
) -> LabellingFunction:
    """Return the function that labels every occurrence of a string alike, case taken as written.

    ``reads=("silver",)`` makes it a second stage; then name the ``labels`` of the posterior.
    """
    return _reader("doc_majority_cased", partial(majority, cased=True), reads, labels)


def doc_majority_uncased(
    reads: Iterable[str] = ("*",), labels: Iterable[str] = ("*",)
) -> LabellingFunction:
    """Return the function that labels every occurrence of a string alike, whatever its case."""
    return _reader("doc_majority_uncased", partial(majority, cased=False), reads, labels)


def doc_history(
    reads: Iterable[str] = ("*",), labels: Iterable[str] = ("*",), words: str = "en"
) -> LabellingFunction:
    """Return the function that labels short names as the longer name that introduced them."""
    return _reader("doc_history", partial(history, words=words), reads, labels, words=words)


def _reader(
    name: str,
    say: Callable[[Doc, Layers], Iterator[Proposal]],
    reads: Iterable[str],
    labels: Iterable[str],
    **options: str,
) -> LabellingFunction:
    return LabellingFunction(
        name=name,
        labels=tuple(labels),
        propose=lambda doc: say(doc, proposals(doc)),
        reads=tuple(reads),
        group="document_level",
        options=options,
    )
