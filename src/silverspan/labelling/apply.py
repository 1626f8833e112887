"""Runs labelling functions over documents, in the right order, and checks what they say.

Docs and functions go in; proposals per document, or ``Votes`` for a whole corpus, come out. Files,
shards and processes are left to ``workspace/``.
"""

import logging
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import index
from typing import Any, Literal

from spacy.tokens import Doc

from silverspan.errors import LabellingError
from silverspan.labelling.function import (
    Family,
    LabellingFunction,
    LooseProposal,
    Proposal,
    reveal,
)

logger = logging.getLogger(__name__)

OnError = Literal["raise", "skip"]
#: What a family says of a document, by function; or how it failed there.
_Answer = dict[str, list[Proposal]] | Exception

#: What a function may need: spaCy's attribute, and its name in words.
NEEDS = {
    "tag": ("TAG", "part-of-speech tags"),
    "pos": ("POS", "coarse part-of-speech tags"),
    "dep": ("DEP", "dependencies"),
    "sent": ("SENT_START", "sentence boundaries"),
    "ent": ("ENT_IOB", "entities"),
    "lemma": ("LEMMA", "lemmas"),
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A function that raised on a document and was skipped there, as the caller asked."""

    function: str
    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """What functions said of one document; ``absent`` names those that did not see it."""

    proposals: Mapping[str, list[Proposal]]
    absent: frozenset[str] = frozenset()
    failures: tuple[Failure, ...] = field(default=())


def in_order(functions: Iterable[LabellingFunction]) -> tuple[LabellingFunction, ...]:
    """Return the functions so that each comes after those it reads; otherwise in the given order.

    The label ``"*"`` of a function that reads others becomes the labels of those.

    Raises:
        LabellingError: two share a name, one reads a function that is not there, or they read each
        other in a circle.
    """
    by_name: dict[str, LabellingFunction] = {}
    for function in functions:
        if function.name in by_name:
            raise LabellingError(
                f"two labelling functions are called {function.name!r}; rename one of them",
                function=function.name,
            )
        by_name[function.name] = function
    ordered: dict[str, LabellingFunction] = {}

    def place(function: LabellingFunction, path: tuple[str, ...]) -> None:
        if function.name in path:
            circle = " -> ".join((*path[path.index(function.name) :], function.name))
            raise LabellingError(
                f"labelling functions read each other in a circle: {circle}", function=function.name
            )
        names = reads(function, by_name.values())
        for name in names:
            if name not in ordered:
                place(by_name[name], (*path, function.name))
        ordered.setdefault(function.name, _declaring(function, [ordered[name] for name in names]))

    for function in by_name.values():
        place(function, ())
    return tuple(ordered.values())


def _declaring(function: LabellingFunction, read: Sequence[LabellingFunction]) -> LabellingFunction:
    """Return the function with ``"*"`` among its labels spelt out: all that it reads can say."""
    if "*" not in function.labels:
        return function
    own = [label for label in function.labels if label != "*"]
    return replace(
        function,
        labels=tuple(dict.fromkeys([*own, *(label for other in read for label in other.labels)])),
    )


def reads(function: LabellingFunction, functions: Iterable[LabellingFunction]) -> tuple[str, ...]:
    """Return the names of the functions that ``function`` reads, with ``"*"`` spelt out.

    Raises:
        LabellingError: it reads a function that is not among ``functions``.
    """
    known = {other.name: other for other in functions}
    names: list[str] = []
    for name in function.reads:
        if name == "*":
            names += [other.name for other in known.values() if not other.reads]
        elif name in known:
            names.append(name)
        else:
            raise LabellingError(
                f"labelling function {function.name!r} reads {name!r}, which is not among the "
                f"functions that run; add it, or leave {function.name!r} out",
                function=function.name,
            )
    return tuple(dict.fromkeys(names))


def annotation_of(docs: Iterable[Doc]) -> frozenset[str]:
    """Return which of ``NEEDS`` are met by every document that has tokens at all."""
    filled = [doc for doc in docs if len(doc)]
    return frozenset(
        need
        for need, (attribute, _) in NEEDS.items()
        if all(doc.has_annotation(attribute) for doc in filled)
    )


def usable(
    functions: Sequence[LabellingFunction], annotation: Container[str]
) -> tuple[tuple[LabellingFunction, ...], dict[str, str]]:
    """Return the functions that can run on such documents, and why each of the others cannot.

    A function that reads one of the others by name cannot run either.
    """
    lacking: dict[str, str] = {}
    for function in functions:
        missing = [NEEDS[need][1] for need in function.needs if need not in annotation]
        if missing:
            lacking[function.name] = (
                f"needs {' and '.join(missing)}, which the pipeline does not set"
            )
    # Functions are in order: what is read comes before its readers.
    for function in functions:
        gone = [name for name in function.reads if name in lacking]
        if gone and function.name not in lacking:
            lacking[function.name] = f"reads {gone[0]!r}, which is left out"
    return tuple(f for f in functions if f.name not in lacking), lacking


def leave_out(
    functions: Sequence[LabellingFunction], annotation: Container[str]
) -> tuple[LabellingFunction, ...]:
    """Return the functions that can run on such documents, and warn of the others."""
    kept, lacking = usable(functions, annotation)
    for name, reason in lacking.items():
        logger.warning("labelling function %r is left out: it %s", name, reason)
    if any("needs" in reason for reason in lacking.values()):
        logger.warning("an English pipeline that sets it: pip install 'silverspan[en]'")
    return kept


def label_documents(
    docs: Sequence[Doc],
    functions: Sequence[LabellingFunction],
    *,
    document_ids: Sequence[str],
    on_error: OnError = "raise",
    given: Sequence[Mapping[str, list[Proposal]]] | None = None,
    only: Container[str] | None = None,
    told: Callable[[str, str], None] | None = None,
) -> list[Labelled]:
    """Run functions, ordered by ``in_order``, over a batch of documents.

    With ``only``, the other functions do not run: what they said before comes from ``given``, one
    mapping a document, so that functions that read them can. ``told`` hears function and document
    before each call.

    Raises:
        LabellingError: a function raised (unless ``on_error`` is ``"skip"``) or proposed a span
        that cannot be.
    """
    running = [function for function in functions if only is None or function.name in only]
    said: list[dict[str, list[Proposal]]] = [dict(layers) for layers in given or ({},) * len(docs)]
    absent: list[set[str]] = [set() for _ in docs]
    failures: list[list[Failure]] = [[] for _ in docs]
    families: dict[int, list[_Answer]] = {}
    for function in running:
        visible = reads(function, functions) if function.reads else ()
        for number, doc in enumerate(docs):
            if function.asked is not None and not function.asked(doc):
                absent[number].add(function.name)
                continue
            layers = {name: said[number].get(name, []) for name in visible}
            if told is not None:
                told(function.name, document_ids[number])
            try:
                with reveal(doc, layers):
                    if function.family is None:
                        loose: Iterable[LooseProposal] = function.propose(doc)
                    else:
                        answer = _once(function.family, families, docs)[number]
                        if isinstance(answer, Exception):
                            raise answer
                        loose = answer.get(function.name, [])
                    # A generator runs here, not before.
                    said[number][function.name] = check_proposals(
                        function, loose, doc, document_ids[number]
                    )
            except Exception as error:
                named = _named(error, function, document_ids[number])
                if on_error == "raise":
                    raise named from (None if named is error else error)
                absent[number].add(function.name)
                failures[number].append(
                    Failure(function.name, document_ids[number], str(error).split("\n")[0])
                )
    names = [function.name for function in running]
    return [
        Labelled(
            proposals={name: layers[name] for name in names if layers.get(name)},
            absent=frozenset(gone),
            failures=tuple(failed),
        )
        for layers, gone, failed in zip(said, absent, failures, strict=True)
    ]


def _named(error: Exception, function: LabellingFunction, document_id: str) -> LabellingError:
    """Return the error as one that names the function and the document."""
    if isinstance(error, LabellingError) and error.function is not None:
        return error
    return LabellingError(
        f"labelling function {function.name!r} failed on document {document_id!r}: "
        f'{type(error).__name__}: {error}. Mend it, or set on_error = "skip" to count such '
        "documents as not seen by it.",
        function=function.name,
        document=document_id,
    )


def _once(family: Family, done: dict[int, list[_Answer]], docs: Sequence[Doc]) -> list[_Answer]:
    """Return what the family says of each document, or how it fails there; asked only once.

    A batch that fails is asked again document by document, to know which of them it is.
    """
    if id(family) not in done:
        answers: list[_Answer] = []
        try:
            answers += family.propose(docs)
        except Exception:
            for doc in docs:
                try:
                    answers += family.propose([doc])
                except Exception as error:
                    answers.append(error)
        done[id(family)] = answers
    return done[id(family)]


def check_proposals(
    function: LabellingFunction, loose: Iterable[LooseProposal], doc: Doc, document_id: str
) -> list[Proposal]:
    """Return the proposals normalised and sorted.

    Raises:
        LabellingError: a span is empty or outside the document, its label undeclared, or its
        probability not in (0, 1].
    """
    length = len(doc)
    proposals: list[Proposal] = []
    for item in loose:
        try:
            start, end, label, *rest = item
            start, end = index(start), index(end)
            probability = float(rest[0]) if rest else 1.0
            if len(rest) > 1 or not isinstance(label, str):
                raise TypeError
        except (TypeError, ValueError):
            raise LabellingError(
                f"labelling function {function.name!r} proposed {item!r} in document "
                f"{document_id!r}; a proposal is (start, end, label) or "
                "(start, end, label, probability), in tokens.",
                function=function.name,
                document=document_id,
            ) from None
        problem = None
        if not 0 <= start < end <= length:
            problem = (
                f"span ({start}, {end}) in document {document_id!r}, which has {length} tokens. "
                "Spans count tokens and are half-open. If these are characters, use "
                f"sp.span_from_characters(doc, {start}, {end})."
            )
        elif label not in function.labels:
            declared = ", ".join(function.labels) or "none"
            problem = (
                f"label {label!r} in document {document_id!r}, which it does not declare. "
                f"It declares: {declared}."
            )
        elif not 0 < probability <= 1:
            problem = (
                f"probability {probability} in document {document_id!r}. "
                "Probabilities are above 0 and at most 1."
            )
        if problem:
            raise LabellingError(
                f"labelling function {function.name!r} proposed {problem}",
                function=function.name,
                document=document_id,
            )
        proposals.append((start, end, label, probability))
    proposals.sort()
    return proposals


def batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the items in lists of at most ``size``."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def report_failures(failures: Iterable[Failure]) -> None:
    """Log how often each function failed, with one example each."""
    counted = Counter(failure.function for failure in failures)
    example = {failure.function: failure for failure in failures}
    for name, count in counted.items():
        logger.warning(
            "labelling function %r failed on %d document(s), counted as not seen by it; "
            "for example %r: %s",
            name,
            count,
            example[name].document,
            example[name].reason,
        )
