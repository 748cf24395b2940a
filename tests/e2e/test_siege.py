"""A table under siege, a disk that is full, a game that is nearly over: what an honest player notices."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio

from oaknet_protocol.identity import Identity
from oaknet_protocol.invite import Invite
from oaknet_protocol.tls import invitation
from oaknet_protocol.transport import ConnectFault, dial
from tests.e2e.program import PATIENCE, PROGRAM, environment, oaknet, verified
from tests.e2e.tables import QUIET, Peer, results

HALF_OPEN, SLOW = 100, 20
JOIN_TIME = 5.0


@pytest.mark.trio
async def test_one_honest_join_succeeds_under_siege(tmp_path: Path) -> None:
    with ExitStack() as stack:
        host = Peer(tmp_path / "host", stack)
        host.run("host", "five_towers", "--no-router")
        found = host.until("invite")
        invite = Invite.parse(found["invite"])
        async with trio.open_nursery() as nursery:
            for number in range(SLOW):  # invited, and never read a byte of what they are sent
                identity = Identity.load_or_make(tmp_path / f"slow-{number}.key")
                try:
                    await dial(nursery, "127.0.0.1", found["port"], invitation(identity, invite.secret))
                except ConnectFault as fault:
                    assert fault.step in ("full", "silent"), fault  # noqa: PT017 - some are turned away
            for _ in range(HALF_OPEN):
                stack.enter_context(socket.create_connection(("127.0.0.1", found["port"])))
            guest = Peer(tmp_path / "guest", stack)
            began = time.monotonic()
            guest.run("join", found["invite"])
            await trio.to_thread.run_sync(guest.until, "start")
            assert time.monotonic() - began < JOIN_TIME
            host.drain()
            guest.drain()
            assert (await trio.to_thread.run_sync(guest.result))["how"] == "finished"
            nursery.cancel_scope.cancel()
        assert host.result()["how"] == "finished"


@pytest.mark.skipif(
    os.name != "posix" or shutil.which("sh") is None, reason="needs a shell that limits files"
)
def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    bots = ("--seat", "bot:greedy", "--seat", "bot:random")
    words = ["host", "five_towers", "--no-router", *bots, *QUIET]
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 16; exec "$0" "$@"', PROGRAM, *words],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert str(tmp_path / "tables") in done.stderr
    kept = json.loads(oaknet(tmp_path, "resume", "--json").stdout)
    assert kept["state"] == "unfinished"
    assert verified(tmp_path, Path(kept["log"]))[0]["how"] == "unfinished"
    with ExitStack() as stack:
        again = Peer(tmp_path, stack)
        again.run("resume", kept["table"][:8])
        (found,) = results([again])
    assert (found["table"], found["how"]) == (kept["table"], "finished")


def test_a_folder_that_may_only_be_read_is_told(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    tmp_path.chmod(0o500)
    done = oaknet(tmp_path / "home", "host", "five_towers", "--no-router", *QUIET)
    tmp_path.chmod(0o700)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
