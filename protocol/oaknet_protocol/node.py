"""A peer at work: its session, its links and its files, under trio (session 6).

What the session says is done in its order, so nothing is sent that the disk does not hold. Everything a peer
does wrong ends at most its own link; what ends the table is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import trio

from oaknet.kernel import Option
from oaknet_protocol import beacon, events, evidence
from oaknet_protocol.framing import FRAME_LIMIT
from oaknet_protocol.journal import Journal
from oaknet_protocol.refused import Desync, Fault, Fork, Malformed
from oaknet_protocol.session import Session
from oaknet_protocol.table import Opening
from oaknet_protocol.transport import Link
from oaknet_protocol.wire import Record

LAST_WORDS = 5
"""Seconds that a finished table waits for the others to confirm the result."""


class PeerLost(Exception):
    """A peer of the table is gone before the end."""

    status = 5


class PeerCheated(Exception):
    """A peer of the table has signed what the rules do not allow, so the table cannot go on with it."""

    status = 4


class StatesDiffer(Exception):
    """Two peers have played the same moves to different positions; which of them is wrong, nobody can say."""

    status = 4


class TableSpent(Exception):
    """The table has used all the draws that its peers committed to."""

    status = 5


@dataclass(frozen=True, slots=True)
class Joined:
    """A link with the peer of this key stands."""

    key: bytes


@dataclass(frozen=True, slots=True)
class Left:
    """The link with the peer of this key is over; ``why`` in words."""

    key: bytes
    why: str


News: TypeAlias = events.Event | Joined | Left


class Node:
    """One peer at one table.

    ``tell`` hears all that happens, in order, after it has been carried out; it may call `move` and `resign`
    later, but not while it is called. ``journal`` is None until the table is known.
    """

    def __init__(self, session: Session, folder: Path, tell: Callable[[News], None]) -> None:
        self.session = session
        self.journal: Journal | None = None
        self.links: dict[bytes, Link] = {}
        self._folder = folder
        self._tell = tell
        self._confirmed = trio.Event()
        self._broken: OSError | None = None

    # -- what the player does --------------------------------------------------------------------------------

    def open(self, record: Record) -> None:
        """Begin with an opening, ours or the invite's; raises `Refused` or `OSError`."""
        self.do(self.session.open(record))

    def move(self, seat: int, answers: tuple[Option, ...]) -> None:
        """Make the move of a charter seat of ours.

        Raises `LocalProtocolError`; or `OSError`, and then nothing is sent.
        """
        self.do(self.session.move(seat, answers))

    def resign(self, seat: int) -> None:
        """Give up a charter seat of ours when it is asked; raises as `move` does."""
        self.do(self.session.resign(seat))

    # -- what the network does -------------------------------------------------------------------------------

    async def attend(self, link: Link) -> None:
        """Exchange messages over a link until it is over.

        Raises `PeerLost` if it was a peer of a table that is not finished, `PeerCheated`, `StatesDiffer`,
        `TableSpent`, or `OSError`.
        """
        self.links[link.key] = link
        link.limit = FRAME_LIMIT
        self._tell(Joined(link.key))
        try:
            self.do(self.session.connected(link.key))
            async for message in link:
                self.do(self.session.receive(link.key, message))
        finally:
            if self.links.get(link.key) is link:
                del self.links[link.key]
        self._tell(Left(link.key, link.why or ""))
        if self._watches():  # nobody waits for us at the end, so it may come by another link a little later
            with trio.move_on_after(LAST_WORDS):
                while not self._over():
                    await self._confirmed.wait()
        if link.key not in self.links and self._needed(link.key):
            raise PeerLost(f"{self._name(link.key)} is gone: {link.why}. {self._kept()}")

    async def finish(self) -> None:
        """Wait until the game is over and all have confirmed it, for `LAST_WORDS` seconds at most."""
        while not self._over():
            await self._confirmed.wait()
            self._confirmed = trio.Event()
        with trio.move_on_after(LAST_WORDS):
            while self._transcript_step() != "over":
                await self._confirmed.wait()
                self._confirmed = trio.Event()
        for link in list(self.links.values()):
            await link.aclose()

    def close(self) -> None:
        """Close the files."""
        if self.journal is not None:
            self.journal.close()

    # -- carrying out ----------------------------------------------------------------------------------------

    def do(self, happened: list[events.Event]) -> None:
        """Carry out events in their order.

        Stops for good at the first that the disk refuses (`OSError`): the session counts what was not kept
        as said, so nothing more of it may be sent.
        """
        if self._broken is not None:
            raise self._broken
        for event in happened:
            try:
                self._carry_out(event)
            except OSError as error:
                self._broken = error
                raise
            self._tell(event)
        if self._over():
            self._confirmed.set()

    def _carry_out(self, event: events.Event) -> None:
        match event:
            case events.Opened(record):
                self.journal = Journal(self._folder, Opening.check(record, self.session.rules_for))
            case events.Keep():
                self._files().keep(event)
            case events.Write():
                self._files().write(event)
            case events.Send(message, to):
                for key, link in self.links.items():
                    if to in (None, key):
                        link.send(message)
            case events.Rejected():
                self._reject(event)
            case events.Spent():
                raise TableSpent(f"The table has used all of its {beacon.LENGTH} draws. {self._kept()}")
            case _:
                pass

    def _reject(self, event: events.Rejected) -> None:
        refusal = event.refusal
        if isinstance(refusal, Malformed) and event.key in self.links:
            self.links[event.key].drop(f"it sent what cannot be read: {refusal.why}")
        if isinstance(refusal, Fault | Fork | Desync):
            if self.journal is not None and event.record is not None:
                self.journal.note(evidence.records(refusal, event.record))
            where = "" if refusal.step is None else f"At step {refusal.step}: "
            kind = StatesDiffer if isinstance(refusal, Desync) else PeerCheated
            raise kind(f"{where}{refusal.why}. The table cannot go on. {self._kept()}")

    def _files(self) -> Journal:
        assert self.journal is not None, "files are written before the table is known"
        return self.journal

    def _over(self) -> bool:
        return self.session.transcript is not None and self.session.transcript.over

    def _transcript_step(self) -> str:
        return self.session.transcript.step.kind if self.session.transcript else ""

    def _needed(self, key: bytes) -> bool:
        """Whether the table cannot go on without this peer."""
        transcript = self.session.transcript
        if transcript is None or transcript.seating is None:
            return True
        return not transcript.over and transcript.plays(key)

    def _watches(self) -> bool:
        """Whether the game goes on and we play no seat of it, as after resigning."""
        transcript = self.session.transcript
        if transcript is None or transcript.seating is None or transcript.over:
            return False
        return not transcript.plays(self.session.key)

    def _name(self, key: bytes) -> str:
        transcript = self.session.transcript
        seating = transcript.seating if transcript else None
        seat = seating.author(key) if seating else None
        return "A peer" if seating is None or seat is None else seating.names[seat]

    def _kept(self) -> str:
        if self.journal is None:
            return "The table had not begun."
        return f"The game stops here; its log is whole: {self.journal.path}"
