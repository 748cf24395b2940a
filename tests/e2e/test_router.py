"""A table behind a router that is asked to forward its port, between networks of their own."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oaknet_protocol.address import Address
from oaknet_protocol.invite import Invite
from tests.e2e.hosts import BOT, Player, same, start, started
from tests.e2e.program import PATIENCE
from tests.protocol.namespaces import PREFIX, Host, hosts, ip, missing

MISSING = missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

QUICK = "from oaknet_protocol.nat import upnp; upnp.SEARCH_TIME = 50"
OUTSIDE, ABROAD = "203.0.112.9", "203.0.112.77"
PORT = 4711
HOST = ("host", "five_towers", "--port", str(PORT), "--no-lan", *BOT)


class Router:
    """The program on the router: each line of it is what it forwards from then on."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def next(self) -> dict[str, list[object]]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        found: dict[str, list[object]] = json.loads(line)
        return found


@contextmanager
def behind(kind: str) -> Iterator[tuple[Router, Host, Host]]:
    """A router, a host behind it, and one outside that can reach the router's address and nothing else."""
    with hosts(3) as (gateway, inside, outside):
        gateway.plug("wan", OUTSIDE, "br1")
        outside.unplug("lan")
        outside.plug("wan", ABROAD, "br1")
        ip("-n", inside.name, "route", "replace", "default", "via", gateway.address)
        words = ("-m", "tests.protocol.router_host", kind, gateway.address, OUTSIDE)
        with gateway.start(*words) as process:
            try:
                router = Router(process)
                assert router.next() == {}
                yield router, inside, outside
            finally:
                process.kill()


def invited(player: Player, router: Router, by: str) -> str:
    """The invite of who has opened a table, once the router has said that it passes the port on."""
    assert Address(OUTSIDE, PORT) not in Invite.parse(player.until("invite")["invite"]).addresses
    assert player.until("note")["message"] == (
        f"The router passes port {PORT} of {OUTSIDE} on to this machine, as it says by {by}."
    )
    invite = str(player.until("invite")["invite"])
    assert Address(OUTSIDE, PORT) in Invite.parse(invite).addresses
    assert router.next() == {str(PORT): [f"{PREFIX}2", PORT]}
    return invite


def test_who_is_outside_joins_by_the_address_of_the_router(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with behind("pmp") as (router, inside, outside), started(tmp_path, monkeypatch, (inside, HOST)) as (ann,):
        invite = invited(ann, router, "NAT-PMP")
        doctor = start(tmp_path, monkeypatch, inside, "doctor", "--json")
        with started(tmp_path, monkeypatch, (outside, ("join", invite, "--no-lan", *BOT))) as (ben,):
            same(ann, ben)
        assert router.next() == {}, "the mapping has gone with the table"
        found = [json.loads(line) for line in doctor.process.communicate(timeout=PATIENCE)[0].splitlines()]
        (says,) = (one["says"] for one in found if one["check"] == "router")
        assert says.startswith(f"The router speaks NAT-PMP and has the public address {OUTSIDE}: it can be")


@pytest.mark.parametrize(
    ("kind", "by", "stops"),
    [("pmp", "NAT-PMP", (signal.SIGTERM, signal.SIGHUP)), ("upnp", "UPnP", (signal.SIGINT, signal.SIGKILL))],
    ids=["pmp", "upnp"],
)
def test_whoever_is_stopped_takes_the_mapping_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, by: str, stops: tuple[signal.Signals, ...]
) -> None:
    if kind == "upnp":
        pytest.importorskip("miniupnpc", reason="needs the extra oaknet[nat]")
    with behind(kind) as (router, inside, _):
        for stop in stops:
            with started(tmp_path, monkeypatch, (inside, HOST), first=QUICK) as (ann,):
                invited(ann, router, by)
                ann.process.send_signal(stop)
                assert router.next() == {}
                killed = stop is signal.SIGKILL
                assert ann.process.wait(PATIENCE) == (-stop if killed else 128 + stop)
                assert ann.process.stderr is not None
                assert ann.process.stderr.read() == ("" if killed else "oaknet: Stopped.\n")
