"""The first stage: documents are read and parsed."""

from functools import partial

from silverspan.corpus.pipelines import identity
from silverspan.corpus.reading import read_records
from silverspan.errors import ProjectError
from silverspan.pipeline import worker
from silverspan.pipeline.state import Outcome, Run
from silverspan.workspace import corpus_shards


def corpus(run: Run) -> Outcome:
    """Read and parse the documents."""
    settings = run.project.settings.corpus
    records = read_records(run.project.corpus_paths, settings.format, on_error=settings.on_error)
    run.shards, parsed = corpus_shards.refresh(
        run.kept,
        records,
        pipeline=identity(run.pipeline),
        shard_size=settings.shard_size,
        parse=partial(worker.parse_chunk, run.pipeline),
        engine=run.engine,
    )
    worker.pipeline_here.cache_clear()
    documents = sum(shard.documents for shard in run.shards)
    if not documents:
        raise ProjectError("the corpus has no documents", key="corpus.path", path=run.project.file)
    tokens = sum(shard.tokens for shard in run.shards)
    return Outcome(
        stage="corpus",
        was_fresh=not parsed,
        summary=f"{documents:,} documents, {tokens:,} tokens",
        news=f"{parsed:,} parsed" if parsed else "",
        details={"documents": documents, "tokens": tokens, "parsed": parsed},
        done=("parsed",),
    )
