"""Addresses and ports: what dialling and listening say when they fail (transport 2.6, 5), on loopback."""

import errno
import socket
from collections.abc import AsyncIterator

import pytest
import trio
from trio.testing import MockClock

from oaknet_protocol.framing import FRAME_LIMIT
from oaknet_protocol.transport import (
    CONNECT_TIME,
    ConnectFault,
    Link,
    Listener,
    ListenFault,
    dial,
    listen,
)
from tests.protocol.wires import SECRET, Players

HOST = "127.0.0.1"


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Players:
    return Players(tmp_path_factory.mktemp("players"))


async def echo(link: Link) -> None:
    async for message in link:
        link.send(message)


@pytest.fixture
async def listener(players: Players, nursery: trio.Nursery) -> AsyncIterator[Listener]:
    yield await listen(nursery, players.doors, echo, host=HOST)
    nursery.cancel_scope.cancel()


class Resolver(trio.abc.HostnameResolver):
    """Looks no name up: it fails, or never answers."""

    def __init__(self, error: OSError | None) -> None:
        self.error = error

    async def getaddrinfo(self, *args: object, **rest: object) -> list[tuple[object, ...]]:  # type: ignore[override]
        if self.error is not None:
            raise self.error
        await trio.sleep_forever()
        raise AssertionError

    async def getnameinfo(self, sockaddr: object, flags: int) -> tuple[str, str]:
        raise AssertionError


async def fault(players: Players, nursery: trio.Nursery, host: str, port: int, **how: bytes) -> ConnectFault:
    invited = players.invited(secret=how.get("secret", SECRET))
    with pytest.raises(ConnectFault) as caught:
        await dial(nursery, host, port, invited, how.get("expect"))
    assert str(caught.value).endswith((".", "?"))
    return caught.value


@pytest.mark.trio
async def test_more_than_the_system_takes_at_once_arrives_whole_and_in_order(
    players: Players, nursery: trio.Nursery
) -> None:
    """What is left of a message when the socket is full waits, and what follows it too."""
    messages = [bytes([number]) * FRAME_LIMIT for number in range(30)]

    async def say_all(link: Link) -> None:
        link.limit = FRAME_LIMIT
        for message in messages:
            link.send(message)
        assert link.waiting > 0, "the system took all of it: the test needs more"
        assert [await anext(link) for _ in messages] == messages
        await link.flush()
        assert link.waiting == 0

    listener = await listen(nursery, players.doors, say_all, host=HOST)
    link = await dial(nursery, HOST, listener.port, players.invited(), players.alice.key)
    await say_all(link)
    assert [message async for message in link] == []
    assert link.why == "the other side closed it"
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_a_socket_that_is_gone_without_a_word_ends_the_link(
    players: Players, nursery: trio.Nursery
) -> None:
    lost: list[Link] = []

    async def vanish(link: Link) -> None:
        link.send(b"last words")
        lost.append(link)
        await trio.sleep_forever()

    listener = await listen(nursery, players.doors, vanish, host=HOST)
    link = await dial(nursery, HOST, listener.port, players.invited(), players.alice.key)
    assert await anext(link) == b"last words"
    below = lost[0]._secure._stream
    assert isinstance(below, trio.SocketStream)
    below.socket.shutdown(socket.SHUT_RDWR)
    assert [message async for message in link] == []
    assert link.why == "the connection broke"
    link.send(b"to nobody")
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_messages_over_a_real_socket(
    players: Players, nursery: trio.Nursery, listener: Listener
) -> None:
    link = await dial(nursery, HOST, listener.port, players.invited(), players.alice.key)
    assert link.address == f"{HOST}:{listener.port}"
    messages = [bytes([number]) * 4096 for number in range(200)]
    for message in messages:
        link.send(message)
    assert [await anext(link) for _ in messages] == messages
    await link.aclose()


@pytest.mark.trio
async def test_many_players_at_once(players: Players, nursery: trio.Nursery, listener: Listener) -> None:
    invited = [players.invited(players.make(f"guest{number}")) for number in range(20)]

    async def visit(number: int) -> None:
        async with await dial(nursery, HOST, listener.port, invited[number], players.alice.key) as link:
            link.send(b"%d" % number)
            assert await anext(link) == b"%d" % number

    async with trio.open_nursery() as visits:
        for number in range(20):
            visits.start_soon(visit, number)


@pytest.mark.trio
async def test_a_wrong_invite_is_named_over_a_real_socket(
    players: Players, nursery: trio.Nursery, listener: Listener
) -> None:
    for _ in range(5):  # the alert must never lose against the reset
        refused = await fault(players, nursery, HOST, listener.port, secret=b"another invite..")
        assert refused.step == "invite"


@pytest.mark.trio
async def test_anothers_identity_is_named_over_a_real_socket(
    players: Players, nursery: trio.Nursery, listener: Listener
) -> None:
    refused = await fault(players, nursery, HOST, listener.port, expect=players.bob.key)
    assert refused.step == "identity"


@pytest.mark.trio
async def test_a_port_nobody_listens_at(players: Players, nursery: trio.Nursery) -> None:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
        refused = await fault(players, nursery, HOST, port)
    assert refused.step == "refused"
    assert str(refused) == f"{HOST}:{port} was reached, but nobody listens there. Is the table open?"


