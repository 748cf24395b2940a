"""A table in the local network: told of while it has free seats, and looked for by who sits at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio

from oaknet_client.feed import Emit, Note
from oaknet_client.notes import Notes
from oaknet_protocol.announcement import BadAnnouncement, OpenTable, PrivateTable
from oaknet_protocol.discovery import Lan
from oaknet_protocol.invite import Invite, key_hash
from oaknet_protocol.node import Node
from oaknet_protocol.reach import Place


@dataclass(slots=True)
class Nearby:
    """``private`` tells only that a table exists; a table is open if the notes have its seed."""

    notes: Notes
    key: bytes
    name: str
    private: bool = False
    _lan: Lan | None = None
    _told: OpenTable | PrivateTable | None = None

    async def run(self, found: Callable[[Sequence[Place]], None], emit: Emit) -> None:
        """Announce and listen until cancelled; ``found`` gets the places of this table at other peers."""
        self._lan = Lan()
        invite = Invite(self.notes.secret, self.notes.opener)
        trouble = ""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._lan.run)
            async for seen in self._lan.seen:
                if seen.trouble != trouble:
                    trouble = seen.trouble
                    if trouble:
                        emit(Note(trouble))
                places = [
                    (host, one.port)
                    for one in seen.tables
                    if (isinstance(one.table, PrivateTable) and one.table.matches(invite))
                    or (isinstance(one.table, OpenTable) and one.table.invite == invite)
                    for host in one.hosts
                ]
                if places:
                    found(places)

    def show(self, node: Node) -> None:
        """Tell the network how the table stands: open while seats are free, then only that it is there."""
        transcript = node.session.transcript
        if self._lan is None or transcript is None:
            return
        terms = transcript.opening.terms
        free = terms.seats - sum(len(sit.names) for sit, _ in node.session.lobby.seated().values())
        private = PrivateTable.of(Invite(self.notes.secret, self.notes.opener))
        table: OpenTable | PrivateTable = private
        mine = bool(self.notes.seed) and key_hash(self.key) == self.notes.opener
        if mine and not self.private and transcript.seating is None:
            table = OpenTable(
                transcript.table[:16],
                terms.game,
                max(0, free),
                terms.seats,
                self.notes.opener,
                self.name,
                self.notes.seed,
            )
        if table != self._told:
            try:
                self._lan.announce(table, self.notes.port)
            except BadAnnouncement:  # a game or a name that no announcement can hold: found by invite alone
                self._lan.announce(private, self.notes.port)
            self._told = table
