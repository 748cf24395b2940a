"""What is said beside the game: chat, and where peers can be dialled (session 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oaknet_protocol import events
from oaknet_protocol.events import Event, Send
from oaknet_protocol.refused import BadSignature, LocalProtocolError, Malformed
from oaknet_protocol.signing import Signer, verify
from oaknet_protocol.table import read
from oaknet_protocol.wire import At, Chat, Record, pack

if TYPE_CHECKING:
    from oaknet_protocol.session import Session


class Words:
    """The words of one session, ours signed by ``signer``: of each author the newest counter counts."""

    def __init__(self, session: Session, signer: Signer) -> None:
        self._session = session
        self._signer = signer
        self._counters: dict[tuple[str, bytes], int] = {}

    def say(self, kind: str, word: Chat | At) -> list[Event]:
        """Sign a word of ours and send it to all; raises `LocalProtocolError` if it cannot be said."""
        data = pack(word)
        try:
            return self.take(self._signer.key, Record(kind, data, self._signer.sign(kind, data)))
        except Malformed as refusal:
            raise LocalProtocolError(f"that cannot be said: {refusal.why}") from None

    def take(self, source: bytes, record: Record) -> list[Event]:
        """Take chat or addresses, if they are signed and newer than their author's last, and pass them on."""
        session = self._session
        word: Chat | At = read(Chat, record.data) if record.kind == "chat" else read(At, record.data)
        signed = verify(word.key, record.kind, record.data, record.signatures[0])
        if word.table != session.begun().table or not signed:
            raise BadSignature(f"a {record.kind} that its author has not signed", kind=record.kind)
        known = word.key in session.sits or word.key in session.present
        if not known or word.counter <= self._counters.get((record.kind, word.key), -1):
            return []
        self._counters[record.kind, word.key] = word.counter
        ours = source == session.key
        spread = [Send(pack(record))] if ours else session.neighbours.spread(record, source, word.key)
        if isinstance(word, Chat):
            return [events.Chatted(word.key, word.text), *spread]
        return [events.Addressed(word.key, word.addresses), *spread]
