"""How fluid the browser view is with many documents: start, lists, searches, documents, decisions.

    OMP_NUM_THREADS=1 python benchmarks/view.py FOLDER --documents 50000

Makes a project of random words in FOLDER, if there is none, runs it, and asks its pages in process.
Figures are CPU milliseconds, the median of some requests each.
"""

import argparse
import json
import random
import re
import resource
import statistics
import time
from pathlib import Path

from starlette.testclient import TestClient

from silverspan import pipeline
from silverspan.project import Project
from silverspan.view import GoldFile, make_app, open_library

SETTINGS = """
[corpus]
path = "documents.jsonl"
pipeline = "blank:en"

[labels]
output = ["LOC", "ORG", "PER"]

[functions]
preset = "none"
files = ["functions.py"]

[training]
trainer = false
"""
FUNCTIONS = """
import silverspan as sp

def finder(number, label):
    @sp.labelling_function(labels=[label], name=f"finder_{number}")
    def find(doc):
        for token in doc:
            text = token.text
            if text[0].isupper() and len(text) % 7 == number % 7:
                yield token.i, token.i + 1, label
    return find

for number in range(12):
    globals()[f"finder_{number}"] = finder(number, ["LOC", "ORG", "PER"][number % 3])
"""


def make(folder: Path, documents: int) -> None:
    draw = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(draw.choices(letters, k=draw.randint(2, 11))) for _ in range(20_000)]
    words += [word.title() for word in words[:3000]]
    folder.mkdir(parents=True)
    (folder / "silverspan.toml").write_text(SETTINGS)
    (folder / "functions.py").write_text(FUNCTIONS)
    with (folder / "documents.jsonl").open("w") as out:
        for number in range(documents):
            text = " ".join(draw.choices(words, k=draw.randint(60, 240))) + " ."
            out.write(json.dumps({"id": f"news-{number:06d}", "text": text}) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=50_000)
    arguments = parser.parse_args()
    if not arguments.folder.exists():
        make(arguments.folder, arguments.documents)
    pipeline.run(Project(arguments.folder), until="aggregate")
    for again in (False, True):
        took = {}

        def keep(run, took=took):
            began = time.process_time()
            took["library"] = open_library(run, gold=GoldFile(arguments.folder / "gold.jsonl"))
            took["index"] = time.process_time() - began
            return pipeline.Outcome(stage="view", was_fresh=True, summary="")

        pipeline.run(Project(arguments.folder), further={"view": keep})
        which = "read" if again else "made, or read if it was there"
        print(f"index {which}: {took['index']:.1f} s CPU")
    library = took["library"]
    client = TestClient(make_app(library, token="t"), base_url="http://127.0.0.1:1")
    print(f"{len(library):,} documents, {int(library.index.tokens.sum()):,} tokens")
    draw = random.Random(2)
    for name, path, times in [
        ("first page of the list", "/", 9),
        ("page 500 of the list", "/?page=500", 9),
        ("search for a word", "/?text=abc", 9),
        ("search for what is nowhere", "/?text=no+such+words", 9),
        ("filter and order", "/?label=ORG&function=finder_3&order=uncertainty", 9),
        ("order by worth", "/?order=value", 9),
        ("the next worth a look", "/next", 9),
        ("a document somewhere", "/document/{}", 15),
        ("the same document again, with why", "/document/7?at=3-4", 9),
        ("the panel alone", "/document/7/why?at=3-4", 9),
        ("functions", "/functions", 5),
    ]:
        spent = []
        for _ in range(times):
            address = path.format(draw.randrange(len(library)))
            began = time.process_time()
            answer = client.get(f"/t{address}", follow_redirects=False)
            spent.append(1000 * (time.process_time() - began))
            assert answer.status_code in (200, 303), answer.text
        print(f"{name:36} {statistics.median(spent):7.0f} ms  (longest {max(spent):.0f})")
    secret = re.search(r'name="secret" value="([^"]+)"', client.get("/t/review").text)[1]
    spent = []
    for number in range(20):
        began = time.process_time()
        client.post(
            f"/t/document/{number}/judge",
            data={"secret": secret, "do": "finish"},
            headers={"origin": "http://127.0.0.1:1"},
            follow_redirects=False,
        )
        spent.append(1000 * (time.process_time() - began))
    print(f"{'a decision':36} {statistics.median(spent):7.0f} ms  (longest {max(spent):.0f})")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
