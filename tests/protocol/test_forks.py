"""A peer that signs twice, or what the rules do not allow: found, proved, spread, and left out."""

from __future__ import annotations

import pytest

from oaknet.registry import rules
from oaknet_protocol import events
from oaknet_protocol.refused import Fault, Fork, LocalProtocolError
from oaknet_protocol.table import CHEATED
from oaknet_protocol.wire import Entry, Record, pack
from tests.protocol.scenes import moves, sign
from tests.protocol.world import Host, World, told, world


def cheating(players: int = 3) -> tuple[World, Host, list[Host]]:
    """A table where a peer is asked alone, and from now on signs by itself."""
    made = world(rules("five_towers"), players, "cheat")
    cheat = made.hosts[-1]
    made.idle = [cheat]
    made.until(made.waits(cheat, "move"))
    made.settle()
    return made, cheat, made.hosts[:-1]


def entries(made: World, cheat: Host) -> list[Record]:
    """Two different moves of the cheat for one slot, neither of which leads to a draw."""
    transcript = cheat.transcript
    turn = cheat.session.turn(cheat.asked[0].seat)
    found = [turn.answers[:] for turn in moves(turn) if not turn.leads_to_draw()][:2]
    step, seat = transcript.step.number, cheat.asked[0].seat
    prev, state = transcript.head, transcript.digest()
    made.kill(cheat)
    bodies = [(tuple(one), b"") for one in found]
    charter = transcript.seating.id
    return [sign(made.signers[-1], Entry(charter, step, prev, state, seat, "move", body)) for body in bodies]


def receive(made: World, host: Host, cheat: Host, record: Record) -> None:
    made.do(host, host.session.receive(cheat.key, pack(record)))


def test_fork_is_found_proved_spread_and_begun_again_without() -> None:
    """Different moves for different peers: they part, meet, convict the cheat, and go on from its step."""
    made, cheat, honest = cheating(4)
    step = honest[0].transcript.step.number
    both = entries(made, cheat)
    made.filter = lambda source, to, message: []
    for host, record in zip(honest, (both[0], both[1], both[1]), strict=True):
        receive(made, host, cheat, record)
    assert honest[0].transcript.head != honest[1].transcript.head
    made.filter = lambda source, to, message: [message]
    for host in honest:
        made.do(host, host.session.sync())
    made.settle()
    for host in honest:
        assert isinstance(host.session.cheats[cheat.key], Fork)
        assert [event.key for event in told(host, events.Cheated)] == [cheat.key]
    for _ in range(3):
        for host in honest:
            if host.session.frozen:
                made.do(host, host.session.propose_again())
            elif cheat.key in host.transcript.seating.sits:
                made.do(host, host.session.go_on({cheat.key: CHEATED}))
            made.settle()
    for host in honest:
        assert cheat.key not in host.transcript.seating.sits
        assert host.transcript.seating.charter.parent[1] == step
    assert any(told(host, events.Rewound) for host in honest)
    made.idle = []
    for host in honest:
        host.session.cheats.clear()  # `finish` allows none
    assert made.finish().how == "cheated"


def test_fault_is_told_to_all_and_leaves_the_seat_to_the_stand_in() -> None:
    made, cheat, honest = cheating()
    transcript = cheat.transcript
    seat = cheat.asked[0].seat
    entry = Entry(
        transcript.seating.id, transcript.step.number, transcript.head, transcript.digest(), seat, "move", ()
    )
    made.kill(cheat)
    receive(made, honest[0], cheat, sign(made.signers[-1], entry))
    made.settle()
    for host in honest:
        assert isinstance(host.session.cheats[cheat.key], Fault), "it was passed on"
    made.go_on(honest, cheat, CHEATED)
    assert honest[0].transcript.seating.why[seat] == CHEATED
    for host in honest:
        host.session.cheats.clear()
    made.idle = []
    assert made.finish().how == "cheated"


def test_spectator_follows_and_cannot_sign() -> None:
    made = World(rules("five_towers"), [("Ann",), ("Bo",), ()], "watch", seats=2)
    made.all_up()
    assert made.finish().how == "finished"
    watcher = made.hosts[2]
    assert watcher.kept == []
    with pytest.raises(LocalProtocolError):
        watcher.session.move(0, (0,))


def test_words_are_passed_on_once_and_the_newest_counts() -> None:
    """Over a relay, repeated, old, of another table, of a stranger, forged."""
    made = World(rules("five_towers"), [("Ann",), ("Bo",), ("Cy",)], "words")
    a, relay, c = made.hosts
    made.up(a, relay)
    made.up(relay, c)
    made.settle()
    made.do(a, a.session.chat("hello [b]there[/b]", 7))
    made.do(a, a.session.at((("192.0.2.1", 4711),), 7))
    sent = [event.message for event in told(a, events.Send)][-2:]
    made.settle()
    for host in (relay, c):
        assert [(one.key, one.text) for one in told(host, events.Chatted)] == [(a.key, "hello [b]there[/b]")]
        assert [one.addresses for one in told(host, events.Addressed)] == [(("192.0.2.1", 4711),)]
        for message in sent:
            assert host.session.receive(relay.key, message) == [], "again is no news"
    assert a.session.chat("older", 6) == []
    with pytest.raises(LocalProtocolError, match="cannot be said"):
        a.session.chat("\x1b[2J", 8)
    with pytest.raises(LocalProtocolError, match="cannot be said"):
        a.session.chat("x" * 401, 8)
    other = World(rules("five_towers"), [("Ann",), ("Bo",)], "elsewhere")
    foreign = next(
        event.message for event in other.hosts[0].session.chat("hi", 9) if isinstance(event, events.Send)
    )
    (event,) = c.session.receive(relay.key, foreign)
    assert isinstance(event, events.Rejected)
    assert made.finish().how == "finished"
