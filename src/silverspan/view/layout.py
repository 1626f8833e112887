"""A document as sentences of plain words and islands: words under which layers are stacked.

An island is a run of words that some layer covers; it is a small grid, so that the text wraps at
any width with its layers in place. Which layers: none, every function on its own, or merged, where
functions that say the same share a row.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from silverspan.report.pictures import Layer
from silverspan.view.library import DocumentPage

Stacking = Literal["merged", "every", "none"]
Span = tuple[int, int, str, float]
#: An island is cut after so many words.
LONGEST = 24
#: A document is shown in parts of about so many words.
PART = 2500


@dataclass(frozen=True, kw_only=True, slots=True)
class Chip:
    """A span in a layer; columns count the words of its island from 1, half-open."""

    first: int
    last: int
    start: int
    end: int
    label: str
    probability: float
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One layer of an island; ``function`` is its number where it is that of one function."""

    kind: str
    name: str
    chips: tuple[Chip, ...]
    function: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A token, and whether a blank follows."""

    number: int
    text: str
    space: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Some words, with the layers under them; without any they are plain."""

    words: tuple[Word, ...]
    rows: tuple[Row, ...] = ()


def parts(breaks: Sequence[int], tokens: int) -> list[tuple[int, int]]:
    """Return a document cut into parts, at the ends of sentences where these are not too long.

    >>> parts([0, 2000, 4000], 6000)
    [(0, 2000), (2000, 4000), (4000, 6000)]
    >>> parts([0], 6000)
    [(0, 2500), (2500, 5000), (5000, 6000)]
    """
    found, first = [], 0
    for start, end in pairwise([*breaks, tokens]):
        if end - first > PART and start > first:
            found.append((first, start))
            first = start
        while end - first > PART:
            found.append((first, first + PART))
            first += PART
    return [*found, (first, tokens)]


def sentences(
    page: DocumentPage, functions: Sequence[str], stacking: Stacking, part: tuple[int, int]
) -> list[list[Piece]]:
    """Return the sentences of one part of a document as pieces, in order."""
    low, high = part
    shown = [
        replace(layer, spans=tuple(s for s in layer.spans if s[0] < high and low < s[1]))
        for layer in page.layers
        if layer.kind != "function" or stacking != "none"
    ]
    covered = [False] * len(page.tokens)
    for layer in shown:
        for start, end, *_ in layer.spans:
            covered[start:end] = [True] * (end - start)
    within = [low, *(start for start in page.breaks if low < start < high), high]
    runs = [list(_runs(covered, first, last)) for first, last in pairwise(within)]
    said = _by_run(shown, [run for line in runs for run in line])
    return [
        [_piece(page, said.get(start, []), functions, stacking, start, end) for start, end in line]
        for line in runs
    ]


def _by_run(layers: Sequence[Layer], runs: Sequence[tuple[int, int]]) -> dict[int, list[Layer]]:
    """Return for the start of every run the layers that say something of it, cut down to that."""
    starts = [start for start, _ in runs]
    found: dict[int, dict[int, list[Span]]] = {}
    for i, layer in enumerate(layers):
        for span in layer.spans:
            first = max(bisect_right(starts, span[0]) - 1, 0)
            for start, _ in runs[first : bisect_left(starts, span[1])]:
                found.setdefault(start, {}).setdefault(i, []).append(span)
    return {
        start: [replace(layers[i], spans=tuple(spans)) for i, spans in said.items()]
        for start, said in found.items()
    }


def _runs(covered: Sequence[bool], first: int, last: int) -> Iterable[tuple[int, int]]:
    """Yield runs of words that are all covered, or all not; covered ones of limited length."""
    start = first
    for i in range(first + 1, last + 1):
        long = i < last and covered[start] and i - start >= LONGEST
        if i == last or covered[i] != covered[start] or long:
            yield start, i
            start = i


def _piece(
    page: DocumentPage,
    layers: Sequence[Layer],
    functions: Sequence[str],
    stacking: Stacking,
    start: int,
    end: int,
) -> Piece:
    words = tuple(
        Word(number=i, text=page.tokens[i], space=page.spaces[i]) for i in range(start, end)
    )
    rows: list[Row] = []
    for layer in layers:
        if layer.kind == "function" and stacking == "merged":
            continue
        chips = [_chip(span, start, end, (layer.name,)) for span in layer.spans]
        for line in _without_overlap([chip for chip in chips if chip is not None]):
            rows.append(
                Row(
                    kind=layer.kind,
                    name=layer.name,
                    chips=tuple(line),
                    function=functions.index(layer.name) if layer.kind == "function" else None,
                )
            )
    if stacking == "merged":
        rows += _merged([one for one in layers if one.kind == "function"], start, end)
    return Piece(words=words, rows=tuple(rows))


def _merged(layers: Sequence[Layer], start: int, end: int) -> list[Row]:
    """Return rows of distinct spans, those that most functions propose first."""
    said: dict[tuple[int, int, str], list[tuple[str, float]]] = {}
    for layer in layers:
        for a, b, label, probability in layer.spans:
            if a < end and start < b:
                said.setdefault((a, b, label), []).append((layer.name, probability))
    ranked = sorted(said.items(), key=lambda item: (-len(item[1]), item[0]))
    chips = [
        _chip((*span, max(p for _, p in voices)), start, end, tuple(name for name, _ in voices))
        for span, voices in ranked
    ]
    return [
        Row(kind="merged", name="functions", chips=tuple(line))
        for line in _without_overlap([chip for chip in chips if chip is not None])
    ]


def _chip(
    span: tuple[int, int, str, float], start: int, end: int, names: tuple[str, ...]
) -> Chip | None:
    a, b, label, probability = span
    if not (a < end and start < b):
        return None
    return Chip(
        first=max(a, start) - start + 1,
        last=min(b, end) - start + 1,
        start=a,
        end=b,
        label=label,
        probability=probability,
        names=names,
    )


def _without_overlap(chips: Sequence[Chip]) -> list[list[Chip]]:
    """Return the chips in as few lines as the greedy way needs, so that none covers another."""
    lines: list[list[Chip]] = []
    for chip in chips:
        for line in lines:
            if all(chip.last <= one.first or one.last <= chip.first for one in line):
                line.append(chip)
                break
        else:
            lines.append([chip])
    return [sorted(line, key=lambda chip: chip.first) for line in lines]
