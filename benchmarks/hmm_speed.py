"""Time and memory of the HMM, beside skweak 0.3.3 in one run on one core.

    python benchmarks/hmm_speed.py VOTES.jsonl.gz [--peer PYTHON_WITH_SKWEAK]

Ten rounds without a stopping rule, islands included; the votes are in memory for both.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

PEER = """
import gzip, json, sys, time, io, contextlib
import spacy, skweak
from spacy.tokens import Doc, Span
vocab = spacy.blank("en").vocab
docs, labels = [], set()
for line in gzip.open(sys.argv[1], "rt"):
    record = json.loads(line)
    doc = Doc(vocab, words=record["tokens"])
    for name, spans in record["weak"].items():
        doc.spans[name] = [Span(doc, s[0], s[1], label=s[2]) for s in spans]
        labels.update(s[2] for s in spans)
    docs.append(doc)
model = skweak.aggregation.HMM("hmm", sorted(labels))
quiet = io.StringIO()
with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
    begin = time.process_time()
    model.fit(docs)
    fitted = time.process_time()
    for doc in docs:
        model(doc)
    applied = time.process_time()
print(json.dumps({"fit": fitted - begin, "apply": applied - fitted}))
"""


def best_of(repeats, action):
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        result = action()
        times.append(time.process_time() - begin)
    return min(times), result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("votes")
    parser.add_argument("--peer", help="a Python that has skweak 0.3.3")
    arguments = parser.parse_args()

    from silverspan.aggregation import Hmm
    from silverspan.observations import Votes, read_votes

    votes = read_votes(arguments.votes).votes
    settings = Hmm(rounds=10, tolerance=-1.0)
    fit, model = best_of(5, lambda: settings.fit(votes))
    apply, _ = best_of(5, lambda: model.posterior(votes))
    rounds = len(model.findings.history)
    one, _ = best_of(5, lambda: Hmm(rounds=1, tolerance=-1.0).fit(votes))
    each = (fit - one) / (rounds - 1)
    print(f"{votes.tokens:,} tokens, {len(votes.functions)} functions")
    print(f"fit, {rounds} rounds: {fit:.3f} s; each round after the first {1000 * each:.1f} ms")
    print(f"apply: {apply:.3f} s, {votes.tokens / apply:,.0f} tokens a second")

    import numpy as np

    order = np.random.default_rng(0).permutation(len(votes.documents))
    parts = [votes.slice(i, i + 1) for i in order]
    shuffled = Votes.concatenate(parts)
    tenfold = Votes.concatenate([votes, shuffled] * 5)
    del parts
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    longer, _ = best_of(3, lambda: settings.fit(tenfold))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"tenfold, other order: {longer:.3f} s, {longer / fit:.2f} times as long")
    print(f"peak memory {peak / 1024:.0f} MB, of which {memory / 1024:.0f} MB before fitting")

    if arguments.peer:
        out = subprocess.run(
            [arguments.peer, "-W", "ignore", "-c", PEER, arguments.votes],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        peer = json.loads(out.splitlines()[-1])
        print(f"skweak: fit, 4 rounds: {peer['fit']:.2f} s; apply {peer['apply']:.2f} s")
        each = peer["fit"] / 4 / (fit / rounds)
        print(f"in all {peer['fit'] / fit:.0f} times faster, by round {each:.0f} times")
        print(f"apply {peer['apply'] / apply:.0f} times faster")


if __name__ == "__main__":
    sys.exit(main())
