"""Bare search for names over token ids: silverspan beside other index structures, in one run.

    python benchmarks/gazetteer_search.py --entries 5000000 --tokens 2000000
    python benchmarks/gazetteer_search.py --entries 500000 --tokens 500000 --peers

Times are of the processor (everything here runs on one core), so that other load on the machine
matters less. Every searcher gets the same tokens and must give the same longest matches, left to
right. With ``--peers`` also those of other packages: marisa-trie, ahocorasick_rs, spaCy's
PhraseMatcher, and skweak's Trie (``pip install marisa-trie ahocorasick_rs skweak``; those not
installed are skipped).
"""

import argparse
import gc
import os
import resource
import tempfile
import time
from pathlib import Path

import gazetteer_data
import numpy as np
import spacy
from spacy.strings import hash_string
from spacy.tokens import Doc

from silverspan.labelling.gazetteers import Gazetteer, Recipe, build, readers, search


def make_text(names, tokens, candidates, seed=3):
    """Return a list of tokens of which about ``candidates`` begin some name."""
    rng = np.random.default_rng(seed)
    lower = [word.lower() + "x" for word in gazetteer_data.words(30_000, seed=9)]
    found = []
    picks = rng.integers(0, len(names), tokens)
    share = 0.62 * candidates if candidates < 1 else 1.0  # a name's later words begin names too
    for pick, draw in zip(picks.tolist(), rng.random(tokens).tolist(), strict=True):
        if len(found) >= tokens:
            break
        if candidates < 1:
            gap = int((1 / share - 1) * 2.2 * draw * 2)
            found += [lower[(pick + k * 7919) % len(lower)] for k in range(gap)]
        name = names[pick].split()
        # Half of them are cut or run on, so that not every candidate ends in a match.
        found += name if draw < 0.5 else name[: max(1, len(name) - 1)]
    return found[:tokens]


class Ours:
    name = "silverspan (hashed filter + sorted table)"

    def __init__(self, names, path):
        self.gazetteer = Gazetteer.open(path)
        self.bytes = path.stat().st_size

    def prepare(self, tokens):
        """Number the tokens: what a Lexicon does once for each distinct token."""
        distinct = sorted(set(tokens))
        number = {word: i for i, word in enumerate(distinct)}
        pad = [search.BOUNDARY] * 1
        self.folded = np.array([hash_string(w.lower()) for w in distinct] + pad, np.uint64)
        self.cased = np.array([hash_string(w) for w in distinct] + pad, np.uint64)
        self.first = search.filter_bits(self.folded, self.gazetteer.filters)
        self.first[-1] = 0
        end = [len(distinct)] * self.gazetteer.header.longest
        self.ids = np.array([number[word] for word in tokens] + end, dtype=np.int32)

    def search(self):
        g, ids = self.gazetteer, self.ids
        start, length, _, same = search.find_names(
            self.folded[ids],
            self.cased[ids],
            self.first[ids],
            filters=g.filters,
            keys=g.keys,
            bounds=g.bounds,
            variants=g.variants,
            longest=g.header.longest,
        )
        chosen = search.longest_at_each_start(start, same >= 0)
        start, end = start[chosen], start[chosen] + length[chosen]
        kept = search.left_to_right(start, end, 0)
        return start[kept], end[kept]


class PackedKeys:
    name = "level-synchronous trie: sorted (node, token) keys, searchsorted; one case"

    def __init__(self, names, path):
        self.number = {}
        lengths, flat = [], []
        for name in names:
            words = name.split()
            lengths.append(len(words))
            flat += [self.number.setdefault(word, len(self.number)) for word in words]
        lengths, flat = np.array(lengths), np.array(flat, dtype=np.uint64)
        first = np.cumsum(lengths) - lengths
        # Nodes are numbered by level; a node's edges are (node << 32 | token) -> next node.
        node = np.zeros(len(names), dtype=np.uint64)
        self.keys, self.children, ends = [], [], []
        total = 1
        for level in range(int(lengths.max())):
            alive = np.flatnonzero(lengths > level)
            edge = (node[alive] << np.uint64(32)) | flat[first[alive] + level]
            distinct, inverse = np.unique(edge, return_inverse=True)
            self.keys.append(distinct)
            self.children.append(np.arange(total, total + len(distinct), dtype=np.uint32))
            node[alive] = self.children[-1][inverse]
            total += len(distinct)
            ends.append(node[alive[lengths[alive] == level + 1]].astype(np.int64))
        self.is_end = np.zeros(total, dtype=bool)
        self.is_end[np.concatenate(ends)] = True
        self.longest = len(self.keys)
        self.bytes = sum(k.nbytes + c.nbytes for k, c in zip(self.keys, self.children, strict=True))
        self.bytes += self.is_end.nbytes // 8

    def prepare(self, tokens):
        unknown = len(self.number)
        ids = [self.number.get(word, unknown) for word in tokens] + [unknown] * self.longest
        self.ids = np.array(ids, dtype=np.uint64)
        self.begins = np.append(np.isin(np.arange(unknown), self.keys[0]), False)

    def search(self):
        start = np.flatnonzero(self.begins[self.ids])
        node = np.zeros(len(start), dtype=np.uint64)
        best = np.zeros(len(self.ids), dtype=np.int32)
        alive = start
        for level in range(self.longest):
            edge = (node << np.uint64(32)) | self.ids[alive + level]
            place = np.searchsorted(self.keys[level], edge)
            place[place == len(self.keys[level])] = 0
            hit = np.flatnonzero(self.keys[level][place] == edge)
            alive, node = alive[hit], self.children[level][place[hit]].astype(np.uint64)
            ended = self.is_end[node.astype(np.int64)]
            best[alive[ended]] = level + 1
        start = np.flatnonzero(best).astype(np.int32)
        end = start + best[start]
        kept = search.left_to_right(start, end, 0)
        return start[kept], end[kept]


