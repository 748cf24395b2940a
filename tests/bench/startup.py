"""How long commands take from their start to their end: ``python -m tests.bench.startup [ROUNDS]``."""

from __future__ import annotations

import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from oaknet import registry
from tests.bench.games import greedy_log


def milliseconds(rounds: int, *command: str) -> float:
    """The median of so many runs."""
    spent: list[float] = []
    for _ in range(rounds):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent) * 1000


def main(rounds: int = 20) -> None:
    oaknet = str(Path(sysconfig.get_path("scripts")) / "oaknet")
    print(f"median of {rounds}; ms, and how often the bare interpreter's")
    bare = milliseconds(rounds, sys.executable, "-c", "pass")
    rows = [("python -c pass", bare), ("oaknet --version", milliseconds(rounds, oaknet, "--version"))]
    with tempfile.TemporaryDirectory(prefix="oaknet-bench-") as folder:
        for name in registry.games():
            path = Path(folder) / f"{name}.oak"
            path.write_bytes(greedy_log(name))
            spent = milliseconds(rounds, oaknet, "verify", str(path))
            rows.append((f"oaknet verify {path.name}", spent))
    for words, spent in rows:
        print(f"{words:<32}{spent:>8.1f}{spent / bare:>7.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
