"""What others have signed and must not: kept, told, and proved to all (transcript 6, session 5.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oaknet_protocol import events, evidence
from oaknet_protocol.events import Event, Send
from oaknet_protocol.refused import (
    BadSignature,
    Desync,
    Elsewhere,
    Fault,
    Fork,
    Malformed,
    NotDue,
    Refused,
)
from oaknet_protocol.signing import verify
from oaknet_protocol.table import read
from oaknet_protocol.wire import Entry, Proof, Record, pack

if TYPE_CHECKING:
    from oaknet_protocol.session import Session

EVIDENCE = 64
"""Refused records that are kept; and beside them the first fork or fault of each seat."""
FORKS = 256
"""Forks under one charter that are told apart: from the step of each those who go on may begin again."""


class Witness:
    """What one session holds against others.

    ``evidence`` are refused records that were signed: ``(reason, records)``, two for a fork; ``cheats`` says
    what convicts whom; ``forks`` are those of entries under this charter, by author's key and step.
    """

    def __init__(self, session: Session) -> None:
        self.evidence: list[tuple[str, tuple[Record, ...]]] = []
        self.cheats: dict[bytes, Refused] = {}
        self.forks: dict[tuple[bytes, int], Fork] = {}
        self._session = session
        self._accused: dict[tuple[str, int | None], None] = {}  # reason and seat of what was proved

    def forked(self, stay: Iterable[bytes]) -> list[Record]:
        """The entries of all proved forks whose authors are not among those who stay."""
        forks = [fork for (key, _), fork in self.forks.items() if key not in stay]
        return [record for fork in forks for record in (fork.first, fork.second)]

    def refuse(self, key: bytes, refusal: Refused, record: Record | None) -> list[Event]:
        """Tell of something refused, and keep what was signed of it."""
        out: list[Event] = [events.Rejected(key, refusal, record)]
        if record is None or isinstance(refusal, Malformed | BadSignature):
            return out
        proof = evidence.records(refusal, record)
        proved = isinstance(refusal, Fault | Fork | Desync)
        accused = (refusal.reason, refusal.author)
        if len(self.evidence) >= EVIDENCE:
            keep = proved and accused not in self._accused
        else:  # two of the reasons come before the signature is looked at
            keep = not isinstance(refusal, Elsewhere | NotDue) or self._signed(record)
        if keep:
            self.evidence.append((refusal.reason, proof))
        if proved:
            self._accused[accused] = None
        if isinstance(refusal, Fault | Fork):
            culprit = refusal.key or self._session.begun().peer(refusal.author or 0) or b""
            if isinstance(refusal, Fork):
                self._note_fork(culprit, refusal)
            out += self._caught(culprit, refusal, proof)
        return out

    def _signed(self, record: Record) -> bool:
        """Whether this is an entry under the charter that counts, signed by the peer of its seat."""
        transcript = self._session.transcript
        seating = transcript.seating if transcript else None
        if seating is None or record.kind != "entry":
            return False
        entry = read(Entry, record.data)
        key = seating.peers[entry.author] if entry.author < len(seating.peers) else None
        under = entry.charter == seating.id and key is not None
        return under and verify(key or b"", "entry", record.data, record.signatures[0])

    def _note_fork(self, key: bytes, fork: Fork) -> None:
        """Remember at which step of this charter somebody has signed twice; of more than two shares, the one
        that is right."""
        transcript = self._session.begun()
        if fork.first.kind != "entry" or transcript.seating is None or len(self.forks) >= FORKS:
            return
        entry = read(Entry, fork.second.data)
        slot = (key, entry.step)
        if entry.charter == transcript.seating.id and (slot not in self.forks or transcript.fits(key, entry)):
            self.forks[slot] = fork

    def _caught(self, key: bytes, refusal: Refused, proof: tuple[Record, ...]) -> list[Event]:
        """Note the first thing that convicts a peer, and tell the others of a fork (transcript 6.3)."""
        known = self.cheats.get(key)
        if isinstance(known, Fork) or (known is not None and not isinstance(refusal, Fork)):
            return []  # a fork, which can be proved to all, takes the place of a fault
        self.cheats[key] = refusal
        out: list[Event] = [events.Cheated(key, refusal, proof)]
        seating = self._session.begun().seating
        if isinstance(refusal, Fork) and refusal.first.kind == "entry" and seating is not None:
            out.append(Send(pack(Proof("proof", seating.record, refusal.first, refusal.second))))
        return out + self._session.council.weigh_all()

    def take_proof(self, source: bytes, proof: Proof) -> list[Event]:
        """Believe a fork that somebody else has found, once it is checked (transcript 6.3)."""
        transcript = self._session.transcript
        charters = transcript.charters if transcript else []
        seating = next((s for s in charters if s.record.data == proof.charter.data), None)
        key = evidence.forker(seating, proof.first, proof.second) if seating else None
        if key is None:
            return []
        entry = read(Entry, proof.first.data)
        now = self._session.begun().seating
        current = now is not None and entry.charter == now.id
        if (key, entry.step) in self.forks or (not current and isinstance(self.cheats.get(key), Fork)):
            return []
        why = f"seat {entry.author} signed two different entries for step {entry.step}"
        refusal = Fork(why, proof.first, proof.second, step=entry.step, author=entry.author, key=key)
        return self.refuse(source, refusal, proof.second)
