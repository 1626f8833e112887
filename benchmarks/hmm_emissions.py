"""Which emission predicts a function from the others better: a comparison without gold.

    python benchmarks/hmm_emissions.py VOTES.jsonl.gz...

The model is fitted on all functions; then each is left out in turn (absent, not silent) and
asked for: the mean log probability of the label it says, where others speak, under the rest.
"""

import argparse
import math
import sys
from dataclasses import replace


def left_out_score(model, votes, most=20):
    import numpy as np

    from silverspan.aggregation.decoding import by_label
    from silverspan.observations import TokenVotes

    said = TokenVotes.of(votes)
    total = tokens = 0
    often = np.bincount(said.function, minlength=len(votes.functions)).argsort()[::-1][:most]
    for function in often.tolist():
        keep = votes.function != function
        asked = votes.asked.copy()
        asked[:, function] = False
        rows = ("document", "function", "start", "end", "label", "probability")
        rest = replace(votes, asked=asked, **{name: getattr(votes, name)[keep] for name in rows})
        posterior = model.posterior(rest)
        own = (said.function == function) & ~said.is_coarse
        position, label = said.position[said.token[own]], said.label[own]
        row = np.searchsorted(posterior.position, position)
        row = np.minimum(row, max(len(posterior.position) - 1, 0))
        known = posterior.position[row] == position if len(posterior.position) else np.zeros(0)
        mass = by_label(posterior.probability, posterior.scheme)[row[known], 1 + label[known]]
        total += np.log(np.maximum(mass, 1e-6), dtype=float).sum()
        tokens += int(known.sum())
    return total / max(tokens, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("votes", nargs="+")
    arguments = parser.parse_args()

    from silverspan.aggregation import Hmm
    from silverspan.observations import read_votes

    for path in arguments.votes:
        votes = read_votes(path).votes
        row = []
        for emission in ("categorical", "dirichlet"):
            score = left_out_score(Hmm(emission=emission).fit(votes), votes)
            row.append(f"{emission} {score:.3f} (perplexity {math.exp(-score):.2f})")
        print(path.rsplit("/", 1)[-1], *row, sep="  ", flush=True)


if __name__ == "__main__":
    sys.exit(main())
