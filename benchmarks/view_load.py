"""The browser view under many clients at once: python benchmarks/view_load.py PROJECT.

Starts ``silverspan view`` on loopback, lets 200 clients ask for its pages for a minute, each one
again as soon as it has its answer, and prints how many answers came, how many were wrong, how long
they took, and the memory of the server over the time. Memory is read from /proc, so: Linux.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

PAGES = ("", "?order=uncertainty", "?text=a", "functions", "review", "compare", "document/{n}",
         "document/{n}?layers=every", "document/{n}/why?at=0-1")  # fmt: skip


def memory(process: int) -> float:
    """Return the resident memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def ask(host: str, port: int, path: str) -> tuple[int, int]:
    """Return the status and the size of one answer."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        request = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        answer = await reader.read()
        return int(answer.split(b" ", 2)[1]), len(answer)
    finally:
        writer.close()


async def client(number: int, address: str, documents: int, end: float, found: Counter[str],
                 times: list[float]) -> None:  # fmt: skip
    """Ask for one page after another until the end."""
    chance = random.Random(number)
    parts = urlsplit(address)
    while time.monotonic() < end:
        page = chance.choice(PAGES).format(n=chance.randrange(documents))
        began = time.monotonic()
        try:
            status, _ = await ask(str(parts.hostname), int(parts.port or 80), parts.path + page)
            # 422: a document without tokens 0 to 1.
            found["fine" if status in (200, 422) else f"status {status}"] += 1
        except (OSError, ValueError, IndexError) as error:
            found[type(error).__name__] += 1
        times.append(time.monotonic() - began)


async def load(process: int, address: str, clients: int, seconds: float, documents: int) -> None:
    """Let clients ask for a time, and print what came of it."""
    found: Counter[str] = Counter()
    times: list[float] = []
    # Caches fill with the first answers; memory is to be flat after them.
    await asyncio.gather(
        *(client(i, address, documents, time.monotonic() + 5, Counter(), []) for i in range(20))
    )
    end = time.monotonic() + seconds
    tasks = [
        asyncio.create_task(client(i, address, documents, end, found, times))
        for i in range(clients)
    ]
    sizes = [memory(process)]
    while time.monotonic() < end:
        await asyncio.sleep(seconds / 12)
        sizes.append(memory(process))
    await asyncio.gather(*tasks)
    times.sort()
    print(f"{clients} clients, {seconds:.0f} s: {dict(found)}")
    print(f"answer: median {times[len(times) // 2]:.2f} s, worst {times[-1]:.2f} s")
    print("memory of the server, MB: " + ", ".join(f"{size:.0f}" for size in sizes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--documents", type=int, default=60, help="how many the project has")
    parser.add_argument("--port", type=int, default=8399)
    given = parser.parse_args()
    words = ["view", given.project, "--json", "--port", str(given.port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "silverspan.cli.main", *words], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = json.loads("".join(server.stdout.readline() for _ in range(3)))["address"]
        asyncio.run(load(server.pid, address, given.clients, given.seconds, given.documents))
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    main()
