"""Full disks, folders that cannot be written, clocks set back: a sentence each, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from oaknet_protocol import log
from oaknet_protocol.wire import Open, decode
from tests.e2e.program import PATIENCE, PROGRAM, verified
from tests.e2e.tables import Peer, results

ROOM = "40k"
"""Of a disk that is full in the middle of a game."""
LAST_YEAR = """
import sys, time
now = time.time
time.time = lambda: now() - 365 * 24 * 3600
from oaknet_client.main import main
sys.exit(main())
"""


def missing() -> str:
    """Why disks of one's own cannot be had here; empty if they can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can mount disks"
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        return "unshare and nsenter are not here"
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "there are no mounts of one's own here"


NO_DISKS = missing()
disks = pytest.mark.skipif(bool(NO_DISKS), reason=NO_DISKS)


class Mounts:
    """Mounts that only programs run by ``inside`` see; they are gone with the process that holds them."""

    def __init__(self, holder: subprocess.Popen[bytes]) -> None:
        self.inside = ("nsenter", "--mount", "--target", str(holder.pid))

    def run(self, *command: object) -> None:
        subprocess.run([*self.inside, *map(str, command)], check=True, capture_output=True, timeout=PATIENCE)


@contextmanager
def mounts() -> Iterator[Mounts]:
    holder = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sleep", "600"])
    try:
        own = os.readlink("/proc/self/ns/mnt")
        until = time.monotonic() + PATIENCE
        while os.readlink(f"/proc/{holder.pid}/ns/mnt") == own:
            assert time.monotonic() < until
        yield Mounts(holder)
    finally:
        holder.kill()
        holder.wait()


def pair(tmp_path: Path, stack: ExitStack) -> tuple[Peer, Peer]:
    """Who opens a table for two, and who is to join it."""
    one, other = Peer(tmp_path / "one", stack), Peer(tmp_path / "other", stack)
    one.run("host", "five_towers", "--no-router")
    other.home.mkdir()
    return one, other


def stopped(peer: Peer, reason: str) -> None:
    """It has ended with a sentence about its disk."""
    peer.steps(10**6)
    status, rest, errors = peer.running.end()
    assert (status, rest) == (1, "")
    assert errors.startswith("oaknet: ")
    assert str(peer.home) in errors
    assert errors.lower().endswith(f": {reason}.\n")
    assert errors.count("\n") == 1


@disks
def test_full_disk_in_the_middle_of_a_game(tmp_path: Path) -> None:
    """It stops with a sentence; with more room, it goes on where it was."""
    with mounts() as own, ExitStack() as stack:
        one, other = pair(tmp_path, stack)
        own.run("mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", other.home)
        other.program = (*own.inside, PROGRAM)
        other.run("join", one.until("invite")["invite"])
        name = other.until("start")["table"][:8]
        one.drain()
        stopped(other, "no space left on device")
        assert [event["event"] for event in other.events].count("step") > 5
        own.run("mount", "-o", "remount,size=10m", other.home)
        other.run("resume", name)
        found = results([one, other])
        own.run("cp", "-r", other.home / "tables", tmp_path / "copy")
    assert {result["how"] for result in found} == {"finished"}
    logs = [Path(found[0]["log"]), *(tmp_path / "copy").glob("*/game.oak")]
    assert len({seen["transcript"] for seen in verified(tmp_path, *logs)}) == 1


@disks
def test_folder_that_can_only_be_read(tmp_path: Path) -> None:
    """A table cannot be opened there, nor gone on with; when it can be written again, the game goes on."""
    with mounts() as own, ExitStack() as stack:
        one, other = pair(tmp_path, stack)
        other.program = (*own.inside, PROGRAM)
        own.run("mount", "--bind", other.home, other.home)
        own.run("mount", "-o", "remount,bind,ro", other.home)
        other.run("host", "five_towers", "--no-router")
        stopped(other, "read-only file system")
        own.run("mount", "-o", "remount,bind,rw", other.home)
        other.run("join", one.until("invite")["invite"])
        name = other.until("start")["table"][:8]
        one.drain()
        other.steps(3)
        other.kill()
        own.run("mount", "-o", "remount,bind,ro", other.home)
        other.run("resume", name)
        stopped(other, "read-only file system")
        own.run("mount", "-o", "remount,bind,rw", other.home)
        other.run("resume", name)
        found = results([one, other])
    assert {result["how"] for result in found} == {"finished"}


def test_clock_that_is_set_back_by_a_year(tmp_path: Path) -> None:
    """Between two runs at one table: it is found where it is now, and nobody counts as gone."""
    with ExitStack() as stack:
        one, other = pair(tmp_path, stack)
        other.run("join", one.until("invite")["invite"])
        name = other.until("start")["table"][:8]
        one.drain()
        other.steps(3)
        other.running.process.send_signal(signal.SIGINT)
        other.running.end()
        other.program = (sys.executable, "-c", LAST_YEAR)
        other.run("resume", name)
        found = results([one, other])
    assert {result["how"] for result in found} == {"finished"}
    assert not [event for event in one.events if event["event"] == "peer" and event["state"] == "absent"]


def test_rematch(tmp_path: Path) -> None:
    """The same game, seats and options as that table, and a table of its own: its invite goes out anew."""
    with ExitStack() as stack:
        one, other = Peer(tmp_path / "one", stack), Peer(tmp_path / "other", stack)
        one.run("host", "five_towers", "--no-router", "--option", "grace=77", "--seat", "bot:random")
        other.run("join", one.until("invite")["invite"], "--seat", "bot:random")
        before = results([one, other])[0]
        one, other = Peer(tmp_path / "one", stack), Peer(tmp_path / "other", stack)
        one.run("host", "--again", before["table"][:8], "--no-router")
        other.run("join", one.until("invite")["invite"], "--seat", "bot:random")
        after = results([one, other])[0]
    assert after["table"] != before["table"]
    assert (after["game"], after["how"]) == (before["game"], "finished")
    assert sorted(seat["name"] for seat in after["seats"]) == sorted(seat["name"] for seat in before["seats"])
    assert options(Path(after["log"])) == options(Path(before["log"]))
    assert options(Path(after["log"]))["grace"] == "77"


def options(path: Path) -> dict[str, str]:
    """The table options in the opening of a log."""
    data = path.read_bytes()
    first = log.records(data, log.read_header(data)[1])[0].record
    return dict(decode(Open, first.data).options)
