"""Resignations: the stand-in plays on, and a table with fewer than two played seats is over at once."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from oaknet.kernel import CHANCE, Rules
from oaknet.registry import rules
from oaknet_protocol import events
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.transcript import Done
from oaknet_protocol.verify import verify
from oaknet_protocol.wire import Entry, decode
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, Peer

GAMES: dict[str, Rules[Any]] = {"market": Market(), "five_towers": rules("five_towers")}
TWO = [("Ann",), ("Bo",)]
THREE = [*TWO, ("Cy",)]


def begun(game: str, names: list[tuple[str, ...]], *, after: int = 0) -> tuple[Mesh, Peer]:
    """A table of which the last peer is asked, in step ``after`` or later."""
    mesh = Mesh(GAMES[game], names).start()
    peer = mesh.peers[-1]
    mesh.play(until=lambda: bool(peer.asked) and peer.transcript.step.number >= after)
    assert peer.asked
    return mesh, peer


def resign(mesh: Mesh, peer: Peer) -> int:
    """Let a peer give up the seat it is asked for; returns the seat."""
    seat = peer.asked.pop(0).seat
    mesh.do(peer, peer.session.resign(seat))
    mesh.settle()
    return seat


def one_seed(done: Done) -> None:
    """Chance answers first, in a draw alone: what follows a decision, even a stand-in's, needs a new draw."""
    chances = [seat == CHANCE for seat, _ in done.line]
    assert chances == sorted(chances, reverse=True)
    assert chances.count(True) == 0 or done.kind == "share"


def result(mesh: Mesh) -> Any:
    results = [verify(mesh.log(peer), mesh.rules_for).result for peer in mesh.peers]
    for peer in mesh.peers:
        for event in peer.told:
            if isinstance(event, events.Stepped):
                one_seed(event.done)
    assert all(mesh.refusals(peer) == [] for peer in mesh.peers)
    assert results == [results[0]] * len(results)
    return results[0]


@pytest.mark.parametrize("after", [0, 8])
@pytest.mark.parametrize("game", GAMES)
def test_stand_in_plays_on(game: str, after: int) -> None:
    mesh, peer = begun(game, THREE, after=after)
    seat = resign(mesh, peer)
    entries = sum(isinstance(event, events.Keep) for event in peer.told)
    mesh.play()
    ended = result(mesh)
    assert ended.how == "finished"
    assert peer.transcript.resigned == [seat]
    assert seat not in ended.confirmed, "who resigned owes no result"
    assert len(ended.confirmed) == 2
    assert sum(isinstance(event, events.Keep) for event in peer.told) == entries, "and no share either"
    place = peer.transcript.places.index(seat)
    stood_in = [step.done.line for step in peer.told if isinstance(step, events.Stepped)]
    assert any(answer[0] == place for line in stood_in[-20:] for answer in line)


@pytest.mark.parametrize("game", GAMES)
def test_resigning_at_a_table_of_two_ends_it(game: str) -> None:
    mesh, peer = begun(game, TWO)
    seat = resign(mesh, peer)
    mesh.play()
    ended = result(mesh)
    assert (ended.how, ended.winner, ended.confirmed) == ("resigned", (1 - seat,), (1 - seat,))
    for one in mesh.peers:
        outcome = next(event.result for event in one.told if isinstance(event, events.Ended))
        assert (outcome.how, outcome.winner) == ("resigned", (1 - seat,))
        assert one.asked == [] or one.transcript.due() == ()
        with pytest.raises(LocalProtocolError, match="not asked"):
            one.session.resign(seat)


def test_result_after_a_resignation_says_so() -> None:
    mesh, peer = begun("five_towers", TWO)
    resign(mesh, peer)
    (filled,) = peer.transcript.step.entries.values()
    assert decode(Entry, filled.record.data).body == (1, peer.transcript.scores())


def test_all_resign_in_one_sealed_step() -> None:
    """Nobody is left to win or to confirm it; the table is over all the same."""
    mesh, _ = begun("market", TWO)
    for peer in mesh.peers:
        resign(mesh, peer)
    ended = result(mesh)
    assert (ended.how, ended.winner, ended.confirmed) == ("resigned", (), ())
    assert all(peer.transcript.step.kind == "over" for peer in mesh.peers)


def test_all_but_one_resign() -> None:
    mesh, peer = begun("market", THREE)
    first = resign(mesh, peer)
    other = mesh.peers[1]
    second = resign(mesh, other)
    mesh.play(until=lambda: mesh.peers[0].transcript.over)
    mesh.play()
    ended = result(mesh)
    last = next(seat for seat in range(3) if seat not in (first, second))
    assert (ended.how, ended.winner) == ("resigned", (last,))


def test_resigning_one_of_two_seats() -> None:
    """The peer plays its other seat, gives its shares and confirms the result."""
    mesh, peer = begun("market", [("Ann",), ("Bo", "bot")])
    seat = resign(mesh, peer)
    mesh.play()
    ended = result(mesh)
    assert ended.how == "finished"
    assert len(ended.confirmed) == 2
    assert peer.transcript.plays(peer.key)
    assert not peer.transcript.played(seat)


def test_resignation_in_the_middle_of_a_phase() -> None:
    """Its seat had sealed and opened a bid, was asked again after the draw, and gave up there."""
    mesh = Mesh(GAMES["market"], THREE, bot=lambda game, seat, rng: game.asked(seat).options[-1]).start()
    peer = mesh.peers[-1]
    keeps = lambda: bool(peer.asked) and peer.session.turn(peer.asked[0].seat).ask.about == "keep"  # noqa: E731
    mesh.play(until=keeps)
    assert keeps()
    seat = resign(mesh, peer)
    mesh.play()
    ended = result(mesh)
    assert ended.how == "finished"
    assert seat not in ended.confirmed


def test_draw_after_a_stand_in_decided_is_a_new_one() -> None:
    """Where a draw leads to a stand-in and that to chance again, the others give fresh shares in between."""
    mesh, peer = begun("five_towers", THREE)
    resign(mesh, peer)
    mesh.play()
    result(mesh)
    place = peer.transcript.places.index(peer.transcript.resigned[0])
    steps = [event.done for event in peer.told if isinstance(event, events.Stepped)]
    pairs = [
        (one, following)
        for one, following in itertools.pairwise(steps)
        if one.kind == following.kind == "share" and (place in [seat for seat, _ in one.line])
    ]
    assert pairs, "the game must have such a place, or this shows nothing"
