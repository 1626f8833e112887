"""What a model's function costs beside the model itself, in one run.

    python benchmarks/models.py documents.conll [MODEL]

Compares, over the same documents and tokens, the entity component alone (made into documents of
the model's vocabulary, as any use of it needs) with the family of two functions, raw and ``+c``.
"""

import sys
import time

import spacy

from silverspan.corpus.pipelines import resolve_pipeline
from silverspan.labelling.models import spacy_model
from silverspan.labelling.models.installed import describe
from silverspan.labelling.models.sources.data import by_document, read_sentences
from silverspan.labelling.models.sources.training import as_document

ROUNDS = 5


def main() -> None:
    path, model = sys.argv[1], (sys.argv[2:] or ["en"])[0]
    blank = spacy.blank("en")
    docs = [as_document(blank, group) for group in by_document(read_sentences([path]))]
    function = spacy_model(model)
    installed = describe(resolve_pipeline(model))
    nlp = spacy.load(installed.source, exclude=list(installed.unneeded))
    tokens = sum(map(len, docs))
    times: dict[str, list[float]] = {"model": [], "functions": []}
    for round_ in range(ROUNDS + 1):
        for name in times:
            start = time.process_time()
            if name == "model":
                copies = [
                    spacy.tokens.Doc(
                        nlp.vocab,
                        words=[token.text for token in doc],
                        sent_starts=[token.is_sent_start for token in doc],
                    )
                    for doc in docs
                ]
                for _ in nlp.pipe(copies, batch_size=64):
                    pass
            else:
                function.family.propose(docs)
            if round_:  # the first one loads
                times[name].append(time.process_time() - start)
    best = {name: min(found) for name, found in times.items()}
    for name, seconds in best.items():
        print(f"{name:10} {tokens / seconds:10,.0f} tokens/s of one core")
    print(f"ratio      {best['functions'] / best['model']:10.2f}")


if __name__ == "__main__":
    main()
