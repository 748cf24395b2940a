"""What this peer has signed at one table: one sit, one charter a number, one entry a slot, ever (session 4).

Each comes with the `Keep` that puts it on the disk before it is sent; `Own.restore` reads them back, and from
then on the same bytes are sent again and nothing else is signed in their place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oaknet.kernel import Option
from oaknet_protocol import wire
from oaknet_protocol.beacon import LENGTH, Chain, u32
from oaknet_protocol.events import Keep
from oaknet_protocol.signing import Signer
from oaknet_protocol.table import Seating
from oaknet_protocol.wire import BadMessage, Charter, Entry, Record, Sit, decode, pack, unpack

Slot = tuple[bytes, int, int]
"""Charter id, step, author."""


class DamagedFile(ValueError):
    """The side file of a table cannot be read: going on without it could sign a slot twice."""


@dataclass(slots=True)
class Own:
    """What we have signed; ``number`` is the highest charter, ``revealed`` the highest draw of our shares."""

    signer: Signer
    sit: Record | None = None
    number: int = 0
    charters: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])  # charter bytes: our signature
    entries: dict[Slot, Record] = field(default_factory=dict[Slot, Record])
    sealed: dict[Slot, tuple[Option, ...]] = field(default_factory=dict[Slot, tuple[Option, ...]])
    revealed: int = 0
    chain: Chain | None = None

    @classmethod
    def restore(cls, signer: Signer, kept: list[bytes]) -> Own:
        """Read back what `Keep` events have put on the disk; raises `DamagedFile`."""
        own = cls(signer)
        try:
            for data in kept:
                own._read(unpack(data))
        except (BadMessage, TypeError, ValueError) as error:
            raise DamagedFile(f"what this peer has signed cannot be read: {error}") from None
        return own

    def _read(self, value: Any) -> None:
        kind, data, signature = value[:3]
        if kind == "sit":
            sit = decode(Sit, data)
            self.sit = Record("sit", data, signature)
            self.chain = Chain(sit.table, sit.key, self.signer.secret("chain", sit.table + sit.nonce))
        elif kind == "charter":
            self.charters[data] = signature
            self.number = max(self.number, decode(Charter, data).number)
        else:
            entry = decode(Entry, data)
            slot = (entry.charter, entry.step, entry.author)
            self.entries[slot] = Record("entry", data, signature)
            self._note_share(entry)
            if entry.kind == "seal":
                self.sealed[slot] = tuple(value[3])

    def take_seats(self, table: bytes, names: tuple[str, ...], nonce: bytes) -> tuple[Record, list[Keep]]:
        """Our sit, with a chain from this nonce; the one we have signed already, if there is one."""
        keep: list[Keep] = []
        if self.sit is None:
            self.chain = Chain(table, self.signer.key, self.signer.secret("chain", table + nonce))
            data = pack(Sit(table, self.signer.key, names, nonce, self.chain.tip))
            self.sit = Record("sit", data, self.signer.sign("sit", data))
            keep = [Keep(pack(self.sit))]
        return self.sit, keep

    def sign_charter(self, data: bytes, number: int) -> tuple[bytes, Keep]:
        """Our signature of a charter whose number is above all that we have signed."""
        assert number > self.number, "one charter of a number"
        self.number = number
        self.charters[data] = signature = self.signer.sign("charter", data)
        return signature, Keep(pack(("charter", data, signature)))

    def sign_entry(self, entry: Entry, kept: tuple[Option, ...] = ()) -> tuple[Record, list[Keep]]:
        """Our entry for a slot; what is signed there already comes back as it is, with nothing to keep.

        ``kept`` are the answers behind a seal.
        """
        slot = (entry.charter, entry.step, entry.author)
        if slot in self.entries:
            return self.entries[slot], []
        data = pack(entry)
        record = Record("entry", data, self.signer.sign("entry", data))
        self.remember(entry, record)
        if entry.kind == "seal":
            self.sealed[slot] = kept
        return record, [Keep(pack(("entry", data, record.signature, kept)))]

    def remember(self, entry: Entry, record: Record) -> None:
        """Note an entry of ours, also one that only others still had."""
        self.entries.setdefault((entry.charter, entry.step, entry.author), record)
        self._note_share(entry)

    def recall(self, seating: Seating) -> list[Keep]:
        """Learn from a charter of the log what a side file lacks that was lost, or is older than the log:
        our sit, and that a charter of this number is signed."""
        keep: list[Keep] = []
        if self.signer.key in seating.sits:
            self.number = max(self.number, seating.charter.number)
            if self.sit is None:
                at = list(seating.sits).index(self.signer.key)
                keep = [Keep(pack(Record("sit", *seating.charter.sits[at])))]
                self._read(unpack(keep[0].data))
        return keep

    def share(self, draw: int) -> bytes:
        """Our share of a draw; raises `beacon.OutOfDraws`."""
        assert self.chain is not None, "a peer without a sit has no chain"
        return self.chain.share(draw)

    def salt(self, charter: bytes, step: int, author: int) -> bytes:
        """The salt of the move that we seal in this slot (transcript 4.3)."""
        return self.signer.secret("salt", charter + u32(step) + u32(author))

    def _note_share(self, entry: Entry) -> None:
        """Learn from an entry of ours which draw it gave a share for."""
        share = entry.body[-1] if entry.body and entry.kind in ("move", "share") else b""
        if isinstance(share, bytes) and share and self.chain is not None:
            index = self.chain.index(share)
            if index is not None:
                self.revealed = max(self.revealed, LENGTH - index)


def kept_records(data: bytes) -> list[bytes]:
    """The contents of a side file; a last piece that was not finished was never sent, and is left out."""
    found: list[bytes] = []
    offset = 0
    while offset + 4 <= len(data):
        size = int.from_bytes(data[offset : offset + 4], "big")
        piece = data[offset + 4 : offset + 4 + size]
        if len(piece) < size or not 0 < size <= wire.MAX_FRAME:
            break
        found.append(piece)
        offset += 4 + size
    return found
