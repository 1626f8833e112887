"""Time of one round of fitting against the number of distinct islands, on three engines.

python benchmarks/em_scale.py FOLDER [--tokens 100000 500000 2000000 5000000 10000000 20000000]
    [--engines local local-2 dask-2] [--most-noise 20000000] [--svg docs/images/em_scale.svg]

Tokens are made in two ways: documents sampled again and again from 200,000 tokens, so that islands
repeat; and documents sampled anew, so that noise makes new islands. Functions: 30, labels: 4. One
process is measured in seconds of CPU, several in seconds of the clock.
"""

import argparse
import json
import os
import sys
import time
from functools import partial
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

CHUNK = 100_000
ROUNDS = 3
ENGINES = {
    "local": ("local", 1),
    "local-2": ("local", 2),
    "dask-2": ("dask", 2),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    sizes = [100_000, 500_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000]
    parser.add_argument("--tokens", type=int, nargs="+", default=sizes)
    parser.add_argument("--engines", nargs="+", default=list(ENGINES), choices=list(ENGINES))
    parser.add_argument("--most-noise", type=int, default=20_000_000, metavar="TOKENS")
    parser.add_argument("--svg", type=Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for way in ("repeated", "noise"):
        most = arguments.most_noise if way == "noise" else max(arguments.tokens)
        for corpus in growing(way, [size for size in arguments.tokens if size <= most]):
            row = {"way": way, **measure(arguments.folder, corpus, arguments.engines)}
            rows.append(row)
            print(json.dumps(row), flush=True)
            (arguments.folder / "rows.json").write_text(json.dumps(rows))
    if arguments.svg:
        arguments.svg.write_text(drawn(rows))


def growing(way, sizes):
    """Yield the islands of growing corpora: tokens, table and what lies between."""
    import numpy as np

    from silverspan.aggregation import Hmm
    from silverspan.aggregation.hmm.gathered import islands_of
    from silverspan.observations.distinct import merge
    from silverspan.testing import KnownModel

    model = KnownModel.random(
        np.random.default_rng(0),
        labels=["A", "B", "C", "D"],
        functions=30,
        names=0.08,
        recall=(0.05, 0.4),
        false_alarm=0.001,
    )
    base = model.sample(np.random.default_rng(1), documents=8000, length=25)[0]
    tables, between, tokens = [], None, 0
    for number in range(max(sizes) // CHUNK):
        generator = np.random.default_rng([2, number])
        if way == "noise":
            votes = model.sample(generator, documents=CHUNK // 25, length=25)[0]
        else:
            first = int(generator.integers(0, 4000))
            votes = base.slice(first, first + CHUNK // 25)
        votes, frame = Hmm().prepare(votes)
        found = islands_of(votes, frame)
        tables.append(found.table)
        between = found.between if between is None else between.plus(found.between)
        tokens += votes.tokens
        if len(tables) == 20 or tokens in sizes:
            tables = [merge(tables)]
        if tokens in sizes:
            yield tokens, tables[0], between, votes, frame


def measure(folder, corpus, names):
    """Return seconds a round on each engine, and what an empty round costs."""
    from silverspan.aggregation import Hmm
    from silverspan.aggregation.hmm.gathered import Gathered
    from silverspan.aggregation.hmm.sums import Sums
    from silverspan.engines import opened
    from silverspan.observations.distinct import parts_for
    from silverspan.observations.islands_file import to_bytes

    tokens, table, between, votes, frame = corpus
    parts = table.split(max(2, parts_for(tokens)))
    paths = [folder / f"{number}.npz" for number in range(len(parts))]
    for path, part in zip(paths, parts, strict=True):
        path.write_bytes(to_bytes(part))
    row = {"tokens": tokens, "islands": len(table), "parts": len(parts)}
    model = Hmm(rounds=ROUNDS, tolerance=-1.0)
    for name in names:
        engine, size = ENGINES[name]
        with opened(engine, n_process=size) as workers:
            held = Timed(workers.hold(partial(load, frame), paths))
            gathered = Gathered(
                functions=votes.functions,
                space=votes.space,
                looks=None,
                between=between,
                sums=Sums(held=held),
            )
            fitted = model.fit_gathered(gathered, frame)
            row[name] = round(held.mean(cpu=size == 1), 4)
            row[f"{name} likelihood"] = fitted.findings.history[-1]
            began = time.perf_counter()
            for _ in range(5):
                held.held.total(nothing, max)
            row[f"{name} empty"] = round((time.perf_counter() - began) / 5, 4)
            held.release()
    return row


class Timed:
    """What is held, with the time of every round of fitting."""

    def __init__(self, held):
        self.held = held
        self.rounds = []

    def total(self, count, add):
        clock, cpu = time.perf_counter(), time.process_time()
        result = self.held.total(count, add)
        if "expected_counts" in repr(count):
            self.rounds.append((time.perf_counter() - clock, time.process_time() - cpu))
        return result

    def release(self):
        self.held.release()

    def mean(self, cpu):
        own = [each[1 if cpu else 0] for each in self.rounds[1:]]
        return sum(own) / len(own)


def load(frame, path):
    from silverspan.aggregation.hmm.gathered import evidence_of
    from silverspan.observations.islands_file import from_bytes

    return evidence_of(frame, False, from_bytes(path.read_bytes(), str(path)))


def nothing(part):
    return 0


def drawn(rows):
    """Return the rows as a picture with logarithmic axes."""
    import math

    width, height, left, low = 640, 400, 64, 340
    xs = [row["islands"] for row in rows]
    ys = [row[name] for row in rows for name in ENGINES if name in row]
    span = [math.log10(min(xs)), math.log10(max(xs)), math.log10(min(ys)), math.log10(max(ys))]

    def place(x, y):
        across = (math.log10(x) - span[0]) / max(span[1] - span[0], 1e-9)
        up = (math.log10(y) - span[2]) / max(span[3] - span[2], 1e-9)
        return left + across * (width - left - 140), low - up * (low - 40)

    def axis(number):
        return f"{number:,.0f}" if number >= 1 else f"{number:g}"

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="sans-serif" font-size="12"><title>Seconds a round of fitting against '
        "distinct islands</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M{left} 30V{low}H{width - 130}" fill="none" stroke="#666"/>',
    ]
    for power in range(math.floor(span[0]), math.ceil(span[1]) + 1):
        x, _ = place(10**power, 10 ** span[2])
        if left <= x <= width - 130:
            out.append(f'<text x="{x:.0f}" y="{low + 18}" text-anchor="middle">{axis(10**power)}')
            out.append("</text>")
    for power in range(math.floor(span[2]), math.ceil(span[3]) + 1):
        _, y = place(10 ** span[0], 10**power)
        if 30 <= y <= low:
            out.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{axis(10**power)}')
            out.append("</text>")
    out.append(f'<text x="{width / 2 - 40}" y="{low + 40}" text-anchor="middle">distinct islands')
    out.append('</text><text x="8" y="20">seconds a round</text>')
    colours = {"local": "#0072b2", "local-2": "#d55e00", "dask-2": "#009e73"}
    for line, (name, colour) in enumerate(colours.items()):
        for way, dash in (("noise", ""), ("repeated", "4 3")):
            own = [row for row in rows if row["way"] == way and name in row]
            points = [place(row["islands"], row[name]) for row in own]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            if points:
                out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" ')
                out.append(f'stroke-dasharray="{dash}"/>')
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        y = 50 + 18 * line
        out.append(f'<text x="{width - 120}" y="{y}" fill="{colour}">{name}</text>')
    out.append(f'<text x="{width - 120}" y="112">solid: noise</text>')
    out.append(f'<text x="{width - 120}" y="130">dashed: repeated</text></svg>')
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main())
