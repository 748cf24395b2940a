"""A table between peers: the feed of one peer, its seats played by persons or by bots."""

from __future__ import annotations

import math
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import trio

from oaknet import __version__
from oaknet.kernel import Rules
from oaknet_client.feed import Command, Emit, Ended, Result, Seat
from oaknet_client.tell import Teller
from oaknet_protocol.identity import Identity
from oaknet_protocol.node import News, Node
from oaknet_protocol.result import Result as Outcome
from oaknet_protocol.session import Session, opening
from oaknet_protocol.table import RulesFor
from oaknet_protocol.tls import Doors, invitation
from oaknet_protocol.transport import Link, dial, listen

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
    """What the opener opens: the rules, how many seats, and the table options."""

    rules: Rules[Any]
    seats: int
    options: Mapping[str, str]

    def open(self, identity: Identity, node: Node) -> None:
        """Open the table; raises `Refused`, `WrongSeats`, `BadOptions` or `OSError`."""
        nonce = os.urandom(32)
        node.open(opening(identity.signer, self.rules, self.seats, self.options, __version__, nonce))


@dataclass(slots=True)
class Network:
    """The feed of one peer of a demonstration: all peers are there from the first to the last move.

    ``seats`` are its own; ``terms`` is None unless it opens the table. ``known`` names the bots of others by
    key, where that is known, for the results. ``closing`` is awaited after the last entry and may add to the
    result.
    """

    rules_for: RulesFor
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
        signer = self.identity.signer
        session = Session(signer, self.rules_for, names, os.urandom(32), opener=self.invite.opener)
        node = Node(session, self.folder, send.send_nowait)
        teller = Teller(node, self.seats, self.known, emit)
        result = await played(node, teller, news, commands, self._connect)
        if self.closing is not None:
            result = await self.closing(result)
        emit(Ended(result, teller.last()))

    async def _connect(self, nursery: trio.Nursery, node: Node) -> None:
        doors = Doors(self.identity)
        doors.open(self.invite.secret)
        listener = await listen(nursery, doors, node.attend, host=HOST)
        addresses = await self.meet(self.identity.key, listener.port)
        if self.terms is not None:
            self.terms.open(self.identity, node)
        invited = invitation(self.identity, self.invite.secret)
        for address in addresses:
            link: Link = await dial(nursery, address.host, address.port, invited, expect=address.key)
            nursery.start_soon(node.attend, link)


class Connect(Protocol):
    """Brings a node to its peers; what it starts lives in the nursery."""

    def __call__(self, nursery: trio.Nursery, node: Node, /) -> Awaitable[None]: ...


async def played(
    node: Node,
    teller: Teller,
    news: trio.MemoryReceiveChannel[News],
    commands: trio.MemoryReceiveChannel[Command],
    connect: Connect,
    stopped: trio.Event | None = None,
) -> Result:
    """Play a table to its end, or until ``stopped``: its result, which is abandoned then."""
    try:
        async with trio.open_nursery() as nursery:
            await connect(nursery, node)
            nursery.start_soon(teller.listen, news)
            nursery.start_soon(teller.obey, commands)
            if stopped is not None:
                nursery.start_soon(_stop, nursery, stopped)
            await node.finish()
            nursery.cancel_scope.cancel()
        teller.drain(news)
    finally:
        teller.close()
        node.close()
    if teller.outcome is None:
        return replace(teller.result(Outcome.of(node.session.begun())), how="abandoned")
    return teller.result(teller.outcome)


async def _stop(nursery: trio.Nursery, stopped: trio.Event) -> None:
    await stopped.wait()
    nursery.cancel_scope.cancel()
