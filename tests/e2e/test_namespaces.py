"""Tables between hosts of their own: found in the network, joined, relayed, and a plug that is pulled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oaknet_protocol import discovery, nat
from oaknet_protocol.address import Address
from oaknet_protocol.invite import Invite
from tests.e2e.hosts import BOT, end, same, start, started
from tests.e2e.program import PATIENCE
from tests.protocol.namespaces import hosts, ip, missing

MISSING = missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


HASTY = "from oaknet_client.commands import lan; lan.SEARCH = 1.5"
"""Here all tables nearby have answered by then."""

IMPATIENT = """
from oaknet_client import meeting
from oaknet_protocol import reach
from oaknet_protocol.transport import link
link.PING_EVERY, link.DEAD_AFTER, meeting.LOOK_EVERY = 0.2, 0.8, 0.2
reach.FIRST_PAUSE, reach.LONGEST_PAUSE = 0.2, 0.5
"""
"""Timers of a peer, so short that a link which is down is noticed in a second."""


def test_a_table_is_found_in_the_network_and_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosts(2) as (one, two):
        opened = (one, ("host", "five_towers", "--no-router", *BOT))
        with started(tmp_path, monkeypatch, opened) as (ann,):
            ann.until("lobby")
            listing = start(tmp_path, monkeypatch, two, "lan", "--json", first=HASTY)
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
            listing = start(tmp_path, monkeypatch, two, "lan", "--json", first=HASTY)
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


def test_who_was_invited_by_the_second_plays_with_the_first_through_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosts(3) as (one, two, three):
        for here, there in ((one, three), (three, one)):
            ip("-n", here.name, "route", "add", "unreachable", f"{there.address}/32")
        opened = (one, ("host", "five_towers", "--seats", "3", "--no-router", "--no-lan", *BOT))
        with started(tmp_path, monkeypatch, opened) as (ann,):
            join = ("join", ann.until("invite")["invite"], "--no-lan", *BOT)
            with started(tmp_path, monkeypatch, (two, join)) as (ben,):
                invite = ben.until("invite")["invite"]
                assert one.address in {place.host for place in Invite.parse(invite).addresses}
                assert two.address in {place.host for place in Invite.parse(invite).addresses}
                with started(tmp_path, monkeypatch, (three, ("join", invite, "--no-lan", *BOT))) as (cleo,):
                    same(ann, ben, cleo)


def test_a_link_that_is_down_for_a_moment_or_for_long_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosts(2) as (one, two):
        opened = (one, ("host", "five_towers", "--no-router", "--no-lan", *BOT))
        with started(tmp_path, monkeypatch, opened, first=IMPATIENT) as (ann,):
            join = ("join", ann.until("invite")["invite"], "--no-lan", *BOT)
            with started(tmp_path, monkeypatch, (two, join), first=IMPATIENT) as (ben,):
                for _ in range(2):
                    ben.until("step")
                    two.down()
                    two.up()
                    ben.until("step")
                    two.down()
                    while ben.until("peer")["state"] != "missing":
                        pass
                    two.up()
                    while ben.until("peer")["state"] != "connected":
                        pass
                same(ann, ben)


def test_with_two_networks_one_may_vanish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have two interfaces; the table is found on both, and the game goes on by the one that is left."""
    with hosts(2) as (one, two):
        for number, host in enumerate((one, two), 1):
            host.plug("wan", f"203.0.112.{number}", "br1")
        opened = (one, ("host", "five_towers", "--no-router", *BOT))
        with started(tmp_path, monkeypatch, opened, first=IMPATIENT) as (ann,):
            ann.until("lobby")
            with started(tmp_path, monkeypatch, (two, ("lan", "--json")), first=HASTY) as (listing,):
                found = json.loads(listing.all()[1])
            assert {one.address, "203.0.112.1"} <= {*found["hosts"]}
            join = ("lan", found["table"][:8], *BOT)
            with started(tmp_path, monkeypatch, (two, join), first=IMPATIENT) as (ben,):
                ben.until("step")
                two.unplug("lan")
                two.unplug("wan")
                while ben.until("peer")["state"] != "missing":
                    pass
                two.plug("usb", "203.0.112.55", "br1")  # another adapter, with another address
                same(ann, ben)


def test_a_machine_without_any_network_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    invite = str(Invite(bytes(16), bytes(16), (Address("198.51.100.1", 4711),)))
    with hosts(1) as (alone,):
        alone.unplug("lan")
        words = (
            ("host", "five_towers", *BOT),
            ("lan",),
            ("doctor", "--json"),
            ("join", invite, "--no-lan", *BOT),
        )
        programs = started(tmp_path, monkeypatch, *((alone, one) for one in words), first=HASTY)
        with programs as (ann, listing, doctor, ben):
            places = Invite.parse(ann.until("invite")["invite"]).addresses
            assert {place.host for place in places} == {"127.0.0.1", "::1"}
            notes = {ann.until("note")["message"] for _ in range(2)}
            assert notes == {
                discovery.NO_INTERFACE,
                f"{nat.NO_ROUTER} In one local network you can play without.",
            }
            status, _, errors = listing.all()  # which finds the table on this machine, if it is there yet
            assert (status, errors) == (0, f"oaknet: {discovery.NO_INTERFACE}\n")
            _, out, errors = doctor.all()
            findings = {one["check"]: one for one in map(json.loads, out.splitlines())}
            assert findings["addresses"]["says"] == "This machine is in no network."
            assert (findings["nearby"]["says"], errors) == (discovery.NO_INTERFACE, "")
            status, _, errors = ben.all()
            assert errors == "oaknet: 198.51.100.1:4711 cannot be reached: network is unreachable.\n"
            assert status == 5


def test_somebody_who_shouts_in_the_network_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosts(2) as (loud, guest), loud.start("-m", "tests.protocol.lan_peer", "shout", "") as shouting:
        try:
            with started(tmp_path, monkeypatch, (guest, ("lan",))) as (listing,):
                status, out, errors = listing.all()
        finally:
            shouting.kill()
    lines = out.splitlines()
    assert status == 0
    assert len(lines) <= discovery.TABLE_LIMIT
    assert errors in ("", f"oaknet: {discovery.FLOODED}\n")
    assert lines or errors
    assert all("2 of 4 seats free, opened by who says to be [/]" in line for line in lines)
