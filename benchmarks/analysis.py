"""Processor time and memory of an analysis as shards of 200,000 tokens come in: 40 functions.

python benchmarks/analysis.py [SHARDS]
"""

import resource
import sys
import time

import numpy as np

from silverspan.aggregation import MajorityVote
from silverspan.analysis import Analyst
from silverspan.testing.synthetic import KnownModel

DOCUMENTS, LENGTH = 500, 400


def megabytes() -> int:
    """Return the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def run(shards: int) -> None:
    """Print the time of every shard, of the end, and the memory."""
    generator = np.random.default_rng(0)
    model = KnownModel.random(generator, functions=40, labels=[f"L{i}" for i in range(10)])
    votes, _ = model.sample(generator, documents=DOCUMENTS, length=LENGTH)
    posterior = MajorityVote().fit(votes).posterior(votes)
    words = np.array([f"w{i}" for i in range(50_000)])
    tokens = [words[generator.integers(0, 50_000, LENGTH)].tolist() for _ in range(DOCUMENTS)]
    analyst = Analyst(documents=DOCUMENTS * shards, tokens=DOCUMENTS * LENGTH * shards)
    print(f"{len(votes):,} votes a shard; {megabytes()} MB before")
    for number in range(shards):
        began = time.process_time()
        analyst.add(votes, posterior, tokens)
        print(f"shard {number + 1}: {time.process_time() - began:.1f} s, {megabytes()} MB")
    began = time.process_time()
    analyst.result()
    print(f"the rest, with refits: {time.process_time() - began:.1f} s, {megabytes()} MB")


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
