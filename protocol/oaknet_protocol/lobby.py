"""Who sits at a table before it begins, and with what sit ever after (session 3.1, 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oaknet_protocol import events, wire
from oaknet_protocol.events import Event, Send
from oaknet_protocol.refused import BadCharter, LocalProtocolError
from oaknet_protocol.table import Opening, Seating, check_sit
from oaknet_protocol.wire import Record, Sit, pack

if TYPE_CHECKING:
    from oaknet_protocol.session import Session


class Lobby:
    """The sits of one session's table; ``sits`` are those known, by key."""

    def __init__(self, session: Session, names: tuple[str, ...], nonce: bytes) -> None:
        self.sits: dict[bytes, tuple[Sit, Record]] = {}
        self._session = session
        self._names = names
        self._nonce = nonce

    def sit(self, names: tuple[str, ...]) -> list[Event]:
        """Take seats at a table that has not begun; a spectator becomes a player."""
        session, transcript = self._session, self._session.begun()
        if session.own.sit is not None or transcript.seating is not None:
            raise LocalProtocolError("this peer sits already, or the table has begun")
        self._names = names
        return self.sit_down(transcript.opening)

    def sit_down(self, table: Opening) -> list[Event]:
        """Our own sit: kept first, then sent, and repeated as it is ever after (session 3.1)."""
        session = self._session
        if not self._names and session.own.sit is None:
            return []
        record, keep = session.own.take_seats(table.table, self._names, self._nonce)
        sit = check_sit(table, record.data, record.signatures[0])
        self.sits[session.key] = (sit, record)
        return [*keep, Send(pack(record)), events.Sat(sit), *session.council.seat_all()]

    def take(self, source: bytes, record: Record) -> list[Event]:
        """Take another's sit while there is room, and pass it on; raises `Refused`."""
        session, transcript = self._session, self._session.begun()
        sit = check_sit(transcript.opening, record.data, record.signatures[0])
        known = self.sits.get(sit.key)
        if known is not None:
            if known[1].data != record.data:
                raise BadCharter("a second sit of one key", kind="sit")
            return []
        if transcript.seating is not None or session.council.bound:
            raise BadCharter("the table has begun without it", kind="sit")
        reach = session.present
        taken = sum(len(other.names) for key, (other, _) in self.sits.items() if key in reach)
        if taken + len(sit.names) > transcript.opening.terms.seats or len(self.sits) >= wire.MAX_LINKS:
            raise BadCharter("the table is full", kind="sit")
        self.sits[sit.key] = (sit, record)
        return [
            events.Sat(sit),
            *session.neighbours.spread(record, source, sit.key),
            *session.council.seat_all(),
        ]

    def seated(self) -> dict[bytes, tuple[Sit, Record]]:
        """The sits of those present that fill the seats, in the order in which they came."""
        free, found = self._session.begun().opening.terms.seats, dict[bytes, tuple[Sit, Record]]()
        reach = self._session.present
        for key, (sit, record) in self.sits.items():
            if key in reach and len(sit.names) <= free:
                found[key] = (sit, record)
                free -= len(sit.names)
        return found

    def pairs(self) -> dict[bytes, tuple[bytes, bytes]]:
        """The sits of the table as signed bytes and signature, by key."""
        pairs = {key: (record.data, record.signatures[0]) for key, (_, record) in self.sits.items()}
        for seating in self._session.begun().charters:
            pairs.update(zip(seating.sits, seating.charter.sits, strict=True))
        return pairs

    def seat(self, seating: Seating) -> list[Event]:
        """Take the sits of a charter as if they had come alone (session 3.2)."""
        out: list[Event] = []
        for key, (data, signature) in zip(seating.sits, seating.charter.sits, strict=True):
            if key not in self.sits:
                self.sits[key] = (seating.sits[key], Record("sit", data, signature))
                out.append(events.Sat(seating.sits[key]))
        return out
