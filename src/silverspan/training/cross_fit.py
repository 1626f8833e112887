"""Second opinions: what students that never saw a document say of it, mixed into its soft labels.

A student learns the label model's mistakes by heart where it sees them again and again. So the
documents are dealt into parts; a student trained on the other parts gives its opinion of each, in
which a mistake that was made once is not repeated. The final student learns from the mixture.

An opinion counts as much as it is worth: from few documents a student learns little, and then
hardly agrees with the label model on documents that it did not see.
"""

import logging
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from silverspan.training.annotations import Scores, posterior_of
from silverspan.training.component import SilverTagger
from silverspan.training.examples import Split
from silverspan.training.loop import f1_of
from silverspan.training.soft_labels import SoftLabels, attach, soft_labels

logger = logging.getLogger(__name__)

#: Trains a student on some examples; the number of the part is for its checkpoint.
TrainPart = Callable[[Split, int], SilverTagger]


def mix_second_opinions(
    split: Split, labels: tuple[str, ...], train: TrainPart, *, parts: int, trust: float, seed: int
) -> None:
    """Replace the soft labels of the examples by mixtures, in place.

    ``trust`` is the weight of the posterior beside students who agree with it entirely; the rest
    goes to their opinions, times the F1 of their entities against those of the posterior. Examples
    held out were seen by none of the students: theirs is the mean opinion.
    """
    part = np.random.default_rng(seed).permutation(len(split.learn)) % parts
    opinions: Scores = [np.zeros((0, 0), np.float32)] * len(split.learn)
    on_held_out: list[Scores] = []
    for number in range(parts):
        logger.info("second opinion %d of %d", number + 1, parts)
        others = [example for example, own in zip(split.learn, part, strict=True) if own != number]
        tagger = train(Split(learn=others, held_out=split.held_out), number)
        own = np.flatnonzero(part == number).tolist()
        scores = tagger.distributions([split.learn[place].x for place in own])
        for place, score in zip(own, scores, strict=True):
            opinions[place] = score
        on_held_out.append(tagger.distributions([example.x for example in split.held_out]))
    spans = posterior_of(opinions, labels, "paths").spans
    found = [[span[:3] for span in spans.of(place)] for place in range(len(opinions))]
    agreement = f1_of(split.learn, found)
    weight = (1 - trust) * agreement
    logger.info("second opinions agree with F1 %.3f and have the weight %.2f", agreement, weight)
    opinions += [
        np.mean(several, axis=0, dtype=np.float32) for several in zip(*on_held_out, strict=True)
    ]
    for example, opinion in zip([*split.learn, *split.held_out], opinions, strict=True):
        soft = soft_labels(example.reference)
        if soft is not None:
            target = (1 - weight) * soft.targets(labels, len(opinion)) + weight * opinion
            attach(example.reference, _sparse(labels, target.astype(np.float32)))


def _sparse(labels: tuple[str, ...], target: NDArray[np.float32]) -> SoftLabels:
    position = np.flatnonzero(target[:, 0] < 1.0)
    return SoftLabels(
        labels=labels,
        scheme="biluo",
        position=position.astype(np.int32),
        probability=target[position],
    )
