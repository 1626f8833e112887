"""Trains the recogniser of a source: labelled sentences in, a small spaCy pipeline out.

The settings are in recogniser.cfg. The same sentences, settings and seed give the same weights.
"""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spacy.strings import StringStore
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import load_model_from_config
from spacy.vectors import Vectors
from thinc.api import Config, fix_random_seed

from silverspan.labelling.models.sources.cleaning import Sentence
from silverspan.progress import Task

if TYPE_CHECKING:
    from spacy.language import Language

_CONFIG = Path(__file__).with_name("recogniser.cfg")


def settings() -> dict[str, Any]:
    """Return what recogniser.cfg says of training."""
    return dict(Config().from_disk(_CONFIG)["training"])


def train(
    sentences: Sequence[Sentence], vectors: Vectors, *, seed: int = 0, epochs: int | None = None
) -> "Language":
    """Return the recogniser that learned from ``sentences``, its weights averaged over training.

    It carries no text: what words it met in training is not kept.
    """
    config = Config().from_disk(_CONFIG)
    chosen = config["training"]
    rounds = chosen["epochs"] if epochs is None else epochs
    fix_random_seed(seed)
    order = random.Random(seed)
    nlp = _blank(config, vectors)
    optimizer = nlp.initialize(lambda: _examples(nlp, ([one] for one in sentences)))
    with Task("training", total=rounds) as task:
        for epoch in range(rounds):
            # Small steps first.
            growth = epoch / max(rounds - 1, 1)
            words = chosen["fewest_words"] + growth * (
                chosen["most_words"] - chosen["fewest_words"]
            )
            losses: dict[str, float] = {}
            runs = _runs(sentences, order, chosen)
            for batch in _batches(_examples(nlp, runs), words):
                nlp.update(batch, drop=chosen["dropout"], sgd=optimizer, losses=losses)
            task.advance(note=f"loss {losses.get('ner', 0.0):.0f}")
    with nlp.use_params(optimizer.averages):
        weights = _recogniser(nlp).to_bytes(exclude=["vocab"])
    # The table took over the words of the vocabulary it was in, and the next one would take them.
    vectors.strings = StringStore()
    bare = _blank(config, vectors)
    _recogniser(bare).from_bytes(weights, exclude=["vocab"])
    return bare


def as_document(nlp: "Language", sentences: Sequence[Sentence]) -> Doc:
    """Return sentences that follow each other as one document, with their entities."""
    tags: list[str] = []
    starts: list[bool | int | None] = []
    for sentence in sentences:
        own = ["O"] * len(sentence.tokens)
        for start, end, label in sentence.spans:
            own[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
        tags += own
        starts += [place == 0 for place in range(len(own))]
    words = [token for sentence in sentences for token in sentence.tokens]
    return Doc(nlp.vocab, words=words, sent_starts=starts, ents=tags)


def _blank(config: Config, vectors: Vectors) -> "Language":
    training = {"optimizer": config["training"]["optimizer"]}
    parts = {"nlp": config["nlp"], "components": config["components"], "training": training}
    nlp = load_model_from_config(Config(parts).copy(), auto_fill=True)
    nlp.vocab.vectors = vectors
    return nlp


def _recogniser(nlp: "Language") -> Any:
    return nlp.get_pipe("ner")


def _examples(nlp: "Language", runs: Iterable[Sequence[Sentence]]) -> list[Example]:
    examples = []
    for run in runs:
        gold = as_document(nlp, run)
        starts: list[bool | int | None] = []
        starts.extend(token.is_sent_start for token in gold)
        plain = Doc(nlp.vocab, words=[token.text for token in gold], sent_starts=starts)
        examples.append(Example(plain, gold))
    return examples


def _runs(
    sentences: Sequence[Sentence], order: random.Random, chosen: dict[str, Any]
) -> list[list[Sentence]]:
    """Return the sentences in short runs, as documents have them, the runs in any order."""
    runs: list[list[Sentence]] = []
    place = 0
    while place < len(sentences):
        length = order.randint(1, chosen["longest_run"])
        runs.append([_varied(one, order, chosen) for one in sentences[place : place + length]])
        place += length
    order.shuffle(runs)
    return runs


def _varied(sentence: Sentence, order: random.Random, chosen: dict[str, Any]) -> Sentence:
    """Return the sentence, some of the time written as headlines are."""
    dice = order.random()
    if dice < chosen["share_upper"]:
        tokens = tuple(token.upper() for token in sentence.tokens)
    elif dice < chosen["share_upper"] + chosen["share_title"]:
        tokens = tuple(token[:1].upper() + token[1:] for token in sentence.tokens)
    else:
        return sentence
    return Sentence(tokens, sentence.spans, sentence.document)


def _batches(examples: Iterable[Example], words: float) -> Iterable[list[Example]]:
    batch: list[Example] = []
    held = 0
    for example in examples:
        batch.append(example)
        held += len(example.reference)
        if held >= words:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
