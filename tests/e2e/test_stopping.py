"""A demo that is cut short: killed peers, Ctrl-C, a disk that refuses; nothing is left half-done.

A headless game is held in its middle by not reading what it prints; a person's game waits by itself.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from oaknet_protocol import log as log_format
from oaknet_protocol import wire
from tests.e2e.program import Running, logs, verified

HELD = ("demo", "--game", "five_towers", "--players", "3", "--headless", "--json")
PAIR = ("demo", "--game", "five_towers", "--players", "2", "--headless", "--json")
PERSON = ("demo", "--game", "oak", "--players", "3", "--plain")
THIRD, ASKED = '"step": 3', "your turn"
"""Words of the line up to which such a game is read."""

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="processes are watched, held and limited as Linux does it"
)


def entries(log: Path) -> list[tuple[int, int]]:
    """Step and author of each entry in a log."""
    data = log.read_bytes()
    _, offset = log_format.read_header(data)
    found = [framed.record for framed in log_format.records(data, offset)]
    read = [wire.decode(wire.Entry, record.data) for record in found if record.kind == "entry"]
    return [(entry.step, entry.author) for entry in read]


def check_whole(home: Path, peers: int) -> None:
    """Every peer has a log; each verifies as it is, none is finished, and the shorter begin the longer."""
    found = logs(home)
    assert len(found) == peers
    assert [reading["how"] for reading in verified(home, *found)] == ["unfinished"] * peers
    longest = max((log.read_bytes() for log in found), key=len)
    assert all(longest.startswith(log.read_bytes()) for log in found)


@linux
@pytest.mark.parametrize(("args", "reached"), [(HELD, THIRD), (PERSON, ASKED)], ids=["headless", "person"])
def test_a_killed_peer_ends_the_table_for_all(tmp_path: Path, args: tuple[str, ...], reached: str) -> None:
    with Running(tmp_path, *args) as demo:
        demo.until(reached)
        peers = demo.peers()
        os.kill(peers[-1], signal.SIGKILL)
        status, _, errors = demo.end()
        assert status == 5
        assert errors.startswith("oaknet: greedy")
        assert " is gone: " in errors
        assert "The game stops here; its log is whole: " in errors
        assert errors.count("\n") == 1
        assert demo.all_gone()
    check_whole(tmp_path, len(peers) + 1)


KILLED, TERMINATED, INTERRUPTED = signal.SIGKILL, signal.SIGTERM, signal.SIGINT


@linux
@pytest.mark.parametrize(
    ("args", "reached", "stop"),
    [
        (HELD, THIRD, KILLED),
        (HELD, THIRD, TERMINATED),
        (HELD, THIRD, INTERRUPTED),
        (PERSON, ASKED, KILLED),
        (PERSON, ASKED, INTERRUPTED),
    ],
    ids=["killed", "terminated", "interrupted", "person-killed", "person-interrupted"],
)
def test_no_peer_outlives_the_first(
    tmp_path: Path, args: tuple[str, ...], reached: str, stop: signal.Signals
) -> None:
    with Running(tmp_path, *args) as demo:
        demo.until(reached)
        peers = demo.peers()
        assert len(peers) == int(args[4]) - 1
        if stop is INTERRUPTED:  # as a terminal does: to all of the group
            os.killpg(demo.process.pid, stop)
        else:
            os.kill(demo.process.pid, stop)
        status, _, errors = demo.end()
        told = (-stop, "") if stop is KILLED else (128 + stop, "oaknet: Stopped.\n")
        assert (status, errors.lstrip("\n")) == told  # a newline ends the line that shows ^C
        assert demo.all_gone()
    check_whole(tmp_path, len(peers) + 1)


@linux
@pytest.mark.parametrize("file", ["own", "game.oak"])
@pytest.mark.parametrize("room", [0, 100])
def test_a_full_disk_ends_the_table_before_the_move_is_sent(tmp_path: Path, file: str, room: int) -> None:
    import resource

    with Running(tmp_path, *PAIR) as demo:
        demo.until(THIRD)
        demo.peers()
        (mine,) = (log for log in logs(tmp_path) if "peer-1" in log.parts)
        size = (mine.parent / file).stat().st_size + room
        resource.prlimit(demo.process.pid, resource.RLIMIT_FSIZE, (size, size))
        status, _, errors = demo.end()
        assert status == 1
        assert errors.startswith(f"oaknet: {mine.parent}")
        assert errors.count("\n") == 1
        assert demo.all_gone()
    check_whole(tmp_path, 2)
    own = kept(mine.parent / "own")
    author = next(iter({author for _, author in own}))
    sent = {step for log in logs(tmp_path) for step, seat in entries(log) if seat == author}
    assert sent <= {step for step, _ in own}


def kept(own: Path) -> list[tuple[int, int]]:
    """Step and author of each entry that a side file holds; fails if it ends in the middle of one."""
    data, offset = own.read_bytes(), 0
    found: list[tuple[int, int]] = []
    while offset < len(data):
        end = offset + 4 + int.from_bytes(data[offset : offset + 4], "big")
        assert end <= len(data), "the side file is not whole"
        value: Any = wire.unpack(data[offset + 4 : end])
        offset = end
        if value[0] == "entry":
            entry = wire.decode(wire.Entry, value[1])
            found.append((entry.step, entry.author))
    return found
