"""How fast the heuristics and the document-level functions are, in tokens a second on one core.

    python benchmarks/heuristics.py examples/newswire/corpus.jsonl

Documents are parsed once, outside the clock, and labelled through ``label_documents``, as
``silverspan annotate`` does; the processor's time of the best of three rounds counts. ``--pages``
joins the corpus to one long document of that many pages of 500 tokens, for the document-level
functions.
"""

import argparse
import time
from collections.abc import Callable, Sequence

from spacy.tokens import Doc

from silverspan.corpus import Corpus
from silverspan.corpus.pipelines import load_pipeline
from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.function import LabellingFunction, functions
from silverspan.labelling.heuristics import spelling
from silverspan.labelling.presets import DOCUMENT_LEVEL, HEURISTICS, select

PAGE = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus")
    parser.add_argument("--pipeline", default="en")
    parser.add_argument("--repeat", type=int, default=3, help="rounds; the best one counts")
    parser.add_argument("--pages", type=int, default=200)
    arguments = parser.parse_args()
    nlp = load_pipeline(arguments.pipeline)
    docs = list(Corpus.read(arguments.corpus, nlp))
    tokens = sum(map(len, docs))
    print(f"{len(docs)} documents, {tokens:,} tokens")
    made = [functions[name]() for name in HEURISTICS if name != "snips"]

    def fresh(chosen: Sequence[LabellingFunction], on: Sequence[Doc]) -> float:
        ordered = in_order(chosen)
        return best(lambda: run(ordered, on), arguments.repeat)

    print(f"{'all 16 heuristics':32}{tokens / fresh(made, docs):>12,.0f} tokens/s")
    for function in made:
        print(f"  {function.name:30}{tokens / fresh([function], docs):>12,.0f}")

    enough = docs * (1 + arguments.pages * PAGE // tokens)
    long = Doc.from_docs(enough, exclude=["user_data"])[: arguments.pages * PAGE].as_doc()
    document_level = [functions[name]() for name in DOCUMENT_LEVEL]
    for name, on in (("corpus", docs), (f"one document of {arguments.pages} pages", [long])):
        count = sum(map(len, on))
        # What document-level functions cost depends on how much is said: let everybody speak.
        speakers = [function for function in select("paper").functions if not function.reads]
        said = label_documents(on, in_order(speakers), document_ids=list(map(str, range(len(on)))))
        given = [dict(item.proposals) for item in said]
        ordered = in_order([*speakers, *document_level])
        for chosen in (document_level, *([function] for function in document_level)):
            only = {function.name for function in chosen}
            seconds = best(
                lambda only=only, on=on, given=given, ordered=ordered: run(
                    ordered, on, given=given, only=only
                ),
                arguments.repeat,
            )
            what = "all 3 document-level" if len(chosen) > 1 else f"  {chosen[0].name}"
            print(f"{what:32}{count / seconds:>12,.0f} tokens/s on {name} ({seconds:.2f} s)")
        print(f"  reading the votes of {len(speakers)} functions")


def run(ordered: Sequence[LabellingFunction], docs: Sequence[Doc], **options: object) -> None:
    # What detectors remember of a document must be worked out anew.
    spelling._pages.clear()
    for start in range(0, len(docs), 64):
        batch = docs[start : start + 64]
        part = {**options}
        if "given" in part:
            part["given"] = part["given"][start : start + 64]  # type: ignore[index]
        label_documents(batch, ordered, document_ids=list(map(str, range(len(batch)))), **part)  # type: ignore[arg-type]


def best(run_once: Callable[[], None], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        start = time.process_time()
        run_once()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
