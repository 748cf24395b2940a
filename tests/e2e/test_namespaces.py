"""Tables between hosts of their own: found in the network, joined, relayed, and a plug that is pulled."""

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
from tests.protocol.namespaces import Host, hosts, ip, missing

MISSING = missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

PROGRAM = ("-c", "from oaknet_client.main import main; main()")
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


@contextmanager
def started(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *what: tuple[Host, tuple[str, ...]]
) -> Iterator[list[Player]]:
    """Programs on hosts, each with a home of its own; all are ended at last."""
    players: list[Player] = []
    try:
        for host, words in what:
            players.append(start(folder, monkeypatch, host, *words))
        yield players
    finally:
        for player in players:
            end(player)


def start(folder: Path, monkeypatch: pytest.MonkeyPatch, host: Host, *words: str) -> Player:
    monkeypatch.setenv("OAKNET_HOME", str(folder / host.name))
    return Player(host.start(*PROGRAM, *words))


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


def test_a_table_is_found_in_the_network_and_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosts(2) as (one, two):
        opened = (one, ("host", "five_towers", "--no-router", *BOT))
        with started(tmp_path, monkeypatch, opened) as (ann,):
            ann.until("lobby")
            listing = start(tmp_path, monkeypatch, two, "lan", "--json")
            out, errors = listing.process.communicate(timeout=PATIENCE)
            assert errors == ""
            (line,) = out.splitlines()
            found = json.loads(line)
            assert (found["game"], found["free"], found["seats"], found["private"]) == (
                "five_towers",
                1,
                2,
                False,
            )
            ben = start(tmp_path, monkeypatch, two, "lan", found["table"][:8], *BOT)
            try:
                same(ann, ben)
            finally:
                end(ben)


def test_a_private_table_says_only_that_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosts(2) as (one, two):
        opened = (one, ("host", "five_towers", "--no-router", "--private", *BOT))
        with started(tmp_path, monkeypatch, opened) as (ann,):
            ann.until("lobby")
            listing = start(tmp_path, monkeypatch, two, "lan", "--json")
            out, errors = listing.process.communicate(timeout=PATIENCE)
            assert errors == ""
            assert [json.loads(line)["private"] for line in out.splitlines()] == [True]


def test_two_who_cannot_reach_each_other_play_through_the_third(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosts(3) as (one, two, three):
        for here, there in ((two, three), (three, two)):
            ip("-n", here.name, "route", "add", "unreachable", f"{there.address}/32")
        opened = (one, ("host", "five_towers", "--seats", "3", "--no-router", "--no-lan", *BOT))
        with started(tmp_path, monkeypatch, opened) as (ann,):
            join = ("join", ann.until("invite")["invite"], "--no-lan", *BOT)
            with started(tmp_path, monkeypatch, (two, join), (three, join)) as (ben, cleo):
                same(ann, ben, cleo)


def test_a_plug_that_is_pulled_for_a_moment_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosts(2) as (one, two):
        opened = (one, ("host", "five_towers", "--no-router", "--no-lan", *BOT))
        with started(tmp_path, monkeypatch, opened) as (ann,):
            join = ("join", ann.until("invite")["invite"], "--no-lan", *BOT)
            with started(tmp_path, monkeypatch, (two, join)) as (ben,):
                for _ in range(3):
                    ben.until("step")
                two.down()
                two.up()
                same(ann, ben)
