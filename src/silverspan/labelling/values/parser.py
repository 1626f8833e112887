"""The parser: text in, values out, in one pass over the text.

lexer.py makes lexemes, grammar.py finds trees in runs of them, meanings.py says what a tree means,
scoring.py how likely it is meant. Here they are joined, and readings that overlap are put in order.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache

# The actions of the grammar are filed when their modules are imported.
from silverspan.labelling.values import (  # noqa: F401
    amount_meanings,
    clock_meanings,
    day_meanings,
    duration_meanings,
    period_meanings,
    range_meanings,
    relative_meanings,
)
from silverspan.labelling.values.grammar import Grammar, Node
from silverspan.labelling.values.lexer import Lexer
from silverspan.labelling.values.lexicon import lexicon
from silverspan.labelling.values.meanings import Meaning, meaning
from silverspan.labelling.values.numbers import Lexeme, show
from silverspan.labelling.values.reading import Value
from silverspan.labelling.values.scoring import DOUBTFUL, Context, Neighbours, probability

#: A value holds at least one of these; all else is filler around them.
_ANCHORS = (
    *("NUM", "ORD", "ROMAN", "MONTH", "MONTHA", "WEEKDAY", "WEEKDAYA", "DAYREL", "DAYPHRASE"),
    *("UNITDAY", "UNITTIME", "UNIT", "CURRENCY", "CENT", "PERCENT", "POINTS", "PART", "PARTW"),
    *("TONIGHT", "NOON", "DECADE", "DECADEW", "APOSTROPHEYEAR", "HOLIDAY", "SEASON", "SEASONA"),
    *("QUARTER", "WEEKEND", "NOW", "FREQUENCY", "FREQUENCYTIME", "ISO", "DOTTED", "QWORD"),
    *(
        "FRACW",
        "ORDREL",
        "HALFTO",
        "HOURSIGN",
        "VAGUEAMOUNT",
        "BASIS",
        "FISCAL",
        "PERMIL",
        "TEMPERATURE",
    ),
)
#: More filler than this between two anchors, and they are not of one value.
_FILLER = 4
#: What the labels of one span may sum to.
_MOST = 0.999


class ValueParser:
    """Finds values in texts of one language.

    >>> [(v.text, v.label, v.value) for v in ValueParser().parse("It rose 5 % on May 3, 2020.")]
    [('5 %', 'PERCENT', '5%'), ('May 3, 2020', 'DATE', '2020-05-03')]
    """

    def __init__(self, language: str = "en", reference: date | None = None) -> None:
        self.language = language
        self.reference = reference
        self._lexicon = lexicon(language)
        self._lexer = Lexer(self._lexicon)
        self._day_first = bool(self._lexicon.settings["day_first"])
        self._grammar = Grammar(self._lexicon.alphabet)
        self._neighbours = Neighbours.of(self._lexicon)
        self._letters = -1
        self._runs = re.compile("")

    def parse(self, text: str) -> list[Value]:
        """Return the values of a text by position, of overlapping readings the likeliest first."""
        lexemes = self._lexer.lexemes(text)
        line = "".join(
            " "
            if lexeme.entry is None
            else (lexeme.entry.tight if lexeme.tight else lexeme.entry.letter)
            for lexeme in lexemes
        )
        found: list[Value] = []
        for match in self._run_pattern().finditer(line):
            start = match.start()
            for item in self._grammar.analyse(match.group()):
                if isinstance(item, Node):
                    found.extend(self._readings(text, lexemes, line, start, item))
        return found

    def _run_pattern(self) -> re.Pattern[str]:
        alphabet = self._lexicon.alphabet
        if len(alphabet.letters) != self._letters:
            self._letters = len(alphabet.letters)
            anchors = {letter for name in _ANCHORS for letter in alphabet.having({name})}
            inside = "".join(sorted(anchors))
            filler = f"[^ {inside}]{{0,{_FILLER}}}"
            self._runs = re.compile(f"{filler}(?:[{inside}]{filler})+")
        return self._runs

    def _readings(
        self, text: str, lexemes: list[Lexeme], line: str, offset: int, node: Node
    ) -> Iterable[Value]:
        """Return the readings of one tree; of those that overlap the likeliest first."""
        found: dict[tuple[int, int, str], Value] = {}
        left = 1.0
        for depth, rule_node, shift, sense in self._senses(lexemes, line, offset, node):
            start, end = self._span(text, lexemes, shift, rule_node)
            context = Context(
                text, lexemes, shift, rule_node, start, end, depth, sense, self._neighbours
            )
            certainty = probability(context)
            if depth < 1:
                # A part is meant only where the whole is not.
                left, share = min(left, 1 - certainty), 1.0
            else:
                share = left
            self._add(found, text, start, end, rule_node.rule.label, sense.value, certainty * share)
            if rule_node.rule.also is not None:
                first, last, label, value = _also(lexemes, shift, rule_node)
                certainty = probability(context, also=True) * share
                self._add(found, text, first, last, label, value, certainty)
        return _clusters(_shared(found.values()))

    def _span(self, text: str, lexemes: list[Lexeme], offset: int, node: Node) -> tuple[int, int]:
        """Where a tree stands in the text; a full stop that ends a sentence is not part of it."""
        start = lexemes[offset + node.start].start
        last = lexemes[offset + node.end - 1]
        end = last.end
        is_abbreviated = text[end - 1] == "." and text.count(".", last.start, end) == 1
        # Alone ("Sept.") an abbreviation keeps its stop: cut out of a text, it is read the same.
        if is_abbreviated and not text[end:].strip() and text[:start].strip():
            word = text[last.start : end - 1].rstrip()
            entry = self._lexicon.lookup(word)[0]
            # "in." is an inch, "in" is not.
            if entry and last.entry and entry.values.keys() & last.entry.values.keys():
                end = last.start + len(word)
        return start, end

    def _add(
        self,
        found: dict[tuple[int, int, str], Value],
        text: str,
        start: int,
        end: int,
        label: str,
        value: str,
        certainty: float,
    ) -> None:
        key = (start, end, label)
        if key not in found or found[key].probability < certainty:
            rounded = max(round(certainty, 4), 0.0001)
            found[key] = Value(start, end, text[start:end], label, value, rounded)

    def _senses(
        self, lexemes: list[Lexeme], line: str, offset: int, node: Node
    ) -> Iterator[tuple[float, Node, int, Meaning]]:
        """Yield what a tree means, under each label, and what its parts mean on their own."""
        waiting = [(0.0, node, offset, frozenset[str]())]
        while waiting:
            depth, current, shift, labels = waiting.pop(0)
            taken = set(labels)
            understood = False
            for reading in (current, *current.others):
                if reading.rule.label in taken:
                    understood = True
                    continue
                sense = meaning(reading, lexemes, shift, self.reference, self._day_first)
                if sense is not None:
                    yield depth + (0 if reading is current else 0.3), reading, shift, sense
                    taken.add(reading.rule.label)
                    understood = True
            if understood:
                passed = frozenset[str]() if current.rule.name in DOUBTFUL else frozenset(taken)
                waiting.extend((depth + 2, child, shift, passed) for child in current.inner())
            else:
                waiting.extend(
                    (depth, part, place, frozenset(taken))
                    for part, place in self._without(line, shift, current)
                )

    def _without(self, line: str, offset: int, node: Node) -> Iterator[tuple[Node, int]]:
        """Yield the trees in a tree that means nothing: its first item, and the rest read anew."""
        if len(node.items) == 1 and not isinstance(node.items[0], Node):
            return
        first = node.items[0]
        if isinstance(first, Node):
            yield first, offset
            start = first.end
        else:
            start = first + 1
            yield from self._alone(line[offset + first : offset + start], offset + first)
        yield from self._alone(line[offset + start : offset + node.end], offset + start)

    def _alone(self, run: str, offset: int) -> Iterator[tuple[Node, int]]:
        for item in self._grammar.analyse(run):
            if isinstance(item, Node):
                yield item, offset


def _also(lexemes: list[Lexeme], offset: int, node: Node) -> tuple[int, int, str, str]:
    """Return span, label and value of the second reading that a rule names."""
    label, group = node.rule.also or ("", "")
    first, last = node.groups.get(group, (0, len(node.items)))
    indices = [item for item in node.items[first:last] if isinstance(item, int)]
    entries = [lexemes[offset + index].entry for index in indices]
    numbers = [
        entry.values[name]
        for entry in entries
        if entry is not None
        for name in ("NUM", "ORD")
        if entry.values.get(name) is not None
    ]
    start, end = lexemes[offset + indices[0]].start, lexemes[offset + indices[-1]].end
    return start, end, label, "/".join(show(number) for number in numbers)


def _shared(values: Iterable[Value]) -> list[Value]:
    """Return values of which those of one span, under several labels, share at most certainty."""
    totals: dict[tuple[int, int], float] = {}
    listed = list(values)
    for value in listed:
        span = (value.start, value.end)
        totals[span] = totals.get(span, 0.0) + value.probability
    return [
        value
        if (total := totals[value.start, value.end]) <= _MOST
        else replace(value, probability=max(round(value.probability / total * _MOST, 4), 0.0001))
        for value in listed
    ]


def _clusters(values: Iterable[Value]) -> list[Value]:
    """Return values by position, those that overlap together, the likeliest of them first."""
    result: list[Value] = []
    cluster: list[Value] = []
    reach = -1
    for value in sorted(values, key=lambda v: (v.start, -v.end)):
        if value.start >= reach:
            result += sorted(cluster, key=lambda v: -v.probability)
            cluster = []
        cluster.append(value)
        reach = max(reach, value.end)
    return result + sorted(cluster, key=lambda v: -v.probability)


@lru_cache(maxsize=16)
def value_parser(language: str = "en", reference: date | None = None) -> ValueParser:
    """Return a parser of a language, made once."""
    return ValueParser(language, reference)


def parse(text: str, language: str = "en", reference: date | None = None) -> list[Value]:
    """Return the values of a text by position; of readings that overlap, the likeliest first.

    >>> [(v.text, v.label) for v in parse("two weeks ago")][0]
    ('two weeks ago', 'DATE')
    """
    return value_parser(language, reference).parse(text)
