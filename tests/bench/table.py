"""A table of four processes on this machine, for the benches that need one."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEATS = 4


@dataclass(frozen=True)
class Played:
    """What each peer told of the game and, where wished, of the bare runs of the same bytes, the second of
    which keeps each message first; and the log."""

    game: list[dict[str, Any]]
    bare: list[dict[str, Any]]
    kept: list[dict[str, Any]]
    log: bytes


def play(game: str, *, bare: bool = False, mind: str = "greedy") -> Played:
    """One whole game between four peers."""
    with tempfile.TemporaryDirectory(prefix="oaknet-bench-") as folder:
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.bench.peer"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
            )
            for _ in range(SEATS)
        ]

        def say(value: Any) -> None:
            for process in processes:
                assert process.stdin is not None
                process.stdin.write(json.dumps(value) + "\n")

        def hear() -> list[dict[str, Any]]:
            lines = [process.stdout.readline() for process in processes if process.stdout is not None]
            assert all(lines), "a peer has stopped"
            return [json.loads(line) for line in lines]

        try:
            for number, process in enumerate(processes):
                job = {"game": game, "bot": mind, "number": number, "name": f"peer {number}", "bare": bare}
                assert process.stdin is not None
                job |= {"folder": str(Path(folder) / str(number)), "secret": bytes(16).hex()}
                process.stdin.write(json.dumps(job) + "\n")
            for _ in range(2):  # where each listens; that all have read it
                say(hear())
            played = hear()
            again: list[dict[str, Any]] = []
            if bare:
                for _ in range(2):  # likewise, and that all are connected
                    say(hear())
                again = hear()
                say({})
            for process in processes:
                process.wait(60)
            bares, kepts = ([told[name] for told in again] for name in ("bare", "kept"))
            return Played(played, bares, kepts, Path(played[0]["path"]).read_bytes())
        finally:
            for process in processes:
                process.kill()
                process.wait()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.close()
                process.stdout.close()
