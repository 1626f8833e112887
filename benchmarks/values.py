"""Speed of the function ``snips`` from documents to votes, and what it does on scores of matches.

    python benchmarks/values.py                      generated English text
    python benchmarks/values.py conll2003_valid      also a corpus of SILVERSPAN_DATA/ner
    python benchmarks/values.py demo                 also precision and recall on the demo corpus

Documents are tokenised before the clock starts. One core; the best of three rounds.
"""

import gzip
import json
import os
import re
import sys
import time
from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import spacy
from spacy.tokens import Doc
from values_calibrate import make, read_texts

from silverspan.labelling.values import parse
from silverspan.labelling.values.function import snips

HERE = Path(__file__).parent
PLAIN = (
    "The committee said that the new law would make it harder for small firms to find workers.",
    "Nobody in the village remembered how the old bridge had come to be built there.",
    "Critics called the plan a waste of money, but the minister defended it in parliament.",
    "Her novels are read all over the world, though she never left her home town.",
    "The team trained hard and hoped that the weather would be better this time.",
)

#: Two small numbers, a hyphen between; after a month ("May 27-29") or before a unit it is no score.
MONTH = r"(?<!\b[A-Z][a-z]{2} )(?<!\b[JM][a-z]{3} )(?<!April )(?<!August )(?<!ember )(?<!uary )"
SCORE = re.compile(r"(?<!\S)" + MONTH + r"\d{1,3}-\d{1,3}(?!\S)(?! cents)")


def generated(documents: int) -> list[str]:
    """Return texts of ten sentences, every fourth with values."""
    kinds, slots = read_texts(HERE / "values_texts.txt")
    generator = np.random.default_rng(7)
    texts = []
    for _ in range(documents):
        sentences = [
            make(str(generator.choice(kinds)), slots, generator)[0]
            if generator.random() < 0.25
            else str(generator.choice(PLAIN))
            for _ in range(10)
        ]
        texts.append(" ".join(sentences))
    return texts


def corpus(name: str) -> list[list[str]]:
    """Return the sentences of a CoNLL file as tokens."""
    folder = Path(os.environ.get("SILVERSPAN_DATA", HERE.parent.parent / "shared" / "data"))
    with gzip.open(folder / "ner" / f"{name}.conll.gz", "rt", encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    sentences = [[line.split(" ")[0] for line in block.splitlines()] for block in blocks]
    return [tokens for tokens in sentences if tokens and tokens[0] != "-DOCSTART-"]


def measure(docs: list[Doc], name: str) -> None:
    function = snips()
    tokens = sum(len(doc) for doc in docs)
    best, votes = float("inf"), 0
    for _ in range(3):
        start = time.process_time()
        votes = sum(len(list(function(doc))) for doc in docs)
        best = min(best, time.process_time() - start)
    rate = tokens / best
    print(f"{name}: {tokens} tokens, {votes} votes, {best:.2f} s, {rate:,.0f} tokens/s")


def scores(sentences: list[list[str]]) -> None:
    """Count how scores of matches are read."""
    labels: Counter[str] = Counter()
    for tokens in sentences:
        text = " ".join(tokens)
        values = parse(text)
        for match in SCORE.finditer(text):
            first = next(
                (v for v in values if v.start < match.end() and match.start() < v.end), None
            )
            labels[first.label if first else "nothing"] += 1
    total = sum(labels.values())
    share = (labels["DATE"] + labels["TIME"]) / max(1, total)
    print(f"scores such as 3-1: {total}, read as {dict(labels)}; dates {share:.2%}")


def demo(nlp: spacy.language.Language) -> None:
    """Print precision and recall of exact spans on the demo corpus, per label."""
    function = snips()
    counts: dict[str, Counter[str]] = {label: Counter() for label in function.labels}
    path = HERE.parent / "examples" / "newswire" / "gold.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        doc = nlp(record["text"])
        best: dict[tuple[int, int], tuple[float, str]] = {}
        for start, end, label, probability in function(doc):
            best[start, end] = max(best.get((start, end), (0.5, "")), (probability, label))
        said = {
            (doc[start].idx, doc[end - 1].idx + len(doc[end - 1]), label)
            for (start, end), (_, label) in best.items()
            if label
        }
        gold = {(start, end, label) for start, end, label in record["entities"] if label in counts}
        for _, _, label in said & gold:
            counts[label]["both"] += 1
        for spans, name in ((said, "said"), (gold, "gold")):
            for _, _, label in spans:
                counts[label][name] += 1
    print("label      precision  recall  gold")
    for label, count in counts.items():
        precision, recall = count["both"] / count["said"], count["both"] / count["gold"]
        print(f"{label:9}  {precision:9.2f}  {recall:6.2f}  {count['gold']:4d}")


def main() -> None:
    nlp = spacy.blank("en")
    texts = generated(400)
    measure([nlp(text) for text in texts], "generated")
    for name in sys.argv[1:]:
        if name == "demo":
            demo(nlp)
            continue
        sentences = corpus(name)
        documents = [
            [*chain.from_iterable(sentences[n : n + 15])] for n in range(0, len(sentences), 15)
        ]
        measure([Doc(nlp.vocab, words=words) for words in documents], name)
        scores(sentences)


if __name__ == "__main__":
    main()
