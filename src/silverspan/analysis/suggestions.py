"""What to look at next, in words. Names of functions, labels and texts stand in `backticks`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from silverspan.analysis.gold import SURE

if TYPE_CHECKING:
    from silverspan.analysis.findings import (
        EntityRow,
        FunctionExtra,
        FunctionRow,
        LabelRow,
        PairRow,
    )
    from silverspan.analysis.gold import GoldFindings

Topic = Literal["model", "function", "pair", "label", "entity", "gold"]

#: Fewer spans, or tokens, than this say too little.
_ENOUGH: Final = 10
_POOR: Final = 0.4
_GOOD: Final = 0.7
_SAME: Final = 0.95
_DISAGREE: Final = 0.1
_ONE_WITNESS: Final = 0.9
_THIN: Final = 1.5
_EACH: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """One thing worth doing."""

    topic: Topic
    text: str
    functions: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def suggest(
    *,
    functions: Sequence["FunctionRow"],
    extras: Sequence["FunctionExtra"],
    by_label: Sequence["FunctionRow"],
    labels: Sequence["LabelRow"],
    pairs: Sequence["PairRow"],
    entities: Sequence["EntityRow"],
    density: float,
    gold: "GoldFindings | None",
    warning: str | None,
) -> tuple[Suggestion, ...]:
    """Return what to look at next, what matters most first."""
    found: list[Suggestion] = []
    if warning:
        found.append(Suggestion(topic="model", text=f"The label model: {warning}."))
    if density and density < _THIN:
        found.append(
            Suggestion(
                topic="model",
                text=f"Functions seldom meet: {density:.1f} votes on a token that has any. The "
                "label model can learn little of them and stays near the vote; more functions "
                "on the same labels would help most.",
            )
        )
    found += _labels(labels)
    found += _hurting(functions, extras)
    found += _partly(by_label)
    found += _duplicates(functions, extras)
    found += _silent(functions)
    found += _disagreeing(pairs)
    found += _entities(entities)
    if gold:
        found += _gold(gold)
    return tuple(found)


def code(name: str) -> str:
    """Return a name in backticks, its own taken out.

    >>> code("a`b")
    '`ab`'
    """
    return f"`{name.replace('`', '')}`"


def listed(names: Iterable[str], most: int = 8) -> str:
    """Return names as a list in words.

    >>> listed(["a", "b", "c"]), listed("abcd", most=2)
    ('`a`, `b` and `c`', '`a`, `b` and 2 more')
    """
    shown = [code(name) for name in names]
    if len(shown) > most:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def percent(value: float) -> str:
    """Return a share in words.

    >>> percent(0.154)
    '15 %'
    """
    return f"{100 * value:.0f} %"


def _labels(labels: Sequence["LabelRow"]) -> Iterator[Suggestion]:
    unsaid = [row.label for row in labels if not row.functions]
    if unsaid:
        yield Suggestion(
            topic="label",
            text=f"No function ever says {listed(unsaid)}: the label model cannot find what nobody "
            "proposes. Write a function, or take the label out.",
            labels=tuple(unsaid),
        )
    single = [
        row
        for row in labels
        if row.functions and (row.functions == 1 or row.one_witness >= _ONE_WITNESS)
    ]
    if single:
        told = ", ".join(
            f"{code(row.label)} "
            f"({'one function' if row.functions == 1 else percent(row.one_witness)})"
            for row in single
        )
        yield Suggestion(
            topic="label",
            text=f"Labels with one witness only, so that nothing can be checked: {told}. The share "
            "is that of proposed tokens that one function alone gives the label.",
            labels=tuple(row.label for row in single),
        )


def _hurting(
    functions: Sequence["FunctionRow"], extras: Sequence["FunctionExtra"]
) -> Iterator[Suggestion]:
    more = {row.function: row for row in extras}
    poor = [
        row
        for row in functions
        if row.spans >= _ENOUGH
        and row.estimated_precision is not None
        and row.estimated_precision < _POOR
    ]
    for row in sorted(poor, key=lambda row: row.estimated_precision or 0.0)[:_EACH]:
        text = (
            f"{code(row.function)} is right on an estimated "
            f"{percent(row.estimated_precision or 0.0)} of its {row.tokens:,} tokens"
        )
        if row.measured_precision is not None:
            text += f" (by gold, on {percent(row.measured_precision)} of its spans)"
        changed = more[row.function].changed
        if changed is not None:
            text += f"; without it {percent(changed)} of the spans found would change"
        yield Suggestion(
            topic="function",
            text=text + ". Mend it or leave it out.",
            functions=(row.function,),
        )


def _partly(by_label: Sequence["FunctionRow"]) -> Iterator[Suggestion]:
    """Yield functions that are good on one label and poor on another."""
    rows: dict[str, list[FunctionRow]] = {}
    for row in by_label:
        if row.estimated_precision is not None and row.tokens >= _ENOUGH:
            rows.setdefault(row.function, []).append(row)
    found = []
    for function, own in rows.items():
        good = [row for row in own if (row.estimated_precision or 0.0) >= _GOOD]
        poor = [row for row in own if (row.estimated_precision or 0.0) < _POOR]
        if good and poor:
            worst = max(poor, key=lambda row: row.tokens * (1 - (row.estimated_precision or 0.0)))
            best = max(good, key=lambda row: row.tokens)
            wrong = worst.tokens * (1 - (worst.estimated_precision or 0.0))
            found.append((wrong, function, worst, best))
    for _, function, worst, best in sorted(found, key=lambda one: (-one[0], one[1]))[:_EACH]:
        yield Suggestion(
            topic="function",
            text=f"{code(function)} is good on {code(best.label or '')} (estimated precision "
            f"{best.estimated_precision:.2f}) but poor on {code(worst.label or '')} "
            f"({worst.estimated_precision:.2f} on {worst.tokens:,} tokens): let it say fewer "
            "labels.",
            functions=(function,),
            labels=(worst.label or "",),
        )


def _disagreeing(pairs: Sequence["PairRow"]) -> Iterator[Suggestion]:
    chosen = [row for row in pairs if row.common_spans >= _ENOUGH and row.other_label >= _DISAGREE]
    ranked = sorted(
        chosen, key=lambda row: (-row.other_label * row.common_spans, row.first, row.second)
    )
    told_of: set[str] = set()
    for row in ranked:
        # One pair of each function: variants of one source disagree with the same others.
        if told_of & {row.first, row.second} or len(told_of) >= 2 * _EACH:
            continue
        told_of |= {row.first, row.second}
        text = (
            f"{code(row.first)} and {code(row.second)} disagree on {percent(row.other_label)} of "
            f"their {row.common_spans:,} common spans"
        )
        if row.examples:
            told = ", ".join(
                f"{code(words)} {times} times ({one}, {two})"
                for words, one, two, times in row.examples[:4]
            )
            text += f"; most frequent: {told}"
        yield Suggestion(topic="pair", text=text + ".", functions=(row.first, row.second))


def _duplicates(
    functions: Sequence["FunctionRow"], extras: Sequence["FunctionExtra"]
) -> Iterator[Suggestion]:
    tokens = {row.function: row.tokens for row in functions}
    groups: list[set[str]] = []
    for row in extras:
        if row.nearest is None or row.similarity < _SAME or tokens[row.function] < _ENOUGH:
            continue
        mine = {row.function, row.nearest}
        touching = [group for group in groups if group & mine]
        groups = [group for group in groups if not group & mine]
        groups.append(mine.union(*touching))
    for group in sorted(groups, key=lambda group: (-len(group), min(group)))[:_EACH]:
        names = tuple(sorted(group))
        yield Suggestion(
            topic="function",
            text=f"{listed(names)} say nearly the same ({percent(_SAME)} or more of the tokens "
            "that either labels): one of them would do.",
            functions=names,
        )


def _silent(functions: Sequence["FunctionRow"]) -> Iterator[Suggestion]:
    silent = [row.function for row in functions if row.documents and not row.spans]
    unasked = [row.function for row in functions if not row.documents]
    if silent:
        yield Suggestion(
            topic="function",
            text=f"{listed(silent)} never {'speaks' if len(silent) == 1 else 'speak'} in this "
            "corpus.",
            functions=tuple(silent),
        )
    if unasked:
        yield Suggestion(
            topic="function",
            text=f"{listed(unasked)} {'was' if len(unasked) == 1 else 'were'} not asked about any "
            "document.",
            functions=tuple(unasked),
        )


def _entities(entities: Sequence["EntityRow"]) -> Iterator[Suggestion]:
    chosen = [row for row in entities if row.times > 1][:_EACH]
    if chosen:
        told = "; ".join(
            f"{code(row.text)} ({', '.join(f'{label} {n}' for label, n in row.labels.items())})"
            for row in chosen
        )
        yield Suggestion(
            topic="entity",
            text=f"Texts on which a rule would settle most, with what they are taken for: {told}.",
        )


def _gold(gold: "GoldFindings") -> Iterator[Suggestion]:
    wrong = Counter(
        {kind: sum(by.values()) for kind, by in gold.kinds.items() if kind != "correct"}
    )
    total = sum(wrong.values())
    if total:
        kind, count = wrong.most_common(1)[0]
        label, most = max(gold.kinds[kind].items(), key=lambda item: (item[1], item[0]))
        yield Suggestion(
            topic="gold",
            text=f"Of {total:,} errors against gold most are {kind} ({percent(count / total)}), "
            f"and of these most are {code(label)} ({most:,}).",
            labels=(label,),
        )
    if gold.suspicious:
        yield Suggestion(
            topic="gold",
            text=f"In {gold.suspicious:,} places the label model is at least {percent(SURE)} sure "
            "against gold, and two functions or more say the same: look there for errors of the "
            "gold.",
        )
