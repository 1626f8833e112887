"""Findings: everything a report says, as plain data. The writers beside this file only show it.

A finished run goes in, shard by shard. Nothing here depends on the clock or the machine, so equal
runs give equal reports.
"""

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from silverspan import __version__
from silverspan.aggregation.aggregator import load
from silverspan.analysis import Analysis, Analyst
from silverspan.analysis.analyst import contradictions
from silverspan.analysis.findings import rounded
from silverspan.corpus.document import document_id
from silverspan.corpus.pipelines import identity
from silverspan.pipeline import aggregate, train
from silverspan.pipeline.aggregate import MODEL
from silverspan.pipeline.evaluate import terms_of
from silverspan.pipeline.gold import Gold, gold_of
from silverspan.pipeline.state import SCORES, Run
from silverspan.report.examples import Example, Examples
from silverspan.workspace import corpus_shards
from silverspan.workspace.fingerprint import fingerprint

_PACKAGES = ("spacy", "numpy", "pyarrow")


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """Everything a report says of one run."""

    title: str
    counts: Mapping[str, int]
    labels: tuple[str, ...]
    scores: Mapping[str, Any]  # "silver" and "student" against gold; empty without gold
    groups: Mapping[str, str]  # of functions
    analysis: Analysis
    model: Mapping[str, Any]
    examples: tuple[Example, ...]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    fingerprints: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return the findings as JSON-like data."""
        data: dict[str, Any] = rounded(asdict(self))
        return data


def findings_of(run: Run, *, refit: bool = True) -> Findings:
    """Return the findings of a run whose stages are all done.

    ``refit`` tells what each function changes, at the cost of a fit for each.
    """
    gold = gold_of(run)
    settings = run.project.settings
    model = load(run.kept.path(MODEL))
    analyst = Analyst(
        documents=sum(shard.documents for shard in run.shards),
        tokens=sum(shard.tokens for shard in run.shards),
        terms=terms_of(run),
    )
    examples = Examples()
    votes_in_all = spans = 0
    for number, shard in enumerate(run.shards):
        votes, posterior = run.votes(number), run.posterior(number)
        docs = corpus_shards.read_shard(run.kept, shard)
        names = [document_id(doc) for doc in docs]
        own = {each.number: each for each in gold.values() if each.shard == number}
        analyst.add(
            votes,
            posterior,
            [[token.text for token in doc] for doc in docs],
            {i: each.spans for i, each in own.items()},
        )
        examples.add(docs, names, votes, posterior, contradictions(votes), own)
        votes_in_all += len(votes)
        spans += len(posterior.spans)
    analysis = analyst.result(model, refit=refit)
    return Findings(
        title=settings.project.name,
        counts={
            "documents": analysis.documents,
            "tokens": analysis.tokens,
            "functions": len(analysis.functions),
            "votes": votes_in_all,
            "spans": spans,
            "documents with gold": len(gold),
        },
        labels=run.project.space.outputs,
        scores=json.loads(run.output.read(SCORES)) if gold else {},
        groups={function.name: function.group for function in run.functions},
        analysis=analysis,
        model=model.describe(),
        examples=examples.chosen(),
        settings=settings.model_dump(),
        versions={
            "silverspan": __version__,
            "Python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
            "pipeline": identity(run.pipeline),
        },
        fingerprints=_fingerprints(run, gold),
    )


def _fingerprints(run: Run, gold: Mapping[str, Gold]) -> dict[str, str]:
    """Return what stands for each input and result: equal ones are made of the same."""
    found = {
        "corpus": fingerprint([shard.fingerprint for shard in run.shards]),
        "votes": fingerprint(run.annotated),
        "label model": aggregate.made_from(run),
    }
    if run.project.settings.training.trainer is not False:
        found["student"] = train.made_from(run)
    if gold:
        found["gold"] = fingerprint({name: each.spans for name, each in gold.items()})
    return found
