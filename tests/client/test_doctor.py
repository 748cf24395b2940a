"""What the doctor finds, where all is well and where it is not; it never fails itself."""

from __future__ import annotations

import datetime
import ipaddress
import json
import os
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from oaknet_client import doctor
from oaknet_client.config import Folders
from oaknet_client.doctor import BAD, GOOD, POOR, UNKNOWN, Finding
from oaknet_protocol import discovery, nat
from oaknet_protocol.discovery import Interface
from tests.client.conftest import Run

NOW = datetime.datetime(2027, 1, 1, tzinfo=datetime.UTC)
CHECKS = (
    *("program", "terminal", "folder", "settings", "identity", "clock", "addresses", "ipv6", "ipv4", "port"),
    *("nearby", "router"),
)


def only(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    assert finding.says.endswith(".")
    assert finding.says.isprintable()
    return finding


def by_check(findings: Iterator[Finding]) -> dict[str, Finding]:
    return {finding.check: finding for finding in findings}


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one address and no router, so that no test asks a network or waits for one."""
    monkeypatch.setattr(discovery, "interfaces", tuple)
    monkeypatch.setattr(doctor, "own_addresses", lambda: [ipaddress.ip_address("192.168.1.2")])
    monkeypatch.setattr(nat, "every_way", tuple)


@pytest.fixture
def where(home: Path) -> Folders:
    return Folders(home, home)


def test_every_check_reports(run: Run) -> None:
    result = run("doctor", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["check"] for record in records] == list(CHECKS)
    for record in records:
        assert sorted(record) == ["advice", "check", "says", "state"]
        assert record["state"] in (GOOD, POOR, BAD, UNKNOWN)
        assert record["says"].endswith(".")
        assert record["advice"] == "" or record["advice"].endswith(".")
        if record["state"] in (BAD, POOR) and record["check"] not in ("router", "nearby", "port"):
            assert record["advice"]


def test_in_words(run: Run) -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "ok  identity       There is no key yet" in result.stdout
    assert f"--  router         {nat.NO_ROUTER}" in result.stdout


def test_nothing_is_made(run: Run, home: Path) -> None:
    run("doctor")
    assert not home.exists()


def test_a_check_that_breaks_leaves_the_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[Finding]:
        raise ZeroDivisionError("\x1b[2J")

    monkeypatch.setattr(doctor, "port", broken)
    records = [json.loads(line) for line in run("doctor", "--json").stdout.splitlines()]
    assert [record["check"] for record in records] == list(CHECKS)
    (port,) = (record for record in records if record["check"] == "port")
    assert port["state"] == UNKNOWN
    assert "\x1b" not in port["says"]


def test_without_tls_1_3(monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(doctor.program()).state == GOOD
    monkeypatch.setattr(ssl, "HAS_TLSv1_3", False)
    assert only(doctor.program()).state == BAD


@pytest.mark.parametrize(
    ("kind", "size", "encoding", "state"),
    [
        ("xterm", (80, 24), "utf-8", GOOD),
        ("xterm", (200, 60), "UTF8", GOOD),
        ("xterm", (79, 24), "utf-8", POOR),
        ("xterm", (80, 23), "utf-8", POOR),
        ("xterm", (80, 24), "ascii", POOR),
        ("dumb", (80, 24), "utf-8", POOR),
        ("", (80, 24), "", POOR),
        ("x\x1b[2J", (80, 24), "utf-8", GOOD),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="Windows has no TERM")
def test_terminals(kind: str, size: tuple[int, int], encoding: str, state: str) -> None:
    assert only(doctor.terminal({"TERM": kind}, size, encoding)).state == state


def test_folders(where: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(doctor.writable(where)).state == GOOD
    assert len([*doctor.writable(Folders(tmp_path / "a", tmp_path / "b"))]) == 2
    monkeypatch.setattr(doctor, "DISK_LEAST", 2**80)
    assert "MiB are free" in only(doctor.writable(where)).says


def test_a_folder_that_cannot_be_written_to(where: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    found = only(doctor.writable(where))
    assert found.state == BAD
    assert "read-only file system" in found.says


def test_a_file_where_the_folder_should_be(where: Folders) -> None:
    where.data.write_text("")
    assert only(doctor.writable(where)).state == BAD


@pytest.mark.parametrize("name", ["config.toml", "players.toml"])
def test_broken_settings(where: Folders, name: str) -> None:
    where.data.mkdir()
    assert only(doctor.settings()).state == GOOD
    (where.data / name).write_text("nonsense")
    found = only(doctor.settings())
    assert found.state == BAD
    assert name in found.says


def test_identities(run: Run, where: Folders) -> None:
    run("identity")
    assert only(doctor.identity(where)).says.startswith("You are ")
    where.identity.write_text("nonsense")
    assert only(doctor.identity(where)).state == BAD


def test_clocks(where: Folders) -> None:
    assert only(doctor.clock(where, NOW)).state == GOOD
    assert only(doctor.clock(where, NOW.replace(year=2020))).state == POOR
    where.tables.mkdir(parents=True)
    log = where.tables / "game.oak"
    log.write_text("")
    later = (NOW + datetime.timedelta(days=365)).timestamp()
    os.utime(log, (later, later))
    found = only(doctor.clock(where, NOW))
    assert found.state == POOR
    assert "2028-01-01" in found.says


@pytest.mark.parametrize(
    ("own", "states"),
    [
        ([], {"addresses": BAD}),
        (["192.168.1.2"], {"addresses": GOOD, "ipv6": POOR, "ipv4": POOR}),
        (["192.168.1.2", "2a00:1450::1"], {"addresses": GOOD, "ipv6": GOOD, "ipv4": POOR}),
        (["8.8.8.8"], {"addresses": GOOD, "ipv6": POOR, "ipv4": GOOD}),
        (["100.64.1.2", "fd00::1"], {"addresses": GOOD, "ipv6": POOR, "ipv4": POOR}),
    ],
)
def test_addresses(own: list[str], states: dict[str, str]) -> None:
    found = by_check(doctor.addresses([ipaddress.ip_address(ip) for ip in own]))
    assert {check: finding.state for check, finding in found.items()} == states
    if "100.64.1.2" in own:
        assert "carrier-grade NAT" in found["ipv4"].says


def test_own_addresses_are_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for ip in doctor.own_addresses():
        assert not ip.is_loopback
        with socket.socket(socket.AF_INET6 if ip.version == 6 else socket.AF_INET) as here:
            here.bind((str(ip), 0))


def test_a_port_that_is_free_and_one_that_is_not(home: Path) -> None:
    assert only(doctor.port()).state == GOOD
    home.mkdir()
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))  # noqa: S104
        other.listen()
        number = other.getsockname()[1]
        (home / "config.toml").write_text(f"port = {number}\n")
        found = only(doctor.port())
        assert found.state in (POOR, BAD)  # POOR: free by IPv6
        assert f"Port {number} can" in found.says
    assert only(doctor.port()).state == GOOD


def test_nearby(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Interface("192.0.2.1", 2, "eth0"), Interface("192.0.2.9", 3, "tun0")
    monkeypatch.setattr(discovery, "interfaces", lambda: (here, there))
    monkeypatch.setattr(discovery, "hears_itself", lambda place: place == here)
    found = only(doctor.nearby())
    assert found.state == POOR
    assert found.says == "Tables nearby can be looked for on 192.0.2.1 (eth0), not on 192.0.2.9."
    monkeypatch.setattr(discovery, "hears_itself", lambda _: True)
    assert only(doctor.nearby()).state == GOOD
    monkeypatch.setattr(discovery, "hears_itself", lambda _: False)
    found = only(doctor.nearby())
    assert found.state == BAD
    assert "5353" in found.advice
    monkeypatch.setattr(discovery, "interfaces", tuple)
    assert only(doctor.nearby()) == Finding("nearby", BAD, discovery.NO_INTERFACE)


def test_a_question_to_the_network_comes_back() -> None:
    assert discovery.hears_itself(Interface("127.0.0.1", 1, "lo"))
    assert not discovery.hears_itself(Interface("192.0.2.99", 99, "gone0"))
    assert not discovery.hears_itself(Interface("2001:db8::99", 99, "gone0"))


@dataclass
class Answers:
    """A router that answers with this address, or says why not."""

    answer: str | nat.RouterFault
    name: str = "UPnP"

    async def external(self) -> str:
        if isinstance(self.answer, nat.RouterFault):
            raise self.answer
        return self.answer

    async def open(self, port: int, outside: int) -> nat.Forwarded:
        raise AssertionError("the doctor changes nothing")

    async def close(self, port: int, outside: int) -> None:
        raise AssertionError("the doctor changes nothing")


ABSENT = Answers(nat.RouterFault(nat.NO_ROUTER, absent=True), "NAT-PMP")
NO_EXTRA = Answers(nat.RouterFault(nat.NO_EXTRA, absent=True))
PRIVATE = Answers(nat.RouterFault("Your router is itself behind another one."))


@pytest.mark.parametrize(
    ("ways", "state", "says"),
    [
        ((Answers("8.8.8.8"),), GOOD, "speaks UPnP and has the public address 8.8.8.8: it can"),
        ((Answers("8.8.8.8", "NAT-PMP"), NO_EXTRA), GOOD, "speaks NAT-PMP and has"),
        ((Answers("8.8.8.8", "NAT-PMP"), Answers("8.8.8.8")), GOOD, "speaks NAT-PMP and UPnP and has"),
        ((ABSENT, PRIVATE), POOR, "behind another one"),
        ((ABSENT, NO_EXTRA), UNKNOWN, "oaknet[nat]"),
        ((ABSENT,), POOR, nat.NO_ROUTER),
        ((), POOR, nat.NO_ROUTER),
    ],
)
def test_routers(ways: tuple[Answers, ...], state: str, says: str) -> None:
    found = only(doctor.router(lambda: ways))
    assert found.state == state
    assert says in found.says


def test_a_router_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ROUTER_TIME", 0.05)

    class Deaf(Answers):
        async def external(self) -> str:
            await trio.sleep_forever()
            raise AssertionError

    assert only(doctor.router(lambda: (Deaf(""),))) == Finding("router", POOR, nat.SILENT)
