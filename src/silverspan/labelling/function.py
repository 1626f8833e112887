"""The contract of a labelling function: any callable from a spaCy ``Doc`` to spans, with a name.

A span is ``(start, end, label)`` or ``(start, end, label, probability)``, half-open, in tokens;
several labels on one span make a distribution. apply.py runs functions and checks what they say;
this module only describes them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from spacy.tokens import Doc

from silverspan.errors import LabellingError
from silverspan.registry import Registry

#: What a function says of one span, normalised: start, end, label, probability.
Proposal = tuple[int, int, str, float]
#: What a function may yield: the probability may be left out, and is then 1.
LooseProposal = tuple[int, int, str] | tuple[int, int, str, float]

_KEY = "silverspan"


@runtime_checkable
class Family(Protocol):
    """Functions computed in one pass: a model and its correction, variants of a gazetteer."""

    def propose(self, docs: Sequence[Doc]) -> list[dict[str, list[Proposal]]]:
        """Return, for each document, what each member function says."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class LabellingFunction:
    """A named source of proposals.

    ``reads`` names functions whose output this one reads through ``proposals(doc)``; ``("*",)`` is
    every function that reads nothing itself; such a function may declare the label ``"*"``, which
    stands for every label of those it reads. ``needs`` names the annotation a document must carry
    ("tag", "dep", "sent", "ent"). ``asked`` tells whether the function sees a document at all:
    absent is not silent. ``options`` are what it was made with: they enter the fingerprint that
    decides what is redone. ``reliability`` is its author's guess of (precision, recall) for each
    label, from which a label model may start.
    """

    name: str
    labels: tuple[str, ...]
    propose: Callable[[Doc], Iterable[LooseProposal]]
    reads: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    group: str = "custom"
    asked: Callable[[Doc], bool] | None = None
    family: Family | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    reliability: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for label, guess in self.reliability.items():
            if label not in self.labels or not all(0 <= share <= 1 for share in guess):
                raise LabellingError(
                    f"{self.name!r}: reliability is the guessed (precision, recall) "
                    f"of labels it declares, each between 0 and 1; not {label!r}: {guess!r}",
                    function=self.name,
                )

    def __call__(self, doc: Doc) -> Iterable[LooseProposal]:
        """Return what the function says of one document."""
        return self.propose(doc)


def labelling_function(
    *,
    labels: Iterable[str],
    name: str | None = None,
    reads: Iterable[str] = (),
    needs: Iterable[str] = (),
    group: str = "custom",
    asked: Callable[[Doc], bool] | None = None,
    version: str = "",
    reliability: Mapping[str, tuple[float, float]] | None = None,
) -> "Callable[[Callable[[Doc], Iterable[LooseProposal]]], LabellingFunction]":
    """Return a decorator that makes a labelling function of a callable, under the callable's name.

    The arguments are the fields of ``LabellingFunction``.

    >>> @labelling_function(labels=["MONEY"])
    ... def dollar_amounts(doc):
    ...     for token in doc[1:]:
    ...         if token.like_num and doc[token.i - 1].is_currency:
    ...             yield token.i - 1, token.i + 1, "MONEY"
    >>> dollar_amounts.name
    'dollar_amounts'
    """

    def make(propose: Callable[[Doc], Iterable[LooseProposal]]) -> LabellingFunction:
        return LabellingFunction(
            name=name or str(getattr(propose, "__name__", "unnamed")),
            labels=tuple(labels),
            propose=propose,
            reads=tuple(reads),
            needs=tuple(needs),
            group=group,
            asked=asked,
            version=version,
            reliability=dict(reliability or {}),
        )

    return make


def proposals(doc: Doc) -> dict[str, list[Proposal]]:
    """Return what functions have said of a document so far, by function name; sorted by start.

    A document-level function reads this; apply.py fills it, and only with what the function's
    ``reads`` names.
    """
    layers: dict[str, list[Proposal]] = doc.user_data.get(_KEY, {})
    return layers


@contextmanager
def reveal(doc: Doc, layers: dict[str, list[Proposal]]) -> Iterator[None]:
    """Let ``proposals(doc)`` return ``layers`` inside the block."""
    doc.user_data[_KEY] = layers
    try:
        yield
    finally:
        del doc.user_data[_KEY]


#: Maps a name to a factory: called with the function's options, it returns the labelling function.
functions: Registry[Callable[..., LabellingFunction]] = Registry(
    "labelling function", "silverspan.functions"
)
