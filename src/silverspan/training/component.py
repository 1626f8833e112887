"""``silver_tagger``: a spaCy component that learns from soft labels.

Goes in: documents, and for training examples whose reference carries soft labels (or, where it
has none, entities). Comes out: ``doc.ents``, and ``doc.spans["silver"]`` with the probability of
each span and the distribution of each token. Any spaCy tok2vec can stand below it.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.scorer import get_ner_prf
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from silverspan.aggregation.posterior import Posterior
from silverspan.errors import TrainingError
from silverspan.tagging import tags
from silverspan.training.annotations import Decoding, Scores, posterior_of, set_silver
from silverspan.training.network import DEFAULT_MODEL
from silverspan.training.soft_labels import soft_labels

#: Longer documents are tagged in pieces of so many tokens, with context on either side.
PIECE, CONTEXT = 20_000, 200

Weighting = Literal["none", "confidence"]


class SilverTagger(TrainablePipe):  # type: ignore[misc]  # spaCy's compiled class has no types
    """A tagger trained with cross-entropy against the distribution of each token."""

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], Any],
        name: str = "silver_tagger",
        *,
        decoding: Decoding = "paths",
        weighting: Weighting = "none",
    ) -> None:
        self.vocab = vocab
        self.model = model
        self.name = name
        self.cfg: dict[str, Any] = {"labels": []}
        self.decoding = decoding
        self.weighting = weighting

    @property
    def labels(self) -> tuple[str, ...]:
        """The entity labels; each has the tags B, I, L and U."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> tuple[str, ...]:
        """What ``spacy init labels`` writes."""
        return self.labels

    def add_label(self, label: str) -> int:
        """Add an entity label before training; return 1 if it is new.

        Raises:
            TrainingError: the network has its outputs already.
        """
        if label in self.labels:
            return 0
        if self.model.get_ref("output_layer").has_dim("nO"):
            raise TrainingError(
                f"{self.name!r} is trained for the labels {', '.join(self.labels)}; "
                f"to add {label!r}, train it anew"
            )
        self.cfg["labels"] = [*self.labels, label]
        self.vocab.strings.add(label)
        return 1

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Sequence[str] | None = None,
    ) -> None:
        """Take the labels from the examples, unless there are some, and set up the network.

        Raises:
            TrainingError: there is no label.
        """
        if labels is None and not self.labels:
            labels = sorted(_labels_of(get_examples()))
        for label in labels or ():
            self.add_label(label)
        if not self.labels:
            raise TrainingError("no document carries soft labels or entities to learn from")
        sample = [example.x for example in islice(get_examples(), 10)]
        states = np.zeros((1, 1 + 4 * len(self.labels)), dtype=np.float32)
        self.model.initialize(X=sample, Y=[states])
        # From the start each tag is as probable as it is common: most tokens are "O".
        pairs = [self._target(example) for example in islice(get_examples(), 1000)]
        common = np.sum([weight @ target for target, weight in pairs], axis=0) + 1e-3
        bias: Any = np.log(common / common.sum()).astype(np.float32)
        ops: Any = self.model.ops
        self.model.get_ref("output_layer").set_param("b", ops.asarray(bias))

    def predict(self, docs: Sequence[Doc]) -> Posterior:
        """Return the distribution of every token, spans decoded; documents stay as they are."""
        return posterior_of(self.distributions(docs), self.labels, self.decoding)

    def distributions(self, docs: Sequence[Doc]) -> Scores:
        """Return P(tag) at every token of every document."""
        pieces = [piece for doc in docs for piece in _pieces(doc)]
        predicted: list[Any] = []
        if any(len(piece) for piece, _, _ in pieces):
            predicted = self.model.predict([piece for piece, _, _ in pieces])
        else:
            predicted = [np.zeros((0, 1 + 4 * len(self.labels)), np.float32)] * len(pieces)
        parts = iter(
            [
                self._array(score)[before : len(score) - after]
                for score, (_, before, after) in zip(predicted, pieces, strict=True)
            ]
        )
        return [np.concatenate([next(parts) for _ in _cuts(len(doc))]) for doc in docs]

    def set_annotations(self, docs: Sequence[Doc], scores: Posterior) -> None:
        """Set ``doc.ents`` and the layer ``silver`` of every document."""
        set_silver(docs, scores)

    def get_loss(self, examples: Sequence[Example], scores: Scores) -> tuple[float, Scores]:
        """Return the mean cross-entropy of a token, and its gradient in the outputs' logits."""
        pairs = [self._target(example) for example in examples]
        total = max(float(sum(weight.sum() for _, weight in pairs)), 1.0)
        loss = 0.0
        gradients: list[Any] = []
        for score, (target, weight) in zip(scores, pairs, strict=True):
            guess = self._array(score)
            surprise = -(target * np.log(np.maximum(guess, 1e-12))).sum(axis=1)
            loss += float((weight * surprise).sum())
            gradient = (guess - target) * (weight / total)[:, None]
            ops: Any = self.model.ops  # Thinc's typing does not know plain arrays
            gradients.append(ops.asarray(gradient.astype(np.float32)))
        return loss / total, gradients

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's entity scores, ``ents_f`` and the others."""
        scores: dict[str, Any] = get_ner_prf(examples)
        return scores

    def _array(self, value: Any) -> NDArray[np.float32]:
        """Return an array of the network's device as one of numpy."""
        array: NDArray[np.float32] = self.model.ops.to_numpy(value)  # type: ignore[no-untyped-call]  # Thinc's
        return array

    def _target(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the target and the weight of every token of the predicted document."""
        soft = soft_labels(example.reference)
        if soft is None:
            return self._hard_target(example)
        target: NDArray[np.float32] = soft.targets(self.labels, len(example.reference))
        if example.predicted is example.reference:
            weight = np.ones(len(target), dtype=np.float32)
        else:
            # Tokens that stand in both tokenisations; others teach nothing.
            there, back = example.alignment.x2y, example.alignment.y2x
            first = np.cumsum(there.lengths) - there.lengths
            once = np.flatnonzero(there.lengths == 1)
            source = there.data[first[once]]
            same = back.lengths[source] == 1
            weight = np.zeros(len(example.predicted), dtype=np.float32)
            weight[once[same]] = 1.0
            moved = np.zeros((len(weight), target.shape[1]), dtype=np.float32)
            moved[:, 0] = 1.0
            moved[once[same]] = target[source[same]]
            target = moved
        if self.weighting == "confidence":
            certain = -(target * np.log(np.maximum(target, 1e-12))).sum(axis=1)
            weight = weight * np.maximum(1 - certain / np.log(target.shape[1]), 0.0)
        return target, weight.astype(np.float32)

    def _hard_target(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        states = {tag: state for state, tag in enumerate(tags(self.labels, "biluo"))}
        states["O"] = 0
        target = np.zeros((len(example.predicted), len(states)), dtype=np.float32)
        weight = np.zeros(len(target), dtype=np.float32)
        for place, tag in enumerate(example.get_aligned_ner()):
            if tag in states:
                target[place, states[tag]] = weight[place] = 1.0
        return target, weight


def make_silver_tagger(
    nlp: Language,
    name: str,
    model: Model[list[Doc], Any],
    decoding: Decoding,
    weighting: Weighting,
) -> SilverTagger:
    """Return the component; spaCy calls this for ``nlp.add_pipe("silver_tagger")``."""
    return SilverTagger(nlp.vocab, model, name, decoding=decoding, weighting=weighting)


Language.factory(
    "silver_tagger",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config={"model": DEFAULT_MODEL, "decoding": "paths", "weighting": "none"},
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
    func=make_silver_tagger,
)


def _labels_of(examples: Iterable[Example]) -> set[str]:
    labels: set[str] = set()
    for example in examples:
        soft = soft_labels(example.reference)
        labels.update(soft.labels if soft else (span.label_ for span in example.reference.ents))
    return labels


def _cuts(tokens: int) -> range:
    return range(0, max(tokens, 1), PIECE)


def _pieces(doc: Doc) -> list[tuple[Doc, int, int]]:
    """Return the pieces of a long document, and how much of each is context before and after."""
    if len(doc) <= PIECE:
        return [(doc, 0, 0)]
    pieces = []
    for start in _cuts(len(doc)):
        end = min(start + PIECE, len(doc))
        first, last = max(start - CONTEXT, 0), min(end + CONTEXT, len(doc))
        pieces.append((doc[first:last].as_doc(), start - first, last - end))
    return pieces
