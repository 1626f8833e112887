"""What each labelling function is worth on a corpus with gold, beside other people's outputs.

    python benchmarks/function_quality.py conll2003_valid.conll.gz --weak conll2003_valid.jsonl.gz

Gold scores the functions and reaches nothing else. Precision and recall are of whole entities with
their label; for functions that say only "some entity" (ENT), of whole entities whatever the label.
Coverage is the share of the tokens of gold entities that a function marks. ``--weak`` is a votes
file of the same documents, or of their sentences, whose functions of the same name are scored
alike.
"""

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping

from silverspan.corpus import Corpus
from silverspan.corpus.document import gold_spans
from silverspan.corpus.pipelines import load_pipeline
from silverspan.labelling.apply import annotation_of, in_order, label_documents, usable
from silverspan.labelling.presets import PAPER, select

#: The paper's mapping of finer labels onto those of CoNLL-2003.
TO_CONLL = {
    "PERSON": "PER",
    "COMPANY": "ORG",
    "GPE": "LOC",
    **dict.fromkeys(("EVENT", "FAC", "LANGUAGE", "LAW", "NORP", "PRODUCT", "WORK_OF_ART"), "MISC"),
}
LABELS = ("PER", "LOC", "ORG", "MISC")

Span = tuple[str, int, int, str]  # document, start, end, label


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus")
    parser.add_argument("--pipeline", default="en")
    parser.add_argument("--weak", help="a votes file with the published outputs")
    parser.add_argument("--functions", help="names, comma between; default: all that run here")
    parser.add_argument("--examples", type=int, default=0, help="show so many wrong spans of each")
    arguments = parser.parse_args()
    docs = list(Corpus.read(arguments.corpus, load_pipeline(arguments.pipeline)))
    names = arguments.functions.split(",") if arguments.functions else PAPER
    functions, without = usable(in_order(select(names).functions), annotation_of(docs))
    for name, reason in without.items():
        print(f"left out: {name}: {reason}")
    said: dict[str, set[Span]] = defaultdict(set)
    for start in range(0, len(docs), 64):
        batch = docs[start : start + 64]
        numbers = [str(start + i) for i in range(len(batch))]
        labelled = label_documents(batch, functions, document_ids=numbers)
        for number, item in zip(numbers, labelled, strict=True):
            for name, proposals in item.proposals.items():
                said[name] |= best(number, proposals)
    gold = {
        (str(i), s, e, label) for i, doc in enumerate(docs) for s, e, label in gold_spans(doc) or ()
    }
    published = read_weak(arguments.weak) if arguments.weak else {}
    print(f"{len(docs)} documents, {sum(map(len, docs)):,} tokens, {len(gold):,} entities")
    print("| function | spans | coverage | P | R | published: spans | coverage | P | R |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in [function.name for function in functions]:
        ours = row(said.get(name, set()), gold)
        theirs = row(published[name], gold) if name in published else " | | | "
        print(f"| `{name}` | {ours} | {theirs} |")
        for number, start, end, label in sorted(said.get(name, set()) - gold)[: arguments.examples]:
            doc = docs[int(number)]
            around = doc[max(0, start - 5) : min(len(doc), end + 5)].text
            print(f"    {label} [{doc[start:end].text}] in: {around}")


def best(number: str, proposals: Iterable[tuple[int, int, str, float]]) -> set[Span]:
    """Return the spans with their most probable label, mapped."""
    labels: dict[tuple[int, int], dict[str, float]] = defaultdict(dict)
    for start, end, label, probability in proposals:
        label = TO_CONLL.get(label, label)
        if label in (*LABELS, "ENT"):
            found = labels[start, end]
            found[label] = found.get(label, 0.0) + probability
    return {(number, s, e, max(p, key=lambda k: p[k])) for (s, e), p in labels.items()}


def row(spans: set[Span], gold: set[Span]) -> str:
    if spans and all(label == "ENT" for *_, label in spans):
        gold = {(*span[:3], "ENT") for span in gold}
    right = len(spans & gold)
    entity_tokens = tokens_of(gold)
    coverage = len(tokens_of(spans) & entity_tokens) / len(entity_tokens)
    precision = f"{right / len(spans):.3f}" if spans else "-"
    return f"{len(spans)} | {coverage:.3f} | {precision} | {right / len(gold):.3f}"


def tokens_of(spans: Iterable[Span]) -> set[tuple[str, int]]:
    return {(number, i) for number, start, end, _ in spans for i in range(start, end)}


def read_weak(path: str) -> Mapping[str, set[Span]]:
    """Return the published spans by function, sentences put together into documents."""
    found: dict[str, set[Span]] = defaultdict(set)
    reached: dict[str, int] = defaultdict(int)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            number = str(record.get("doc", record["id"]))
            for name, spans in record["weak"].items():
                for start, end, label in (span[:3] for span in spans):
                    shift = reached[number]
                    found[name].add((number, start + shift, end + shift, label))
            reached[number] += len(record["tokens"])
    return found


if __name__ == "__main__":
    main()
