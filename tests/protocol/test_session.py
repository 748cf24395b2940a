"""Sessions back to back: whole games of honest peers, whatever way the messages take."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from oaknet.kernel import Rng, Rules
from oaknet.registry import rules
from oaknet_protocol import events
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.result import Result
from oaknet_protocol.verify import verify
from oaknet_protocol.wire import BadMessage, Charter, Entry, Record, decode, pack, unpack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, Peer
from tests.protocol.scenes import entry_in

GAMES: dict[str, Rules[Any]] = {"market": Market(), "five_towers": rules("five_towers")}
TABLES: dict[str, list[tuple[str, ...]]] = {
    "two": [("Ann",), ("Bo",)],
    "three": [("Ann",), ("Bo",), ("Cy",)],
    "four": [("Ann",), ("Bo",), ("Cy",), ("Di",)],
    "one peer with two of three seats": [("Ann",), ("Bo", "bot")],
    "two peers with two seats each": [("Ann", "bot"), ("Bo", "other bot")],
    "one peer with all seats": [("Ann", "Bo", "Cy")],
}


def agreed(mesh: Mesh) -> Result:
    """The one result of a table: all peers hold it, all logs verify to it, nothing was refused."""
    results = [verify(mesh.log(peer), mesh.rules_for).result for peer in mesh.peers]
    for peer, result in zip(mesh.peers, results, strict=True):
        assert mesh.refusals(peer) == []
        assert result == Result.of(peer.transcript) == results[0]
        ends = [event for event in peer.told if isinstance(event, events.Ended)]
        assert [end.result.scores for end in ends] == [result.scores]
    assert mesh.peers[0].transcript.step.kind == "over"
    return results[0]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("game", GAMES)
def test_whole_game_in_any_order_of_delivery(game: str, table: str) -> None:
    for salt in range(2 if game == "market" else 1):
        mesh = Mesh(GAMES[game], TABLES[table], salt=f"{table} {salt}").start().play()
        result = agreed(mesh)
        assert result.how == "finished"
        assert result.confirmed == tuple(
            sorted({mesh.peers[0].transcript.seating.author(peer.key) for peer in mesh.peers})
        )
        assert result.winner == mesh.peers[0].transcript.winners() != ()


@pytest.mark.parametrize("game", GAMES)
def test_order_of_delivery_changes_nothing(game: str) -> None:
    """The bots' choices fixed, the messages delivered otherwise: the same shares, draws and scores."""
    hashes = []
    for salt in range(4):
        mesh = Mesh(GAMES[game], TABLES["three"], bot=lambda game, seat, rng: game.asked(seat).options[-1])
        mesh.rng = Rng(bytes([salt]))
        result = agreed(mesh.start().play())
        hashes.append((result.transcript, result.digest))
    assert len(set(hashes)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_message_twice(game: str) -> None:
    mesh = Mesh(GAMES[game], TABLES["three"])
    mesh.filter = lambda source, to, message: [message, message]
    agreed(mesh.start().play())


@pytest.mark.parametrize("game", GAMES)
def test_entries_that_overtake_each_other(game: str) -> None:
    mesh = Mesh(GAMES[game], TABLES["four"], salt="overtaken")
    early = 0

    def overtake(source: bytes, to: bytes, message: bytes) -> list[bytes]:
        nonlocal early
        queue = mesh.links[source, to]
        place = len(queue)
        while entry_in(message) and place and entry_in(queue[place - 1]) and mesh.rng.below(4):
            place -= 1
            early += 1
        queue.insert(place, message)
        return []

    mesh.filter = overtake
    agreed(mesh.start().play())
    assert early > 2


@pytest.mark.parametrize("game", GAMES)
def test_connection_that_comes_up_after_the_start(game: str) -> None:
    """Two of three cannot hear each other's entries until their link stands: `head` catches both up."""
    mesh = Mesh(GAMES[game], TABLES["three"])
    a, b = mesh.peers[0], mesh.peers[2]
    apart = {(a.key, b.key), (b.key, a.key)}
    mesh.filter = lambda source, to, message: [] if entry_in(message) and (source, to) in apart else [message]
    mesh.start().play()
    assert not a.transcript.over
    assert a.transcript.due()
    mesh.filter = lambda source, to, message: [message]
    mesh.do(a, a.session.connected(b.key))
    mesh.do(b, b.session.connected(a.key))
    agreed(mesh.play())


def test_connection_that_comes_up_before_the_charter() -> None:
    mesh = Mesh(Market(), TABLES["three"])
    a, b = mesh.peers[0], mesh.peers[2]
    apart = {(a.key, b.key), (b.key, a.key)}
    mesh.filter = lambda source, to, message: [] if (source, to) in apart else [message]
    mesh.start()
    mesh.filter = lambda source, to, message: [message]
    for peer, other in ((a, b), (b, a)):
        mesh.do(peer, peer.session.connected(other.key))
    agreed(mesh.settle().play())


def test_head_of_who_has_everything_is_answered_by_nothing() -> None:
    mesh = Mesh(Market(), TABLES["two"]).start().play()
    a, b = mesh.peers
    (*_, head) = b.session.connected(a.key)
    assert isinstance(head, events.Send)
    again = a.session.receive(b.key, head.message)
    known = [event for event in again if isinstance(event, events.Send)]
    for event in known:
        assert b.session.receive(a.key, event.message) == []


# -- keeping before sending ----------------------------------------------------------------------------------


def own(peer: Peer, message: bytes) -> bytes | None:
    """The signed bytes in a message, if the peer signed them itself."""
    try:
        record = decode(Record, message)
    except BadMessage:
        return None
    if record.kind == "charter":
        return record.data
    if record.kind == "entry":
        author = decode(Entry, record.data).author
        return record.data if peer.transcript.charters[0].peers[author] == peer.key else None
    return record.data if record.kind == "sit" and peer.key in record.data[:80] else None


@pytest.mark.parametrize("game", GAMES)
def test_everything_of_ours_is_kept_before_it_is_sent(game: str) -> None:
    mesh = Mesh(GAMES[game], TABLES["three"]).start().play()
    for peer in mesh.peers:
        kept: list[bytes] = []
        sent = 0
        for event in peer.told:
            if isinstance(event, events.Keep):
                kept.append(unpack(event.data)[1])
            elif isinstance(event, events.Send) and (data := own(peer, event.message)) is not None:
                assert data in kept
                sent += 1
        assert sent >= len(kept) > 5
        assert len(set(kept)) == len(kept), "nothing is signed twice"


def test_charter_is_kept_with_our_signature_only_once() -> None:
    mesh = Mesh(Market(), TABLES["three"]).start()
    for peer in mesh.peers:
        charters = [unpack(data) for data in peer.kept if unpack(data)[0] == "charter"]
        assert [decode(Charter, kept[1]).number for kept in charters] == [1]


def test_sealed_answers_are_kept_with_the_seal() -> None:
    """Or a peer that restarts could not open what it sealed."""
    mesh = Mesh(Market(), TABLES["two"]).start().play()
    for peer in mesh.peers:
        kept = [unpack(data) for data in peer.kept]
        entries = [(decode(Entry, one[1]), one[3]) for one in kept if one[0] == "entry"]
        for (entry, answers), (following, _) in itertools.pairwise(entries):
            if entry.kind == "seal":
                opened = following if following.kind == "move" else None
                assert opened is not None
                assert opened.body[0] == answers != ()
                assert pack(answers) not in pack(entry.body), "the seal hides them"


# -- what our own side may ask of its session ----------------------------------------------------------------


def test_answers_can_be_taken_back_until_they_are_sent() -> None:
    mesh = Mesh(rules("five_towers"), TABLES["two"]).start()
    peer = next(peer for peer in mesh.peers if peer.asked)
    seat = peer.asked[0].seat
    before, kept = peer.transcript.digest(), len(peer.kept)
    turn = peer.session.turn(seat)
    assert turn.ask is not None
    for option in turn.ask.options:
        turn.answer(option)
        assert turn.game.digest() != before
        turn.undo()
    assert (turn.answers, turn.game.digest(), peer.transcript.digest()) == ([], before, before)
    assert len(peer.kept) == kept, "nothing is signed for what is only tried"


def test_turn_that_was_played_is_the_move_that_its_answers_make() -> None:
    """Not so an unfinished one, or the same one once more."""
    meshes = [Mesh(rules("five_towers"), TABLES["two"]).start() for _ in range(2)]
    for _ in range(12):
        told: list[list[type[events.Event]]] = []
        for mesh, played in zip(meshes, (True, False), strict=True):
            peer = next(peer for peer in mesh.peers if peer.asked)
            seat = peer.asked.pop().seat
            answers = mesh.answers(peer, seat)
            turn = peer.session.turn(seat)
            if played:
                with pytest.raises(LocalProtocolError, match="cannot be made"):
                    peer.session.play(turn)
                for answer in answers:
                    turn.answer(answer)
            done = peer.session.play(turn) if played else peer.session.move(seat, answers)
            told.append([type(event) for event in done])
            mesh.do(peer, done)
            mesh.settle()
            if played:
                with pytest.raises(LocalProtocolError):
                    peer.session.play(turn)
        assert told[0] == told[1]
        assert len({mesh.peers[0].transcript.head for mesh in meshes}) == 1


def test_own_side_is_told_what_it_cannot_do() -> None:
    mesh = Mesh(rules("five_towers"), TABLES["two"])
    session = mesh.peers[0].session
    assert session.connected(mesh.peers[1].key) == []
    with pytest.raises(LocalProtocolError, match="not asked"):
        session.move(0, (0,))
    mesh.start()
    peer = next(peer for peer in mesh.peers if peer.asked)
    other = next(one for one in mesh.peers if one is not peer)
    seat = peer.asked[0].seat
    with pytest.raises(LocalProtocolError, match=f"seat {seat} is not ours"):
        other.session.move(seat, (0,))
    with pytest.raises(LocalProtocolError, match="not asked"):
        peer.session.resign(1 - seat)
    before = peer.transcript.digest(), len(peer.kept), dict(peer.transcript.slots)
    for answers in ((), ("nonsense",), (*mesh.answers(peer, seat), 0)):
        with pytest.raises(LocalProtocolError, match="cannot be made"):
            peer.session.move(seat, answers)
    assert (peer.transcript.digest(), len(peer.kept), peer.transcript.slots) == before
    mesh.play()
    agreed(mesh)


def test_asked_once_for_each_move() -> None:
    mesh = Mesh(Market(), [("Ann", "bot"), ("Bo",)]).start().play()
    for peer in mesh.peers:
        asked = [event for event in peer.told if isinstance(event, events.Asked)]
        moves = [unpack(data) for data in peer.kept if unpack(data)[0] == "entry"]
        made = [decode(Entry, one[1]) for one in moves if decode(Entry, one[1]).kind in ("move", "seal")]
        opened = [entry for entry in made if entry.kind == "seal"]
        assert len(asked) == len(made) - len(opened)


@pytest.mark.parametrize("seats", [2, 4])
def test_whole_games_of_oak(seats: int) -> None:
    mesh = Mesh(rules("oak"), TABLES["four"][:seats], salt="oak").start().play()
    assert agreed(mesh).how == "finished"


def test_oak_goes_on_when_somebody_resigns() -> None:
    """In the set-up, in the middle of another's round, and again later: the stand-in plays every question."""
    for after in (0, 12, 30):
        mesh = Mesh(rules("oak"), TABLES["three"], salt=f"oak {after}").start()
        peer = mesh.peers[1]
        number = lambda peer=peer: peer.transcript.step.number  # noqa: E731
        mesh.play(until=lambda peer=peer, number=number, after=after: bool(peer.asked) and number() >= after)
        mesh.do(peer, peer.session.resign(peer.asked.pop(0).seat))
        mesh.settle().play()
        result = agreed(mesh)
        assert (result.how, len(result.confirmed)) == ("finished", 2)
