"""Students against the label model they learn from, on documents with gold.

    python benchmarks/student.py VOTES... --map PERSON=PER [--unseen VOTES] [--model hmm] KIND...

Fits the label model on VOTES (without their gold), trains each KIND of student on its posterior and
scores both on the same documents; with --unseen also on documents that the student never saw, where
the label model has the functions and the student only the text. A KIND is a name below, with
options after a colon: soft:vectors=glove,dropout=0.3.
"""

import argparse
import json
import sys
import time
from dataclasses import replace

import numpy as np
import spacy
from spacy.tokens import Doc
from thinc.api import NumpyOps, set_current_ops

from silverspan.aggregation import aggregators
from silverspan.aggregation.posterior import Posterior
from silverspan.evaluation.matching import match
from silverspan.labels import LabelSpace
from silverspan.observations.votes_file import VotesFile, read_votes
from silverspan.tagging import encode, tags
from silverspan.training import train

KINDS = {
    "soft": "soft_tagger",
    "hard": "soft_tagger",
    "plain": "plain",
    "transformer": "transformer",
}


def f1(file: VotesFile, found: list[list[tuple[int, int, str]]], skip: int = 0) -> str:
    pairs = list(zip(file.gold, found, strict=True))[skip:]
    (first, spans), *others = pairs
    counts = sum((match(gold or (), own) for gold, own in others), start=match(first or (), spans))
    return f"P {counts.precision:.3f}  R {counts.recall:.3f}  F1 {counts.f1:.4f}"


def documents(file: VotesFile, vocab: spacy.Vocab) -> list[Doc]:
    return [Doc(vocab, words=list(words)) for words in file.tokens]


def spans_of(posterior: Posterior) -> list[list[tuple[int, int, str]]]:
    count = len(posterior.documents)
    return [[span[:3] for span in posterior.spans.of(number)] for number in range(count)]


def hardened(posterior: Posterior) -> Posterior:
    """Return the posterior that is certain of its own spans."""
    spans = posterior.spans
    first = posterior.offsets[spans.document]
    states = encode(
        first + spans.start,
        first + spans.end,
        spans.label,
        tokens=int(posterior.lengths.sum()),
        scheme="bio",
    )
    position = np.flatnonzero(states)
    certain = np.eye(len(tags(posterior.labels, "bio")), dtype=np.float32)[states[position]]
    return replace(posterior, scheme="bio", position=position, probability=certain)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("votes", nargs="+", help="VOTES files and KINDs")
    parser.add_argument("--unseen")
    parser.add_argument("--map", action="append", default=[])
    parser.add_argument("--labels", default="LOC,MISC,ORG,PER")
    parser.add_argument("--model", default="hmm")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--declared", type=int, default=0, help="do not score so many first documents of VOTES"
    )
    arguments = parser.parse_intermixed_args()
    # numpy's own matrix products: on some machines they take half the time of spaCy's.
    set_current_ops(NumpyOps(use_blis=False))
    kinds = [word for word in arguments.votes if word.split(":")[0] in KINDS]
    paths = [word for word in arguments.votes if word not in kinds]
    finer = dict(pair.split("=") for pair in arguments.map)
    outputs = tuple(arguments.labels.split(","))
    space = LabelSpace(outputs=outputs, finer=finer)
    seen = read_votes(paths, space=space)
    fitted = aggregators[arguments.model]().fit(seen.votes)
    posterior = fitted.posterior(seen.votes)
    print(f"{arguments.model:40} same   {f1(seen, spans_of(posterior), arguments.declared)}")
    unseen = read_votes(arguments.unseen, space=space) if arguments.unseen else None
    if unseen is not None:
        there = spans_of(fitted.posterior(unseen.votes))
        print(f"{arguments.model:40} unseen {f1(unseen, there)}", flush=True)
    for kind in kinds:
        name, _, text = kind.partition(":")
        options = dict(pair.split("=") for pair in text.split(",") if pair)
        parsed = {key: _value(value) for key, value in options.items()}
        silver = hardened(posterior) if name == "hard" else posterior
        began = time.process_time()
        corpus = documents(seen, spacy.blank("en").vocab)
        nlp = train(silver, corpus, trainer=KINDS[name], seed=arguments.seed, **parsed)
        took = time.process_time() - began
        for where, file, skip in (("same", seen, arguments.declared), ("unseen", unseen, 0)):
            if file is not None:
                docs = nlp.pipe(documents(file, nlp.vocab))
                found = [[(s.start, s.end, s.label_) for s in doc.ents] for doc in docs]
                print(f"{kind:40} {where:6} {f1(file, found, skip)}  ({took:.0f} s of training)")
        sys.stdout.flush()


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    main()
