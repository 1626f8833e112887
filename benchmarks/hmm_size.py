"""Five million synthetic tokens with 52 functions: time and peak memory of one fit.

python benchmarks/hmm_size.py [--tokens 5000000] [--functions 52] [--labels 4]
"""

import argparse
import os
import resource
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=5_000_000)
    parser.add_argument("--functions", type=int, default=52)
    parser.add_argument("--labels", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()

    import numpy as np

    from silverspan.aggregation import Hmm
    from silverspan.testing import KnownModel

    generator = np.random.default_rng(0)
    model = KnownModel.random(
        generator,
        labels=[f"L{i}" for i in range(arguments.labels)],
        functions=arguments.functions,
        names=0.08,
        recall=(0.02, 0.2),
        false_alarm=0.002,
    )
    votes, _ = model.sample(generator, documents=arguments.tokens // 25, length=25)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{votes.tokens:,} tokens, {len(votes):,} votes; {before:.0f} MB to make them")
    begin = time.process_time()
    fitted = Hmm(rounds=arguments.rounds, tolerance=-1.0).fit(votes)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rounds = len(fitted.findings.history)
    print(f"fit, {rounds} rounds: {seconds:.1f} s; peak memory {peak:.0f} MB")
    print(f"{fitted.findings.voted:,} voted tokens")


if __name__ == "__main__":
    sys.exit(main())
