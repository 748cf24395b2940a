"""NAT-PMP (discovery 4.6): its messages byte by byte, and routers that answer well, badly and not at all."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from hypothesis import example, given
from hypothesis import strategies as st

from oaknet_protocol import natpmp
from oaknet_protocol.nat import gateway, pmp, words
from oaknet_protocol.nat.forwarding import addresses, forward
from oaknet_protocol.nat.pmp import NatPmp
from oaknet_protocol.nat.words import Forwarded, RouterFault
from tests.protocol.fake_pmp import FakePmp, as_it_is

PORT = 4711
GRANTED = bytes.fromhex("0082 0000 00000007 1267 1268 00000e10")


@pytest.fixture
def fake() -> Iterator[FakePmp]:
    with FakePmp().running() as router:
        yield router


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses of RFC 6886 3.1, twenty-five times as fast."""
    monkeypatch.setattr(pmp, "FIRST_PAUSE", 0.01)


def at(fake: FakePmp) -> NatPmp:
    return NatPmp("127.0.0.1", fake.port)


async def fault(fake: FakePmp) -> str:
    with pytest.raises(RouterFault) as caught:
        await at(fake).open(PORT, PORT)
    assert str(caught.value).isprintable()
    return str(caught.value)


# -- messages ------------------------------------------------------------------------------------------------


def test_requests_byte_by_byte() -> None:
    assert natpmp.address_request() == bytes.fromhex("0000")
    assert natpmp.mapping_request(4711, 4712, 3600) == bytes.fromhex("0002 0000 1267 1268 00000e10")
    assert natpmp.removal_request(4711) == bytes.fromhex("0002 0000 1267 0000 00000000")


def test_replies_byte_by_byte() -> None:
    reply = bytes.fromhex("0080 0000 00000007 cb007009")
    assert natpmp.read_address(reply) == ipaddress.IPv4Address("203.0.112.9")
    assert natpmp.read_mapping(GRANTED, 4711) == natpmp.Mapping(4712, 3600)
    natpmp.read_removal(bytes.fromhex("0082 0000 00000007 1267 0000 00000000"), 4711)


@pytest.mark.parametrize("size", range(16))
def test_a_reply_that_is_cut_is_none(size: int) -> None:
    with pytest.raises(natpmp.NoReply):
        natpmp.read_mapping(GRANTED[:size], 4711)


@pytest.mark.parametrize(
    "reply",
    [
        GRANTED + b"\0",
        bytes.fromhex("0080 0000 00000007 1267 1268 00000e10"),  # answers another question
        bytes.fromhex("0002 0000 00000007 1267 1268 00000e10"),  # a request
        bytes.fromhex("0081 0000 00000007 1267 1268 00000e10"),  # of UDP
        bytes.fromhex("0082 0000 00000007 1266 1268 00000e10"),  # to another port
        bytes.fromhex("0082 0000 00000007 1267 0000 00000e10"),  # from no port
        bytes.fromhex("0082 0000 00000007 1267 1268 00000000"),  # for no time
    ],
    ids=["too long", "address", "request", "udp", "port", "no port", "no time"],
)
def test_a_reply_that_does_not_fit_is_none(reply: bytes) -> None:
    with pytest.raises(natpmp.NoReply):
        natpmp.read_mapping(reply, 4711)


@pytest.mark.parametrize("code", [1, 2, 3, 4, 5, 6, 65535])
@pytest.mark.parametrize("rest", [b"", b"\x12\x67\x12\x68\0\0\x0e\x10"], ids=["short", "whole"])
def test_codes(code: int, rest: bytes) -> None:
    reply = struct.pack("!BBHI", 0, 130, code, 7) + rest
    for read in (natpmp.read_mapping, natpmp.read_removal):
        with pytest.raises(natpmp.Refused) as caught:
            read(reply, 4711)
        assert caught.value.code == code


def test_a_reply_of_pcp_is_another_version() -> None:
    with pytest.raises(natpmp.Refused) as caught:
        natpmp.read_address(bytes.fromhex("02800001") + bytes(20))
    assert caught.value.code == natpmp.UNSUPPORTED_VERSION


@given(st.binary(max_size=20))
@example(GRANTED)
def test_no_bytes_do_harm(reply: bytes) -> None:
    for read in (
        natpmp.read_address,
        lambda data: natpmp.read_mapping(data, 4711),
        lambda data: natpmp.read_removal(data, 4711),
    ):
        try:
            read(reply)
        except (natpmp.NoReply, natpmp.Refused):
            continue


# -- asking --------------------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_a_router_that_works(fake: FakePmp) -> None:
    way = at(fake)
    assert await way.external() == "203.0.112.9"
    assert await way.open(PORT, PORT) == Forwarded("203.0.112.9", PORT, 3600, "NAT-PMP")
    assert fake.mappings == {PORT: ("127.0.0.1", PORT)}
    await way.close(PORT, PORT)
    assert fake.mappings == {}
    assert fake.asked[-1] == natpmp.removal_request(PORT)


