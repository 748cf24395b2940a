"""Tables nearby (discovery 3): real multicast, on the loopback and between hosts of their own."""

import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import trio
import zeroconf

from oaknet_protocol import discovery
from oaknet_protocol.discovery import BLOCKED, NO_INTERFACE, Found, Interface, Lan, Seen, hosts, usable
from tests.protocol import namespaces
from tests.protocol.lan_peer import LOOPBACK, PORT, shown, table

GONE = Interface("192.0.2.99", 99, "gone0")


@pytest.fixture
def text() -> str:
    """A table that no other test announces at the same time."""
    return secrets.token_hex(16)


@pytest.fixture(scope="module")
def netns() -> None:
    if reason := namespaces.missing():
        pytest.skip(reason)


class Places:
    """Interfaces that come and go, each look a step further; the last stays."""

    def __init__(self, *looks: tuple[Interface, ...]) -> None:
        self.looks = [*looks]

    def __call__(self) -> tuple[Interface, ...]:
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]


def lan(*looks: tuple[Interface, ...]) -> Lan:
    return Lan(Places(*looks or ((LOOPBACK,),)), period=0.1, quiet=0.1)


async def until_shown(lan: Lan, text: str, *, free: int | None = None, gone: bool = False) -> Found | None:
    """The next picture in which the table is, with so many free seats, or is not."""
    with trio.fail_after(10):
        async for seen in lan.seen:
            found = next((f for f in seen.tables if getattr(f.table, "table", b"").hex() == text), None)
            if (found is None) == gone and (free is None or found is None or found.table.free == free):  # type: ignore[union-attr]
                return found
    raise AssertionError


@pytest.mark.trio
async def test_a_table_is_found_changes_and_goes(nursery: trio.Nursery, text: str) -> None:
    opener, guest = lan(), lan()
    opener.announce(table(text, free=2), PORT)
    nursery.start_soon(opener.run)
    nursery.start_soon(guest.run)
    found = await until_shown(guest, text, free=2)
    assert found is not None
    assert (found.table, found.hosts, found.port) == (table(text, free=2), ("127.0.0.1",), PORT)
    opener.announce(table(text, free=1), PORT + 1)
    found = await until_shown(guest, text, free=1)
    assert found is not None
    assert found.port == PORT + 1
    opener.withdraw()
    assert await until_shown(guest, text, gone=True) is None
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_interfaces_may_come_and_vanish_and_none_at_all_is_said(
    nursery: trio.Nursery, text: str
) -> None:
    looks = Places((), (LOOPBACK,), (GONE,), (GONE,), (), (LOOPBACK, GONE), (LOOPBACK,))
    opener, guest = lan(), Lan(looks, period=0.1)
    opener.announce(table(text), PORT)
    nursery.start_soon(opener.run)
    nursery.start_soon(guest.run)
    troubles: list[str] = []
    with trio.fail_after(15):
        async for seen in guest.seen:
            troubles.append(seen.trouble)
            if len(looks.looks) == 1 and shown(seen, text):
                break
    assert troubles[0] == NO_INTERFACE
    assert BLOCKED in troubles
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_a_system_that_refuses_is_said_and_asked_again(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "not permitted")

    guest = lan()
    with monkeypatch.context() as patch:
        patch.setattr(zeroconf, "Zeroconf", refuse)
        nursery.start_soon(guest.run)
        assert await guest.seen.receive() == Seen((), BLOCKED)
    with trio.fail_after(5):
        assert (await guest.seen.receive()).trouble == NO_INTERFACE  # but the loopback
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_it_ends_at_once_and_the_pictures_with_it() -> None:
    guest = lan()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(guest.run)
        await guest.seen.receive()
        began = trio.current_time()
        nursery.cancel_scope.cancel()
    assert trio.current_time() - began < 1.5
    assert [thread.name for thread in threading.enumerate() if "zeroconf" in thread.name] == []
    with pytest.raises(trio.EndOfChannel):
        await guest.seen.receive()


def test_an_interface_without_multicast_is_left_out() -> None:
    assert usable(LOOPBACK)
    assert not usable(GONE)
    assert not usable(Interface("2001:db8::99", 99, "gone0"))
    real = discovery.interfaces()
    assert GONE not in real
    assert not any(place.loopback for place in real) or all(place.loopback for place in real)


@pytest.mark.parametrize(
    ("announced", "taken"),
    [
        (["192.0.2.1", "2001:db8::1"], ("2001:db8::1", "192.0.2.1")),
        (["fe80::1", "fe80::1%2"], ("fe80::1%2",)),
        (["127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.251", "ff02::fb", "nonsense", ""], ()),  # noqa: S104
        ([f"192.0.2.{n}" for n in range(9)], tuple(f"192.0.2.{n}" for n in range(6))),
        (["192.0.2.1", "192.0.2.1"], ("192.0.2.1",)),
    ],
)
def test_addresses_that_are_dialled(announced: list[str], taken: tuple[str, ...]) -> None:
    assert hosts(announced) == taken


def test_the_loopback_counts_where_there_is_nothing_else() -> None:
    assert hosts(["127.0.0.1"], loopback=True) == ("127.0.0.1",)


def test_a_flood_neither_stops_it_nor_fills_the_memory(text: str) -> None:
    """Broken packets, 10,000 tables, then an honest one: in a network of its own where that can be had."""
    words = [sys.executable, "-m", "tests.protocol.lan_peer", "flood", text]
    if not namespaces.missing():
        words = ["unshare", "-n", "sh", "-c", 'ip link set lo up; exec "$@"', "sh", *words]
    paths = os.pathsep.join(str(namespaces.ROOT / part) for part in ("", "protocol", "client"))
    done = subprocess.run(
        words,
        cwd=namespaces.ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    facts = json.loads(done.stdout)
    assert facts["flooded"]
    assert facts["grown"] < 25
    assert facts["most"] <= 1


@pytest.fixture
def pair(netns: None) -> Iterator[list[namespaces.Host]]:
    with namespaces.hosts(2) as two:
        yield [*two]


def test_two_hosts_find_each_other_and_again_after_the_link_was_down(
    pair: list[namespaces.Host], text: str
) -> None:
    opener, guest = pair
    announcing = opener.start("-m", "tests.protocol.lan_peer", "announce", text)
    browsing = guest.start("-m", "tests.protocol.lan_peer", "browse", text)
    assert browsing.stdout is not None

    def wait(*, found: bool) -> str:
        assert browsing.stdout is not None
        for line in browsing.stdout:
            facts = json.loads(line)
            if bool(facts["hosts"]) == found:
                return line
        raise AssertionError

    try:
        assert opener.address in wait(found=True)
        namespaces.ip("-n", guest.name, "addr", "flush", "dev", "lan")
        guest.down()
        wait(found=False)
        namespaces.ip("-n", guest.name, "addr", "add", f"{guest.address}/24", "dev", "lan")
        guest.up()
        assert opener.address in wait(found=True)
    finally:
        for process in (announcing, browsing):
            process.kill()
            process.communicate()
