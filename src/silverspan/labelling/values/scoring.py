"""How likely a reading is meant: a logistic model of its rule, its words and its neighbours.

The weights are learned by benchmarks/values_calibrate.py from sentences written for it, and kept
in data/weights.json; docs/values.md tells the protocol. A feature that has no weight counts 0.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from silverspan.labelling.values.grammar import Node
from silverspan.labelling.values.lexicon import Lexicon
from silverspan.labelling.values.meanings import Meaning
from silverspan.labelling.values.numbers import Lexeme

_PLACING = ("IN", "ON", "FROM", "BYTO", "BEFORE", "AFTER", "TO", "OF")
_ARTICLES = ("THE", "A", "THIS")


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Words of a language that tell something when they stand next to a value."""

    placing: frozenset[str]  # "in", "since": before dates
    articles: frozenset[str]
    closing: frozenset[str]  # what may follow a whole phrase: "and", "of", "was"

    @classmethod
    def of(cls, lexicon: Lexicon) -> "Neighbours":
        """Return the neighbours that the tables of a language name."""

        def words(*classes: str) -> set[str]:
            return {
                tokens[0]
                for tokens, entry in lexicon.forms()
                if len(tokens) == 1 and any(name in entry.values for name in classes)
            }

        placing = words(*_PLACING)
        articles = words(*_ARTICLES) | set(lexicon.settings.get("articles", ()))
        closing = set(lexicon.settings.get("closing", ())) | words(*_PLACING, *_ARTICLES)
        closing |= words("AND", "OR", "AT", "BETWEEN")
        return cls(frozenset(placing), frozenset(articles), frozenset(closing))


@dataclass(frozen=True, slots=True)
class Context:
    """A reading and where it stands. ``depth`` 0: the best of its stretch; more: inside another."""

    text: str
    lexemes: Sequence[Lexeme]
    offset: int
    node: Node
    start: int
    end: int
    depth: float
    meaning: Meaning
    neighbours: Neighbours


def features(context: Context, *, also: bool = False) -> list[tuple[str, float]]:
    """Return the named features of a reading, with their values.

    The rule says most; then whether it stands alone, what is before and after it, its shape.
    """
    text, start, end = context.text, context.start, context.end
    rule = context.node.rule
    label = rule.also[0] if also and rule.also is not None else rule.label
    name = f"{rule.name}+{label}" if also else rule.name
    after = _after(text, end, context.neighbours)
    before = _before(text, start, context.neighbours)
    likely = -context.meaning.likely if also else context.meaning.likely
    single = context.node.end - context.node.start == 1
    kind = name if rule.name in DOUBTFUL else label
    found = [
        (name, 1.0),
        (f"{kind}>{after}", 1.0),
        (f"{kind}<{before}", 1.0),
        ("likely", likely),
    ]
    if 0 < context.depth < 1:
        found.append((f"{name} second", 1.0))
    if label in ("MONEY", "QUANTITY"):
        # "won", "marks", "bar" and "points" are units, and more often other words.
        found.append((f"{label} unit={text[start:end].rsplit(None, 1)[-1].lower()[-8:]}", 1.0))
    if single:
        word = text[start:end]
        if word[0].isalpha():
            shape = word.lower() if len(word) < 8 else "long"
            case = "Cap" if word[0].isupper() else "low"
            found += [(f"{name}={shape}", 1.0), (f"{name} {case} {after}", 1.0)]
            if case == "Cap":
                found.append((f"{name} Cap<{before}", 1.0))
        else:
            found += [(f"{name}>{after}", 1.0), (f"{name}<{before}", 1.0)]
    elif rule.name in _CONTEXTUAL:
        found += [(f"{name}>{after}", 1.0), (f"{name}<{before}", 1.0)]
    return found


#: Rules of what seldom is a value: their neighbours tell nothing of others of the label, and
#: what stands inside them is worth a reading of its own.
DOUBTFUL = frozenset(
    {"DATE.on_day", "DATE.on_ordinal", "DATE.the_ordinal", "DATE.dashes", "DATE.dot_day"}
    | {"DATE.month_slash_spaced", "MONEY.money_sum", "PERCENT.percent_of", "CARDINAL.over"}
    | {"CARDINAL.vague", "CARDINAL.hundreds", "TIME.moment_unit", "TIME.clock_letter"}
)
#: Rules of several words whose sense hangs on their neighbours: "the 21st" floor, "12/11" of it.
_CONTEXTUAL = frozenset(
    {"DATE.day_of_month", "DATE.slashes", "DATE.the_unit", "MONEY.money", "QUANTITY.quantity"}
    | {"TIME.at_hour", "CARDINAL.score", "TIME.duration", "TIME.part"}
)


def _after(text: str, end: int, neighbours: Neighbours) -> str:
    """What kind of thing follows: end, punctuation, a closing word, another word, a number."""
    rest = text[end : end + 24]
    stripped = rest.lstrip()
    if not stripped:
        return "end"
    first = stripped[0]
    if first.isalpha():
        if rest[0] in "-'" or not rest[0].isspace():
            return "glued"
        word = _word(stripped)
        if word.lower() in neighbours.closing:
            return "closing"
        return "Name" if word[0].isupper() else "word"
    if first.isdecimal():
        return "digit"
    return "sign" if first in "%$€£/" else ("hyphen" if rest[0] in "-–" else "stop")


def _before(text: str, start: int, neighbours: Neighbours) -> str:
    """What kind of thing stands before: nothing, a preposition, an article, a name, a word."""
    head = text[max(0, start - 24) : start].rstrip()
    if not head:
        return "start"
    last = head[-1]
    if last.isalpha():
        word = head.rsplit(None, 1)[-1].strip("\"'([")
        lower = word.lower()
        if lower in neighbours.placing:
            return "placing"
        if lower in neighbours.articles:
            return "article"
        return "Name" if word[:1].isupper() else "word"
    if last.isdecimal():
        return "digit"
    return "start" if last in ".!?" else "stop"


def _word(text: str) -> str:
    for n, letter in enumerate(text):
        if not letter.isalpha():
            return text[:n]
    return text


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    file = resources.files(__package__) / "data" / "weights.json"
    table: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))["weights"]
    return table


def probability(context: Context, *, also: bool = False) -> float:
    """Return the probability that a reading is meant."""
    weights = _weights()
    logit = weights["bias"]
    for name, value in features(context, also=also):
        logit += weights.get(name, 0.0) * value
    return round(1 / (1 + math.exp(-max(-9.0, min(9.0, logit)))), 4)
