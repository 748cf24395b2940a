"""The limits that `specs/transport.md` 5.6 lists: each is the constant's value, and a test reaches it and
goes one past; those that have none elsewhere are here."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from oaknet_protocol import wire
from oaknet_protocol.council import APART
from oaknet_protocol.framing import FRAME_LIMIT, STRANGER_LIMIT, FrameFault, Frames
from oaknet_protocol.node import SPECTATORS, Node
from oaknet_protocol.table import ABSENT, NOBODY, PLAYED, Seating
from oaknet_protocol.text import NAME_LIMIT, BadText, name
from oaknet_protocol.transport import PENDING_LIMIT
from oaknet_protocol.wire import BadMessage, Charter, Open, Record, pack, unpack
from tests.protocol.hostile import OPEN, but
from tests.protocol.test_going_on import stopped
from tests.protocol.wires import Players

ROOT = Path(__file__).parents[2]
SPEC = (ROOT / "specs" / "transport.md").read_text(encoding="utf-8")
LIMITS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `([\w.]+)` \| `([\w.]+)::(\w+)` \|$", SPEC, re.MULTILINE)
UNITS = {"KiB": 1024, "MiB": 1024 * 1024, "s": 1, "a second": 1, "": 1}


def test_the_table_is_read_whole() -> None:
    chapter = SPEC.split("5.6 All limits")[1].split("\n## ")[0]
    assert len(LIMITS) == chapter.count("\n| ") - 1
    assert len({constant for _, _, constant, _, _ in LIMITS}) == len(LIMITS)


@pytest.mark.parametrize(("what", "most", "constant", "file", "test"), LIMITS, ids=[one[2] for one in LIMITS])
def test_a_limit_is_what_the_table_says(what: str, most: str, constant: str, file: str, test: str) -> None:
    module, attribute = f"oaknet_protocol.{constant}".rsplit(".", 1)
    number, _, unit = most.partition(" ")
    assert getattr(importlib.import_module(module), attribute) == int(number.replace(",", "")) * UNITS[unit]
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    assert re.search(rf"^(async )?def {test}\(", text, re.MULTILINE), f"{file} has no {test}"


@pytest.mark.trio
async def test_handshakes_at_a_time(tmp_path: Path, nursery: trio.Nursery) -> None:
    async def nothing(link: Any) -> None:
        raise AssertionError

    hub, listener = await Players(tmp_path).hub(nursery, nothing)
    idle = [hub.plug() for _ in range(PENDING_LIMIT)]
    await wait_all_tasks_blocked()
    assert listener.pending == PENDING_LIMIT
    ended: list[int] = []

    async def wait_for_the_end(number: int) -> None:
        assert await idle[number].receive_some() == b""
        ended.append(number)

    for number in (0, 1):
        nursery.start_soon(wait_for_the_end, number)
    hub.plug()
    await wait_all_tasks_blocked()
    assert listener.pending == PENDING_LIMIT
    assert ended == [0], "the oldest, and no other"
    nursery.cancel_scope.cancel()


def test_links_without_a_seat() -> None:
    """Spectators have so many links; a peer that sits always has one."""
    spectators = {bytes([number]) * 32: None for number in range(SPECTATORS)}
    table: Any = SimpleNamespace(
        session=SimpleNamespace(sits={b"a" * 32: None}), links=spectators, _seated=lambda: [b"b" * 32]
    )
    assert not Node.admits(table, b"c" * 32)
    assert all(Node.admits(table, key) for key in (b"a" * 32, b"b" * 32))
    spectators.popitem()
    assert Node.admits(table, b"c" * 32)


@pytest.mark.parametrize("limit", [STRANGER_LIMIT, FRAME_LIMIT])
def test_sizes_of_frames(limit: int) -> None:
    frames = Frames(limit)
    assert frames.receive(limit.to_bytes(4, "big") + bytes(limit)) == [bytes(limit)]
    with pytest.raises(FrameFault):
        frames.receive((limit + 1).to_bytes(4, "big"))


def test_answers_of_a_move() -> None:
    deep: Any = 1
    for _ in range(wire.MAX_DEPTH):
        deep = (deep,)
    for good, one_past in (((1,) * wire.MAX_ANSWERS, (1,) * (wire.MAX_ANSWERS + 1)), ((deep,), ((deep,),))):
        assert wire.answers(good) == good
        with pytest.raises(BadMessage):
            wire.answers(one_past)


def test_values_of_a_message() -> None:
    whole = (*((0,) * 1023 for _ in range(3)), (0,) * (wire.MAX_VALUES - 3 * 1024 - 2))
    assert unpack(pack(whole)) == whole
    with pytest.raises(BadMessage, match="values"):
        unpack(pack((*whole, 0)))
    deep = b"\x91" * wire.MAX_NESTING + b"\x01"
    assert pack(unpack(deep)) == deep
    with pytest.raises(BadMessage, match="in each other"):
        unpack(b"\x91" + deep)


def test_seats_of_a_table() -> None:
    assert wire.decode(Open, but(OPEN, 5, wire.MAX_SEATS)).seats == wire.MAX_SEATS
    with pytest.raises(BadMessage):
        wire.decode(Open, but(OPEN, 5, wire.MAX_SEATS + 1))


def test_lengths_of_names() -> None:
    assert name("x" * NAME_LIMIT) == "x" * NAME_LIMIT
    with pytest.raises(BadText):
        name("x" * (NAME_LIMIT + 1))


def test_charters_of_others_that_are_remembered() -> None:
    """Two cheats at a table of four that play on by themselves, again and again: told of once each, up to a
    number, and passed on no more beyond it."""
    made, gone, left = stopped("move", players=4)
    made.go_on(left, gone)
    host, first = left[0], left[0].transcript.charters[0]
    pairs = host.session.lobby.pairs()
    cheats = sorted([gone, left[-1]], key=lambda one: one.key)
    keys = [one.key for one in cheats]
    owners = [keys.index(key) if key in keys else None for key in first.peers]
    seats = tuple((NOBODY, ABSENT) if who is None else (who, PLAYED) for who in owners)
    parent = (first.id, 0, host.transcript.heads[0])
    told = []
    for number in range(10, 10 + APART + 1):
        sits = tuple(pairs[one.key] for one in cheats)
        data = pack(Charter(host.transcript.table, number, parent, 2, (), sits, seats))
        record = Record(
            "charter", data, tuple(made.signers[one.number].sign("charter", data) for one in cheats)
        )
        assert Seating.check(host.transcript.opening, record, first).id
        told.append(host.session.receive(left[-1].key, pack(record)))
        assert host.session.receive(left[-1].key, pack(record)) == [], "again is no news"
    assert [bool(events) for events in told] == [True] * APART + [False]
