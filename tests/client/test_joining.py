"""Joining where something is wrong: each step that can fail says so in a sentence, with its own status."""

from __future__ import annotations

import datetime
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from oaknet import registry
from oaknet_client import arrivals
from oaknet_client.failures import FAILED, OTHER_VERSION, UNREACHABLE, USAGE
from oaknet_client.feed import Note
from oaknet_client.meeting import Meeting
from oaknet_client.notes import Notes
from oaknet_client.players import FILE, edited
from oaknet_protocol import tls, wire
from oaknet_protocol.address import Address
from oaknet_protocol.identity import Identity
from oaknet_protocol.invite import Invite, key_hash
from oaknet_protocol.transport import ConnectFault, dialling, handshake
from tests.client.conftest import Run
from tests.e2e.program import Running
from tests.e2e.tables import table

HERE = "127.0.0.1"
QUIET = ("--headless", "--json", "--no-lan")
OPENER = key_hash(bytes(32))
LIMIT = 10
"""Seconds within which each step says that it has failed."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        found: int = probe.getsockname()[1]
        return found


def said(run: Run, invite: Invite | str, *more: object, status: int = UNREACHABLE) -> str:
    """What the join ends with: the one line on standard error, as in the JSON."""
    done = run("join", invite, *QUIET, *more)
    assert done.exit_code == status, done.output
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("oaknet: ")
    line = done.stderr.removeprefix("oaknet: ").removesuffix("\n")
    assert json.loads(done.stdout.splitlines()[-1]) == {"event": "error", "message": line}
    return line


def at(*places: tuple[str, int]) -> Invite:
    return Invite(bytes(16), OPENER, tuple(Address(host, port) for host, port in places))


@contextmanager
def answering(data: bytes | None) -> Iterator[int]:
    """A port at which everybody is taken and hears these bytes, or nothing at all."""
    with socket.create_server((HERE, 0)) as server, ExitStack() as stack:

        def serve() -> None:
            while True:
                try:
                    taken = server.accept()[0]
                except OSError:
                    return
                stack.callback(taken.close)
                if data is not None:
                    taken.recv(4096)
                    taken.sendall(data)
                    taken.shutdown(socket.SHUT_RDWR)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


# -- the way there -------------------------------------------------------------------------------------------


def test_a_name_that_is_not_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def asked(host: str | None, *more: Any, **how: Any) -> Any:
        if host == "nobody.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *more, **how)

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    line = said(run, at(("nobody.example", 4711)))
    assert line == "nobody.example was not found. Check the name, and your connection."


def test_nobody_listens(run: Run) -> None:
    port = free_port()
    line = said(run, at((HERE, port)))
    assert line == f"{HERE}:{port} was reached, but nobody listens there. Is the table open?"


def test_no_answer_at_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(host: str, port: int) -> None:
        await trio.sleep_forever()

    assert dialling.CONNECT_TIME <= LIMIT
    monkeypatch.setattr(dialling, "CONNECT_TIME", 0.1)
    monkeypatch.setattr(trio, "open_tcp_stream", nothing)
    assert said(run, at(("192.0.2.1", 4711))) == "192.0.2.1:4711 did not answer within 0.1 seconds."


def test_reached_but_silent(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert handshake.HANDSHAKE_TIME <= LIMIT
    monkeypatch.setattr(handshake, "HANDSHAKE_TIME", 0.1)
    with answering(None) as port:
        line = said(run, at((HERE, port)))
    assert line == f"{HERE}:{port} was reached, but gave no oaknet answer within 0.1 seconds."


@pytest.mark.parametrize(
    "data",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\x1b[2J" * 50, b""],
    ids=["web", "ssh", "escape", "nothing"],
)
def test_reached_but_not_oaknet(run: Run, data: bytes) -> None:
    with answering(data) as port:
        line = said(run, at((HERE, port)))
    assert line == f"{HERE}:{port} was reached, but it is not oaknet, or not this version of it."


def test_of_several_addresses_the_one_that_came_farthest_is_told(run: Run) -> None:
    with answering(b"220 mail\r\n") as port:
        line = said(run, at((HERE, free_port()), (HERE, port)))
    assert line.startswith(f"{HERE}:{port} was reached, but it is not oaknet")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[:14] + ("z" if text[14] != "z" else "y") + text[15:], "group"),
        (lambda text: text[:-12], "cut off"),
        (lambda text: text[:20] + text[21:], "group"),
        (lambda text: text.replace("oak1", "oak2"), "version"),
        (lambda text: "http://example.org", "This is no invite."),
    ],
    ids=["a wrong sign", "cut", "a sign missing", "another version", "something else"],
)
def test_an_invite_with_a_fault(run: Run, change: object, words: str) -> None:
    assert callable(change)
    text = change(str(at((HERE, 4711), ("2001:db8::1", 4711))))
    assert words in said(run, text, status=OTHER_VERSION if words == "version" else USAGE)


# -- the table -----------------------------------------------------------------------------------------------


class Host:
    """A table for two that is open in a program of its own, with one seat taken."""

    def __init__(self, home: Path, running: Running) -> None:
        self.home, self.running = home, running
        self.event = json.loads(running.until('"event": "invite"'))
        self.invite = Invite.parse(self.event["invite"])
        self.here = Address(HERE, self.event["port"])
        running.until('"event": "lobby"')

    def to(self, *, secret: bytes = b"", opener: bytes = b"") -> Invite:
        """An invite to it by the loopback, perhaps not the right one."""
        return Invite(secret or self.invite.secret, opener or self.invite.opener, (self.here,))


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    home = tmp_path_factory.mktemp("host")
    with Running(home, "host", "five_towers", "--no-router", *QUIET) as running:
        yield Host(home, running)


def test_an_invite_that_is_not_known_there(run: Run, host: Host) -> None:
    line = said(run, host.to(secret=bytes(16)))
    assert line == f"{host.here} does not know this invite. Ask for a new one."


def test_who_is_blocked_there_is_not_let_in(run: Run, home: Path, host: Host) -> None:
    run("identity")
    key = Identity.load(home / "identity.key").key
    with edited(host.home / FILE) as players:
        players.meet(key, "Ben", datetime.date(2026, 1, 1))
        player = players.get(key)
        assert player is not None
        players.block(player)
    assert said(run, host.to()) == f"{host.here} does not let you in."


def test_a_table_of_somebody_who_is_blocked_here(run: Run, home: Path, host: Host) -> None:
    opener = Identity.load(host.home / "identity.key").key
    home.mkdir()
    with edited(home / FILE) as players:
        players.meet(opener, "Ann", datetime.date(2026, 1, 1))
        player = players.get(opener)
        assert player is not None
        players.block(player)
    line = said(run, host.to(), status=FAILED)
    assert line == "Ann, who opened this table, is blocked. oaknet players unblock lets them in."


def test_another_version_of_the_transport(run: Run, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "PROTOCOL", "oaknet/2")
    line = said(run, host.to())
    assert line == f"{host.here} was reached, but it is not oaknet, or not this version of it."


def test_another_version_of_the_protocol(run: Run, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "VERSION", 2)
    line = said(run, host.to(), status=OTHER_VERSION)
    assert line == ("This table cannot be joined from here: it speaks protocol version 1; this is version 2.")


def test_other_rules(run: Run, host: Host, tmp_path: Path) -> None:
    data = registry.data_text("five_towers")
    values = next(line for line in data.splitlines() if line.startswith("values ="))
    other = tmp_path / "other.toml"
    other.write_text(
        data.replace(values, 'values = { value = [0, 1], origin = "assumed" }'), encoding="utf-8"
    )
    line = said(run, host.to(), "--data", other, status=OTHER_VERSION)
    assert line.startswith("This table cannot be joined from here: ")
    assert "rules" in line


def test_another_opener_than_the_invite_says(run: Run, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    assert arrivals.SHOW_TIME <= LIMIT
    monkeypatch.setattr(arrivals, "SHOW_TIME", 0.3)
    assert said(run, host.to(opener=bytes(16))) == arrivals.NOT_SHOWN


def test_a_table_that_is_full(run: Run, tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 2) as (players, invite):
        players[0].until("start")  # from here on nobody is read, so the game does not end
        line = said(run, invite)
    assert line == "The table is full: it began without you. oaknet watch follows it with the same invite."


# -- the port ------------------------------------------------------------------------------------------------


def test_a_port_is_fixed_shown_and_remembered_and_a_busy_one_is_told(run: Run, tmp_path: Path) -> None:
    port, home = free_port(), tmp_path / "host"
    words = ("host", "five_towers", "--no-router", *QUIET)
    with Running(home, *words, "--port", port) as running:
        first = json.loads(running.until('"event": "invite"'))
        assert first["port"] == port
        assert {address.port for address in Invite.parse(first["invite"]).addresses} == {port}
        assert f"port = {port}" in (home / "config.toml").read_text(encoding="utf-8")
        busy = run(*words, "--port", port)
        assert (busy.exit_code, busy.stderr) == (
            FAILED,
            f"oaknet: Port {port} is in use already. Close the other program, or choose another port.\n",
        )
        with Running(home, *words) as second:  # one that is only remembered is not insisted on
            note = json.loads(second.until('"event": "note"'))["message"]
            other = json.loads(second.until('"event": "invite"'))["port"]
        assert note.startswith(f"Port {port} is in use already.")
        assert note.endswith(f" This time it is port {other}.")


def test_another_program_of_ours_ends_who_starts_and_not_who_was_there(
    tmp_path: Path,
) -> None:
    told: list[object] = []
    identity = Identity.load_or_make(tmp_path / "identity.key")
    meeting = Meeting(identity, Notes(bytes(16), bytes(16), ()), tmp_path / FILE, patient=True)
    node = SimpleNamespace(met=False)
    meeting._node, meeting._emit = node, told.append  # type: ignore[assignment]
    fault = ConnectFault("twin", "This identity is at the table.")
    with pytest.raises(ConnectFault):
        meeting._failed(bytes(32), fault)
    assert told == []
    node.met = True
    meeting._failed(bytes(32), fault)
    meeting._failed(b"", fault)
    assert told == [Note(str(fault))]
