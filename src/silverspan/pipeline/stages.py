"""The stages of a project in order; each works only if what it is made from changed.

A stage gets a ``Run``: the project, its stores, and what earlier stages found. It returns an
``Outcome``.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from silverspan.aggregation.aggregator import Aggregator, aggregators
from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.posterior_file import from_bytes as read_posterior
from silverspan.aggregation.posterior_file import to_bytes as posterior_bytes
from silverspan.corpus.parsing import parse as parse_records
from silverspan.corpus.pipelines import identity, load_pipeline, resolve_pipeline
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record
from silverspan.errors import ModelError, ProjectError
from silverspan.labelling.apply import leave_out
from silverspan.labelling.function import LabellingFunction
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes
from silverspan.pipeline.functions import functions_of, load_functions
from silverspan.project import Project
from silverspan.workspace import annotation, corpus_shards
from silverspan.workspace.annotation import Work
from silverspan.workspace.corpus_shards import CorpusShard
from silverspan.workspace.fingerprint import fingerprint, of_code
from silverspan.workspace.store import Store
from silverspan.workspace.vote_shard import from_bytes as read_votes

logger = logging.getLogger(__name__)

MODEL = "model"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What one stage did: ``was_fresh`` if there was nothing to do; ``text`` is for people."""

    stage: str
    was_fresh: bool
    summary: str
    details: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""


class Run:
    """One run of a project: what its stages share. Nothing is loaded before a stage needs it."""

    def __init__(self, project: Project, *, n_process: int = 1) -> None:
        self.project = project
        self.n_process = n_process
        workspace = project.workspace
        self.kept = Store(workspace, workspace / "manifests")
        self.output = Store(project.output, workspace / "output-manifests")
        self.shards: list[CorpusShard] = []
        self.work: list[Work] = []

    @cached_property
    def pipeline(self) -> str:
        """The spaCy pipeline that is there: without any English one, a bare tokenizer serves."""
        name = self.project.settings.corpus.pipeline
        try:
            return resolve_pipeline(name)
        except ModelError as error:
            if name != "en":
                raise
            logger.warning(
                "%s. Going on with a bare tokenizer: functions that need tags, dependencies or a "
                "model are left out.",
                error,
            )
            return "blank:en"

    @cached_property
    def functions(self) -> Sequence[LabellingFunction]:
        """The functions that can run on this corpus, in order."""
        common = frozenset.intersection(*(shard.annotation for shard in self.shards))
        return leave_out(functions_of(self.project), common)

    @property
    def declared(self) -> dict[str, tuple[str, ...]]:
        """The labels that each function declares."""
        return {function.name: function.labels for function in self.functions}

    def docs(self) -> Iterator[Doc]:
        """Yield every document of the corpus."""
        for shard in self.shards:
            yield from corpus_shards.read_shard(self.kept, shard)

    @property
    def annotated(self) -> list[str]:
        """The fingerprints of the votes of all shards."""
        return [item.fingerprint for item in self.work]

    def votes(self, number: int) -> Votes:
        """Return the votes of one shard, with the features of its tokens."""
        name = self.work[number].name
        docs = corpus_shards.read_shard(self.kept, self.shards[number])
        return read_votes(self.kept.read(name), name).votes(
            self.project.space,
            self.declared,
            token_features([[token.text for token in doc] for doc in docs]),
        )

    def posterior(self, number: int) -> Posterior:
        """Return the posterior of one shard."""
        return read_posterior(self.kept.read(posterior_name(number)))


def posterior_name(number: int) -> str:
    """Return the name of a shard's posterior in the store."""
    return f"posterior/{number:05d}.npz"


def corpus(run: Run) -> Outcome:
    """Read and parse the documents."""
    settings = run.project.settings.corpus
    records = read_records(run.project.corpus_paths, settings.format, on_error=settings.on_error)
    parsed = 0

    def parse(chunk: Sequence[Record]) -> list[Doc]:
        nonlocal parsed

        parsed += len(chunk)
        return list(parse_records(chunk, nlp()))

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


def annotate(run: Run) -> Outcome:
    """Run the labelling functions that changed, on the shards that changed."""
    on_error = run.project.settings.functions.on_error
    run.work = annotation.plan(run.kept, run.shards, run.functions, on_error)
    done = annotation.annotate(
        run.work,
        run.functions,
        n_process=run.n_process,
        load=partial(load_functions, run.project.file),
    )
    ran = sorted({name for result in done for name in result.ran})
    failures = [failure for result in done for failure in result.failures]
    names = ", ".join(ran) if len(ran) <= 5 else f"{len(ran)} of {len(run.functions)}"
    return Outcome(
        stage="annotate",
        was_fresh=not done,
        summary=f"{len(run.functions)} functions" + (f", ran {names}" if ran else ""),
        details={
            "functions": [function.name for function in run.functions],
            "ran": ran,
            "shards": [result.shard.number for result in done],
            "failures": len(failures),
        },
    )


def aggregate(run: Run) -> Outcome:
    """Fit the label model on all votes and write the posterior of every shard."""
    settings = run.project.settings
    made_from = fingerprint(
        of_code("aggregation", "observations", "labels", "tagging"),
        settings.model.model_dump(),
        settings.labels.model_dump(),
        settings.project.seed,
        run.annotated,
    )
    names = [posterior_name(number) for number in range(len(run.shards))]
    fresh = run.kept.is_fresh(MODEL, made_from) and all(
        run.kept.is_fresh(name, made_from) for name in names
    )
    if not fresh:
        _aggregate(run, made_from, names)
    note = run.kept.note(MODEL)
    return Outcome(
        stage="aggregate",
        was_fresh=fresh,
        summary=f"{settings.model.name}, {note['spans']:,} spans",
        details={"model": settings.model.name, **note},
    )


def _aggregate(run: Run, made_from: str, names: Sequence[str]) -> None:

    every = [run.votes(number) for number in range(len(run.shards))]
    fitted = label_model(run.project).fit(Votes.concatenate(every))
    spans = 0
    for name, votes in zip(names, every, strict=True):
        posterior = fitted.posterior(votes)
        spans += len(posterior.spans)
        run.kept.write(name, made_from, posterior_bytes(posterior))
    for name in run.kept.names("posterior/"):
        if name not in names:
            run.kept.remove(name)
    # The model last: it is fresh only when every posterior is.
    run.kept.write_folder(MODEL, made_from, fitted.save, note={"spans": spans})


def label_model(project: Project) -> Aggregator:
    """Return the label model that the project file describes.

    Raises:
        ProjectError: it has no such setting.
    """
    settings = project.settings.model
    kind = aggregators[settings.name]
    known = getattr(kind, "__dataclass_fields__", {})
    for key in settings.options:
        if key not in known:
            raise ProjectError(
                f"the label model {settings.name!r} has no option {key!r}; "
                f"it has: {', '.join(known) or 'none'}",
                key=f"model.options.{key}",
                path=project.file,
            )
    options = dict(settings.options)
    if "seed" in known:
        options.setdefault("seed", project.settings.project.seed)
    return kind(**options)
