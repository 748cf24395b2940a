"""A table between peers: the feed of one peer, its seats played by a person or by bots."""

from __future__ import annotations

import math
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from oaknet import __version__
from oaknet.bots import Bot, bot
from oaknet.kernel import Game, Option, Rng, Rules
from oaknet_client.feed import Asked, Command, Emit, Ended, Peer, Result, Seat, Shown, Started
from oaknet_client.words import inert, log_line
from oaknet_protocol import events
from oaknet_protocol.identity import Identity
from oaknet_protocol.node import Joined, Left, News, Node
from oaknet_protocol.result import Result as Outcome
from oaknet_protocol.session import Session, opening
from oaknet_protocol.table import Seating
from oaknet_protocol.tls import Doors, invitation
from oaknet_protocol.transcript import Done
from oaknet_protocol.transport import Link, dial, listen
from oaknet_protocol.verify import rules_named

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a peer listens; ``key`` is the one that must answer there."""

    key: bytes
    host: str
    port: int


Meet = Callable[[bytes, int], Awaitable[Sequence[Address]]]
"""Told our key and port, gives the addresses of the peers that this one is to dial."""


@dataclass(frozen=True, slots=True)
class Invite:
    """What all peers of a table know beforehand: its secret, and whose opening to believe."""

    secret: bytes
    opener: bytes


@dataclass(frozen=True, slots=True)
class Terms:
    """What the opener opens: how many seats, and the table options."""

    seats: int
    options: Mapping[str, str]


@dataclass(slots=True)
class Network:
    """The feed of one peer.

    ``seats`` are its own; ``terms`` is None unless it opens the table. ``known`` names the bots of others by
    key, where that is known, for the results. ``closing`` is awaited after the last entry and may add to the
    result.
    """

    rules: Rules[Any]
    identity: Identity
    seats: Sequence[Seat]
    invite: Invite
    folder: Path
    meet: Meet
    terms: Terms | None = None
    known: Mapping[bytes, str] = field(default_factory=dict[bytes, str])
    closing: Callable[[Result], Awaitable[Result]] | None = None

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Play until the table is done (`oaknet_client.feed.Feed`); what goes wrong is raised."""
        send, news = trio.open_memory_channel[News](math.inf)
        names = tuple(seat.name for seat in self.seats)
        session = Session(
            self.identity.signer,
            rules_named({self.rules.name: self.rules}),
            names,
            os.urandom(32),
            opener=self.invite.opener,
        )
        node = Node(session, self.folder, send.send_nowait)
        teller = _Teller(self, node, emit)
        try:
            async with trio.open_nursery() as nursery:
                await self._connect(nursery, node)
                nursery.start_soon(teller.listen, news)
                nursery.start_soon(teller.obey, commands)
                await node.finish()
                nursery.cancel_scope.cancel()
            teller.drain(news)
        finally:
            node.close()
        assert teller.outcome is not None
        result = teller.result(teller.outcome)
        if self.closing is not None:
            result = await self.closing(result)
        emit(Ended(result, teller.game.clone()))

    async def _connect(self, nursery: trio.Nursery, node: Node) -> None:
        doors = Doors(self.identity)
        doors.open(self.invite.secret)
        listener = await listen(nursery, doors, node.attend, host=HOST)
        addresses = await self.meet(self.identity.key, listener.port)
        if self.terms is not None:
            record = opening(
                self.identity.signer,
                self.rules,
                self.terms.seats,
                self.terms.options,
                __version__,
                os.urandom(32),
            )
            node.open(record)
        invited = invitation(self.identity, self.invite.secret)
        for address in addresses:
            link: Link = await dial(nursery, address.host, address.port, invited, expect=address.key)
            nursery.start_soon(node.attend, link)


