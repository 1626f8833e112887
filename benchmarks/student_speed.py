"""How fast a student tags, beside the tok2vec and ner of en_core_web_sm, in one run on one core.

    python benchmarks/student_speed.py MODEL DOCUMENTS [--rounds 5]

Both get the same tokens; only finding entities is timed, in CPU seconds, in turns. Set
OMP_NUM_THREADS=1.
"""

import argparse
import statistics
import time

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from silverspan.corpus.corpus import Corpus
from silverspan.corpus.pipelines import load_pipeline


def tokens_a_second(nlp: Language, texts: list[tuple[list[str], list[bool]]]) -> float:
    docs = [Doc(nlp.vocab, words=words, spaces=spaces) for words, spaces in texts]
    began = time.process_time()
    for _ in nlp.pipe(docs, batch_size=64):
        pass
    return sum(map(len, docs)) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("documents")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    student = spacy.load(arguments.model)
    peer = load_pipeline("en_core_web_sm")
    for name in list(peer.pipe_names):
        if name not in ("tok2vec", "ner"):
            peer.remove_pipe(name)
    texts = [
        ([token.text for token in doc], [bool(token.whitespace_) for token in doc])
        for doc in Corpus.read(arguments.documents, spacy.blank("en"))
    ]
    rates: dict[str, list[float]] = {"student": [], "en_core_web_sm": []}
    for _ in range(arguments.rounds):
        rates["student"].append(tokens_a_second(student, texts))
        rates["en_core_web_sm"].append(tokens_a_second(peer, texts))
    middle = {name: statistics.median(values) for name, values in rates.items()}
    for name, value in middle.items():
        print(f"{name:16} {value:8.0f} tokens a second")
    print(f"ratio            {middle['student'] / middle['en_core_web_sm']:8.2f}")


if __name__ == "__main__":
    main()