@pytest.mark.trio
async def test_a_port_of_another_is_left_to_it_and_the_one_that_is_given_is_told(fake: FakePmp) -> None:
    fake.taken = frozenset((PORT, PORT + 1))
    assert (await at(fake).open(PORT, PORT)).port == PORT + 2


@pytest.mark.trio
@pytest.mark.parametrize(("granted", "taken"), [(60, 60), (3600, 3600)])
async def test_a_shorter_time_is_taken(fake: FakePmp, granted: int, taken: int) -> None:
    fake.lease = granted
    assert (await at(fake).open(PORT, PORT)).lease == taken


@pytest.mark.trio
async def test_a_longer_time_than_was_asked_for_is_not_relied_on(fake: FakePmp) -> None:
    fake.mangled = lambda reply: reply[:12] + b"\xff" * 4 if len(reply) == 16 else reply
    assert (await at(fake).open(PORT, PORT)).lease == words.LEASE


@pytest.mark.trio
async def test_what_is_lost_is_asked_again(fake: FakePmp) -> None:
    fake.lost = 2
    assert await at(fake).external() == "203.0.112.9"
    assert fake.asked == [natpmp.address_request()] * 3


@pytest.mark.trio
async def test_a_router_that_never_answers(fake: FakePmp) -> None:
    fake.silent = True
    assert await fault(fake) == words.NO_ROUTER
    assert fake.asked == [natpmp.address_request()] * pmp.TRIES


@pytest.mark.trio
async def test_a_machine_that_speaks_no_nat_pmp_is_left_alone_at_once() -> None:
    router = FakePmp()
    with router.running():
        pass
    began = trio.current_time()
    assert await fault(router) == words.NO_ROUTER
    assert trio.current_time() - began < 0.1


@pytest.mark.trio
@pytest.mark.parametrize(
    ("code", "says"),
    [
        (1, words.NO_ROUTER),
        (2, words.REFUSED),
        (3, words.OFFLINE),
        (4, words.REFUSED),
        (5, words.NO_ROUTER),
        (99, words.REFUSED),
    ],
)
async def test_a_router_that_refuses(fake: FakePmp, code: int, says: str) -> None:
    fake.code = code
    assert await fault(fake) == says
    fake.address_code = code
    assert await fault(fake) == says
    assert fake.mappings == {}


@pytest.mark.trio
@pytest.mark.parametrize(
    "address",
    ["192.168.1.2", "10.0.0.1", "172.20.0.1", "100.64.3.4", "169.254.1.1", "127.0.0.1", "224.0.0.1"],
)
async def test_a_router_behind_a_router(fake: FakePmp, address: str) -> None:
    fake.external = address
    assert f"behind another one (its address, {address}, is not public)" in await fault(fake)
    assert fake.asked == [natpmp.address_request()]


@pytest.mark.trio
async def test_a_router_without_an_address(fake: FakePmp) -> None:
    fake.external = "0.0.0.0"  # noqa: S104
    assert await fault(fake) == words.OFFLINE


@pytest.mark.trio
async def test_what_comes_from_elsewhere_is_not_heard(fake: FakePmp) -> None:
    fake.elsewhere = True
    assert await fault(fake) == words.NO_ROUTER


@pytest.mark.trio
@pytest.mark.parametrize(
    "mangled",
    [lambda reply: reply[:7], lambda _: b"", lambda reply: reply * 9, lambda reply: b"\0\x81" + reply[2:]],
    ids=["cut", "empty", "long", "another answer"],
)
async def test_replies_that_are_none_are_not_heard(fake: FakePmp, mangled: Callable[[bytes], bytes]) -> None:
    fake.mangled = mangled
    assert await fault(fake) == words.NO_ROUTER
    assert len(fake.asked) == pmp.TRIES


@pytest.mark.trio
async def test_a_router_that_says_something_else_each_time_is_not_believed(fake: FakePmp) -> None:
    fake.wandering = True
    assert await fault(fake) == words.UNTRUE
    assert fake.mappings == {}


@pytest.mark.trio
async def test_who_gives_up_while_the_router_thinks_leaves_nothing_behind(fake: FakePmp) -> None:
    with trio.CancelScope() as scope:

        def granted(reply: bytes) -> bytes:
            if len(reply) == 16 and fake.mappings:
                trio.from_thread.run_sync(scope.cancel, trio_token=token)
                fake.mangled = as_it_is
                return b""
            return reply

        token = trio.lowlevel.current_trio_token()
        fake.mangled = granted
        await at(fake).open(PORT, PORT)
    assert scope.cancelled_caught
    assert fake.asked[-1] == natpmp.removal_request(PORT)
    assert fake.mappings == {}


# -- for as long as it is wanted -----------------------------------------------------------------------------


