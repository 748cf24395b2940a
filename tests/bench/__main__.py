"""All benches, one after the other: ``python -m tests.bench``."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench import latency, playouts, screen, startup, verify, wire


def processor() -> str:
    """The model of the processor, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text(encoding="utf-8").splitlines() if info.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def main() -> None:
    print(f"{processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}")
    benches: list[tuple[str, Callable[[], None]]] = [
        ("Playouts", partial(playouts.main, 1.0)),
        ("Verifying a log", verify.main),
        ("Live: a move applied at all peers, and a draw", latency.main),
        ("Start-up", startup.main),
        ("On the screen", screen.main),
        ("On the wire", wire.main),
    ]
    for title, bench in benches:
        print(f"\n{title}")
        bench()


if __name__ == "__main__":
    main()
