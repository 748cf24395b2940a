"""Links between peers: the handshake, keeping alive, limits, and how they end (transport 2.5, 4, 5)."""

import ssl
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from oaknet_protocol.framing import FRAME_LIMIT, STRANGER_LIMIT, frame
from oaknet_protocol.tls import Doors
from oaknet_protocol.transport import (
    BUFFER_LIMIT,
    CLOSE_TIME,
    DEAD_AFTER,
    FRAMES_AT_ONCE,
    FRAMES_PER_SECOND,
    HANDSHAKE_TIME,
    LINKS_PER_PEER,
    PENDING_LIMIT,
    PING,
    PING_EVERY,
    Answer,
    ConnectFault,
    Link,
    accept,
    connect,
)
from oaknet_protocol.transport.handshake import PROGRAM, everybody
from tests.protocol.wires import Cable, Players, cables

OTHER = b"another invite.."


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Players:
    return Players(tmp_path_factory.mktemp("players"))


async def rest(link: Link) -> list[bytes]:
    """Everything that still comes over a link until it is over."""
    return [message async for message in link]


async def echo(link: Link) -> None:
    async for message in link:
        link.send(message)


# The handshake


@pytest.mark.trio
async def test_messages_go_both_ways_in_order(players: Players, nursery: trio.Nursery) -> None:
    linked = await players.links(nursery)
    for number in range(100):
        linked.bob.send(b"b%d" % number)
        linked.alice.send(b"a%d" % number)
    assert [await anext(linked.alice) for _ in range(100)] == [b"b%d" % number for number in range(100)]
    assert [await anext(linked.bob) for _ in range(100)] == [b"a%d" % number for number in range(100)]


@pytest.mark.trio
async def test_a_link_says_who_the_other_side_is(players: Players, nursery: trio.Nursery) -> None:
    linked = await players.links(nursery)
    assert (linked.bob.key, linked.bob.invite, linked.bob.dialled) == (
        players.alice.key,
        players.invite,
        True,
    )
    assert (linked.alice.key, linked.alice.invite) == (players.bob.key, players.invite)
    assert not linked.alice.dialled
    assert linked.bob.why is None
    assert linked.bob.address == ""


async def meet(players: Players, nursery: trio.Nursery, **how: object) -> tuple[ConnectFault, ConnectFault]:
    """Both sides' faults when Bob, or another, connects to Alice and it does not come about."""
    far, near = cables()
    faults: dict[str, ConnectFault] = {}

    async def welcome() -> None:
        with pytest.raises(ConnectFault) as caught:
            await accept(nursery, near, players.doors, how.get("admit", everybody))  # type: ignore[arg-type]
        faults["alice"] = caught.value

    async with trio.open_nursery() as both:
        both.start_soon(welcome)
        invited = players.invited(how.get("identity"), how.get("secret", b"the invite......"))  # type: ignore[arg-type]
        with pytest.raises(ConnectFault) as caught:
            await connect(nursery, far, invited, how.get("expect"), "example:1")  # type: ignore[arg-type]
    for cable in (far, near):
        with pytest.raises(trio.ClosedResourceError):
            await cable.stream.send_all(b"x")
    return caught.value, faults["alice"]


@pytest.mark.trio
async def test_a_wrong_invite_is_named(players: Players, nursery: trio.Nursery) -> None:
    bob, alice = await meet(players, nursery, secret=OTHER)
    assert (bob.step, alice.step) == ("invite", "invite")
    assert str(bob) == "example:1 does not know this invite. Ask for a new one."


@pytest.mark.trio
async def test_anothers_identity_is_refused_and_named(players: Players, nursery: trio.Nursery) -> None:
    carol = players.make("carol")
    bob, alice = await meet(players, nursery, expect=carol.key)
    assert (bob.step, alice.step) == ("identity", "identity")
    assert players.alice.fingerprint in str(bob)
    assert carol.fingerprint in str(bob)


@pytest.mark.trio
async def test_nobody_connects_to_themselves(players: Players, nursery: trio.Nursery) -> None:
    bob, _ = await meet(players, nursery, identity=players.alice)
    assert bob.step == "self"


@pytest.mark.trio
@pytest.mark.parametrize(
    ("answer", "step"), [(Answer.FULL, "full"), (Answer.UNWANTED, "unwanted"), (Answer.TWIN, "twin")]
)
async def test_who_is_turned_away_hears_why(
    players: Players, nursery: trio.Nursery, answer: Answer, step: str
) -> None:
    asked: list[tuple[str, bytes, bytes]] = []

    async def admit(invite: str, key: bytes, program: bytes) -> Answer:
        asked.append((invite, key, program))
        return answer

    bob, alice = await meet(players, nursery, admit=admit)
    assert (bob.step, alice.step) == (step, step)
    assert asked == [(players.invite, players.bob.key, players.bob.program)]


