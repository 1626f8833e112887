"""Functions that match text or tokens: ``regex``, ``patterns`` and ``phrases``."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from spacy.matcher import Matcher
from spacy.tokens import Doc
from spacy.vocab import Vocab

from silverspan.corpus.json_lines import read_objects
from silverspan.errors import InputError
from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.labelling.heuristics.spelling import page
from silverspan.labelling.heuristics.wordlists import read_entries
from silverspan.labelling.phrases import Phrases

#: What to do with a match that begins or ends inside a token.
Alignment = Literal["expand", "contract", "strict"]

# Token attributes of a pattern, and what a document must carry for them.
_NEEDS = {
    "TAG": "tag",
    "POS": "pos",
    "DEP": "dep",
    "LEMMA": "lemma",
    "ENT_TYPE": "ent",
    "ENT_IOB": "ent",
    "IS_SENT_START": "sent",
    "SENT_START": "sent",
}


def regex(
    name: str,
    pattern: str,
    label: str | None = None,
    *,
    group: int | str = 0,
    ignore_case: bool = False,
    alignment: Alignment = "expand",
    probability: float = 1.0,
) -> LabellingFunction:
    r"""Return a function that matches a regular expression on the text of a document.

    Without a ``label`` the names of the pattern's groups are the labels. A match that begins or
    ends inside a token is widened to whole tokens, narrowed, or dropped (``alignment``).

    >>> import spacy
    >>> tickers = regex("tickers", r"\b[A-Z]{3,4}\.OL\b", "ORG")
    >>> list(tickers(spacy.blank("en")("Shares of EQNR.OL rose.")))
    [(2, 3, 'ORG', 1.0)]

    Raises:
        InputError: the pattern is no regular expression, or gives no label.
    """
    try:
        compiled = re.compile(pattern, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))
    except re.error as error:
        raise InputError(
            f"function {name!r}: {pattern!r} is no regular expression: {error}"
        ) from None
    groups: dict[str, int | str] = {key: key for key in compiled.groupindex}
    if label:
        groups = {label: group}
    if not groups:
        raise InputError(
            f"function {name!r}: give a label, or name the groups of the pattern after labels: "
            "(?P<ORG>...)"
        )

    def propose(doc: Doc) -> Iterator[Proposal]:
        starts, ends = _offsets(doc)
        for match in compiled.finditer(doc.text):
            for said, key in groups.items():
                span = _aligned(*match.span(key), starts, ends, alignment)
                if span is not None:
                    yield (*span, said, probability)

    return LabellingFunction(
        name=name,
        labels=tuple(groups),
        propose=propose,
        options={
            "pattern": pattern,
            "label": label,
            "group": group,
            "ignore_case": ignore_case,
            "alignment": alignment,
            "probability": probability,
        },
    )


def _offsets(doc: Doc) -> tuple[list[int], list[int]]:
    """Return where each token starts and ends in the text."""

    def find() -> tuple[list[int], list[int]]:
        table = doc.to_array(["IDX", "LENGTH"]).astype("int64").reshape(len(doc), 2)
        return table[:, 0].tolist(), table.sum(axis=1).tolist()

    return page(doc).remember("offsets", find)


def _aligned(
    start: int, end: int, starts: Sequence[int], ends: Sequence[int], alignment: Alignment
) -> tuple[int, int] | None:
    """Return the tokens of characters, or ``None`` if they are none or do not fit."""
    if end <= start:
        return None
    first, last = bisect_right(ends, start), bisect_left(starts, end)
    if alignment != "expand":
        inner_first, inner_last = bisect_left(starts, start), bisect_right(ends, end)
        if alignment == "strict" and (inner_first, inner_last) != (first, last):
            return None
        first, last = inner_first, inner_last
    return (first, last) if first < last else None


def patterns(
    name: str,
    patterns: str | Path | Iterable[Any],
    label: str | None = None,
    *,
    probability: float = 1.0,
) -> LabellingFunction:
    """Return a function that matches spaCy token patterns, as they are.

    ``patterns`` are those of a ``Matcher`` (lists of token descriptions, with a ``label``), those
    of a ``SpanRuler`` (``{"label": ..., "pattern": ...}``, the pattern a list or a phrase), or the
    path of a JSONL file of the latter. Of matches that overlap the longest counts.

    >>> import spacy
    >>> pattern = [{"LOWER": "minister"}, {"IS_TITLE": True}]
    >>> ministers = patterns("ministers", [pattern], "TITLE")
    >>> list(ministers(spacy.blank("en")("the minister Berg")))
    [(1, 3, 'TITLE', 1.0)]

    Raises:
        InputError: a pattern has no label, or is none that spaCy knows.
    """
    rules = list(_rules(name, patterns, label))
    labels = tuple(dict.fromkeys(said for said, _ in rules))
    keys = {
        key.upper()
        for _, rule in rules
        if not isinstance(rule, str)
        for token in rule
        for key in token
    }
    by_label = {said: [rule for other, rule in rules if other == said] for said in labels}
    # The matcher of the vocabulary met last: documents of one corpus share theirs.
    made: list[tuple[Vocab, Matcher]] = []
    wordings = {
        said: Phrases([rule for rule in found if isinstance(rule, str)])
        for said, found in by_label.items()
        if any(isinstance(rule, str) for rule in found)
    }

    def matcher_of(vocab: Vocab) -> Matcher:
        if not made or made[0][0] is not vocab:
            matcher = Matcher(vocab)
            for said, found in by_label.items():
                tokens = [rule for rule in found if not isinstance(rule, str)]
                if tokens:
                    matcher.add(said, tokens)
            made[:] = [(vocab, matcher)]
        return made[0][1]

    try:
        matcher_of(Vocab())
    except ValueError as error:
        raise InputError(f"function {name!r}: spaCy refuses the pattern: {error}") from None

    def propose(doc: Doc) -> Iterator[Proposal]:
        strings = doc.vocab.strings
        found = [
            (start, end, str(strings[said])) for said, start, end in matcher_of(doc.vocab)(doc)
        ]
        for said, wording in wordings.items():
            found += [(start, end, said) for start, end in wording.spans(page(doc))]
        taken: set[int] = set()
        for start, end, said in sorted(found, key=lambda span: (span[0] - span[1], span)):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                yield start, end, said, probability

    return LabellingFunction(
        name=name,
        labels=labels,
        propose=propose,
        needs=tuple(sorted({_NEEDS[key] for key in keys if key in _NEEDS})),
        options={"patterns": [[said, rule] for said, rule in rules], "probability": probability},
    )


def _rules(
    name: str, given: str | Path | Iterable[Any], label: str | None
) -> Iterator[tuple[str, str | list[dict[str, Any]]]]:
    items: Iterable[Any]
    if isinstance(given, str | Path):
        items = (item.fields for item in read_objects(given))
    else:
        items = given
    for item in items:
        said, rule = label, item
        if isinstance(item, dict):
            said, rule = item.get("label", label), item.get("pattern")
        if not said or not rule:
            raise InputError(
                f"function {name!r}: the pattern {item!r} has no label; give label=..., or write "
                'it as {"label": ..., "pattern": ...}'
            )
        yield said, rule


def phrases(
    name: str,
    entries: str | Path | Iterable[str],
    label: str,
    *,
    cased: bool = True,
    probability: float = 1.0,
) -> LabellingFunction:
    """Return a function that finds the phrases of a list, or of a file with one a line.

    >>> import spacy
    >>> fleets = phrases("fleets", ["Hurtigruten", "Color Line"], "ORG")
    >>> list(fleets(spacy.blank("en")("It sold Color Line.")))
    [(2, 4, 'ORG', 1.0)]

    Raises:
        InputError: there is no such file, or no phrase in it.
    """
    if isinstance(entries, str | Path):
        if not Path(entries).is_file():
            raise InputError(f"function {name!r}: there is no such file of phrases", path=entries)
        listed = list(read_entries(entries))
    else:
        listed = list(entries)
    if not listed:
        raise InputError(f"function {name!r}: the list of phrases is empty")

    @lru_cache(maxsize=8)
    def of_language(language: str) -> Phrases:
        return Phrases(listed, cased=cased, language=language)

    def propose(doc: Doc) -> Iterator[Proposal]:
        for start, end in of_language(doc.lang_ or "xx").spans(page(doc)):
            yield start, end, label, probability

    return LabellingFunction(
        name=name,
        labels=(label,),
        propose=propose,
        options={"entries": listed, "label": label, "cased": cased, "probability": probability},
    )
