"""Peers at work over real links: whole games, peers that die, cheat or say nonsense, disks that fill."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock as Clock

from oaknet.kernel import Option, Rng
from oaknet_protocol import beacon, events
from oaknet_protocol.identity import Identity
from oaknet_protocol.journal import Journal
from oaknet_protocol.node import Joined, Left, News, Node, PeerCheated, PeerLost, StatesDiffer, TableSpent
from oaknet_protocol.session import Session, opening
from oaknet_protocol.transport import Link
from oaknet_protocol.verify import Reading, rules_named, verify
from oaknet_protocol.wire import Entry, Record, decode, pack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh
from tests.protocol.scenes import sign
from tests.protocol.test_journal import framed, full_after
from tests.protocol.wires import Linked, Players

RULES = rules_named({"market": Market()})


class Seat:
    """A node with a bot, or one that stops to think; what it is told, and what ended its links."""

    def __init__(self, identity: Identity, name: str, opener: bytes, folder: Path) -> None:
        session = Session(identity.signer, RULES, (name,), os.urandom(32), opener=opener)
        self.identity = identity
        self.node = Node(session, folder / name, self._hear)
        self.told: list[News] = []
        self.ended: list[Exception] = []
        self.thinks = trio.Event()
        self.thinks_at = 10**6
        self._rng = Rng(name.encode())
        self._in, self._out = trio.open_memory_channel[events.Asked](100)

    def _hear(self, news: News) -> None:
        self.told.append(news)
        if isinstance(news, events.Asked):
            self._in.send_nowait(news)

    async def attend(self, link: Link) -> None:
        try:
            await self.node.attend(link)
        except (PeerLost, PeerCheated, StatesDiffer, TableSpent, OSError) as error:
            self.ended.append(error)

    async def play(self) -> None:
        """Answer what is asked, up to step ``thinks_at``."""
        async for asked in self._out:
            if self.transcript.step.number >= self.thinks_at:
                self.thinks.set()
                return
            self.node.move(asked.seat, self.answers(asked.seat))

    def answers(self, seat: int) -> tuple[Option, ...]:
        turn = self.node.session.turn(seat)
        while (ask := turn.ask) is not None:
            turn.answer(ask.options[self._rng.below(len(ask.options))])
        return tuple(turn.answers)

    @property
    def transcript(self) -> Any:
        assert self.node.session.transcript is not None
        return self.node.session.transcript

    @property
    def seat(self) -> int:
        return int(self.transcript.seating.author(self.identity.key))

    @property
    def path(self) -> Path:
        assert self.node.journal is not None
        return self.node.journal.path

    def log(self) -> Reading:
        return verify(self.path.read_bytes(), RULES)

    def entry(self, kind: str, body: Any, **other: Any) -> Record:
        """What this peer signs past its session, for the step at which it stands."""
        transcript = self.transcript
        fields = (transcript.seating.id, transcript.step.number, transcript.head, transcript.digest())
        values = dict(zip(("charter", "step", "prev", "state"), fields, strict=True))
        return sign(
            self.identity.signer, Entry(**{**values, "author": self.seat, **other}, kind=kind, body=body)
        )


class Game:
    """Ann, who opens, and Bo, over one link."""

    def __init__(self, folder: Path) -> None:
        self.players = Players(folder / "keys")
        alice, bob = self.players.alice, self.players.bob
        self.ann = Seat(alice, "Ann", alice.key, folder)
        self.bo = Seat(bob, "Bo", alice.key, folder)
        self.linked: Linked

    async def start(self, nursery: trio.Nursery, **thinks: int) -> None:
        self.linked = await self.players.links(nursery)
        self.ann.thinks_at = thinks.get("ann", 10**6)
        self.bo.thinks_at = thinks.get("bo", 10**6)
        record = opening(self.ann.identity.signer, Market(), 2, {}, "test", bytes(32))
        self.ann.node.open(record)
        nursery.start_soon(self.ann.attend, self.linked.alice)
        nursery.start_soon(self.bo.attend, self.linked.bob)
        for seat in (self.ann, self.bo):
            nursery.start_soon(seat.play)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path)


async def until(holds: Callable[[], object]) -> None:
    """Let the others work until something holds."""
    with trio.fail_after(20):
        while not holds():
            await trio.lowlevel.checkpoint()


@pytest.mark.trio
async def test_finished_game(game: Game) -> None:
    async with trio.open_nursery() as nursery:
        await game.start(nursery)
        with trio.fail_after(20):
            async with trio.open_nursery() as both:
                both.start_soon(game.ann.node.finish)
                both.start_soon(game.bo.node.finish)
        nursery.cancel_scope.cancel()
    game.ann.node.close()
    game.bo.node.close()
    results = [seat.log().result for seat in (game.ann, game.bo)]
    assert results[0] == results[1]
    assert (results[0].how, results[0].confirmed) == ("finished", (0, 1))
    assert game.ann.path.read_bytes() == game.bo.path.read_bytes()
    assert game.ann.ended == game.bo.ended == []
    assert isinstance(game.ann.told[0], events.Opened)
    joined = next(news for news in game.ann.told if isinstance(news, Joined))
    assert joined.key == game.bo.identity.key


@pytest.mark.trio
async def test_peer_that_dies_leaves_whole_logs(game: Game) -> None:
    async with trio.open_nursery() as nursery:
        await game.start(nursery, bo=6)
        await game.bo.thinks.wait()
        for link in (game.linked.alice, game.linked.bob):
            await link.flush()
        await game.linked.bob_cable.tear()
        await game.linked.alice_cable.tear()
        await until(lambda: game.ann.ended and game.bo.ended)
        nursery.cancel_scope.cancel()
    for seat, other in ((game.ann, "Bo"), (game.bo, "Ann")):
        (error,) = seat.ended
        assert isinstance(error, PeerLost)
        assert error.status == 5
        assert str(error).startswith(f"{other} is gone: ")
        assert str(seat.path) in str(error)
        assert "\n" not in str(error)
        assert isinstance(seat.told[-1], Left)
        seat.node.close()
        assert seat.log().result.how == "unfinished"
        assert seat.log().records > 5


@pytest.mark.trio
async def test_peer_that_is_gone_before_the_table_begins(game: Game) -> None:
    async with trio.open_nursery() as nursery:
        linked = await game.players.links(nursery)
        nursery.start_soon(game.bo.attend, linked.bob)
        await linked.alice.aclose()
        await until(lambda: game.bo.ended)
        nursery.cancel_scope.cancel()
    assert str(game.bo.ended[0]).endswith("The table had not begun.")


async def cheated(game: Game, *records: Callable[[Seat], Record]) -> Exception:
    """Bo, asked for a bid, sends these past its session; returns what ends Ann's link."""
    async with trio.open_nursery() as nursery:
        await game.start(nursery, bo=1)
        await game.bo.thinks.wait()
        await until(lambda: game.ann.node.session.transcript and game.ann.transcript.step.number == 1)
        for record in records:
            game.linked.bob.send(pack(record(game.bo)))
        await until(lambda: game.ann.ended)
        nursery.cancel_scope.cancel()
    game.ann.node.close()
    assert game.ann.log().result.how == "unfinished"
    return game.ann.ended[0]