@pytest.mark.trio
async def test_an_impostor_with_the_invite_gets_no_application_byte(
    players: Players, nursery: trio.Nursery
) -> None:
    mallory = Doors(players.make("mallory"))
    mallory.open(b"the invite......")
    far, near = cables()
    got: list[bytes] = []

    async def impostor() -> None:
        tls = trio.SSLStream(near, mallory.context, server_side=True, https_compatible=False)
        await tls.do_handshake()
        got.append(bytes(await tls.receive_some()))

    async with trio.open_nursery() as both:
        both.start_soon(impostor)
        with pytest.raises(ConnectFault):
            await connect(nursery, far, players.invited(), players.alice.key)
    assert got == [b""]


@pytest.mark.trio
@pytest.mark.parametrize("certified", [False, True])
async def test_a_stranger_gets_no_application_byte(
    players: Players, nursery: trio.Nursery, certified: bool
) -> None:
    context: ssl.SSLContext = players.invited(secret=OTHER).context
    if not certified:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    far, near = cables()

    async def stranger() -> None:
        tls = trio.SSLStream(far, context, server_hostname=players.invite, https_compatible=False)
        await tls.do_handshake()  # TLS 1.3: this side is done before the other one has looked
        with pytest.raises(trio.BrokenResourceError) as caught:
            await tls.receive_some()
        assert isinstance(caught.value.__cause__, ssl.SSLError)
        await far.aclose()

    async with trio.open_nursery() as both:
        both.start_soon(stranger)
        with pytest.raises(ConnectFault) as caught:
            await accept(nursery, near, players.doors)
    assert caught.value.step == "invite"


@pytest.mark.trio
async def test_tls_without_our_protocol_name_is_foreign(players: Players, nursery: trio.Nursery) -> None:
    invited = players.invited()
    invited.context.set_alpn_protocols(["h2"])
    far, near = cables()
    async with trio.open_nursery() as both:

        async def welcome() -> None:
            with pytest.raises(ConnectFault) as caught:
                await accept(nursery, near, players.doors)
            assert caught.value.step == "foreign"

        both.start_soon(welcome)
        with pytest.raises(ConnectFault) as caught:
            await connect(nursery, far, invited)
    assert caught.value.step == "foreign"


@pytest.mark.trio
@pytest.mark.parametrize(
    "greeting", [b"SSH-2.0-OpenSSH_9\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", bytes(500), b""]
)
async def test_a_port_of_something_else_is_foreign(
    players: Players, nursery: trio.Nursery, greeting: bytes
) -> None:
    far, near = cables()
    await near.send_all(greeting)
    await near.send_eof()
    with pytest.raises(ConnectFault) as caught:
        await connect(nursery, far, players.invited(), where="192.0.2.7:80")
    assert caught.value.step == "foreign"
    assert str(caught.value) == "192.0.2.7:80 was reached, but it is not oaknet, or not this version of it."


