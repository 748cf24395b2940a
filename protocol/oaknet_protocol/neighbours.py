"""The peers linked to us: whom each reaches, where each stands, and what is passed on to them (session 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oaknet_protocol import sync
from oaknet_protocol.events import Event, Send
from oaknet_protocol.refused import Elsewhere, Refused
from oaknet_protocol.sync import Rings, Standing
from oaknet_protocol.wire import Head, Links, Record, pack

if TYPE_CHECKING:
    from oaknet_protocol.session import Session


class Neighbours:
    """The links of one session; ``links`` has whom each neighbour says it reaches, by key."""

    def __init__(self, session: Session) -> None:
        self.links: dict[bytes, Rings] = {}
        self._session = session
        self._heads: dict[bytes, Head] = {}
        self._compared: dict[tuple[bytes, int], None] = {}  # peer and step at which transcripts differed

    @property
    def rings(self) -> Rings:
        """Whom we reach, nearest first."""
        return sync.rings(self._session.key, self.links)

    def lost(self, key: bytes) -> None:
        """A link is over."""
        self.links.pop(key, None)
        self._heads.pop(key, None)

    def where(self, key: bytes | None) -> Send:
        """Our head, for one peer or for all."""
        return Send(pack(sync.head(self._session.begun())), key)

    def level(self, key: bytes) -> bool:
        """Whether a peer's last head is ours."""
        return self._heads.get(key) == sync.head(self._session.begun())

    def split_from(self, key: bytes) -> bool:
        """Whether a peer's last head shows another transcript under the same charter."""
        transcript, head = self._session.begun(), self._heads.get(key)
        if head is None or head == sync.head(transcript):
            return False
        return sync.answer(transcript, self._session.history, head).standing is Standing.SPLIT

    def take_head(self, key: bytes, head: Head) -> list[Event]:
        """Send the peer what it lacks of the transcript, or our head if it is ahead (session 5.1)."""
        transcript = self._session.transcript
        if transcript is None or head.table != transcript.table:
            return []
        self._heads[key] = head
        found = sync.answer(transcript, self._session.history, head)
        out: list[Event] = [Send(pack(record), key) for record in found.records]
        if found.standing is Standing.AHEAD:
            out.append(self.where(key))
        if found.standing is Standing.SAME and transcript.seating is not None:
            out += self._session.council.bring_back()
        return out

    def compare(self, key: bytes, refusal: Refused) -> list[Event]:
        """Show a peer whose entry follows another transcript where we stand, once a step (session 5.2)."""
        transcript = self._session.transcript
        if not isinstance(refusal, Elsewhere) or refusal.step is None or transcript is None:
            return []
        at = (key, transcript.step.number)
        if at in self._compared:
            return []
        self._compared[at] = None
        return [self.where(key)]

    def said(self) -> Send:
        """Whom we reach, for all neighbours."""
        return Send(pack(Links("links", self._session.begun().table, self.rings)))

    def take_links(self, key: bytes, links: Links) -> list[Event]:
        """Note whom a neighbour reaches; what that changes for us, the others hear (session 5.4)."""
        transcript = self._session.transcript
        if transcript is None or links.table != transcript.table or key not in self.links:
            return []
        before, heard = self.rings, self.links[key]
        self.links[key] = links.rings
        after = self.rings
        for other in (other for ring in after for other in ring):
            self._session.council.returned(other)
        news: list[Event] = [self.said()] if after != before else []
        near = links.rings[0] if links.rings else ()
        if heard and any(other not in near for other in heard[0]):
            news.append(self.where(key))  # what its neighbour of before had not yet told it, we may have
        return news + self._session.council.seat_all()

    def spread(self, record: Record, source: bytes, author: bytes | None) -> list[Event]:
        """Pass something checked on to the neighbours that do not hear its author (session 5.3)."""
        message = pack(record)
        return [
            Send(message, key)
            for key, heard in self.links.items()
            if key not in (source, author) and not (heard and author in heard[0])
        ]
