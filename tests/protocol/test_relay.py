"""Tables whose peers are not all connected with each other: any connected graph plays."""

from __future__ import annotations

import pytest

from oaknet.registry import rules
from oaknet_protocol import events
from oaknet_protocol.refused import Malformed
from oaknet_protocol.sync import rings
from oaknet_protocol.wire import MAX_HOPS, MAX_LINKS, Links, pack
from tests.engine.toys import Market
from tests.protocol.world import World, told, world

GRAPHS: dict[str, tuple[int, list[tuple[int, int]]]] = {
    "a chain of three": (3, [(0, 1), (1, 2)]),
    "a chain of five": (5, [(0, 1), (1, 2), (2, 3), (3, 4)]),
    "a star": (4, [(2, 0), (2, 1), (2, 3)]),
    "a ring of five": (5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]),
}


def linked(graph: str, salt: str = "") -> World:
    players, edges = GRAPHS[graph]
    game = rules("five_towers") if players == 5 else Market()
    made = World(game, [(name,) for name in ("Ann", "Bo", "Cy", "Di", "Ed")[:players]], graph + salt)
    for a, b in edges:
        made.up(made.hosts[a], made.hosts[b])
    return made


@pytest.mark.parametrize("graph", GRAPHS)
def test_any_connected_graph_plays(graph: str) -> None:
    made = linked(graph)
    result = made.finish()
    assert result.how == "finished"
    assert len(result.confirmed) == len(made.hosts)
    for host in made.hosts:
        assert host.session.present == sorted(other.key for other in made.hosts)
        assert [type(event.refusal).__name__ for event in told(host, events.Rejected)] == []


@pytest.mark.parametrize("graph", ["a chain of three", "a ring of five"])
def test_messages_repeated_and_links_out_of_step(graph: str) -> None:
    """Each message comes one to three times, and sometimes again after the next; links in any order."""
    made = linked(graph, "repeated")

    def repeated(source: bytes, to: bytes, message: bytes) -> list[bytes]:
        return [message] * (1 + made.rng.below(3))

    made.filter = repeated
    assert made.finish().how == "finished"
    for host in made.hosts:
        assert told(host, events.Rejected) == []


def test_links_that_go_and_come() -> None:
    """Down and up at random through a whole game: messages on their way are lost, and sync brings them."""
    made = world(Market(), 4, "flapping")
    for _ in range(1500):
        a, b = (made.hosts[made.rng.below(4)] for _ in range(2))
        dice = made.rng.below(12)
        if a is not b and dice == 0:
            made.down(a, b)
        elif a is not b and dice < 4:
            made.up(a, b)
        elif not made.step():
            made.decide()
    made.all_up()
    assert made.finish().how == "finished"


def test_only_relay_goes_and_the_ends_are_strangers_until_it_is_back() -> None:
    made = linked("a chain of three")
    ends, relay = [made.hosts[0], made.hosts[2]], made.hosts[1]
    made.settle()
    made.kill(relay)
    made.settle()
    for end in ends:
        assert end.session.present == [end.key]
    while made.decide():
        made.settle()
    assert all(not end.transcript.over for end in ends)
    made.restart(relay)
    for end in ends:
        made.up(relay, end)
    made.settle()
    made.wake(relay)
    assert made.finish().how == "finished"


def test_who_is_gone_is_forgotten_by_all() -> None:
    """In a ring, where its neighbours hear of it from each other for a while."""
    made = linked("a ring of five")
    made.settle()
    gone = made.hosts[3]
    made.kill(gone)
    made.settle()
    for host in made.alive():
        assert host.session.present == sorted(other.key for other in made.alive())


def test_relay_that_drops_everything_of_one_peer_makes_it_look_absent() -> None:
    made = linked("a chain of three")
    made.settle()
    a, relay, _ = made.hosts

    def dropping(source: bytes, to: bytes, message: bytes) -> list[bytes]:
        return [] if source == relay.key and to == a.key else [message]

    made.filter = dropping
    while made.decide():
        made.settle()
    assert not a.transcript.over
    made.filter = lambda source, to, message: [message]
    made.do(a, a.session.sync())
    assert made.finish().how == "finished", "it is delay and nothing else"
    assert all(host.session.cheats == {} for host in made.hosts)


def test_rings() -> None:
    a, b, c, d = (bytes([number]) * 32 for number in range(4))
    assert rings(a, {}) == ()
    assert rings(a, {b: ()}) == ((b,),)
    assert rings(a, {b: ((a, c), (d,))}) == ((b,), (c,), (d,))
    assert rings(a, {b: ((a, c), (d,)), c: ((b, d),)}) == ((b, c), (d,))
    long = tuple((bytes([number]) * 32,) for number in range(10, 10 + MAX_HOPS))
    assert len(rings(a, {b: long})) == MAX_HOPS, "what would be further is not heard of"
    many = tuple(bytes([number, 1]) * 16 for number in range(MAX_LINKS))
    assert sum(map(len, rings(a, {b: (many,)}))) == MAX_LINKS


def test_links_of_a_stranger_or_too_many() -> None:
    made = world(Market(), 2, "strange links")
    host, other = made.hosts
    table = host.transcript.table
    before = host.session.present
    stranger = bytes([9]) * 32
    message = pack(Links("links", table, ((bytes([8]) * 32,),)))
    assert host.session.receive(stranger, message) == []
    assert host.session.receive(other.key, pack(Links("links", bytes(32), ((stranger,),)))) == []
    assert host.session.present == before
    many = tuple(bytes([number, 1]) * 16 for number in range(MAX_LINKS + 1))
    (event,) = host.session.receive(other.key, pack(Links("links", table, (many,))))
    assert isinstance(event, events.Rejected)
    assert isinstance(event.refusal, Malformed)