@pytest.mark.trio
async def test_a_port_of_a_web_server(players: Players, nursery: trio.Nursery) -> None:
    async def web(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some()
            await stream.send_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")

    listeners = await nursery.start(trio.serve_tcp, web, 0)
    refused = await fault(players, nursery, HOST, listeners[0].socket.getsockname()[1])
    assert refused.step == "foreign"
    nursery.cancel_scope.cancel()


@pytest.mark.trio
@pytest.mark.parametrize("error", [socket.gaierror(socket.EAI_NONAME, "not known"), UnicodeError("too long")])
async def test_a_name_that_is_not_found(players: Players, nursery: trio.Nursery, error: OSError) -> None:
    trio.socket.set_custom_hostname_resolver(Resolver(error))
    missing = await fault(players, nursery, "nobody.example", 4711)
    assert missing.step == "name"
    assert str(missing) == "nobody.example was not found. Check the name, and your connection."


@pytest.mark.trio
@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("", 1),
        ("a b", 1),
        ("\x1b[2J", 1),
        ("ä.example", 1),
        ("x" * 254, 1),
        ("[/]", 1),
        (HOST, 0),
        (HOST, 65536),
    ],
)
async def test_what_is_no_address_is_not_dialled_and_not_repeated(
    players: Players, nursery: trio.Nursery, host: str, port: int
) -> None:
    refused = await fault(players, nursery, host, port)
    assert refused.step == "name"
    assert str(refused) == "The address is not one that can be dialled; it needs a host and a port."


@pytest.mark.trio
async def test_no_answer_at_all(players: Players, nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    trio.socket.set_custom_hostname_resolver(Resolver(None))
    late = await fault(players, nursery, "slow.example", 4711)
    assert late.step == "timeout"
    assert str(late) == "slow.example:4711 did not answer within 10 seconds."
    assert trio.current_time() == CONNECT_TIME


@pytest.mark.trio
@pytest.mark.parametrize(
    ("code", "step"),
    [
        (errno.ENETUNREACH, "unreachable"),
        (errno.EHOSTUNREACH, "unreachable"),
        (errno.ETIMEDOUT, "timeout"),
        (errno.ECONNREFUSED, "refused"),
    ],
)
async def test_the_cause_is_found_below_several_attempts(
    players: Players, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, code: int, step: str
) -> None:
    async def fails(host: str, port: int) -> trio.SocketStream:
        attempts = [
            OSError(errno.EAFNOSUPPORT, "address family not supported"),
            OSError(code, "Attempt Failed"),
        ]
        raise OSError("all attempts failed") from ExceptionGroup("attempts", attempts)

    monkeypatch.setattr(trio, "open_tcp_stream", fails)
    assert (await fault(players, nursery, "host.example", 1)).step == step


# Listening


def has_ipv6() -> bool:
    """Whether this machine's loopback speaks it."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.trio
async def test_a_port_in_use_is_said(players: Players, nursery: trio.Nursery, listener: Listener) -> None:
    with pytest.raises(ListenFault) as caught:
        await listen(nursery, players.doors, echo, host=HOST, port=listener.port)
    expected = f"Port {listener.port} is in use already. Close the other program, or choose another port."
    assert str(caught.value) == expected


@pytest.mark.trio
@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        (HOST, 65536, "65536 is no port"),
        (HOST, -1, "-1 is no port"),
        ("192.0.2.1", 0, "does not have that address"),
    ],
)
async def test_a_port_that_cannot_be(
    players: Players, nursery: trio.Nursery, host: str, port: int, words: str
) -> None:
    if host == "nobody.invalid":
        trio.socket.set_custom_hostname_resolver(Resolver(socket.gaierror(socket.EAI_NONAME, "not known")))
    with pytest.raises(ListenFault, match=words):
        await listen(nursery, players.doors, echo, host=host, port=port)


@pytest.mark.trio
async def test_all_addresses_have_the_same_port(players: Players, nursery: trio.Nursery) -> None:
    both = await listen(nursery, players.doors, echo)
    assert both.port > 0
    for host in (HOST, "::1") if has_ipv6() else (HOST,):
        link = await dial(nursery, host, both.port, players.invited(), players.alice.key)
        link.send(b"hello")
        assert await anext(link) == b"hello"
        await link.aclose()
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_a_closed_port_can_be_listened_at_again(players: Players, nursery: trio.Nursery) -> None:
    first = await listen(nursery, players.doors, echo, host=HOST)
    await first.aclose()
    again = await listen(nursery, players.doors, echo, host=HOST, port=first.port)
    assert again.port == first.port
    await again.aclose()


@pytest.mark.trio
async def test_refusals_are_one_line_of_log_each(
    players: Players,
    nursery: trio.Nursery,
    listener: Listener,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "oaknet_protocol.transport")
    await fault(players, nursery, HOST, listener.port, secret=b"another invite..")
    link = await dial(nursery, HOST, listener.port, players.invited())
    await link.aclose()
    with trio.fail_after(5):
        while len(caplog.messages) < 2:
            await trio.lowlevel.checkpoint()
    assert caplog.messages[0].endswith("does not know this invite. Ask for a new one.")
    assert caplog.messages[1].endswith("is over: the other side closed it")
