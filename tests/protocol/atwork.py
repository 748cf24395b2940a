"""Peers at work over proxied links: nodes with their files and their dialling, by a clock that jumps.

They may be killed and come back, and what they leave on the disk is looked at.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random as RandomOrder
from typing import Any
from unittest import mock

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from trio.testing import MockClock

from oaknet.bots import random
from oaknet.kernel import Option, Rng, Rules
from oaknet_protocol import events, own, reach
from oaknet_protocol.beacon import Chain
from oaknet_protocol.identity import Identity
from oaknet_protocol.journal import Stored
from oaknet_protocol.node import Absent, News, Node, Overdue
from oaknet_protocol.own import Own, kept_records
from oaknet_protocol.reach import Reach
from oaknet_protocol.result import Result
from oaknet_protocol.session import Session, opening
from oaknet_protocol.table import PLAYED
from oaknet_protocol.tls import Doors, Invitation, invitation
from oaknet_protocol.transport import ConnectFault, Link, accept, connect
from oaknet_protocol.verify import rules_named, verify
from oaknet_protocol.wire import Entry, decode, unpack
from tests.protocol.mesh import ENGINE
from tests.protocol.proxy import Bare, Conditions, Proxy

SECRET = b"the invite......"
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")
MEMORY = Path("/dev/shm")  # noqa: S108 - where it is, only the name of a new folder is used
STAYS = 30.0
"""Seconds that the players stay for each other at the end, as at a table between friends."""
FOREVER = 10**6
LOOK = 0.05
"""Seconds between looks whether something holds."""
LONGEST = 50 * 3600.0
"""Seconds by the table's clock after which a game that has not ended hangs."""


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@functools.cache
def identity(number: int) -> Identity:
    """The same peer in every run."""
    path = Path(_folder().name) / str(number)
    seed = b"".join(Rng(f"at work {number} {i}".encode()).word().to_bytes(8, "big") for i in range(4))
    private = Ed25519PrivateKey.from_private_bytes(seed)
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return Identity.load(path)


@functools.cache
def _invited(number: int) -> Invitation:
    return invitation(identity(number), SECRET)


@functools.cache
def _doors(number: int) -> Doors:
    doors = Doors(identity(number))
    doors.open(SECRET)
    return doors


_chain = functools.cache(Chain)  # it is never written to, and the same in every run


class Player:
    """A peer that plays by a bot whose moves depend on the step alone, so that each run is the same game."""

    def __init__(self, room: Room, number: int, folder: Path) -> None:
        self.room, self.number, self.folder = room, number, folder
        self.identity = identity(number)
        self.name = NAMES[number]
        self.told: list[News] = []
        self.node: Node
        self.reach: Reach
        self.nursery: trio.Nursery | None = None
        self.done = self.dead = False
        self.pauses_at = FOREVER  # the step from which on it thinks, and does not move
        self.goes_on = trio.Event()
        self.absent: Absent = "go-on"
        self._asked: trio.MemorySendChannel[events.Asked]
        self._scope = trio.CancelScope()

    @property
    def key(self) -> bytes:
        return self.identity.key

    @property
    def transcript(self) -> Any:
        assert self.node.session.transcript is not None
        return self.node.session.transcript

    @property
    def files(self) -> Path:
        """The folder of the table."""
        return self.folder / self.room.table.hex()

    async def live(self) -> None:
        """From the start, or from what is on the disk, to the end of the game or until `kill`."""
        self.dead = False
        self._scope = trio.CancelScope()
        self._asked, asked = trio.open_memory_channel[events.Asked](10**6)
        stored = Stored.read(self.files) if (self.files / "table.json").exists() else None
        before = Own.restore(self.identity.signer, list(stored.kept)) if stored else None
        session = Session(
            self.identity.signer,
            self.room.rules_for,
            (self.name,),
            bytes([self.number]) * 32,
            opener=identity(0).key,
            own=before,
        )
        self.node = Node(session, self.folder, self._hear, absent=self.absent, notes={})
        self.node.last_words = STAYS
        self.node.wall_clock = trio.current_time  # how busy this machine is must not change the game
        self.reach = Reach(_invited(self.number), self.attend, self._linked, self._failed)
        self.node.woken = self.reach.moved
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    self.nursery = nursery
                    if stored is not None:
                        self.node.resume(stored)
                    elif self.number == 0:
                        self.node.open(self.room.opening)
                    nursery.start_soon(self._play, asked)
                    for other in self.room.neighbours(self):
                        self.reach.at(nursery, other.key, ((other.name, 1 + other.number),))
                    nursery.start_soon(self.node.watch)
                    await self.node.finish()
                    self.done, self.nursery = True, None
                    nursery.cancel_scope.cancel()
        finally:
            self.nursery = None
            self.node.close()

    def kill(self) -> None:
        """The process dies at once: what is on the disk stays, and the other ends of its links break."""
        self.nursery, self.dead = None, True
        self._scope.cancel()
        for proxy in self.room.proxies:
            if self.key in proxy.keys:
                proxy.cut()

    async def attend(self, link: Link) -> None:
        await self.node.attend(link)

    def _hear(self, news: News) -> None:
        self.told.append(news)
        if isinstance(news, events.Stepped) and news.done.kind == "result":
            self.room.took = trio.current_time() - self.room.began
        self.room.hear(self, news)
        if isinstance(news, events.Asked):
            self._asked.send_nowait(news)

    async def _play(self, asked: trio.MemoryReceiveChannel[events.Asked]) -> None:
        async for one in asked:
            while self.transcript.step.number >= self.pauses_at:
                await self.goes_on.wait()
            if one.seat in self.transcript.due() and not self.node.session.frozen:
                self.node.move(one.seat, self.answers(one.seat))

    def answers(self, seat: int) -> tuple[Option, ...]:
        """The move of a seat."""
        turn = self.node.session.turn(seat)
        rng = Rng(f"{self.name} {self.transcript.step.number}".encode())
        while (ask := turn.ask) is not None:
            turn.answer(random(turn.game, ask.seat, rng))
        return tuple(turn.answers)

    def _linked(self, key: bytes) -> bool:
        return key in self.node.links

    def _failed(self, key: bytes, fault: ConnectFault) -> None:
        self.room.faults.append(fault)

    def stands(self, step: int) -> bool:
        """Whether it is as far as this step, and waits for somebody's move."""
        transcript = self.node.session.transcript if self.nursery is not None else None
        if transcript is None or transcript.seating is None:
            return False
        return transcript.over or (
            transcript.step.number >= step and transcript.step.kind in ("move", "seal")
        )

    def signed(self) -> dict[tuple[bytes, int, int], set[bytes]]:
        """All entries in the side file, by slot."""
        found: dict[tuple[bytes, int, int], set[bytes]] = {}
        for data in kept_records((self.files / "own").read_bytes()):
            kind, body, *_ = unpack(data)
            if kind == "entry":
                entry = decode(Entry, body)
                found.setdefault((entry.charter, entry.step, entry.author), set()).add(body)
        return found


