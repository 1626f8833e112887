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
    """Keep of a span that runs over a line break what stands before it."""
    answers = []
    for start, end, label, probability in proposals:
        breaks = [i for i in range(start, end) if "\n" in doc[i].text]
        while breaks and breaks[0] == start:
            start = breaks.pop(0) + 1
        end = breaks[0] if breaks else end
        if start < end:
            answers.append((start, end, label, probability))
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
    """Drop names without a capital letter; a name without any letter is a number at best."""
    # An e-mail or a chat is often without any capital: nothing to go by there.
    cased = any(token.is_title for token in doc)
    answers = []
    for start, end, label, probability in proposals:
        text = doc[start:end].text
        if label in _NAMES and not _LETTER.search(text):
            if not any(character.isdigit() for character in text):
                continue
            label = "CARDINAL"
        elif label in _NAMES and cased and not any(character.isupper() for character in text):
            continue
        answers.append((start, end, label, probability))
    return answers


def trust_honorifics(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Make a person of the name after "Mr." and the like, found by the model or not."""
    answers = list(proposals)
    for token in doc[:-1]:
        if token.is_title and _bare(token) in _SURE_HONORIFICS:
            start = token.i + 1 + (doc[token.i + 1].text == ".")
            end = start
            while end < len(doc) and end < start + 3 and doc[end].is_title and doc[end].is_alpha:
                end += 1
            if end == start:
                continue
            known = [p for p in answers if p[0] == start and p[2] in _NAMES]
            if known:
                answers = [
                    (s, e, "PERSON", p)
                    if s == start and label in _NAMES - _PEOPLE
                    else (s, e, label, p)
                    for s, e, label, p in answers
                ]
            elif not any(s < end and start < e for s, e, _, _ in answers):
                answers.append((start, end, "PERSON", 1.0))
    return answers


def settle_numbers(doc: Doc, proposals: list[Proposal]) -> list[Proposal]:
    """Call amounts, percentages, dates and ordinals what their signs and words say they are.

    A longer span of the right label stays ("more than $ 3 million"), as does a name around the
    number ("the September 11 Commission").
    """
    answers = list(proposals)
    for start, end, label in certain_spans(doc):
        over = [p for p in answers if p[0] < end and start < p[1]]
        if any(
            p[0] <= start
            and end <= p[1]
            and (p[2] == label or (p[2] not in _NUMBERS and p[1] - p[0] > end - start))
            for p in over
        ):
            continue
        if label == "ORDINAL" and any(p[1] - p[0] > 1 for p in over):
            continue
        answers = [p for p in answers if p not in over]
        answers.append((start, end, label, max((p[3] for p in over), default=1.0)))
    return answers


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


def _without_overlaps(proposals: list[Proposal]) -> list[Proposal]:
    """Return the spans that no longer one overlaps; the labels of one span stay together."""
    proposals = sorted(proposals)
    if all(one[1] <= other[0] for one, other in pairwise(proposals)):
        return proposals
    kept: list[Proposal] = []
    taken: dict[int, tuple[int, int]] = {}
    for start, end, label, probability in sorted(set(proposals), key=lambda p: (p[0] - p[1], p)):
        if all(taken.get(i, (start, end)) == (start, end) for i in range(start, end)):
            taken.update(dict.fromkeys(range(start, end), (start, end)))
            if not any(k[:3] == (start, end, label) for k in kept):
                kept.append((start, end, label, probability))
    return sorted(kept)


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
