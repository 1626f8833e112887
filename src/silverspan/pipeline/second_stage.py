"""The second stage: document-level functions read what the label model found.

After Krishnan and Manning (2006): aggregate, spread labels over each document on that, then
aggregate again with the new votes in the place of those that read other functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from silverspan.aggregation.aggregator import Fitted
from silverspan.aggregation.posterior import Posterior
from silverspan.errors import ProjectError
from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.document_level import (
    doc_history,
    doc_majority_cased,
    doc_majority_uncased,
)
from silverspan.labelling.function import LabellingFunction
from silverspan.pipeline.annotated import Annotated, second_name
from silverspan.pipeline.state import Run
from silverspan.progress import track
from silverspan.workspace.fingerprint import fingerprint
from silverspan.workspace.vote_shard import VoteShard, to_bytes

#: The layer that stands for the posterior.
LAYER = "silver"

_MAKERS = {
    "doc_history": doc_history,
    "doc_majority_cased": doc_majority_cased,
    "doc_majority_uncased": doc_majority_uncased,
}


def second_stage(run: Run, fitted: Fitted, made: str) -> list[Annotated]:
    """Write the votes of the second stage where they are not fresh, and return all shards.

    ``made`` is the fingerprint of the fitted model.

    Raises:
        ProjectError: the project uses no document-level function.
    """
    if not _MAKERS.keys() & run.declared.keys():
        raise ProjectError(
            f"a second stage needs one of {', '.join(_MAKERS)} among the functions",
            key="functions.second_stage",
            path=run.project.file,
        )
    shards = [run.shard(number) for number in range(len(run.shards))]
    items = [_Item(shard, fingerprint(made, shard.work.fingerprint)) for shard in shards]
    todo = [
        item
        for item in items
        if not run.kept.is_fresh(second_name(item.shard.number), item.fingerprint)
    ]
    list(track(run.engine.map(partial(_write, fitted), todo), "second stage", total=len(todo)))
    return [replace(shard, second=True) for shard in shards]


@dataclass(frozen=True, slots=True)
class _Item:
    shard: Annotated
    fingerprint: str


def _write(fitted: Fitted, item: _Item) -> None:
    found = second_votes(item.shard, fitted.posterior(item.shard.votes()))
    name = second_name(item.shard.number)
    item.shard.work.store.write(name, item.fingerprint, to_bytes(found))


def second_votes(shard: Annotated, posterior: Posterior) -> VoteShard:
    """Return what was said of a shard with document-level functions asked anew."""
    labels = posterior.labels
    again: Sequence[LabellingFunction] = [
        maker(reads=(LAYER,), labels=labels)
        for name, maker in _MAKERS.items()
        if name in shard.declared
    ]
    silver = LabellingFunction(name=LAYER, labels=labels, propose=lambda doc: ())
    docs = shard.docs()
    labelled = label_documents(
        docs,
        in_order([silver, *again]),
        document_ids=posterior.documents,
        given=[{LAYER: posterior.spans.of(i)} for i in range(len(docs))],
        only={function.name for function in again},
    )
    said = shard.said()
    redone = {function.name for function in again}
    first = said.kept({n: made for n, made in said.functions.items() if n not in redone})
    return first.extended(dict.fromkeys(redone, "second stage"), labelled)