def evidence(game: Game) -> list[Record]:
    return [decode(Record, part) for part in framed((game.ann.path.parent / "evidence").read_bytes())]


@pytest.mark.trio
async def test_cheat_ends_the_table_with_evidence(game: Game) -> None:
    def short(seat: Seat) -> Record:
        return seat.entry("seal", (b"short",))

    error = await cheated(game, short)
    assert isinstance(error, PeerCheated)
    assert error.status == 4
    assert str(error).startswith("At step 1: a seal that is not 32 bytes. The table cannot go on. ")
    assert evidence(game) == [short(game.bo)]


@pytest.mark.trio
async def test_fork_ends_the_table_with_both_entries(game: Game) -> None:
    both = [lambda seat, i=i: seat.entry("seal", (bytes([i]) * 32,)) for i in range(2)]
    error = await cheated(game, *both)
    assert isinstance(error, PeerCheated)
    assert "signed two different entries for step 1" in str(error)
    assert evidence(game) == [both[0](game.bo), both[1](game.bo)]


@pytest.mark.trio
async def test_states_that_differ_accuse_nobody(game: Game) -> None:
    error = await cheated(game, lambda seat: seat.entry("seal", (bytes(32),), state=bytes(32)))
    assert isinstance(error, StatesDiffer)
    assert error.status == 4
    assert len(evidence(game)) == 1