class _Teller:
    """Turns what a node tells into what a front end sees, and what it decides into moves."""

    def __init__(self, feed: Network, node: Node, emit: Emit) -> None:
        self.game = Game[Any].new(feed.rules, feed.rules.seats[0])
        self.outcome: Outcome | None = None
        self._feed, self._node, self._emit = feed, node, emit
        self._seats: tuple[Seat, ...] = ()  # by the rules' seats, once the first draw has placed them
        self._seating: Seating | None = None
        own = {seat.name: seat.bot for seat in feed.seats}
        self._bots: dict[str, Bot] = {name: bot(kind, feed.rules.name) for name, kind in own.items() if kind}
        self._rng = Rng(os.urandom(32))

    async def listen(self, news: trio.MemoryReceiveChannel[News]) -> None:
        """Tell everything as it comes; a bot's move is made before the next news is looked at."""
        async for item in news:
            self._hear(item)
            if isinstance(item, events.Asked):
                await trio.lowlevel.checkpoint()
                self._ask(item)

    def drain(self, news: trio.MemoryReceiveChannel[News]) -> None:
        """Tell what came last."""
        while True:
            try:
                self._hear(news.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                return

    async def obey(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Make the moves that the person sends."""
        async for command in commands:
            self._node.move(self._seats[command.seat].place, command.answers)

    def result(self, outcome: Outcome) -> Result:
        """The outcome as the front ends show it."""
        by_place = sorted(self._seats, key=lambda seat: seat.place)
        journal = self._node.journal
        return Result(
            outcome.game,
            tuple(by_place),
            outcome.scores,
            outcome.winner,
            outcome.how,
            outcome.digest.hex(),
            outcome.table.hex(),
            outcome.transcript.hex(),
            str(journal.path) if journal else "",
        )

    def _hear(self, item: News) -> None:
        match item:
            case events.Started(seating):
                self._seating = seating
            case events.Stepped(done):
                self._step(done)
            case events.Ended(outcome):
                self.outcome = outcome
            case Joined(key):
                self._peer(key, "connected", "is connected")
            case Left(key, why):
                self._peer(key, "missing", f"is not connected: {why}")
            case _:
                pass

    def _peer(self, key: bytes, state: str, line: str) -> None:
        for number, seat in enumerate(self._seats):
            if seat.key == key.hex() and self.outcome is None:
                self._emit(Peer(number, state, f"{inert(seat.name)} {line}."))

    def _step(self, done: Done) -> None:
        transcript = self._node.session.transcript
        assert transcript is not None
        if not self._seats:
            self._seats = self._placed(transcript.places)
            terms = transcript.opening.terms
            self.game = Game[Any].new(self._feed.rules, terms.seats, dict(terms.options))
            self._emit(Started(self._seats, self.game.clone(), transcript.table.hex()))
        line = list(done.line)
        while line:
            seat = line[0][0]
            count = next((i for i, answer in enumerate(line) if answer[0] != seat), len(line))
            part, line = line[:count], line[count:]
            words = tuple(self._answer(seat, option) for _, option in part)
            answers = tuple(option for _, option in part)
            self._emit(Shown(self.game.clone(), words, done.number, seat, answers))

    def _answer(self, seat: int, option: Option) -> str:
        words = log_line(self.game, self._seats, seat, option)
        self.game.answer(seat, option)
        return words

    def _placed(self, places: Sequence[int]) -> tuple[Seat, ...]:
        """The seats in the rules' order; ``places`` has the charter seat of each."""
        seating = self._seating
        assert seating is not None
        own = {seat.name: seat.bot for seat in self._feed.seats}
        seats: list[Seat] = []
        for place in places:
            key, name = seating.peers[place] or b"", seating.names[place]
            mine = key == self._feed.identity.key
            seats.append(
                Seat(name, own.get(name, "") if mine else self._feed.known.get(key, ""), key.hex(), place)
            )
        return tuple(seats)

    def _ask(self, asked: events.Asked) -> None:
        turn = self._node.session.turn(asked.seat)
        name = self._seating.names[asked.seat] if self._seating else ""
        mind = self._bots.get(name)
        if mind is None:
            self._emit(Asked(turn.seat, turn))
            return
        while not turn.done:
            turn.answer(mind(turn.game.clone(), turn.seat, self._rng))
        self._node.move(asked.seat, tuple(turn.answers))
