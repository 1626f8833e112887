"""What a run costs: core hours, money, disk and memory for a corpus of any size.

python benchmarks/scale_cost.py [--tokens N ...] [--seconds 43] [--price 0.04] [--cores 64] ...

Every default is a figure measured by another script of this folder; docs/scale.md says which.
"""

import argparse
import sys

NAMES = {300_000_000: "a million documents", 10**9: "a billion tokens", 10**12: "a web crawl"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=float, nargs="+", default=list(NAMES))
    parser.add_argument(
        "--seconds", type=float, default=43, help="CPU seconds a million tokens, without fitting"
    )
    parser.add_argument("--price", type=float, default=0.04, help="of a core for an hour")
    parser.add_argument("--cores", type=int, default=64)
    parser.add_argument("--passes", type=int, default=20, help="over the islands: rounds, priors")
    parser.add_argument("--seconds-island", type=float, default=7e-6, help="a pass, CPU")
    parser.add_argument(
        "--islands", type=float, nargs=2, default=(0.0007, 0.07), help="a token: few, many"
    )
    parser.add_argument("--bytes-token", type=float, default=22, help="on disk")
    parser.add_argument("--bytes-island", type=float, default=1500, help="in memory")
    arguments = parser.parse_args()
    for tokens in arguments.tokens:
        name = NAMES.get(int(tokens), "a corpus")
        work = tokens / 1e6 * arguments.seconds / 3600
        print(f"{name}: {tokens:,.0f} tokens")
        print(f"  labelling, posteriors: {work:,.1f} core hours, {work * arguments.price:,.2f}")
        print(f"  on {arguments.cores} cores: {work / arguments.cores:,.1f} hours")
        print(f"  on disk: {tokens * arguments.bytes_token / 1e9:,.0f} GB")
        for share, kind in zip(arguments.islands, ("few", "many"), strict=True):
            islands = tokens * share
            fit = islands * arguments.seconds_island * arguments.passes / 3600
            memory = islands * arguments.bytes_island / 1e9
            print(
                f"  fitting, {kind} distinct islands ({islands:,.0f}): {fit:,.1f} core hours, "
                f"{memory:,.1f} GB in the memory of all workers"
            )


if __name__ == "__main__":
    sys.exit(main())
