"""Programs on hosts of their own (tests/protocol/namespaces.py), each with a home of its own."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import PATIENCE
from tests.protocol.namespaces import Host

BOT = ("--headless", "--json")


class Player:
    """A program on a host, read event by event."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._rest = b""

    def until(self, event: str) -> dict[str, Any]:
        """Read on to an event of this kind; fails where the output ends."""
        assert self.process.stdout is not None
        while True:
            while b"\n" not in self._rest:
                assert select.select([self.process.stdout], [], [], PATIENCE)[0], "it says nothing"
                more = os.read(self.process.stdout.fileno(), 65536)
                assert more, self.process.stderr.read() if self.process.stderr else ""
                self._rest += more
            line, _, self._rest = self._rest.partition(b"\n")
            record: dict[str, Any] = json.loads(line)
            if record["event"] == event:
                return record

    def all(self) -> tuple[int, str, str]:
        """Wait for its end: exit status, standard output and standard error."""
        out, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, errors


@contextmanager
def started(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *what: tuple[Host, tuple[str, ...]], first: str = ""
) -> Iterator[list[Player]]:
    """Programs on hosts, each with a home of its own; all are ended at last."""
    players: list[Player] = []
    try:
        for host, words in what:
            players.append(start(folder, monkeypatch, host, *words, first=first))
        yield players
    finally:
        for player in players:
            end(player)


def start(folder: Path, monkeypatch: pytest.MonkeyPatch, host: Host, *words: str, first: str = "") -> Player:
    """The program on a host; ``first`` is done before it begins, as setting its timers."""
    monkeypatch.setenv("OAKNET_HOME", str(folder / host.name))
    return Player(host.start("-c", f"{first}\nfrom oaknet_client.main import main; main()", *words))


def end(player: Player) -> None:
    player.process.kill()
    for pipe in (player.process.stdout, player.process.stderr):
        assert pipe is not None
        pipe.close()
    player.process.wait(PATIENCE)


def same(*players: Player) -> None:
    found = [player.until("result") for player in players]
    assert {result["how"] for result in found} == {"finished"}
    assert len({result["transcript"] for result in found}) == 1
