"""The label model on each group of functions, as in the paper's table of results.

    python benchmarks/function_groups.py PROJECT

PROJECT is a finished project (`silverspan run PROJECT`) with gold. Its votes are aggregated anew
for each group, with the default settings of the HMM, and scored on all documents with gold.
"""

import sys

from silverspan.aggregation import Hmm, MajorityVote
from silverspan.evaluation import evaluate_spans
from silverspan.labelling.presets import group_of
from silverspan.observations.votes import Votes
from silverspan.pipeline import Run
from silverspan.pipeline.annotate import annotate
from silverspan.pipeline.corpus import corpus
from silverspan.pipeline.gold import gold_of
from silverspan.project import Project


def main(path: str) -> None:
    run = Run(Project(path))
    corpus(run)
    annotate(run)
    votes = Votes.concatenate([run.votes(number) for number in range(len(run.shards))])
    gold = gold_of(run)
    number_of = {name: i for i, name in enumerate(votes.documents)}
    groups = {name: group_of(name) for name in votes.functions}

    def only(*wanted: str) -> list[str]:
        return [name for name, group in groups.items() if group in wanted]

    rows = {
        "OntoNotes model alone": (Hmm(), ["core_web_md"]),
        "majority vote, all functions": (MajorityVote(), list(groups)),
        "hmm, only NER models": (Hmm(), only("neural")),
        "hmm, only gazetteers": (Hmm(), only("gazetteers")),
        "hmm, only heuristics": (Hmm(), only("heuristics")),
        "hmm, all but document level": (Hmm(), only("neural", "gazetteers", "heuristics")),
        "hmm, all functions": (Hmm(), list(groups)),
    }
    print(f"{len(gold)} documents, {votes.tokens} tokens, {len(groups)} functions")
    print("| functions | how many | P | R | F1 |\n|---|---|---|---|---|")
    for title, (settings, names) in rows.items():
        chosen = votes.select(names)
        posterior = settings.fit(chosen).posterior(chosen)
        scores = evaluate_spans(
            [each.spans for each in gold.values()],
            [posterior.spans.of(number_of[name]) for name in gold],
            lengths=[len(each.tokens) for each in gold.values()],
            labels=votes.space.outputs,
            mapping=votes.space.finer,
            views=["strict"],
        )
        micro = scores.entities["strict"].micro
        print(
            f"| {title} | {len(names)} | {micro.precision:.3f} | {micro.recall:.3f} "
            f"| {micro.f1:.3f} |"
        )


if __name__ == "__main__":
    main(sys.argv[1])
