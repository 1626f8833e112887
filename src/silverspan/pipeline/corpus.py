"""The first stage: documents are read and parsed."""

from collections.abc import Sequence
from functools import cache

from spacy.language import Language
from spacy.tokens import Doc

from silverspan.corpus import parsing
from silverspan.corpus.pipelines import identity, load_pipeline
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record
from silverspan.errors import ProjectError
from silverspan.pipeline.state import Outcome, Run
from silverspan.workspace import corpus_shards


def corpus(run: Run) -> Outcome:
    """Read and parse the documents."""
    settings = run.project.settings.corpus
    records = read_records(run.project.corpus_paths, settings.format, on_error=settings.on_error)
    parsed = 0

    def parse(chunk: Sequence[Record]) -> list[Doc]:
        nonlocal parsed

        parsed += len(chunk)
        return list(parsing.parse(chunk, nlp()))

    @cache
    def nlp() -> Language:
        # spaCy's own English models are also labelling functions, which run `ner` themselves.
        exclude = ["ner"] if run.pipeline.startswith("en_core_web") else []
        return load_pipeline(run.pipeline, exclude=exclude)

    run.shards = corpus_shards.refresh(
        run.kept,
        records,
        pipeline=identity(run.pipeline),
        shard_size=settings.shard_size,
        parse=parse,
    )
    documents = sum(shard.documents for shard in run.shards)
    if not documents:
        raise ProjectError("the corpus has no documents", key="corpus.path", path=run.project.file)
    tokens = sum(shard.tokens for shard in run.shards)
    return Outcome(
        stage="corpus",
        was_fresh=not parsed,
        summary=f"{documents:,} documents, {tokens:,} tokens"
        + (f", {parsed:,} parsed" if parsed else ""),
        details={"documents": documents, "tokens": tokens, "parsed": parsed},
    )
