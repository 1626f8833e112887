"""The second stage: document-level functions read what the label model found.

After Krishnan and Manning (2006): aggregate, spread labels over each document on that, then
aggregate again with the new votes in the place of those that read other functions.
"""

from silverspan.aggregation.posterior import Posterior
from silverspan.errors import ProjectError
from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.document_level import (
    doc_history,
    doc_majority_cased,
    doc_majority_uncased,
)
from silverspan.labelling.function import LabellingFunction
from silverspan.observations.votes import Votes
from silverspan.pipeline.state import Run
from silverspan.workspace import corpus_shards
from silverspan.workspace.vote_shard import from_bytes

#: The layer that stands for the posterior.
LAYER = "silver"

_MAKERS = {
    "doc_history": doc_history,
    "doc_majority_cased": doc_majority_cased,
    "doc_majority_uncased": doc_majority_uncased,
}


def second_votes(run: Run, number: int, votes: Votes, posterior: Posterior) -> Votes:
    """Return the votes of a shard with those of document-level functions made anew.

    Raises:
        ProjectError: the project uses no document-level function.
    """
    labels = posterior.labels
    again = [
        maker(reads=(LAYER,), labels=labels)
        for name, maker in _MAKERS.items()
        if name in votes.functions
    ]
    if not again:
        raise ProjectError(
            f"a second stage needs one of {', '.join(_MAKERS)} among the functions",
            key="functions.second_stage",
            path=run.project.file,
        )
    silver = LabellingFunction(name=LAYER, labels=labels, propose=lambda doc: ())
    docs = corpus_shards.read_shard(run.kept, run.shards[number])
    labelled = label_documents(
        docs,
        in_order([silver, *again]),
        document_ids=votes.documents,
        given=[{LAYER: posterior.spans.of(i)} for i in range(len(docs))],
        only={function.name for function in again},
    )
    name = run.work[number].name
    shard = from_bytes(run.kept.read(name), name)
    redone = {function.name for function in again}
    first = shard.kept({n: made for n, made in shard.functions.items() if n not in redone})
    return first.extended(dict.fromkeys(redone, "second stage"), labelled).votes(
        run.project.space, run.declared, votes.features
    )
