"""Tables between hosts of their own: found in the network, joined, relayed, and a plug that is pulled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.hosts import BOT, end, same, start, started
from tests.e2e.program import PATIENCE
from tests.protocol.namespaces import hosts, ip, missing

MISSING = missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


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
