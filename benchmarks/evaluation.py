"""Processor time of ``silverspan evaluate`` on 250,000 tokens with 10,000 entities.

python benchmarks/evaluation.py
"""

import contextlib
import io
import json
import random
import tempfile
import time
from pathlib import Path

from silverspan.cli.main import main

LABELS = ["DATE", "LOC", "MISC", "MONEY", "NORP", "ORG", "PER", "TIME"]


def write(folder: Path) -> list[Path]:
    """Write gold, predictions, and predictions with a distribution at every token."""
    source = random.Random(0)
    files = [folder / name for name in ("gold.jsonl", "spans.jsonl", "probs.jsonl")]
    with contextlib.ExitStack() as stack:
        gold, spans, probs = (stack.enter_context(path.open("w")) for path in files)
        for number in range(1000):
            tokens = [f"w{source.randrange(9999)}" for _ in range(250)]
            right, found = [], []
            for place in range(0, 250, 25):
                start = place + source.randrange(1, 10)
                end, label = start + source.randrange(1, 5), source.choice(LABELS)
                right.append([start, end, label])
                if source.random() < 0.8:
                    label = label if source.random() < 0.8 else source.choice(LABELS)
                    start -= source.random() < 0.2
                    found.append([start, end, label, round(source.random(), 6)])
            share = {"O": 0.92, **dict.fromkeys(LABELS, 0.01)}
            one = {"id": number, "tokens": tokens}
            gold.write(json.dumps({**one, "gold": right}) + "\n")
            spans.write(json.dumps({**one, "pred": found}) + "\n")
            probs.write(json.dumps({**one, "pred": found, "probs": [share] * 250}) + "\n")
    return files


def run() -> None:
    """Print the best of three."""
    with tempfile.TemporaryDirectory() as folder:
        gold, *predicted = write(Path(folder))
        for path in predicted:
            seconds = []
            for _ in range(3):
                began = time.process_time()
                views = ["--views", "strict,exact,partial,type"]
                with contextlib.redirect_stdout(io.StringIO()):
                    main(["evaluate", str(gold), str(path), "--interval", *views])
                seconds.append(time.process_time() - began)
            print(f"{path.stem}: {min(seconds):.2f} s")


if __name__ == "__main__":
    run()
