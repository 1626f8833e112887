"""Labelling functions over the shards of a corpus, run again only where something changed.

Each shard is one unit of work: read, label, write, wherever an engine likes. What is written is the
same for any engine and any number of processes. A shard at which a process died is done with care
the next time: what is tried is written down first, so that the document can be named.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from silverspan.corpus.document import document_id
from silverspan.engines import Engine
from silverspan.errors import EngineError
from silverspan.labelling.apply import (
    Failure,
    Labelled,
    OnError,
    batches,
    label_documents,
    reads,
    report_failures,
)
from silverspan.labelling.function import LabellingFunction
from silverspan.progress import Task
from silverspan.workspace.corpus_shards import CorpusShard, read_shard
from silverspan.workspace.fingerprint import fingerprint, of_functions
from silverspan.workspace.store import Store
from silverspan.workspace.vote_shard import VoteShard, from_bytes, to_bytes

_FOLDER = "votes/"
_BATCH = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """One shard to label: ``functions`` maps every wanted function to its fingerprint."""

    store: Store
    shard: CorpusShard
    functions: Mapping[str, str]
    on_error: OnError

    @property
    def name(self) -> str:
        """The name of the votes file in the store."""
        return votes_name(self.shard)

    @property
    def fingerprint(self) -> str:
        """What the votes file is made from."""
        return fingerprint(self.shard.fingerprint, dict(self.functions))


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What one shard took: the functions that ran, and where they failed."""

    shard: CorpusShard
    ran: tuple[str, ...]
    failures: tuple[Failure, ...] = ()


def votes_name(shard: CorpusShard) -> str:
    """Return the name of a shard's votes in the store."""
    return f"{_FOLDER}{shard.number:05d}.parquet"


def plan(
    store: Store,
    shards: Sequence[CorpusShard],
    functions: Sequence[LabellingFunction],
    on_error: OnError,
) -> list[Work]:
    """Return the work of every shard, fresh or not; ``functions`` are in order."""
    prints = of_functions(
        tuple(functions), {function.name: reads(function, functions) for function in functions}
    )
    return [Work(store=store, shard=s, functions=prints, on_error=on_error) for s in shards]


def annotate(work: Sequence[Work], label: Callable[[Work], Done], engine: Engine) -> list[Done]:
    """Label the shards that are not fresh and return what was done, in the order of shards.

    ``label`` calls ``annotate_shard`` with the functions of the process that it runs in.

    Raises:
        EngineError: a process died, at a document that the message names if it can.
        LabellingError: a function failed, and failures are not to be skipped.
    """
    todo = [item for item in work if not item.store.is_fresh(item.name, item.fingerprint)]
    total = sum(item.shard.documents for item in todo)
    done: list[Done] = []
    with Task("annotate", total=total) as task:
        try:
            for result in engine.map(label, todo):
                done.append(result)
                task.advance(result.shard.documents, note=f"shard {result.shard.number}")
        except EngineError as error:
            raise _named(error, todo) from error
        except BaseException:
            # Nothing died: no shard needs special care next time.
            for item in todo:
                with suppress(OSError):
                    item.store.unmark(_mark_name(item))
            raise
    if work:
        store = work[0].store
        for name in {*store.names(_FOLDER)} - {item.name for item in work}:
            store.remove(name)
    report_failures([failure for result in done for failure in result.failures])
    return done


def _mark_name(item: Work) -> str:
    return f"trying/{item.shard.number:05d}.json"


def _named(error: EngineError, todo: Sequence[Work]) -> EngineError:
    """Return the error with the document at which a process died, if that was written down."""
    for item in todo:
        place = _tried(item)
        if place is not None:
            function, document = place
            return EngineError(
                f"labelling function {function!r} ended its process on document {document!r}: "
                f"{error}. Mend the function, leave it out, or take the document out."
            )
    return error


def _tried(item: Work) -> tuple[str, str] | None:
    """Return the function and the document that a careful try was at when it ended."""
    try:
        found = json.loads(item.store.marked(_mark_name(item)) or b"{}")
        return str(found["function"]), str(found["document"])
    except (ValueError, KeyError, TypeError):
        return None


def annotate_shard(item: Work, functions: Sequence[LabellingFunction]) -> Done:
    """Run the functions that changed on one shard and write its votes."""
    docs = read_shard(item.store, item.shard)
    ids = [document_id(doc) for doc in docs]
    kept = _kept(item)
    if kept is None:
        kept = VoteShard(
            documents=tuple(ids),
            lengths=tuple(map(len, docs)),
            functions={},
            labelled=(Labelled({}),) * len(docs),
        )
    changed = {n: made for n, made in item.functions.items() if kept.functions.get(n) != made}
    given = [one.proposals for one in kept.labelled]
    labelled: list[Labelled] = []
    mark = _mark_name(item)
    careful = item.store.marked(mark) is not None

    def tell(function: str, document: str) -> None:
        place = {"function": function, "document": document}
        item.store.mark(mark, json.dumps(place).encode())

    if not careful:
        item.store.mark(mark, b"{}")
    for batch in batches(range(len(docs)), 1 if careful else _BATCH):
        labelled += label_documents(
            [docs[i] for i in batch],
            functions,
            document_ids=[ids[i] for i in batch],
            on_error=item.on_error,
            given=[given[i] for i in batch],
            only=changed,
            told=tell if careful else None,
        )
    shard = kept.extended(changed, labelled)
    item.store.write(
        item.name,
        item.fingerprint,
        to_bytes(shard),
        note={"corpus": item.shard.fingerprint, "functions": dict(shard.functions)},
    )
    item.store.unmark(mark)
    failures = tuple(failure for one in labelled for failure in one.failures)
    return Done(shard=item.shard, ran=tuple(changed), failures=failures)


def _kept(item: Work) -> VoteShard | None:
    """Return what is still true of the old votes of the same documents, if there are any."""
    note = item.store.note(item.name)
    if note is None or note["corpus"] != item.shard.fingerprint:
        return None
    if item.store.state(item.name, item.fingerprint) not in ("fresh", "stale"):
        return None
    return from_bytes(item.store.read(item.name), item.name).kept(item.functions)


def state(item: Work, function: str) -> str:
    """Return whether what one function said of a shard is fresh, stale, damaged or missing."""
    note = item.store.note(item.name)
    if note is None or function not in note["functions"]:
        return "missing"
    if item.store.state(item.name, item.fingerprint) == "damaged":
        return "damaged"
    same = (
        note["corpus"] == item.shard.fingerprint
        and note["functions"][function] == item.functions[function]
    )
    return "fresh" if same else "stale"