@pytest.mark.trio
async def test_harmless_refusals_end_nothing(game: Game) -> None:
    async with trio.open_nursery() as nursery:
        await game.start(nursery, bo=1)
        await game.bo.thinks.wait()
        await until(lambda: game.ann.node.session.transcript and game.ann.transcript.step.number == 1)
        game.linked.bob.send(pack(game.bo.entry("seal", (bytes(32),), charter=bytes(32))))
        await until(lambda: any(isinstance(news, events.Rejected) for news in game.ann.told))
        asked = next(news for news in game.bo.told if isinstance(news, events.Asked))
        game.bo.thinks_at = 10**6
        game.bo.node.move(asked.seat, game.bo.answers(asked.seat))
        nursery.start_soon(game.bo.play)
        with trio.fail_after(20):
            await game.ann.node.finish()
        nursery.cancel_scope.cancel()
    game.ann.node.close()
    assert game.ann.log().result.how == "finished"


@pytest.mark.trio
async def test_nonsense_costs_the_connection(game: Game) -> None:
    async with trio.open_nursery() as nursery:
        await game.start(nursery, bo=1)
        await game.bo.thinks.wait()
        game.linked.bob.send(b"\xc1 nonsense")
        await until(lambda: game.ann.ended)
        nursery.cancel_scope.cancel()
    assert isinstance(game.ann.ended[0], PeerLost)
    assert "sent what cannot be read" in str(game.ann.ended[0])


@pytest.mark.trio
async def test_full_disk_sends_nothing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move that cannot be kept is not sent, nor anything after it; both logs stay whole."""
    async with trio.open_nursery() as nursery:
        await game.start(nursery, bo=1)
        await game.bo.thinks.wait()
        asked = next(news for news in game.bo.told if isinstance(news, events.Asked))
        answers = game.bo.answers(asked.seat)
        sent: list[bytes] = []
        monkeypatch.setattr(game.linked.bob, "send", sent.append)
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full_after(9))
            with pytest.raises(OSError, match="No space left") as caught:
                game.bo.node.move(asked.seat, answers)
        assert caught.value.errno == errno.ENOSPC
        with pytest.raises(OSError, match="No space left"):
            game.bo.node.do(game.bo.node.session.connected(game.ann.identity.key))
        assert sent == []
        nursery.cancel_scope.cancel()
    game.bo.node.close()
    assert game.bo.log().result.how == "unfinished"
    own = framed((game.bo.path.parent / "own").read_bytes())
    assert all(b"\xa4seal" not in part for part in own)


def test_who_resigned_may_leave(tmp_path: Path) -> None:
    """The stand-in plays on, so nobody waits for its link any more; for all others' links, the table does."""
    mesh = Mesh(Market(), [("Ann",), ("Bo",), ("Cy",)])
    ann, bo, cy = mesh.peers
    node = Node(ann.session, tmp_path, lambda news: None)
    assert node._needed(bo.key), "before the table begins anybody may be missed"
    mesh.start().play(until=lambda: bool(bo.asked))
    assert node._needed(bo.key)
    assert not node._needed(bytes(32))
    mesh.do(bo, bo.session.resign(bo.asked.pop(0).seat))
    mesh.play(until=lambda: ann.transcript.resigned != [])
    assert not ann.transcript.over
    assert (node._needed(bo.key), node._needed(cy.key)) == (False, True)
    mesh.play()
    assert not node._needed(cy.key)


