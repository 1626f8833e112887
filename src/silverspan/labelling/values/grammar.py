"""Rules over classes of words, and the passes that turn a run of lexemes into trees of values.

data/grammar.txt says what can be said and how to write a rule. A run of lexemes is a string (one
letter per lexeme, see lexicon.py), a rule a regular expression over it. Passes run one after the
other; each replaces what it found by one letter. The result depends on the string alone, so it is
remembered: texts repeat few shapes. What a tree *means* is for meanings.py.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from silverspan.labelling.values.lexicon import Alphabet

_NAME = re.compile(r"[A-Z][A-Za-z0-9]*(?:&[A-Z][A-Za-z0-9]*)*|[a-z_]+:?|\s+|[^\sA-Za-z]")
_RULE = re.compile(r"([A-Z]+) (\w+) (\w+)(?: \+([A-Z]+)\((\w+)\))?\s*: (.*)")
_MACRO = re.compile(r"([a-z]+) = (.*)")
_CACHED_LENGTH = 48


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the grammar."""

    label: str
    symbol: str
    action: str
    also: tuple[str, str] | None
    pattern: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Something found: a rule, the lexemes it covers (from the run's start), what it is made of.

    ``groups`` are positions in ``items``; an item is a Node or the index of a lexeme. ``others``
    are the same span under other labels.
    """

    rule: Rule
    start: int
    end: int
    items: tuple["Node | int", ...]
    groups: Mapping[str, tuple[int, int]]
    others: tuple["Node", ...] = ()

    def inner(self) -> Iterator["Node"]:
        """Yield the nodes right below this one."""
        for item in self.items:
            if isinstance(item, Node):
                yield item


def read_grammar(text: str) -> list[list[Rule]]:
    r"""Return the rules of each pass, macros filled in.

    >>> read_grammar("== one\nday = (?:DAY|ORD)\nDATE Date f : MONTH d:day")[0][0].pattern
    'MONTH (?P<d>(?:DAY|ORD))'
    """
    macros: dict[str, str] = {}
    passes: list[list[Rule]] = []
    for line in re.sub(r"\n[ \t]+", " ", text).splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("=="):
            passes.append([])
        elif macro := _MACRO.fullmatch(line):
            macros[macro[1]] = _expand(macro[2], macros)
        elif rule := _RULE.fullmatch(line):
            label, symbol, action, also_label, also_group, pattern = rule.groups()
            also = (also_label, also_group) if also_label else None
            expanded = _expand(pattern, macros)
            passes[-1].append(Rule(label, symbol, action, also, expanded, f"{label}.{action}"))
        else:
            raise ValueError(f"not a line of a grammar: {line!r}")
    return passes


def _expand(pattern: str, macros: Mapping[str, str]) -> str:
    """Return a pattern with its macros replaced and its captures named as ``re`` does."""
    result: list[str] = []
    pieces = [piece for piece in _NAME.findall(pattern)]
    i = 0
    while i < len(pieces):
        piece = pieces[i]
        if piece.endswith(":") and piece != ":":
            # A capture holds what follows: one class, one macro, or one parenthesis.
            stop = _operand(pieces, i + 1)
            inner = _expand("".join(pieces[i + 1 : stop]), macros)
            result.append(f"(?P<{piece[:-1]}>{inner})")
            i = stop
            continue
        result.append(macros.get(piece, piece))
        i += 1
    return "".join(result)


def _operand(pieces: list[str], i: int) -> int:
    if pieces[i] != "(":
        return i + 1
    depth = 0
    while True:
        depth += {"(": 1, ")": -1}.get(pieces[i], 0)
        i += 1
        if not depth:
            return i


class Grammar:
    """The rules, compiled for the alphabet of one language."""

    def __init__(self, alphabet: Alphabet, passes: Iterable[Iterable[Rule]] | None = None) -> None:
        self.alphabet = alphabet
        self._rules = [list(rules) for rules in (passes if passes is not None else _standard())]
        for rules in self._rules:
            for rule in rules:
                alphabet.letter({rule.symbol})
        self._compile()

    def _compile(self) -> None:
        self._size = len(self.alphabet.letters)
        self._passes: list[list[tuple[Rule, re.Pattern[str], str]]] = []
        for rules in self._rules:
            compiled = []
            for rule in rules:
                pattern = self._pattern(rule.pattern)
                if pattern is not None:
                    compiled.append((rule, pattern, self.alphabet.letter({rule.symbol})))
            self._passes.append(compiled)
        self._cached = lru_cache(maxsize=65_536)(self._analyse)

    def _pattern(self, pattern: str) -> re.Pattern[str] | None:
        def letters(match: re.Match[str]) -> str:
            chars = self.alphabet.having(set(match[0].split("&")))
            return f"[{chars}]" if chars else "(?!)"

        # The names of captures and lookaround syntax hold no capital letters but (?P.
        text = re.sub(r"(?<!\?)\b[A-Z][A-Za-z0-9]*(?:&[A-Z][A-Za-z0-9]*)*", letters, pattern)
        return re.compile(text.replace(" ", ""))

    def analyse(self, run: str) -> tuple["Node | int", ...]:
        """Return the run's lexemes (their indices), those of one value under one Node."""
        if len(self.alphabet.letters) != self._size:
            self._compile()  # a new kind of lexeme has turned up: rules must know its letter
        return self._cached(run) if len(run) <= _CACHED_LENGTH else self._analyse(run)

    def _analyse(self, run: str) -> tuple["Node | int", ...]:
        items: list[Node | int] = list(range(len(run)))
        for rules in self._passes:
            found: list[tuple[int, int, int, re.Match[str], Rule, str]] = []
            for order, (rule, pattern, letter) in enumerate(rules):
                for match in pattern.finditer(run):
                    if match.end() > match.start():
                        found.append((match.start(), -match.end(), order, match, rule, letter))
            if not found:
                continue
            found.sort(key=lambda candidate: candidate[:3])
            run, items = _replace(run, items, found)
        return tuple(items)


def _replace(
    run: str,
    items: list[Node | int],
    found: list[tuple[int, int, int, re.Match[str], Rule, str]],
) -> tuple[str, list[Node | int]]:
    """Take the leftmost, then longest of what a pass found; put one letter in its place."""
    letters: list[str] = []
    kept: list[Node | int] = []
    position = 0
    i = 0
    while i < len(found):
        start, negative_end, _, match, rule, letter = found[i]
        i += 1
        if start < position:
            continue
        end = -negative_end
        others: list[Node] = []
        labels = {rule.label}
        while i < len(found) and found[i][0] == start and -found[i][1] == end:
            if found[i][4].label not in labels:
                labels.add(found[i][4].label)
                others.append(_node(items, found[i][3], found[i][4]))
            i += 1
        letters.append(run[position:start])
        kept.extend(items[position:start])
        letters.append(letter)
        kept.append(_node(items, match, rule, tuple(others)))
        position = end
    letters.append(run[position:])
    kept.extend(items[position:])
    return "".join(letters), kept


def _node(
    items: list[Node | int], match: re.Match[str], rule: Rule, others: tuple[Node, ...] = ()
) -> Node:
    start, end = match.span()
    inside = tuple(items[start:end])
    groups = {
        name: (match.start(name) - start, match.end(name) - start)
        for name, text in match.groupdict().items()
        if text
    }
    first, last = inside[0], inside[-1]
    return Node(
        rule,
        first.start if isinstance(first, Node) else first,
        last.end if isinstance(last, Node) else last + 1,
        inside,
        groups,
        others,
    )


@lru_cache(maxsize=1)
def _standard() -> list[list[Rule]]:
    file = resources.files(__package__) / "data" / "grammar.txt"
    return read_grammar(file.read_text(encoding="utf-8"))
