"""The paper's adaptation baselines: labelled source documents and raw target ones go in.

Settings come from an experiment's ``experiment.toml``; the taggers are those of the package.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from spacy.tokens import Doc
from spacy.vocab import Vocab

from silverspan.aggregation.posterior import Posterior
from silverspan.baselines import baselines, gold_posterior
from silverspan.baselines.source_trained import named
from silverspan.corpus.document import set_document_id, set_gold_spans
from silverspan.labelling.models.sources.data import read_sentences
from silverspan.tagging import tags
from silverspan.training.annotations import posterior_of


def source_documents(
    files: Mapping[str, Sequence[Path]], vocab: Vocab, *, most: int | None = None
) -> list[Doc]:
    """Return the labelled sentences of all sources, each a document, cleaned by its source's name.

    With ``most``, as many are drawn at random.
    """
    sentences = [one for name, paths in files.items() for one in read_sentences(paths, name)]
    if most is not None and most < len(sentences):
        chosen = sorted(random.Random(0).sample(range(len(sentences)), most))
        sentences = [sentences[number] for number in chosen]
    docs = []
    for number, sentence in enumerate(sentences):
        doc = Doc(vocab, words=list(sentence.tokens))
        set_document_id(doc, f"source-{number}")
        set_gold_spans(doc, list(sentence.spans))
        docs.append(doc)
    return docs


def predict(
    method: str,
    options: Mapping[str, Any],
    source: Sequence[Doc],
    target: Sequence[Doc],
    *,
    labels: Iterable[str],
    mapping: Mapping[str, str],
    seed: int,
    bfloat16: bool = False,
) -> Posterior:
    """Return what a baseline trained on the source finds in the target.

    ``bfloat16`` multiplies in half precision, which is half the work where a processor can.
    """
    gold = gold_posterior(source, labels, mapping)
    made = baselines[method](**options)
    if not bfloat16:
        return made.predict(source, gold, target, seed=seed)
    import torch  # noqa: PLC0415 (optional, and slow to load)

    # Not cached: copies of weights in half precision would be kept while the weights are trained.
    with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):
        return made.predict(source, gold, target, seed=seed)


def mean(members: Sequence[Posterior], target: Sequence[Doc]) -> Posterior:
    """Return the posterior whose distributions are the mean of the members'."""
    labels = members[0].labels
    dense = np.zeros((int(members[0].offsets[-1]), len(tags(labels, "biluo"))), dtype=np.float32)
    for member in members:
        outside = np.ones(len(dense), dtype=bool)
        outside[member.position] = False
        dense[outside, 0] += 1.0
        dense[member.position] += member.probability
    dense /= len(members)
    offsets = members[0].offsets
    scores = [dense[low:high] for low, high in pairwise(offsets)]
    return named(posterior_of(scores, labels, "paths"), target)
