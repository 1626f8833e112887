"""The documents of a project with what was found in them, for export."""

from collections.abc import Iterator

from spacy.tokens import Doc

from silverspan.corpus.document import set_layer
from silverspan.pipeline.aggregate import aggregate
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.state import Run
from silverspan.project import Project
from silverspan.training.silver import silver_documents
from silverspan.workspace import corpus_shards
from silverspan.workspace.lock import locked
from silverspan.workspace.vote_shard import from_bytes as read_votes


def silver(project: Project, *, layers: bool = False, n_process: int = 1) -> Iterator[Doc]:
    """Yield every document with its entities and its layer ``silver``.

    What is not fresh up to the label model is made first. With ``layers``, what each function said
    is a layer of its name.

    Raises:
        SilverspanError: a stage failed.
    """
    with locked(project.workspace):
        run = Run(project, n_process=n_process)
        for stage in (corpus, annotate, aggregate):
            stage(run)
        for number, shard in enumerate(run.shards):
            docs = corpus_shards.read_shard(run.kept, shard)
            if layers:
                name = run.work[number].name
                labelled = read_votes(run.kept.read(name), name).labelled
                for doc, said in zip(docs, labelled, strict=True):
                    for function, spans in said.proposals.items():
                        set_layer(doc, function, spans)
            yield from silver_documents(run.posterior(number), docs)
