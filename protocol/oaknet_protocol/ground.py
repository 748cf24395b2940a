"""Where a charter goes on from: the step, and the entries of it that count on (session 3.4 to 3.6)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from oaknet_protocol import consent
from oaknet_protocol.table import Seating, read
from oaknet_protocol.transcript import Transcript
from oaknet_protocol.wire import Entry, Record

if TYPE_CHECKING:
    from oaknet_protocol.session import Session


class Ground:
    """The past of one session, as far as charters can go on from it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def place(self, parent: tuple[bytes, int, bytes]) -> Transcript | None:
        """The transcript as it was at this place: where we stand, or a step of our past."""
        session, now = self._session, self._session.begun()
        if now.seating is not None and parent == (now.seating.id, now.step.number, now.head):
            return session.twin()
        count = next((i for i, s in enumerate(now.charters, 1) if s.id == parent[0]), 0)
        return session.rebuilt(count, parent[1], parent[2])

    def given(self, seating: Seating, parent: tuple[bytes, int, bytes]) -> Transcript | None:
        """The transcript as it was at an earlier step, with the entries that a charter takes over from it."""
        base = self.place(parent)
        return base and self.holding(base, seating.charter.given, self.held(base, seating.sits))

    def held(self, base: Transcript, stay: Collection[bytes]) -> list[Record]:
        """What we hold of the step at which ``base`` stands, and that counts on if just these peers stay: all
        but a move or seal of a cheat who made a fork there, since others may hold the other one."""
        session, number, seating = self._session, base.step.number, base.seating
        cheats = self.forkers(number, stay)
        part = session.history.at(len(base.charters), number)
        records = [filled.record for filled in base.step.entries.values()]
        records += [record for record in (part.records if part else ()) if record.kind == "entry"]
        found: dict[bytes, Record] = {}
        for record in records:
            author = read(Entry, record.data).author
            if seating is None or base.step.kind == "share" or seating.peers[author] not in cheats:
                found[record.id] = record
        return [*found.values()]

    def forkers(self, number: int, stay: Collection[bytes]) -> list[bytes]:
        """Who has made a fork at this step and does not stay."""
        return [key for key, step in self._session.witness.forks if step == number and key not in stay]

    def holding(self, base: Transcript, given: tuple[bytes, ...], held: list[Record]) -> Transcript:
        """A transcript whose step has just these of the entries that we hold."""
        there = [filled.record.id for filled in base.step.entries.values()]
        missing = [record for record in held if record.id in given and record.id not in there]
        if not missing and all(one in given for one in there):
            return base
        twin = self._session.twin() if base is self._session.transcript else base
        twin.forget(given)
        for record in missing:
            twin.take(record)
        return twin

    def complete(self, base: Transcript, seating: Seating) -> bool:
        """Bring the step that a charter goes on from to the entries it takes over, no fewer and no more.

        Says whether all of them are here; if not, nothing is changed.
        """
        there = [filled.record.id for filled in base.step.entries.values()]
        missing = [one for one in seating.charter.given if one not in there]
        held = {record.id: record for record in self._session.held()}
        if any(one not in held for one in missing):
            return False
        base.forget(seating.charter.given)
        for one in missing:
            base.take(held[one])
        return True

    def common(self, transcript: Transcript, stay: Collection[bytes]) -> Transcript:
        """The latest step that those who stay hold alike, with the entries of it that count on: ours, or the
        one where a cheat has split them."""
        session, count = self._session, len(transcript.charters)
        drawn = session.history.drawn_since  # no split is older than a complete draw
        steps = [step for key, step in session.witness.forks if key not in stay and not drawn(count, step)]
        split = any(session.neighbours.split_from(key) for key in stay)
        spent = not consent.share_free(transcript, session.own)
        base = session.rebuilt(count, min(steps), None) if (split or spent) and steps else None
        return self.counting(base or transcript, stay)

    def counting(self, base: Transcript, stay: Collection[bytes]) -> Transcript:
        """A transcript with the entries of its step that count on if just these peers stay."""
        held = self.held(base, stay)
        return self.holding(base, tuple(record.id for record in held), held)
