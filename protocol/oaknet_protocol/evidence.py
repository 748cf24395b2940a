"""Forks as proofs: anybody who has the charter can check them without having been there (transcript 6.3)."""

from __future__ import annotations

from oaknet_protocol.refused import Refused
from oaknet_protocol.signing import verify
from oaknet_protocol.table import Seating, read
from oaknet_protocol.wire import Entry, Record


def forker(seating: Seating, first: Record, second: Record) -> bytes | None:
    """The key that signed both of two different entries for one slot under this charter; None if none did."""
    try:
        one, two = read(Entry, first.data), read(Entry, second.data)
    except Refused:
        return None
    slots = [(entry.charter, entry.step, entry.author) for entry in (one, two)]
    if slots[0] != slots[1] or one.charter != seating.id or first.data == second.data:
        return None
    key = seating.peers[one.author] if one.author < len(seating.peers) else None
    if key is None or not all(verify(key, "entry", r.data, r.signatures[0]) for r in (first, second)):
        return None
    return key
