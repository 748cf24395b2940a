"""Tables between programs of their own, on this machine: opened, joined, killed, come back to."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.program import PATIENCE, PROGRAM, Running

QUIET = ("--headless", "--json", "--no-lan")


class Peer:
    """A player with a home of their own, whose program may be killed and started again."""

    def __init__(self, home: Path, stack: ExitStack) -> None:
        self.home, self._stack = home, stack
        self.program: Sequence[str] = (PROGRAM,)
        self.running: Running
        self._reader: threading.Thread | None = None
        self.events: list[dict[str, Any]] = []

    def run(self, *args: object) -> None:
        """Start a command."""
        self.running = self._stack.enter_context(Running(self.home, *args, *QUIET, program=self.program))

    def until(self, event: str) -> dict[str, Any]:
        """Read on to the next event of this kind."""
        for line in iter(self.running.line, ""):
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == event:
                return self.events[-1]
        raise AssertionError(f"it never told of {event}: {self.running.end()}")

    def steps(self, count: int) -> None:
        """Read on by so many steps, or to the result."""
        for _ in range(count):
            while True:
                line = self.running.line()
                if not line:
                    return
                self.events.append(json.loads(line))
                if self.events[-1]["event"] == "step":
                    break

    def drain(self) -> None:
        """Read whatever comes from now on: a program that is not read stops when its pipe is full."""
        if self._reader is not None:
            return
        self._reader = threading.Thread(target=self.steps, args=(10**6,), daemon=True)
        self._reader.start()

    def result(self) -> dict[str, Any]:
        """Read to the end: the result, after which the program is done without complaint."""
        if self._reader is not None:
            self._reader.join(PATIENCE)
            assert not self._reader.is_alive(), "it does not come to an end"
        else:
            self.steps(10**6)
        assert self.events, self.running.end()
        found = self.events[-1]
        assert found["event"] == "result", (found, self.running.end())
        status, rest, errors = self.running.end()
        assert (status, rest, errors) == (0, "", "")
        return found

    def kill(self) -> None:
        """End it as a power cut does."""
        os.killpg(self.running.process.pid, signal.SIGKILL)
        self.running.process.wait()


@contextmanager
def table(folder: Path, game: str, peers: int, *options: object) -> Iterator[tuple[list[Peer], str]]:
    """A table of so many peers, one bot each: the first has opened it, and all others have joined by its
    invite. Also gives the invite."""
    with ExitStack() as stack:
        players = [Peer(folder / f"home-{number}", stack) for number in range(1, peers + 1)]
        players[0].run("host", game, "--seats", peers, "--no-router", *options)
        invite = str(players[0].until("invite")["invite"])
        for player in players[1:]:
            player.run("join", invite)
        yield players, invite


def results(players: Sequence[Peer]) -> list[dict[str, Any]]:
    """The results of all, which are the same table, transcript, position, scores and winners."""
    for player in players:
        player.drain()
    found = [player.result() for player in players]
    for fact in ("table", "transcript", "digest", "scores", "winner"):
        assert len({json.dumps(result[fact]) for result in found}) == 1, fact
    return found
