"""The posterior of every shard, written where it is made; lines of predictions come back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

from silverspan.aggregation.aggregator import Fitted
from silverspan.aggregation.posterior import Posterior
from silverspan.aggregation.posterior_file import to_bytes
from silverspan.aggregation.predictions import Prediction, to_line
from silverspan.corpus.document import original_id
from silverspan.pipeline.annotated import Annotated, posterior_name
from silverspan.pipeline.state import Run
from silverspan.progress import track


@dataclass(frozen=True, slots=True)
class _Item:
    shard: Annotated
    fingerprint: str


def write_posteriors(
    run: Run, fitted: Fitted, shards: Sequence[Annotated], made: str
) -> Iterator[str]:
    """Write the posteriors that are not fresh; yield the predictions of each shard, as lines."""
    items = [_Item(shard, made) for shard in shards]
    work = run.engine.map(partial(_write, fitted), items)
    yield from track(work, "posteriors", total=len(items))
    for name in {*run.kept.names("posterior/")} - {posterior_name(one.number) for one in shards}:
        run.kept.remove(name)


def found_spans(run: Run) -> NDArray[np.int64]:
    """Return how many spans of each output label all posteriors have, without reading them."""
    counts = [run.kept.note(posterior_name(n))["spans"] for n in range(len(run.shards))]
    found: NDArray[np.int64] = np.array(counts, dtype=np.int64).sum(axis=0)
    return found


def _write(fitted: Fitted, item: _Item) -> str:
    shard, store = item.shard, item.shard.work.store
    docs = shard.docs()
    name = posterior_name(shard.number)
    if store.is_fresh(name, item.fingerprint):
        posterior = shard.posterior()
    else:
        posterior = fitted.posterior(shard.votes(docs))
        counts = np.bincount(posterior.spans.label, minlength=len(posterior.labels))
        store.write(name, item.fingerprint, to_bytes(posterior), {"spans": counts.tolist()})
    return "".join(_lines(posterior, docs))


def _lines(posterior: Posterior, docs: Sequence[Doc]) -> Iterator[str]:
    for number, doc in enumerate(docs):
        tokens = [token.text for token in doc]
        spans = posterior.spans.of(number)
        yield to_line(Prediction(id=original_id(doc), tokens=tokens, spans=spans))
