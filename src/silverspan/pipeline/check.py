"""A project's labelling functions run over its own corpus: is the contract kept, and how fast."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from spacy.tokens import Doc

from silverspan.corpus.document import document_id
from silverspan.labelling.apply import batches, label_documents, reads
from silverspan.labelling.function import LabellingFunction, Proposal
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.state import Run
from silverspan.progress import track
from silverspan.project import Project
from silverspan.workspace.lock import locked

_BATCH = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One function: what it said, how fast, and the first breach of the contract, if any."""

    function: str
    spans: int
    tokens_per_second: float
    failures: int
    problem: str | None


def check(project: Project, *, documents: int) -> list[Check]:
    """Return a row per function after running it over the first documents, twice.

    The contract: it raises nothing, proposes only spans and labels that it may, and says the same
    of the same document again.
    """
    with locked(project.workspace):
        run = Run(project)
        corpus(run)
        docs = list(islice(run.docs(), documents))
        functions = run.functions
    said: list[dict[str, list[Proposal]]] = [{} for _ in docs]
    tokens = sum(map(len, docs))
    rows = []
    for function in track(functions, "check", total=len(functions)):
        began = time.perf_counter()
        first, failures, problem = _run(function, functions, docs, said)
        seconds = time.perf_counter() - began
        again, _, _ = _run(function, functions, docs, said)
        if problem is None and first != again:
            problem = "says something else of the same documents the second time"
        for layers, spans in zip(said, first, strict=True):
            layers[function.name] = spans
        rows.append(
            Check(
                function=function.name,
                spans=sum(map(len, first)),
                tokens_per_second=tokens / max(seconds, 1e-9),
                failures=failures,
                problem=problem,
            )
        )
    return rows


def _run(
    function: LabellingFunction,
    functions: Sequence[LabellingFunction],
    docs: Sequence[Doc],
    said: Sequence[dict[str, list[Proposal]]],
) -> tuple[list[list[Proposal]], int, str | None]:
    """Return what the function says, how many documents it fails on, and its first failure."""
    found: list[list[Proposal]] = []
    problem = None
    failures = 0
    visible = reads(function, functions)
    for numbers in batches(range(len(docs)), _BATCH):
        labelled = label_documents(
            [docs[i] for i in numbers],
            functions,
            document_ids=[document_id(docs[i]) for i in numbers],
            on_error="skip",
            given=[{name: said[i].get(name, []) for name in visible} for i in numbers],
            only={function.name},
        )
        for one in labelled:
            found.append(list(one.proposals.get(function.name, [])))
            failures += len(one.failures)
            if one.failures and problem is None:
                problem = f"document {one.failures[0].document}: {one.failures[0].reason}"
    return found, failures, problem
