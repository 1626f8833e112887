"""The ``+c`` forms: known errors of recognisers, put right by what stands around a span.

A correction takes what a model said of a document and returns what it should have said. They look
at tokens only, so they serve any model of English text. amounts.py finds what numbers mean.
"""

import re
from collections.abc import Callable
from itertools import pairwise

from spacy.tokens import Doc, Token

from silverspan.labelling.function import Proposal
from silverspan.labelling.models.amounts import certain_spans

#: What a corrected function may say besides its model's labels.
CORRECTED_LABELS = ("CARDINAL", "DATE", "MONEY", "ORDINAL", "ORG", "PERCENT", "PERSON")

_PEOPLE = {"PERSON", "PER"}
_NAMES = _PEOPLE | {
    "ORG",
    "GPE",
    "LOC",
    "FAC",
    "NORP",
    "PRODUCT",
    "EVENT",
    "LAW",
    "LANGUAGE",
    "MISC",
}
#: Bare numbers are worth only what their surroundings say, so surroundings overrule these.
_NUMBERS = {"CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "PERCENT", "DATE", "TIME"}
_ORDINAL_WORDS = {
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth", "thirtieth", "hundredth", "thousandth",
}  # fmt: skip

#: Whatever ends with one of these is one.
_AMOUNTS = {"MONEY", "PERCENT"}

_DETERMINERS = {"the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their"}
#: Places whose article belongs to the name.
_KEEPS_ARTICLE = {"hague", "gambia", "bahamas", "bronx"}
_POSSESSIVES = {"'s", "\N{RIGHT SINGLE QUOTATION MARK}s", "'", "\N{RIGHT SINGLE QUOTATION MARK}"}
_HONORIFICS = {
    "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir", "dame", "lady", "lord",
    "rev", "reverend", "hon", "madam", "herr", "frau", "monsieur", "madame", "signor", "señor",
}  # fmt: skip
#: Written with a capital, these make the name that follows a person's.
_SURE_HONORIFICS = {"mr", "mrs", "ms", "miss", "mx", "sir", "dame"}
#: As they are written; without their stops. The longer ones may also stand in capitals.
_LEGAL_FORMS = {
    "Inc", "Incorporated", "Corp", "Corporation", "Co", "Ltd", "Limited", "LLC", "LLP", "LP", "plc",
    "Plc", "PLC", "AG", "GmbH", "KG", "KGaA", "SE", "SA", "SAS", "SARL", "NV", "BV", "SpA", "SRL",
    "Srl", "AB", "ASA", "AS", "Oy", "Oyj", "KK", "Bhd", "Pte", "Pty", "PJSC", "OAO", "OOO", "Pvt",
}  # fmt: skip
_LETTER = re.compile(r"[^\W\d_]")


def correct(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Return what a model said of a document with its known errors put right, sorted by start.

    >>> import spacy
    >>> doc = spacy.blank("en")("Mr. Smith's firm paid $ 3 million to Acme Inc.")
    >>> correct(doc, [(0, 3, "PERSON", 1.0), (6, 8, "CARDINAL", 1.0), (9, 10, "PERSON", 1.0)])
    [(1, 2, 'PERSON', 1.0), (5, 8, 'MONEY', 1.0), (9, 11, 'ORG', 1.0)]
    """
    for step in CORRECTIONS:
        proposals = _without_overlaps(step(doc, proposals))
    return sorted(proposals)


def cut_at_line_breaks(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Keep one line of a span that runs over line breaks: the first that is not in capitals."""
    answers = []
    for start, end, label, probability in proposals:
        ends = [place for place in range(start, end) if "\n" in doc[place].text] + [end]
        starts = [start, *(place + 1 for place in ends)]
        lines = [(s, e) for s, e in zip(starts, ends, strict=False) if s < e]
        if lines:
            # A headline that the model took for the beginning of the first sentence's name.
            plain = (line for line in lines if not doc[line[0] : line[1]].text.isupper())
            answers.append((*next(plain, lines[0]), label, probability))
    return answers


def join_hyphenated_people(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Make one person of a name that tokens split at its hyphen: "Anne", "-", "Marie Berg"."""
    answers: list[Proposal] = []
    for start, end, label, probability in sorted(proposals):
        if label in _PEOPLE:
            while end + 1 < len(doc) and _hyphen_inside_word(doc, end) and doc[end + 1].is_title:
                end += 2
                following = (p for p in proposals if p[0] == end - 1 and p[2] == label)
                end = max((p[1] for p in following), default=end)
        answers.append((start, end, label, probability))
    return answers


def join_legal_forms(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Give a company its legal form ("Acme", "Inc." or ", Inc."); with one, it is an ORG."""
    answers = []
    for start, end, label, probability in proposals:
        if label in _NAMES:
            reach = _legal_form_end(doc, end)
            if reach > end or (end - start > 1 and _is_legal_form(doc[end - 1])):
                end, label = max(reach, end), "ORG"
        answers.append((start, end, label, probability))
    return answers


def trim_edges(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Take determiners, titles, possessives and punctuation off the ends of a span."""
    answers = []
    for start, end, label, probability in proposals:
        if label not in _NUMBERS:
            while start < end and _is_loose_start(doc, start, end, label):
                start += 1
            while start < end and _is_loose_end(doc, start, end):
                end -= 1
        else:
            while start < end and doc[end - 1].is_space:
                end -= 1
        if start < end:
            answers.append((start, end, label, probability))
    return answers


def drop_what_names_nothing(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Drop titles alone and names without a capital; a name without letters is but a number."""
    # An e-mail or a chat is often without any capital: nothing to go by there.
    cased = any(token.is_title for token in doc)
    answers = []
    for start, end, label, probability in proposals:
        text = doc[start:end].text
        if label in _NAMES and end - start == 1 and _bare(doc[start]) in _SURE_HONORIFICS:
            continue
        if label in _NAMES - {"PRODUCT", "EVENT", "LAW"} and not _LETTER.search(text):
            if not any(character.isdigit() for character in text):
                continue
            label = "CARDINAL"
        elif label in _NAMES and cased and not any(character.isupper() for character in text):
            continue
        answers.append((start, end, label, probability))
    return answers


def trust_honorifics(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Make a person of the name after "Mr." and the like, found by the model or not."""
    spans, owner = _by_span(proposals)
    for token in doc[:-1]:
        if not token.is_title or _bare(token) not in _SURE_HONORIFICS:
            continue
        start = token.i + 1 + (doc[token.i + 1].text == ".")
        end = start
        while end < len(doc) and end < start + 3 and doc[end].is_title and doc[end].is_alpha:
            end += 1
        known = owner.get(start)
        if known and known[0] == start:
            spans[known] = [
                ("PERSON" if label in _NAMES - _PEOPLE else label, probability)
                for label, probability in spans[known]
            ]
        elif end > start and not any(place in owner for place in range(start, end)):
            spans[start, end] = [("PERSON", 1.0)]
    return _flat(spans)


def settle_numbers(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Call amounts, percentages, dates and ordinals what their signs and words say they are.

    A longer span of the right label stays ("more than $ 3 million"), as does a name around the
    number ("the September 11 Commission") unless an amount ends it ("Liberals 28 percent").
    """
    spans, owner = _by_span(_ordinal_words(doc, proposals))
    for start, end, label in certain_spans(doc):
        over = sorted({owner[place] for place in range(start, end) if place in owner})
        if any(_stays(span, {name for name, _ in spans[span]}, start, end, label) for span in over):
            continue
        surest = max((share for span in over for _, share in spans[span]), default=1.0)
        first = start
        for span in over:
            said = spans.pop(span)
            for place in range(*span):
                del owner[place]
            if span[0] < start and not {name for name, _ in said} <= _NUMBERS:
                spans[span[0], start] = said
                owner.update(dict.fromkeys(range(span[0], start), (span[0], start)))
            elif span[1] <= end and label in _AMOUNTS:
                first = min(first, span[0])  # "between 2 and 4" before "pct"
        spans[first, end] = [(label, surest)]
        owner.update(dict.fromkeys(range(first, end), (first, end)))
    return _flat(spans)


def _ordinal_words(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Call "third" an ordinal where it is called a cardinal number only."""
    known = {(start, end) for start, end, label, _ in proposals if label == "ORDINAL"}
    return [
        (start, end, "ORDINAL", share)
        if label == "CARDINAL"
        and end - start == 1
        and doc[start].lower_ in _ORDINAL_WORDS
        and (start, end) not in known
        else (start, end, label, share)
        for start, end, label, share in proposals
    ]


def _stays(span: tuple[int, int], labels: set[str], start: int, end: int, label: str) -> bool:
    """Tell whether what a model said around a certain span is better than it."""
    longer = span[1] - span[0] > end - start
    if label == "ORDINAL" and (longer or "DATE" in labels):
        return True
    if not (span[0] <= start and end <= span[1]):
        return False
    if label in labels or (label == "DATE" and "TIME" in labels):
        return True
    return longer and not labels <= _NUMBERS and not (label in _AMOUNTS and end == span[1])


#: In the order in which they run: each finds what the one before has left.
CORRECTIONS: tuple[Callable[[Doc, list[Proposal]], list[Proposal]], ...] = (
    cut_at_line_breaks,
    join_hyphenated_people,
    trim_edges,
    join_legal_forms,
    trust_honorifics,
    drop_what_names_nothing,
    settle_numbers,
)


_Labels = list[tuple[str, float]]


def _by_span(
    proposals: list[Proposal],
) -> tuple[dict[tuple[int, int], _Labels], dict[int, tuple[int, int]]]:
    """Return the labels of each span, and the span at each token; no two spans overlap."""
    spans: dict[tuple[int, int], _Labels] = {}
    owner: dict[int, tuple[int, int]] = {}
    for start, end, label, probability in proposals:
        spans.setdefault((start, end), []).append((label, probability))
        owner.update(dict.fromkeys(range(start, end), (start, end)))
    return spans, owner


def _flat(spans: dict[tuple[int, int], _Labels]) -> list[Proposal]:
    return [(*span, *labelled) for span, labels in spans.items() for labelled in labels]


def _without_overlaps(proposals: list[Proposal]) -> list[Proposal]:
    """Return the spans that no longer one overlaps; the labels of one span stay together."""
    proposals = sorted(proposals)
    if all(one[1] <= other[0] for one, other in pairwise(proposals)):
        return proposals
    kept: dict[tuple[int, int, str], float] = {}
    taken: dict[int, tuple[int, int]] = {}
    for start, end, label, probability in sorted(proposals, key=lambda p: (p[0] - p[1], p)):
        if all(taken.get(place, (start, end)) == (start, end) for place in range(start, end)):
            taken.update(dict.fromkeys(range(start, end), (start, end)))
            kept[start, end, label] = max(probability, kept.get((start, end, label), 0.0))
    return sorted((*key, probability) for key, probability in kept.items())


def _bare(token: Token) -> str:
    return token.lower_.rstrip(".")


def _hyphen_inside_word(doc: Doc, place: int) -> bool:
    """Tell whether the token is a hyphen with no blank on either side."""
    return (
        place > 0
        and doc[place].text == "-"
        and not doc[place].whitespace_
        and not doc[place - 1].whitespace_
    )


def _is_legal_form(token: Token) -> bool:
    spelling = token.text.replace(".", "")
    shout = len(spelling) > 2 and spelling.isupper() and spelling.title() in _LEGAL_FORMS
    return shout or spelling in _LEGAL_FORMS


def _legal_form_end(doc: Doc, end: int) -> int:
    """Return the end of the legal form that begins at ``end``, perhaps after a comma or "&"."""
    place = end
    if place + 1 < len(doc) and doc[place].text in {",", "&", "and"}:
        place += 1
    reached = end
    while place < len(doc) and _is_legal_form(doc[place]):
        place = reached = place + 1
        # The stop of an abbreviation, cut off, rather than that of the sentence.
        if place + 1 < len(doc) and doc[place].text == "." and not doc[place + 1].is_title:
            place = reached = place + 1
    return reached


def _is_loose_start(doc: Doc, start: int, end: int, label: str) -> bool:
    token = doc[start]
    if token.is_space or token.text in _POSSESSIVES:
        return True
    if token.is_punct and token.text[0] not in "#@":
        return True
    if start + 1 < end and token.lower_ in _DETERMINERS:
        if doc[start + 1].lower_ in _KEEPS_ARTICLE and token.text[0].isupper():
            return False
        # Inside a sentence a capital article is part of the name: "The Times".
        return token.is_lower or bool(token.is_sent_start) or start == 0 or label in _PEOPLE
    if label in _PEOPLE and start + 1 < end:
        return _bare(token) in _HONORIFICS or (token.text == "." and not token.is_title)
    return False


def _is_loose_end(doc: Doc, start: int, end: int) -> bool:
    token = doc[end - 1]
    if token.is_space or token.text in _POSSESSIVES:
        return True
    if not token.is_punct:
        return False
    if token.text == ".":
        # The stop of an abbreviation that the tokenizer cut off: "J" "." or "Inc" "."
        before = doc[end - 2] if end - 2 >= start else None
        return before is None or not (len(before) == 1 or _is_legal_form(before))
    if token.text == ")":
        return "(" not in {other.text for other in doc[start : end - 1]}
    return True