@pytest.mark.trio
async def test_it_is_renewed_and_what_has_changed_is_told_and_it_is_removed(
    fake: FakePmp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oaknet_protocol.nat.forwarding._LEAST_PAUSE", 0.05)
    fake.lease = 1
    monkeypatch.setattr("oaknet_protocol.nat.forwarding.RENEW_LIMIT", 0.05)
    send, told = trio.open_memory_channel[Forwarded](10)
    async with trio.open_nursery() as nursery:
        first = await nursery.start(
            lambda **how: forward(PORT, ways=lambda: (at(fake),), changed=send.send_nowait, **how)
        )
        assert first == Forwarded("203.0.112.9", PORT, 1, "NAT-PMP")
        # the router starts anew, with another address, and has given the port to somebody else
        fake.external, fake.taken, fake.mappings = "203.0.112.77", frozenset((PORT,)), {}
        assert await told.receive() == Forwarded("203.0.112.77", PORT + 1, 1, "NAT-PMP")
        lost, token = trio.Event(), trio.lowlevel.current_trio_token()

        def losing(reply: bytes) -> bytes:
            trio.from_thread.run_sync(lost.set, trio_token=token)
            return b""

        fake.mangled = losing
        await lost.wait()
        fake.mangled = as_it_is
        assert fake.mappings == {PORT + 1: ("127.0.0.1", PORT)}, "what is only not renewed is not taken back"
        nursery.cancel_scope.cancel()
    assert fake.mappings == {}


@pytest.mark.trio
async def test_all_ways_are_tried_and_the_fault_that_tells_most_is_told(fake: FakePmp) -> None:
    fake.code = 2
    with FakePmp().running() as deaf, FakePmp().running() as good:
        deaf.silent = True
        with pytest.raises(RouterFault, match="refuses"):
            await forward(PORT, ways=lambda: (at(deaf), at(fake), at(deaf)))
        async with trio.open_nursery() as nursery:
            await nursery.start(lambda **how: forward(PORT, ways=lambda: (at(fake), at(good)), **how))
            assert good.mappings == {PORT: ("127.0.0.1", PORT)}
            nursery.cancel_scope.cancel()
    assert good.mappings == {}
    with pytest.raises(RouterFault) as caught:
        await forward(PORT, ways=tuple)
    assert str(caught.value) == words.NO_ROUTER


@pytest.mark.trio
async def test_the_addresses_alone(fake: FakePmp) -> None:
    assert await addresses(lambda: (at(fake),)) == {"NAT-PMP": "203.0.112.9"}
    assert fake.asked == [natpmp.address_request()]
    fake.silent = True
    (answer,) = (await addresses(lambda: (at(fake),), 0.02)).values()
    assert str(answer) == words.SILENT


# -- whom to ask ---------------------------------------------------------------------------------------------

ROUTES = """\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0
wlan0\t00000000\t{wlan}\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t{eth}\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t{net}\t00000000\t0001\t0\t0\t100\t{mask}\t0\t0\t0
"""


def number(address: str) -> str:
    return f"{struct.unpack('=I', ipaddress.IPv4Address(address).packed)[0]:08X}"


def test_the_gateway_of_linux_is_that_of_the_first_default_route() -> None:
    table = ROUTES.format(
        wlan=number("192.168.9.1"), eth=number("10.0.0.1"), net=number("10.0.0.0"), mask=number("255.0.0.0")
    )
    assert gateway.linux_gateway(table) == "10.0.0.1"
    lines = table.splitlines()
    assert gateway.linux_gateway("\n".join(lines[:2])) is None
    assert gateway.linux_gateway("") is None
    with pytest.raises(ValueError, match="no route"):
        gateway.linux_gateway("Iface\nnonsense")
    with pytest.raises(ValueError, match="base 16"):
        gateway.linux_gateway("Iface\na 0 wrong 3 0 0 0 0")


def test_the_gateway_of_macos() -> None:
    answer = "   route to: default\ndestination: default\n    gateway: 192.168.1.1\n  interface: en0\n"
    assert gateway.bsd_gateway(answer) == "192.168.1.1"
    for other in (
        "",
        "    gateway: fe80::1%en0\n",
        "    gateway: link#4\n",
        "route: writing to routing socket",
    ):
        assert gateway.bsd_gateway(other) is None


def test_where_the_system_cannot_be_asked_it_is_the_first_address() -> None:
    own = [("127.0.0.1", 8), ("169.254.3.4", 16), ("8.8.8.8", 24), ("192.168.1.1", 24), ("192.168.7.33", 24)]
    assert gateway.first_of_network(own) == "192.168.7.1"
    assert gateway.first_of_network(own[:4]) is None


def test_no_table_that_can_be_read_is_no_gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "route"
    monkeypatch.setattr(gateway, "ROUTES", table)
    table.write_text("Iface\nnonsense", encoding="ascii")
    assert gateway.default_gateway() is None
