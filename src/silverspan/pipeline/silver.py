"""The documents of a project with what was found in them, for export."""

from collections.abc import Iterator

from spacy.tokens import Doc

from silverspan.corpus.document import set_layer
from silverspan.engines import opened
from silverspan.pipeline.aggregate import aggregate
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.state import Run
from silverspan.project import Project
from silverspan.training.silver import silver_documents
from silverspan.workspace.lock import locked


def silver(
    project: Project,
    *,
    layers: bool = False,
    n_process: int = 1,
    engine: str = "local",
    scheduler: str | None = None,
) -> Iterator[Doc]:
    """Yield every document with its entities and its layer ``silver``.

    What is not fresh up to the label model is made first, as by ``run``. With ``layers``, what each
    function said is a layer of its name.

    Raises:
        SilverspanError: a stage failed.
    """
    with locked(project.workspace):
        with opened(engine, n_process=n_process, scheduler=scheduler) as workers:
            run = Run(project, workers)
            for stage in (corpus, annotate, aggregate):
                stage(run)
        for number in range(len(run.shards)):
            shard = run.shard(number)
            docs = shard.docs()
            if layers:
                for doc, said in zip(docs, shard.said().labelled, strict=True):
                    for function, spans in said.proposals.items():
                        set_layer(doc, function, spans)
            yield from silver_documents(shard.posterior(), docs)
