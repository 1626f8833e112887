"""What the stages of a run share: the project, its stores, and what earlier stages made."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.pipelines import load_pipeline, resolve_pipeline
from silverspan.engines import Engine, Local
from silverspan.errors import ModelError, ProjectError
from silverspan.labelling.apply import leave_out
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.gazetteers import check_tokenizers
from silverspan.observations.votes import OUTSIDE, Votes
from silverspan.pipeline.annotated import Annotated
from silverspan.pipeline.functions import functions_of
from silverspan.project import Project
from silverspan.workspace import corpus_shards
from silverspan.workspace.annotation import Work
from silverspan.workspace.corpus_shards import CorpusShard

logger = logging.getLogger(__name__)

#: Names in the store of results.
PREDICTIONS = "predictions.jsonl"
TAGGER = "tagger"
SCORES = "scores.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What one stage did: ``was_fresh`` if there was nothing to do; ``text`` is for people.

    ``summary`` says what there is, ``news`` what this run did for it; ``done`` names those of the
    ``details`` that tell of this run alone.
    """

    stage: str
    was_fresh: bool
    summary: str
    news: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    done: tuple[str, ...] = ()
    text: str = ""

    def again(self) -> "Outcome":
        """Return what the stage says when it is run again and nothing has changed."""
        details = {
            name: type(value)() if name in self.done else value
            for name, value in self.details.items()
        }
        return replace(self, was_fresh=True, news="", details=details)


class Run:
    """One run of a project: what its stages share. Nothing is loaded before a stage needs it."""

    def __init__(self, project: Project, engine: Engine | None = None) -> None:
        self.project = project
        self.engine = engine or Local()
        self.kept, self.output = project.stores
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
                raise ProjectError(
                    str(error), key="corpus.pipeline", path=self.project.file
                ) from None
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
        functions = functions_of(self.project)
        check_tokenizers(functions, lambda: load_pipeline(self.pipeline), self.pipeline)
        space = self.project.space
        # "O" is no label and needs no place: it speaks against all of them.
        known = {*space.outputs, *space.finer, *space.coarse, OUTSIDE}
        for function in functions:
            if function.group == "custom" and not known & set(function.labels):
                logger.warning(
                    "%r can only say %s, which labels.output and labels.map do not name: it has no "
                    "say",
                    function.name,
                    ", ".join(function.labels),
                )
        return leave_out(functions, common)

    @property
    def declared(self) -> dict[str, tuple[str, ...]]:
        """The labels that each function declares."""
        return {function.name: function.labels for function in self.functions}

    def shard(self, number: int) -> Annotated:
        """Return one annotated shard, to be read here or on a worker."""
        return Annotated(work=self.work[number], space=self.project.space, declared=self.declared)

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
        return self.shard(number).votes()

    def posterior(self, number: int) -> Posterior:
        """Return the posterior of one shard."""
        return self.shard(number).posterior()
