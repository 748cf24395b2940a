"""What proves that a peer cheated: anybody can check it without having been there (transcript 6.3)."""

from __future__ import annotations

from oaknet_protocol.refused import Fork, Refused
from oaknet_protocol.signing import verify
from oaknet_protocol.table import Seating, read
from oaknet_protocol.wire import Entry, Record


def records(refusal: Refused, record: Record) -> tuple[Record, ...]:
    """What to keep of something refused: the record, or for a fork both of its records."""
    return (refusal.first, refusal.second) if isinstance(refusal, Fork) else (record,)


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


def charter_forkers(one: Seating, two: Seating) -> tuple[bytes, ...]:
    """The keys that signed both of two checked charters, which are different ones of one number."""
    if one.charter.number != two.charter.number or one.id == two.id:
        return ()
    return tuple(key for key in one.sits if key in two.sits and one.signed_by(key) and two.signed_by(key))