class Marisa:
    name = "marisa-trie, prefixes of the rest of the text"

    def __init__(self, names, path):
        import marisa_trie

        self.trie = marisa_trie.Trie([name + " " for name in names])
        target = path.with_suffix(".marisa")
        self.trie.save(str(target))
        self.bytes = target.stat().st_size
        self.first = {name.split()[0] for name in names}

    def prepare(self, tokens):
        self.tokens = tokens

    def search(self):
        tokens, trie, first = self.tokens, self.trie, self.first
        starts, ends, place = [], [], 0
        while place < len(tokens):
            if tokens[place] in first:
                found = trie.prefixes(" ".join(tokens[place : place + 10]) + " ")
                if found:
                    size = max(name.count(" ") for name in found)
                    starts.append(place)
                    ends.append(place + size)
                    place += size
                    continue
            place += 1
        return np.array(starts), np.array(ends)


class AhoCorasick:
    name = "ahocorasick_rs, leftmost longest over text"

    def __init__(self, names, path):
        import ahocorasick_rs

        before = resident()
        self.automaton = ahocorasick_rs.AhoCorasick(
            [self.wrapped(name.split()) for name in names],
            matchkind=ahocorasick_rs.MatchKind.LeftmostLongest,
        )
        self.bytes = resident() - before

    @staticmethod
    def wrapped(words):
        """Mark where tokens begin and end, so that matches do too."""
        return "".join(f"<{word}>" for word in words)

    def prepare(self, tokens):
        self.text = self.wrapped(tokens)
        lengths = np.array([len(word) + 2 for word in tokens])
        self.starts = np.cumsum(lengths) - lengths

    def search(self):
        found = np.array(self.automaton.find_matches_as_indexes(self.text)).reshape(-1, 3)
        return np.searchsorted(self.starts, found[:, 1]), np.searchsorted(self.starts, found[:, 2])


class PhraseMatcher:
    name = "spaCy PhraseMatcher"

    def __init__(self, names, path):
        from spacy.matcher import PhraseMatcher as Matcher

        before = resident()
        self.nlp = spacy.blank("en")
        self.matcher = Matcher(self.nlp.vocab)
        docs = (Doc(self.nlp.vocab, words=name.split()) for name in names)
        for doc in docs:
            self.matcher.add("N", [doc])
        self.bytes = resident() - before

    def prepare(self, tokens):
        self.doc = Doc(self.nlp.vocab, words=tokens)

    def search(self):
        best = {}
        for _, start, end in self.matcher(self.doc):
            best[start] = max(best.get(start, 0), end)
        starts, ends, limit = [], [], 0
        for start in sorted(best):
            if start >= limit:
                starts.append(start)
                ends.append(best[start])
                limit = best[start]
        return np.array(starts), np.array(ends)


class Skweak:
    name = "skweak Trie"

    def __init__(self, names, path):
        from skweak.gazetteers import Trie

        before = resident()
        self.trie = Trie()
        for name in names:
            self.trie.add(name.split())
        self.bytes = resident() - before

    def prepare(self, tokens):
        self.tokens = tokens

    def search(self):
        starts, ends, place = [], [], 0
        tokens, longest = self.tokens, self.trie.find_longest_match
        while place < len(tokens):
            found = longest(tokens[place : place + 10])
            if found:
                starts.append(place)
                place += len(found)
                ends.append(place)
            else:
                place += 1
        return np.array(starts), np.array(ends)


def resident():
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    names = gazetteer_data.write_names(folder / "names.txt", arguments.entries)
    begun = time.process_time()
    build(
        readers["text"]({"label": "X"}),
        [folder / "names.txt"],
        folder / "names.gaz",
        tokenizer=spacy.blank("en"),
        recipe=Recipe(subsets=("names",)),
    )
    print(f"built {len(names):,} names in {time.process_time() - begun:.0f} s")
    texts = {share: make_text(names, arguments.tokens, share) for share in (0.3, 1.0)}
    kinds = [Ours, PackedKeys]
    if arguments.peers:
        kinds += [Marisa, Skweak, PhraseMatcher, AhoCorasick]
    expected = {}
    for kind in kinds:
        try:
            begun = time.process_time()
            searcher = kind(names, folder / "names.gaz")
        except ImportError as error:
            print(f"{kind.name}: skipped ({error})")
            continue
        opened = time.process_time() - begun
        print(f"{kind.name}: {searcher.bytes / len(names):.1f} bytes/name, {opened:.4f} s to load")
        for share, tokens in texts.items():
            searcher.prepare(tokens)
            times = []
            for _ in range(arguments.repeat):
                begun = time.process_time()
                start, end = searcher.search()
                times.append(time.process_time() - begun)
            speed = len(tokens) / min(times) / 1e6
            note = ""
            if kind is Ours:
                candidates = np.mean(searcher.first[searcher.ids] > 0)
                note = f", {candidates:.0%} of positions are candidates"
            same = expected.setdefault(share, (start, end))
            equal = np.array_equal(start, same[0]) and np.array_equal(end, same[1])
            note += "" if equal else ", OTHER MATCHES"
            print(f"  {speed:6.2f} M tokens/s, {len(start):,} matches{note}")
        del searcher
        gc.collect()
    for file in folder.iterdir():
        os.unlink(file)
    folder.rmdir()


if __name__ == "__main__":
    main()
