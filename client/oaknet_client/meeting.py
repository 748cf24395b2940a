"""How peers of a table meet: where this one listens, what it says of it, and whom it dials."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from oaknet_client.feed import Command, Emit, Invited, Note
from oaknet_client.nearby import Nearby
from oaknet_client.notes import Notes
from oaknet_client.players import Players
from oaknet_protocol import events, invite, nat
from oaknet_protocol.address import ADDRESS_LIMIT, Address, BadAddress, chosen
from oaknet_protocol.discovery import every_address
from oaknet_protocol.identity import Identity
from oaknet_protocol.node import Joined, News, Node
from oaknet_protocol.reach import Place, Reach
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.tls import Doors, invitation
from oaknet_protocol.transport import Answer, ConnectFault, Link, Listener, ListenFault, listen

LOOK_EVERY = 10.0
"""Seconds between looks at our own addresses."""


def own_hosts() -> tuple[str, ...]:
    """All addresses of this machine."""
    return tuple(place.host for place in every_address())


@dataclass(slots=True)
class Meeting:
    """``port`` is listened at; if ``exact`` that or none, otherwise another one where it is taken.

    ``patient`` means that the table is known and others may come later; if not, nobody to be reached at first
    is the end (`ConnectFault`). So it is always at first that another program is there with our key.
    ``players`` is the file of known players: who is blocked there is not let in.
    """

    identity: Identity
    notes: Notes
    players: Path
    port: int = 0
    exact: bool = False
    patient: bool = False
    router: bool = False
    private: bool = False
    name: str = ""
    _reach: Reach | None = None
    _node: Node | None = None
    _nursery: trio.Nursery | None = None
    _emit: Emit | None = None
    _own: tuple[Address, ...] = ()
    _forwarded: Address | None = None
    _nearby: Nearby | None = None
    _listening: int = 0
    _line: str = ""
    _doubled: bool = False

    async def connect(self, nursery: trio.Nursery, node: Node, begin: Callable[[], None], emit: Emit) -> None:
        """Listen, begin the table, and dial; everything goes on in ``nursery``."""
        self._node, self._nursery, self._emit = node, nursery, emit
        doors = Doors(self.identity)
        doors.open(self.notes.secret)
        listener = await self._listen(nursery, doors)
        self._listening = self.notes.port = listener.port
        self._own = chosen(own_hosts(), listener.port)
        invited = invitation(self.identity, self.notes.secret)
        self._reach = Reach(invited, self._attend, self._linked, self._failed)
        node.woken = self._reach.moved
        if self.notes.lan:
            self._nearby = Nearby(self.notes, self.identity.key, self.name, private=self.private)
            nursery.start_soon(self._nearby.run, self._found, emit)
        begin()
        for key, places in self.notes.places.items():
            if bytes.fromhex(key) != self.identity.key:
                self._reach.at(nursery, bytes.fromhex(key), places)
        nursery.start_soon(self._watch)
        if self.router:
            nursery.start_soon(self._forward)

    async def _listen(self, nursery: trio.Nursery, doors: Doors) -> Listener:
        try:
            return await listen(nursery, doors, self._guarded, port=self.port, admit=self._admit)
        except ListenFault as fault:
            if self.exact or not self.port:
                raise
            assert self._emit is not None
            listener = await listen(nursery, doors, self._guarded, admit=self._admit)
            self._emit(Note(f"{fault} This time it is port {listener.port}."))
            return listener

    # -- who comes -------------------------------------------------------------------------------------------

    async def _admit(self, _: str, key: bytes, program: bytes) -> Answer:
        assert self._node is not None
        if Players.read(self.players).blocked(key):
            return Answer.UNWANTED
        if not await self._node.alone(key, program):
            return Answer.TWIN
        if self._node.admits(key) or self._make_room():
            return Answer.WELCOME
        return Answer.FULL

    def _make_room(self) -> bool:
        """Before the game, let the oldest of those go who only look on: whoever comes may want to sit."""
        assert self._node is not None
        session = self._node.session
        if session.transcript is None or session.transcript.seating is not None:
            return False
        idle = next((link for key, link in self._node.links.items() if key not in session.sits), None)
        if idle is not None:
            idle.drop("others want to sit down")
        return idle is not None

    async def _guarded(self, link: Link) -> None:
        assert self._node is not None
        await self._node.attend(link)

    async def _attend(self, link: Link) -> None:
        assert self._node is not None
        if Players.read(self.players).blocked(link.key):
            link.drop("this player is blocked here")
            return
        await self._node.attend(link)

    def _linked(self, key: bytes) -> bool:
        """The empty key is anybody: one link is enough to hear of all."""
        assert self._node is not None
        return key in self._node.links if key else bool(self._node.links)

    def _failed(self, key: bytes, fault: ConnectFault) -> None:
        assert self._node is not None
        if not self.patient and not key and self._node.session.transcript is None and not self._node.links:
            raise fault
        if fault.step == "twin":  # who has just started is the second; who was at the table already stays
            if not self._node.met:
                raise fault
            if not self._doubled and self._emit is not None:
                self._emit(Note(str(fault)))
            self._doubled = True

    # -- where we are ----------------------------------------------------------------------------------------

    def hear(self, item: News) -> None:
        """Follow the news: who says where, and whom to tell where we are."""
        assert self._reach is not None
        assert self._nursery is not None
        assert self._node is not None
        match item:
            case events.Opened():
                self._tell_invite()
                self._say_where()
            case events.Sat() | Joined():
                self._say_where()
            case events.Started():
                self._line = ""
            case events.Addressed(key, addresses):
                if key != self.identity.key and addresses:
                    self._reach.at(self._nursery, key, addresses)
                    self._note(key, addresses)
            case _:
                pass
        if self._nearby is not None:
            self._nearby.show(self._node)

    def obey(self, command: Command) -> bool:
        """No command is about connections."""
        return False

    def _note(self, key: bytes, places: tuple[Place, ...]) -> None:
        self.notes.places[key.hex()] = places
        self.save()

    def save(self) -> None:
        """Keep the notes beside the table, if there is one already."""
        assert self._node is not None
        transcript = self._node.session.transcript
        if self._node.journal is not None and transcript is not None:
            self._node.journal.note_down(transcript.opening.record, self.notes.written())

    def _say_where(self) -> None:
        assert self._node is not None
        session = self._node.session
        places = tuple((address.host, address.port) for address in self._places())
        with contextlib.suppress(LocalProtocolError):  # not before the table is known
            self._node.do(session.at(places, self.notes.count()))

    def _places(self) -> tuple[Address, ...]:
        first = [self._forwarded] if self._forwarded is not None else []
        return tuple(dict.fromkeys([*self._own[:3], *first, *self._own[3:]]))[:ADDRESS_LIMIT]

    def _tell_invite(self) -> None:
        """Tell the line by which others join here; it is good for as long as one of its addresses is."""
        assert self._node is not None
        assert self._emit is not None
        transcript = self._node.session.transcript
        if transcript is None or transcript.seating is not None:
            return
        others = [_address(place) for place in self.notes.places.get("", ())]
        found = dict.fromkeys([*self._places(), *(one for one in others if one is not None)])
        line = str(invite.Invite(self.notes.secret, self.notes.opener, tuple(found)[:ADDRESS_LIMIT]))
        if line != self._line:
            self._line = line
            self._emit(Invited(line, self._listening))

    async def _watch(self) -> None:
        """Follow our own addresses: another network means other places, and another try."""
        assert self._reach is not None
        while True:
            await trio.sleep(LOOK_EVERY)
            own = chosen(await trio.to_thread.run_sync(own_hosts), self._listening)
            if own != self._own:
                self._own = own
                self._tell_invite()
                self._say_where()
                self._reach.moved()

    def _found(self, places: Sequence[Place]) -> None:
        """A table nearby is ours: knock there too."""
        assert self._reach is not None
        assert self._nursery is not None
        known = self.notes.places.get("", ())
        self._reach.at(self._nursery, b"", tuple(dict.fromkeys([*known, *places])))

    async def _forward(self) -> None:
        """Have the router pass our port on, and put that address into the invite."""
        assert self._nursery is not None
        assert self._emit is not None
        try:
            forwarded = await self._nursery.start(
                partial(nat.forward, changed=self._passed_on), self._listening
            )
        except nat.RouterFault as fault:
            if str(fault) != nat.NO_EXTRA or not any(_outside(address) for address in self._own):
                self._emit(Note(f"{fault} In one local network you can play without."))
            return
        self._passed_on(forwarded)

    def _passed_on(self, forwarded: nat.Forwarded) -> None:
        assert self._emit is not None
        self._forwarded = Address(forwarded.host, forwarded.port)
        self._emit(
            Note(
                f"The router passes port {forwarded.port} of {forwarded.host} on to this machine, as it says "
                f"by {forwarded.by}."
            )
        )
        self._tell_invite()
        self._say_where()


def _address(place: Place) -> Address | None:
    try:
        return Address.of(*place)
    except BadAddress:
        return None


def _outside(address: Address) -> bool:
    """Whether an address may be reached from everywhere."""
    return ipaddress.ip_address(address.host).is_global