class Room:
    """A table of peers at work. ``story`` runs beside them, and may kill, start and cut.

    A game that has not ended after ``longest`` seconds of the table's clock fails.
    """

    def __init__(
        self,
        rules: Rules[Any],
        players: int,
        folder: Path,
        conditions: Conditions,
        *,
        options: dict[str, str] | None = None,
        tls: bool = False,
        graph: Sequence[tuple[int, int]] | None = None,
        longest: float = LONGEST,
    ) -> None:
        self.rules_for = rules_named({rules.name: rules})
        signer = identity(0).signer
        self.opening = opening(signer, rules, players, options or {}, ENGINE, bytes(32))
        self.table = self.opening.id
        self.conditions = conditions
        self.proxies: list[Proxy] = []
        self.faults: list[ConnectFault] = []
        self.hear: Callable[[Player, News], None] = lambda player, news: None
        self.players = [Player(self, number, folder / str(number)) for number in range(players)]
        self.began = 0.0
        self.took = 0.0  # seconds until the last of them had everything
        self._tls = tls
        self._graph = graph
        self._longest = longest
        self._nursery: trio.Nursery

    def neighbours(self, player: Player) -> list[Player]:
        """Whom a player can reach at all."""
        graph, one = self._graph, player.number
        others = [other for other in self.players if other is not player]
        return [p for p in others if graph is None or (one, p.number) in graph or (p.number, one) in graph]

    def play(self, story: Callable[[Room], Awaitable[None]] | None = None) -> Room:
        """Play to the end, or to what the story leaves of it; in which order tasks run, the seed decides."""
        order = RandomOrder(self.conditions.rng.word())  # noqa: S311 - trio asks it for nothing secret
        with (
            mock.patch("trio._core._run._ALLOW_DETERMINISTIC_SCHEDULING", new=True),
            mock.patch("trio._core._run._r", new=order),
            mock.patch.object(own, "Chain", _chain),
        ):
            trio.run(self._main, story, clock=MockClock(autojump_threshold=0))
        return self

    async def _main(self, story: Callable[[Room], Awaitable[None]] | None) -> None:
        self.began = trio.current_time()
        with mock.patch.object(reach, "dial", self._dial), trio.move_on_after(self._longest) as scope:
            async with trio.open_nursery() as self._nursery:
                async with trio.open_nursery() as peers:
                    for player in self.players:
                        peers.start_soon(player.live)
                    if story is not None:
                        peers.start_soon(story, self)
                self._nursery.cancel_scope.cancel()
        assert not scope.cancelled_caught, f"no end in {self._longest:.0f} s: {self._behind()}"

    def _behind(self) -> str:
        """Who has not finished, and where each of them stands."""
        sessions = {player.name: player.node.session for player in self.players if not player.done}
        return "; ".join(
            f"{name} at step {one.transcript.step.number}{', bound to a charter' if one.frozen else ''}"
            for name, one in sessions.items()
            if one.transcript is not None
        )

    async def pause(self, step: int) -> None:
        """Play on until somebody is asked for a move in this step or a later one, and all think there."""
        for player in self.players:
            player.pauses_at = step
            player.goes_on.set()
            player.goes_on = trio.Event()
        await self.until(lambda: all(p.dead or p.stands(step) for p in self.players))

    def go_on(self) -> None:
        """Let all move again."""
        for player in self.players:
            player.pauses_at = FOREVER
            player.goes_on.set()

    async def until(self, holds: Callable[[], object], within: float = LONGEST) -> float:
        """Wait until something holds, so many seconds at most; returns how many it took."""
        start = trio.current_time()
        with trio.fail_after(within):
            while not holds():  # noqa: ASYNC110 - it may be anything, of several peers
                await trio.sleep(LOOK)
        return trio.current_time() - start

    def linked(self) -> bool:
        """Whether everybody has a link with everybody."""
        running = [player for player in self.players if player.nursery is not None]
        return all(len(player.node.links) == len(running) - 1 for player in running)

    def cut(self, *keys: bytes) -> None:
        """Break the connections between these peers."""
        for proxy in self.proxies:
            if all(key in keys for key in proxy.keys):
                proxy.cut()

    def start(self, player: Player) -> None:
        """Start a player again that was killed."""
        self._nursery.start_soon(player.live)

    async def _dial(
        self, nursery: trio.Nursery, host: str, port: int, invited: Invitation, expect: bytes | None = None
    ) -> Link:
        """What takes the place of a connection over the network."""
        await trio.lowlevel.checkpoint()
        target = self.players[port - 1]
        if not self._tls and any(key in self.conditions.dark for key in (invited.key, target.key)):
            raise ConnectFault("unreachable", f"{host} cannot be reached: no way there.")
        if target.nursery is None or not target.node.admits(invited.key):
            raise ConnectFault("refused", f"{host} was reached, but nobody listens there.")
        proxy = Proxy(self.conditions, invited.key, target.key)
        self.proxies = [one for one in self.proxies if not one.over]
        self.proxies.append(proxy)
        self._nursery.start_soon(proxy.run)
        if self._tls:
            target.nursery.start_soon(self._accept, target, proxy)
            return await connect(nursery, proxy.near, invited, expect)
        target.nursery.start_soon(target.attend, _link(target.nursery, proxy.far, invited, dialled=False))
        return _link(nursery, proxy.near, invited, key=target.key)

    async def _accept(self, target: Player, proxy: Proxy) -> None:
        assert target.nursery is not None
        try:
            link = await accept(target.nursery, proxy.far, _doors(target.number))
        except ConnectFault as fault:
            self.faults.append(fault)
            return
        await target.attend(link)

    # -- what is left ----------------------------------------------------------------------------------------

    def finished(self, players: Sequence[Player]) -> Result:
        """Check that these have finished with the same log, and that nobody has signed anything twice."""
        (data,) = {(player.files / "game.oak").read_bytes() for player in players}
        for player in self.players:
            assert all(len(bodies) == 1 for bodies in player.signed().values())
        for player in players:
            assert player.done
            assert player.node.session.cheats == {}
        return verify(data, self.rules_for).result

    def whole(self) -> bytes:
        """Check that nothing is lost and nobody the worse for it; returns the log, the same for all."""
        result = self.finished(self.players)
        assert (result.how, len(result.confirmed)) == ("finished", len(self.players)), result
        for player in self.players:
            assert player.transcript.seating.why == (PLAYED,) * len(self.players)
            assert not (player.files / "evidence").exists()
            assert not any(isinstance(news, events.Cheated | Overdue) for news in player.told)
        return (self.players[0].files / "game.oak").read_bytes()


def _link(
    nursery: trio.Nursery,
    stream: trio.abc.Stream,
    invited: Invitation,
    key: bytes | None = None,
    *,
    dialled: bool = True,
) -> Link:
    """A link without TLS, so that what passes can be told apart."""
    link = Link(
        Bare(stream),
        key or invited.key,
        invited.name,
        program=b"",
        dialled=dialled,
        known=True,
        address="",
    )
    nursery.start_soon(link.run)
    return link


@contextmanager
def disk() -> Iterator[Path]:
    """A folder in memory where there is one: these tests are about what is written, not about how fast."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)