@pytest.mark.trio
@pytest.mark.parametrize("what", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff", b"\x00" * 70_000, b""])
async def test_something_else_at_our_port_is_turned_away(
    players: Players, nursery: trio.Nursery, what: bytes
) -> None:
    far, near = cables()
    await far.send_all(what)
    await far.send_eof()
    with pytest.raises(ConnectFault) as caught:
        await accept(nursery, near, players.doors)
    assert caught.value.step == "foreign"


@pytest.mark.trio
async def test_silence_ends_the_handshake_in_time(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    far, near = cables()
    begin = trio.current_time()
    with pytest.raises(ConnectFault) as caught:
        await connect(nursery, far, players.invited(), where="192.0.2.7:4711")
    assert caught.value.step == "silent"
    assert "192.0.2.7:4711 was reached, but gave no oaknet answer" in str(caught.value)
    assert trio.current_time() - begin == HANDSHAKE_TIME

    _, near = cables()
    with pytest.raises(ConnectFault) as caught:
        await accept(nursery, near, players.doors)
    assert caught.value.step == "silent"
    assert trio.current_time() - begin == 2 * HANDSHAKE_TIME


@pytest.mark.trio
async def test_silence_after_tls_ends_the_handshake_too(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    invited = players.invited()
    far, near = cables()
    tls = trio.SSLStream(far, invited.context, server_hostname=invited.name, https_compatible=False)
    nursery.start_soon(tls.do_handshake)
    with pytest.raises(ConnectFault) as caught:
        await accept(nursery, near, players.doors)
    assert caught.value.step == "silent"
    assert trio.current_time() >= HANDSHAKE_TIME


@pytest.mark.trio
async def test_a_refused_peer_that_neither_reads_nor_goes_is_closed_soon(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    far, near = cables()
    await far.send_all(b"GET / HTTP/1.1\r\n\r\n")
    begin = trio.current_time()
    with pytest.raises(ConnectFault):
        await accept(nursery, near, players.doors)
    assert trio.current_time() - begin <= CLOSE_TIME


# Keeping alive


@pytest.mark.trio
async def test_an_idle_link_stays_and_its_pings_are_no_messages(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    linked = await players.links(nursery)
    got: dict[str, list[bytes]] = {}

    async def keep(name: str, link: Link) -> None:
        got[name] = await rest(link)

    nursery.start_soon(keep, "bob", linked.bob)
    nursery.start_soon(keep, "alice", linked.alice)
    await wait_all_tasks_blocked()
    sent = linked.bob_cable.sent
    await trio.sleep(601)
    record = 5 + 4 + len(PING) + 1 + 16  # TLS's head, the frame, TLS's type and tag
    assert linked.bob_cable.sent - sent == 601 // PING_EVERY * record
    assert linked.bob.why is linked.alice.why is None
    linked.bob.send(b"still here")
    await linked.bob.aclose()
    await wait_all_tasks_blocked()
    assert got == {"bob": [], "alice": [b"still here"]}


@pytest.mark.trio
async def test_a_cut_cable_is_noticed_after_thirty_seconds(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    linked = await players.links(nursery)
    linked.bob_cable.lost = True
    begin = trio.current_time()
    assert await rest(linked.alice) == []
    assert trio.current_time() - begin == DEAD_AFTER
    assert linked.alice.why == "no sign of life for 30 seconds"


@pytest.mark.trio
async def test_dribbling_bytes_are_no_sign_of_life(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    tls, link = await raw_peer(players, nursery)

    async def dribble() -> None:
        for byte in frame(b"never finished"):
            await tls.send_all(bytes([byte]))
            await trio.sleep(DEAD_AFTER - 1)

    nursery.start_soon(dribble)
    begin = trio.current_time()
    assert await rest(link) == []
    assert trio.current_time() - begin == DEAD_AFTER
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_who_was_busy_for_long_still_finds_what_came(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    linked = await players.links(nursery)
    linked.bob.send(b"move")
    await trio.sleep(10 * DEAD_AFTER)
    assert await anext(linked.alice) == b"move"


# Limits


async def raw_peer(players: Players, nursery: trio.Nursery) -> tuple[trio.SSLStream[Cable], Link]:
    """An invited peer that then does what it likes, and Alice's link to it."""
    far, near = cables()
    made: list[Link] = []

    async def welcome() -> None:
        made.append(await accept(nursery, near, players.doors))

    invited = players.invited()
    tls = trio.SSLStream(far, invited.context, server_hostname=invited.name, https_compatible=False)
    async with trio.open_nursery() as both:
        both.start_soon(welcome)
        await tls.send_all(b"\x01" + bytes(PROGRAM))
        assert await tls.receive_some(1) == b"\x01"
        assert await tls.receive_some(PROGRAM) == players.alice.program
    return tls, made[0]


@pytest.mark.trio
@pytest.mark.parametrize(
    ("data", "got", "why"),
    [
        (frame(b"good") + bytes(4) + frame(b"late"), [b"good"], "it sent an empty frame"),
        (b"\xff\xff\xff\xff", [], "it sent a frame of 4294967295 bytes, and at most 4096 are allowed"),
        (b"\x00\x00\x10\x01", [], "it sent a frame of 4097 bytes, and at most 4096 are allowed"),
        (b"GET / HTTP/1.1\r\n", [], "it sent a frame of 1195725856 bytes, and at most 4096 are allowed"),
    ],
)
async def test_what_is_no_frame_ends_the_link_and_nothing_else(
    players: Players, nursery: trio.Nursery, data: bytes, got: list[bytes], why: str
) -> None:
    tls, link = await raw_peer(players, nursery)
    await tls.send_all(data)
    assert await rest(link) == got
    assert link.why == why
    with trio.fail_after(5):
        assert await tls.receive_some() == b""


@pytest.mark.trio
async def test_a_peer_may_send_large_frames_once_it_is_known(players: Players, nursery: trio.Nursery) -> None:
    linked = await players.links(nursery)
    assert (linked.bob.limit, linked.alice.limit) == (FRAME_LIMIT, STRANGER_LIMIT)
    large = b"x" * FRAME_LIMIT
    linked.bob.send(b"hello")
    linked.bob.send(large)
    assert await anext(linked.alice) == b"hello"
    linked.alice.limit = FRAME_LIMIT
    assert await anext(linked.alice) == large


@pytest.mark.trio
async def test_a_peer_that_does_not_read_loses_its_link_and_nobody_else_notices(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    lazy, lively = await players.links(nursery), await players.links(nursery)
    lazy.alice_cable.clogged = True
    message = b"x" * 60_000
    sent = 0
    while lazy.alice.why is None:
        lazy.alice.send(message)
        lively.alice.send(b"news")
        assert await anext(lively.bob) == b"news"
        assert lazy.alice.waiting <= BUFFER_LIMIT
        sent += 1
    assert lazy.alice.why == "the other side does not read what it is sent"
    assert BUFFER_LIMIT - 60_004 <= (sent - 1) * 60_004 <= BUFFER_LIMIT
    assert await rest(lazy.alice) == []
    assert lazy.alice.waiting == 0
    assert lively.alice.why is lively.bob.why is None


@pytest.mark.trio
async def test_a_peer_that_takes_nothing_for_thirty_seconds_loses_its_link(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    linked = await players.links(nursery)
    linked.alice_cable.clogged = True
    linked.alice.send(b"short")
    begin = trio.current_time()
    await linked.alice.flush()
    assert trio.current_time() - begin == DEAD_AFTER
    assert linked.alice.why == "the other side does not read what it is sent"


@pytest.mark.trio
async def test_a_flood_of_frames_is_read_slowly(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    tls, link = await raw_peer(players, nursery)
    more = 1000

    async def flood() -> None:
        await tls.send_all((frame(b"x") + frame(PING)) * ((FRAMES_AT_ONCE + more) // 2))

    nursery.start_soon(flood)
    begin = trio.current_time()
    for _ in range(FRAMES_AT_ONCE // 2):
        assert await anext(link) == b"x"
    assert trio.current_time() == begin
    for _ in range(more // 2):
        assert await anext(link) == b"x"
    assert trio.current_time() - begin == pytest.approx(more / FRAMES_PER_SECOND, rel=0.01)


@pytest.mark.trio
async def test_a_wait_for_a_slowed_down_flood_can_be_cancelled_without_loss(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    tls, link = await raw_peer(players, nursery)
    messages = [b"%d" % number for number in range(FRAMES_AT_ONCE + 50)]
    await tls.send_all(b"".join(map(frame, messages)))
    got: list[bytes] = []
    while len(got) < len(messages):
        with trio.move_on_after(0.3 / FRAMES_PER_SECOND):
            got.append(await anext(link))
    assert got == messages


@pytest.mark.trio
async def test_half_open_connections_do_not_keep_an_honest_player_out(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hub, listener = await players.hub(nursery, echo)
    idle = [hub.plug() for _ in range(100)]
    await wait_all_tasks_blocked()
    assert listener.pending == PENDING_LIMIT
    begin = trio.current_time()
    link = await connect(nursery, hub.plug(), players.invited(), players.alice.key)
    link.send(b"hello")
    assert await anext(link) == b"hello"
    assert trio.current_time() - begin < 1
    assert len(listener.links) == 1
    assert listener.pending < PENDING_LIMIT
    assert await idle[0].receive_some() == b""
    assert trio.current_time() - begin < 1
    await trio.sleep(HANDSHAKE_TIME + CLOSE_TIME)
    assert listener.pending == 0
    await link.aclose()
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_links_are_limited_and_a_free_place_is_given_again(
    players: Players, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oaknet_protocol.transport.listener.LINK_LIMIT", 3)
    hub, listener = await players.hub(nursery, echo)
    guests = [players.invited(players.make(f"guest{number}")) for number in range(4)]
    links = [await connect(nursery, hub.plug(), guest) for guest in guests[:3]]
    with pytest.raises(ConnectFault) as caught:
        await connect(nursery, hub.plug(), guests[3])
    assert caught.value.step == "full"
    await links[1].aclose()
    await wait_all_tasks_blocked()
    assert len(listener.links) == 2
    links[1] = await connect(nursery, hub.plug(), guests[3])
    for link in links:
        link.send(b"here")
        assert await anext(link) == b"here"
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_a_player_who_connects_again_and_again_ends_the_oldest_link(
    players: Players, nursery: trio.Nursery
) -> None:
    hub, listener = await players.hub(nursery, echo)
    links = [await connect(nursery, hub.plug(), players.invited()) for _ in range(LINKS_PER_PEER + 1)]
    await wait_all_tasks_blocked()
    assert len(listener.links) == LINKS_PER_PEER
    assert await rest(links[0]) == []
    for link in links[1:]:
        link.send(b"here")
        assert await anext(link) == b"here"
    nursery.cancel_scope.cancel()


# Ending


@pytest.mark.trio
async def test_closing_sends_what_is_queued_and_the_other_side_gets_it_all(
    players: Players, nursery: trio.Nursery
) -> None:
    linked = await players.links(nursery)
    linked.alice.limit = FRAME_LIMIT
    messages = [bytes([number]) * 50_000 for number in range(20)]
    for message in messages:
        linked.bob.send(message)
    await linked.bob.aclose()
    linked.bob.send(b"too late")
    assert await rest(linked.alice) == messages
    assert (linked.bob.why, linked.alice.why) == ("closed here", "the other side closed it")
    await linked.bob.aclose()


@pytest.mark.trio
async def test_closing_takes_its_time_at_most_even_if_nobody_reads(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    linked = await players.links(nursery)
    linked.bob_cable.clogged = True
    linked.bob.send(b"x")
    begin = trio.current_time()
    await linked.bob.aclose()
    assert trio.current_time() - begin <= 2 * CLOSE_TIME
    assert await rest(linked.alice) == []


@pytest.mark.trio
async def test_a_connection_torn_without_good_bye_is_told_from_a_closed_one(
    players: Players, nursery: trio.Nursery
) -> None:
    linked = await players.links(nursery)
    linked.bob.send(b"last words")
    await linked.bob.flush()
    await linked.bob_cable.tear()
    assert await rest(linked.alice) == [b"last words"]
    assert linked.alice.why == "the connection broke"
    assert await rest(linked.bob) == []
    assert linked.bob.why == "the connection broke"


@pytest.mark.trio
async def test_a_cancelled_wait_for_a_message_loses_nothing(
    players: Players, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    linked = await players.links(nursery)
    with trio.move_on_after(1):
        await anext(linked.alice)
    linked.bob.send(b"one")
    linked.bob.send(b"two")
    with trio.CancelScope() as scope:
        scope.cancel()
        await anext(linked.alice)
    assert scope.cancelled_caught
    assert [await anext(linked.alice), await anext(linked.alice)] == [b"one", b"two"]


@pytest.mark.trio
async def test_the_end_of_the_nursery_closes_its_links(players: Players) -> None:
    async with trio.open_nursery() as nursery:
        linked = await players.links(nursery)
        nursery.cancel_scope.cancel()
    for link, cable in ((linked.bob, linked.bob_cable), (linked.alice, linked.alice_cable)):
        assert link.why == "closed here"
        with pytest.raises(trio.ClosedResourceError):
            await cable.stream.send_all(b"x")
        await link.aclose()


@pytest.mark.trio
async def test_messages_of_a_wrong_size_are_the_senders_fault(
    players: Players, nursery: trio.Nursery
) -> None:
    linked = await players.links(nursery)
    for wrong in (b"", b"x" * (FRAME_LIMIT + 1)):
        with pytest.raises(ValueError, match="a frame holds"):
            linked.bob.send(wrong)
    assert linked.bob.why is None


@pytest.mark.trio
async def test_closing_the_listener_leaves_its_links(players: Players, nursery: trio.Nursery) -> None:
    hub, listener = await players.hub(nursery, echo)
    link = await connect(nursery, hub.plug(), players.invited())
    await listener.aclose()
    link.send(b"still here")
    assert await anext(link) == b"still here"
    with pytest.raises(trio.BrokenResourceError):  # nobody takes new ones
        hub.plug()
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_one_listener_serves_two_invites_and_says_which(nursery: trio.Nursery, tmp_path: Path) -> None:
    own = Players(tmp_path)
    second = own.doors.open(OTHER)
    seen: list[str] = []

    async def handler(link: Link) -> None:
        seen.append(link.invite)
        await echo(link)

    hub, _ = await own.hub(nursery, handler)
    for secret in (OTHER, b"the invite......"):
        link = await connect(nursery, hub.plug(), own.invited(secret=secret))
        link.send(b"hello")
        assert await anext(link) == b"hello"
    assert seen == [second, own.invite]
    nursery.cancel_scope.cancel()
