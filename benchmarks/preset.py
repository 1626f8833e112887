"""What a whole preset costs beside the spaCy models in it: processor time, in one run.

    OMP_NUM_THREADS=1 python benchmarks/preset.py DOCUMENTS [PRESET]

The models' own time is that of their entity components over the same tokens, each once. Reading and
parsing the corpus, which any use of it needs, is in neither figure.
"""

import sys
import time

import spacy

import silverspan as sp
from silverspan.labelling.presets import select
from silverspan.observations.annotate import annotate

ROUNDS = 3


def main() -> None:
    docs = list(sp.Corpus.read(sys.argv[1], sp.load_pipeline("en")))
    preset = (sys.argv[2:] or ["paper"])[0]
    chosen = select(preset)
    functions = chosen.functions
    models = {f.family.model for f in functions if f.group == "neural" and f.family is not None}
    alone = [spacy.load(model.source, exclude=list(model.unneeded)) for model in models]
    times: dict[str, list[float]] = {"models": [], "preset": []}
    for round_ in range(ROUNDS + 1):
        start = time.process_time()
        for nlp in alone:
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
        between = time.process_time()
        annotate(docs, functions)
        if round_:  # the first one loads
            times["models"].append(between - start)
            times["preset"].append(time.process_time() - between)
    best = {name: min(found) for name, found in times.items()}
    tokens = sum(map(len, docs))
    print(f"{tokens:,} tokens, {len(functions)} functions, {len(models)} models")
    for name, seconds in best.items():
        print(f"{name:8} {seconds:7.2f} s  {tokens / seconds:10,.0f} tokens/s")
    print(f"ratio    {best['preset'] / best['models']:7.2f}")


if __name__ == "__main__":
    main()
