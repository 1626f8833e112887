"""From spaCy documents to proposals, and what worker processes share.

    python benchmarks/gazetteer_docs.py --entries 5000000

Times are of the processor. Speed: all four variants of one gazetteer, sieve on, in one pass;
beside it skweak's annotator for one variant, where skweak is installed. Memory: what four processes
that search the same file hold of their own (USS), beside the file's size.
"""

import argparse
import multiprocessing
import tempfile
import time
from pathlib import Path

import gazetteer_data
import spacy
from gazetteer_search import make_text
from spacy.tokens import Doc

from silverspan.labelling.gazetteers import Recipe, build, gazetteer_functions, readers


def make_docs(names, documents, length):
    """Return tagged and parsed documents, of which a tenth of the tokens belong to names."""
    vocab = spacy.blank("en").vocab
    docs = []
    tokens = make_text(names, documents * length, 0.15)
    for start in range(0, len(tokens), length):
        words = tokens[start : start + length]
        tags = ["NNP" if word[0].isupper() else "NN" for word in words]
        starts = [place % 20 == 0 for place in range(len(words))]
        docs.append(Doc(vocab, words=words, tags=tags, sent_starts=starts))
    return docs


def measure(name, tokens, run, repeat=3):
    run()  # the first run meets every word for the first time
    times = []
    for _ in range(repeat):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    print(f"{name}: {tokens / min(times) / 1e3:,.0f} k tokens/s")


def of_own(path, texts, ready, leave):
    family = gazetteer_functions("g", path)[0].family
    docs = [Doc(spacy.blank("en").vocab, words=words) for words in texts]
    family.propose(docs)
    smaps = Path("/proc/self/smaps_rollup").read_text()
    private = sum(int(line.split()[1]) for line in smaps.splitlines() if "Private" in line)
    mapped, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if "-" in line.split()[0] and not line.split()[0].endswith(":"):
            inside = line.endswith(Path(path).name)
        elif inside and line.startswith("Private"):
            mapped += int(line.split()[1])
    ready.put((private, mapped))
    leave.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--length", type=int, default=400)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "names.gaz"
        names = gazetteer_data.write_names(Path(folder) / "names.txt", arguments.entries)
        begun = time.process_time()
        build(
            readers["text"]({"label": "X"}),
            [Path(folder) / "names.txt"],
            path,
            tokenizer=spacy.blank("en"),
            recipe=Recipe(subsets=("names",)),
        )
        print(f"built {len(names):,} names in {time.process_time() - begun:.0f} s")
        docs = make_docs(names, arguments.documents, arguments.length)
        tokens = sum(map(len, docs))
        functions = gazetteer_functions("g", path)
        family = functions[0].family
        said = family.propose(docs)
        found = sum(len(spans) for each in said for spans in each.values())
        print(f"{tokens:,} tokens in {len(docs)} documents, {found:,} proposals of 4 functions")
        measure("silverspan, 4 variants, sieve on", tokens, lambda: family.propose(docs))
        begun = time.process_time()
        gazetteer_functions("g", path)[0].family.propose(docs)
        print(f"  a new process, every word new to it: {time.process_time() - begun:.2f} s")
        small = [doc[:20].as_doc() for doc in docs for _ in range(4)]
        measure("  documents of 20 tokens", sum(map(len, small)), lambda: family.propose(small))
        try:
            from skweak.gazetteers import GazetteerAnnotator, Trie
        except ImportError as error:
            print(f"skweak: skipped ({error})")
        else:
            trie = Trie()
            for name in names[:1_000_000]:
                trie.add(name.split())
            annotator = GazetteerAnnotator("g", {"X": trie})
            measure(
                f"skweak, 1 variant, {min(len(names), 1_000_000):,} names",
                tokens,
                lambda: [annotator(doc) for doc in docs],
                repeat=1,
            )
        texts = [[token.text for token in doc] for doc in docs[:50]]
        context = multiprocessing.get_context("spawn")
        ready, leave = context.Queue(), context.Event()
        workers = [
            context.Process(target=of_own, args=(str(path), texts, ready, leave)) for _ in range(4)
        ]
        for worker in workers:
            worker.start()
        held = [ready.get() for _ in workers]
        leave.set()
        for worker in workers:
            worker.join()
        print(f"file: {path.stat().st_size / 1e6:.0f} MB; four processes hold of their own:")
        for private, mapped in held:
            print(f"  {private / 1e3:.0f} MB in all, {mapped / 1e3:.1f} MB of it of the file")


if __name__ == "__main__":
    main()
