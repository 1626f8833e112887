"""Peak memory of a whole run on generated corpora of growing size: the line should be flat.

python benchmarks/scale_memory.py FOLDER [--documents 20000 60000 200000] [--preset fast]
    [--pipeline blank:en] [--n-process 1] [--train]

Documents have 300 tokens each. Memory is what all processes of the run hold together (Pss), looked
at twice a second. FOLDER takes some kilobytes for each document and is left behind.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

SETTINGS = """
[corpus]
path = "documents.jsonl"
pipeline = "{pipeline}"

[labels]
output = ["PERSON", "ORG", "GPE", "DATE", "MONEY", "CARDINAL"]
map = {{ PER = "PERSON", COMPANY = "ORG", LOC = "GPE" }}

[functions]
preset = "{preset}"

[training]
{training}
"""
TRAINING = "options = { max_epochs = 1 }"
FIRST = [
    "Anna",
    "John",
    "Maria",
    "Peter",
    "Lucy",
    "Omar",
    "Ingrid",
    "Carlos",
    "Yuki",
    "Tom",
    "Ella",
    "Ravi",
    "Paul",
    "Nina",
    "Hugo",
]
LAST = [
    "Berg",
    "Hall",
    "Smith",
    "Garcia",
    "Tanaka",
    "Khan",
    "Olsen",
    "Weber",
    "Rossi",
    "Novak",
    "Dubois",
    "Silva",
    "Jones",
]
PLACES = [
    "Oslo",
    "London",
    "Paris",
    "Berlin",
    "Tokyo",
    "Madrid",
    "Rome",
    "Boston",
    "Vienna",
    "Cairo",
    "Lima",
    "Norway",
]
FIRMS = [
    "Norsk",
    "Data",
    "Acme",
    "Global",
    "Northern",
    "Micro",
    "United",
    "General",
    "Delta",
    "Atlas",
    "Pioneer",
]
KINDS = [
    "Inc.",
    "Ltd.",
    "Corp.",
    "Group",
    "Holdings",
    "Bank",
]
MONTHS = [
    "January",
    "March",
    "April",
    "June",
    "July",
    "September",
    "October",
    "December",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, nargs="+", default=[20_000, 60_000, 200_000])
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--pipeline", default="blank:en")
    parser.add_argument("--n-process", type=int, default=1)
    parser.add_argument("--train", action="store_true")
    arguments = parser.parse_args()
    for count in arguments.documents:
        project = arguments.folder / f"corpus-{count}"
        write_project(project, count, arguments)
        peaks, seconds, cpu = run(project, arguments.n_process)
        told = ", ".join(f"{stage} {peak:.0f}" for stage, peak in peaks.items())
        print(
            f"{count:,} documents, {count * 300:,} tokens: peak {max(peaks.values()):.0f} MB "
            f"({told}); {cpu:.0f} s of CPU, {seconds:.0f} s",
            flush=True,
        )


def write_project(folder, count, arguments):
    folder.mkdir(parents=True, exist_ok=True)
    training = TRAINING if arguments.train else "trainer = false"
    settings = SETTINGS.format(
        preset=arguments.preset, pipeline=arguments.pipeline, training=training
    )
    (folder / "silverspan.toml").write_text(settings)
    generator = random.Random(1)
    words = [invented(generator) for _ in range(20_000)]
    with (folder / "documents.jsonl").open("w") as file:
        for number in range(count):
            file.write(json.dumps({"id": f"d{number}", "text": text(generator, words)}) + "\n")


def invented(generator):
    parts = ["ba", "ke", "lo", "mi", "tu", "ran", "sel", "dor", "vin", "pra"]
    return "".join(generator.choices(parts, k=generator.randint(1, 4)))


def text(generator, words):
    """Return 300 tokens: frequent and rare words, and a name or amount in each sentence."""
    sentences, tokens = [], 0
    while tokens < 300:
        size = generator.randint(8, 20)
        own = [words[int(len(words) * generator.random() ** 4)] for _ in range(size)]
        place = generator.randrange(size)
        own[place : place + 1] = mention(generator, words)
        own[0] = own[0][0].upper() + own[0][1:]
        sentences.append(" ".join(own) + ".")
        tokens += len(own) + 1
    return " ".join(sentences)


def mention(generator, words):
    kind = generator.randrange(6)
    surname = generator.choice([*LAST, generator.choice(words).capitalize()])
    return (
        [generator.choice(FIRST), surname],
        ["in", generator.choice(PLACES)],
        [generator.choice(FIRMS), generator.choice(KINDS)],
        [
            str(generator.randint(1, 28)),
            generator.choice(MONTHS),
            str(generator.randint(1990, 2025)),
        ],
        [f"${generator.randint(1, 900)}", "million"],
        [generator.choice(words).capitalize(), generator.choice(KINDS)],
    )[kind]


def run(project, n_process):
    """Run a project and return the peak of memory by stage in MB, seconds, and seconds of CPU."""
    command = [sys.executable, "-m", "silverspan.cli.main", "run", str(project), "-q"]
    began = time.perf_counter()
    process = subprocess.Popen([*command, "--n-process", str(n_process)])
    peaks, cpu = {}, [0.0]
    done = threading.Event()

    def watch():
        while not done.wait(0.5):
            pids = family(process.pid)
            stage = stage_of(project)
            peaks[stage] = max(peaks.get(stage, 0), sum(map(memory, pids)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    done.set()
    watcher.join()
    if status:
        sys.exit("the run failed")
    cpu[0] = usage.ru_utime + usage.ru_stime
    return peaks, time.perf_counter() - began, cpu[0]


def stage_of(project):
    """Return what a run is doing, by what it has written."""
    workspace = project / ".silverspan"
    for name, stage in (("posterior", "posteriors"), ("islands", "fit"), ("votes", "annotate")):
        if (workspace / name).exists():
            done = name == "posterior" and (project / "output" / "predictions.jsonl").exists()
            return "train and report" if done else stage
    return "corpus"


def family(pid):
    pids, todo = [], [pid]
    while todo:
        one = todo.pop()
        pids.append(one)
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                found = Path(f"/proc/{one}/task/{task}/children").read_text().split()
                todo += map(int, found)
        except OSError:
            continue
    return pids


def memory(pid):
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


if __name__ == "__main__":
    sys.exit(main())