class End:
    """One link of a node, without a wire: what it brings is put in, and it ends when told."""

    def __init__(self, key: bytes) -> None:
        self.key, self.limit, self.why, self.left = key, 0, None, True
        self.bring, self._out = trio.open_memory_channel[bytes](1000)

    def send(self, message: bytes) -> None:
        """The test listens to nobody."""

    async def aclose(self) -> None:
        self.bring.close()

    def __aiter__(self) -> trio.MemoryReceiveChannel[bytes]:
        return self._out


@pytest.mark.trio
@pytest.mark.parametrize("comes", [True, False])
async def test_who_resigned_hears_of_the_end(tmp_path: Path, autojump_clock: Clock, comes: bool) -> None:
    """The others close as soon as they agree: one link may end before the other has brought it all."""
    mesh = Mesh(Market(), [("Ann",), ("Bo",), ("Cy",)])
    ann, bo, cy = mesh.peers
    mesh.start().play(until=lambda: bool(cy.asked))
    mesh.do(cy, cy.session.resign(cy.asked.pop(0).seat))
    mesh.play(until=lambda: cy.transcript.resigned != [])
    ends = {ann.key: End(ann.key), bo.key: End(bo.key)}
    brought: list[tuple[bytes, bytes]] = []
    mesh.filter = lambda source, to, message: (
        [message] if to != cy.key else brought.append((source, message)) or []
    )
    mesh.play()

    def hear(news: News) -> None:
        if isinstance(news, Left) and news.key == ann.key and comes:
            for source, message in brought:
                if source == bo.key:
                    ends[bo.key].bring.send_nowait(message)

    node = Node(cy.session, tmp_path, hear)
    node.journal = Journal(tmp_path, cy.transcript.opening)
    lost: list[PeerLost] = []

    async def attend(key: bytes) -> None:
        try:
            await node.attend(ends[key])  # type: ignore[arg-type]
        except PeerLost as error:
            lost.append(error)

    async with trio.open_nursery() as nursery:
        for key in ends:
            nursery.start_soon(attend, key)
        for source, message in brought:
            if source == ann.key:
                ends[ann.key].bring.send_nowait(message)
        ends[ann.key].bring.close()
        with trio.move_on_after(60):
            await node.finish()
        ends[bo.key].bring.close()
    node.close()
    assert (node.session.transcript is not None and node.session.transcript.over) is comes
    assert [str(error)[:11] for error in lost] == ([] if comes else ["Ann is gone", "Bo is gone:"])


@pytest.mark.trio
async def test_resignation_at_a_table_of_two(game: Game) -> None:
    async with trio.open_nursery() as nursery:
        await game.start(nursery, bo=1)
        await game.bo.thinks.wait()
        game.bo.node.resign(game.bo.seat)
        with trio.fail_after(20):
            await game.ann.node.finish()
        nursery.cancel_scope.cancel()
    game.ann.node.close()
    result = game.ann.log().result
    assert (result.how, result.winner) == ("resigned", (game.ann.seat,))


@pytest.mark.trio
async def test_result_is_not_waited_for_without_end(
    game: Game, autojump_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A peer that never confirms costs the last words' time; the log is finished all the same."""
    async with trio.open_nursery() as nursery:
        await game.start(nursery)
        real = game.linked.bob.send
        monkeypatch.setattr(
            game.linked.bob, "send", lambda message: None if b"\xa6result" in message else real(message)
        )
        await game.ann.node.finish()
        nursery.cancel_scope.cancel()
    game.ann.node.close()
    result = game.ann.log().result
    assert (result.how, len(result.confirmed)) == ("finished", 0)


@pytest.mark.trio
async def test_table_that_has_used_its_draws(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "LENGTH", 1)
    async with trio.open_nursery() as nursery:
        await game.start(nursery)
        await until(lambda: game.ann.ended and game.bo.ended)
        nursery.cancel_scope.cancel()
    (error,) = game.ann.ended
    assert isinstance(error, TableSpent)
    assert "has used all of its 1 draws" in str(error)
    game.ann.node.close()
    assert game.ann.log().result.how == "unfinished"
